"""Operations that change memory, with the published names and arguments."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

from attrs import evolve

from rove_core import Operation, WrongCall, counted, visible
from rove_memory.argument_help import MEMORY_KEY, MEMORY_TYPE, PROJECT_PATH
from rove_memory.memory.answer import answer_of
from rove_memory.memory.memories import Memories, MemoryDraft
from rove_memory.memory.model import Feedback, MemoryItem, MemoryType
from rove_memory.memory.terminal_text import print_memory
from rove_memory.session_settings import SESSION
from rove_memory.sessions.session_rows import workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.store import ProjectStore, in_thread
from rove_memory.store.values import time_text

if TYPE_CHECKING:
    from rove_core import LocalProject


async def memory_store(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    key: Annotated[str, "Its name, unique within its type: token-rotation."],
    content: Annotated[str, "What to remember."],
    memory_type: Annotated[MemoryType, "What it is about."],
    importance: Annotated[
        int | None, "From 1 (nice to know) to 5 (critical); 2 for a new memory."
    ] = None,
    summary: Annotated[str | None, "A short version of the content."] = None,
    tags: Annotated[tuple[str, ...] | None, "A tag; may be given again."] = None,
    related_items: Annotated[
        tuple[str, ...] | None, "A ticket or plan; may be given again."
    ] = None,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    expires_at: Annotated[datetime | None, "When it expires."] = None,
    supersedes: Annotated[str, "The key of a memory that this one replaces."] = "",
    contradicts: Annotated[str, "The key of a memory that this one contradicts."] = "",
    session_id: Annotated[str, "The session it comes from; default: the active session."] = "",
) -> MemoryItem:
    """Store a memory for this project; an existing key gets a new version.

    That version keeps the importance, tags, related items and expiry of the last one unless others
    are given, and the summary if the content is the same.
    """
    store, place = ProjectStore.of(rove, project_path), workplace(rove, project_path, "")
    settings = rove.settings.section(SESSION)

    def work() -> MemoryItem:
        with store.writing() as db:
            sessions = Sessions(db=db, store=store, settings=settings)
            row = sessions.row(session_id) if session_id else sessions.active(place)
            session = row["id"] if row else None
            memories = Memories(db=db, store=store)
            # What it refers to has to be there before it is, or it might refer to itself.
            old = memories.named(supersedes) if supersedes else None
            other = memories.named(contradicts) if contradicts else None
            draft = MemoryDraft(
                key=key,
                content=content,
                memory_type=memory_type,
                session_id=session,
            )
            if last := memories.current(key, memory_type):
                draft = draft.following(last)
            given = {
                "importance": importance,
                "summary": summary,
                "tags": tags,
                "related_items": related_items,
                "expires_at": time_text(expires_at) if expires_at else None,
            }
            item = memories.put(evolve(draft, **_present(given)))
            if old:
                memories.supersede(old, item, session)
            if other:
                memories.contradict(item, other, session)
            if session:
                sessions.touch(session)
            return answer_of(memories.get(item.id))

    return await in_thread(work)


async def memory_update(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    key: Annotated[str, MEMORY_KEY],
    content: Annotated[str | None, "The new content."] = None,
    importance: Annotated[int | None, "The new importance, 1 to 5."] = None,
    confidence: Annotated[float | None, "Confidence, 0 to 1."] = None,
    memory_type: Annotated[str | None, MEMORY_TYPE] = None,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
) -> MemoryItem:
    """Change a memory; the old text stays as an earlier version."""
    if content is None and importance is None and confidence is None:
        raise WrongCall("nothing to change: give content, importance or confidence")
    store, place = ProjectStore.of(rove, project_path), workplace(rove, project_path, "")
    settings = rove.settings.section(SESSION)

    def work() -> MemoryItem:
        with store.writing() as db:
            memories = Memories(db=db, store=store)
            sessions = Sessions(db=db, store=store, settings=settings)
            old, session = memories.named(key, memory_type), sessions.active(place)
            draft = MemoryDraft(
                key=old.key,
                content=old.content if content is None else content,
                memory_type=old.memory_type,
                session_id=session["id"] if session else None,
            )
            given = {"importance": importance, "confidence": confidence}
            if session:
                sessions.touch(session["id"])
            return answer_of(memories.put(evolve(draft.following(old), **_present(given))))

    return await in_thread(work)


async def memory_forget(
    rove: "LocalProject",
    *,
    key: Annotated[str, MEMORY_KEY],
    memory_type: Annotated[str | None, MEMORY_TYPE] = None,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    archive: Annotated[bool, "Archive it instead; rove memory restore brings it back."] = False,
) -> bool:
    """Remove a memory with all its versions."""
    store = ProjectStore.of(rove, project_path)

    def work() -> bool:
        with store.writing() as db:
            memories = Memories(db=db, store=store)
            item = memories.named(key, memory_type)
            if archive:
                memories.archive(item)
            else:
                memories.forget(item)
            return True

    return await in_thread(work)


async def memory_restore(
    rove: "LocalProject",
    *,
    key: Annotated[str, MEMORY_KEY],
    memory_type: Annotated[str | None, MEMORY_TYPE] = None,
) -> MemoryItem:
    """Restore a memory that was archived or replaced."""
    store = ProjectStore.of(rove)

    def work() -> MemoryItem:
        with store.writing() as db:
            memories = Memories(db=db, store=store)
            item = memories.named(key, memory_type)
            memories.restore(item)
            return answer_of(memories.get(item.id))

    return await in_thread(work)


async def memory_feedback(
    rove: "LocalProject",
    *,
    key: Annotated[str, MEMORY_KEY],
    feedback: Annotated[Feedback, "used or not_useful."],
    memory_type: Annotated[str | None, MEMORY_TYPE] = None,
) -> MemoryItem:
    """Say whether a memory was useful; useful ones rank higher and last longer."""
    store = ProjectStore.of(rove)

    def work() -> MemoryItem:
        with store.writing() as db:
            memories = Memories(db=db, store=store)
            item = memories.named(key, memory_type)
            memories.rate(item, feedback)
            return answer_of(memories.get(item.id))

    return await in_thread(work)


def _present(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


MEMORY_CHANGES: Final = (
    Operation(
        memory_store,
        command="memory store",
        group="Store and recall what the project has learned.",
        changes=True,
        toolset="memory",
        offline=True,
        stdin="content",
        show=lambda item: f"{visible(item.key)} stored (version {item.version})",
    ),
    Operation(
        memory_update,
        command="memory update",
        changes=True,
        toolset="memory",
        offline=True,
        stdin="content",
        show=lambda item: f"{visible(item.key)} changed (version {item.version})",
    ),
    Operation(
        memory_forget,
        command="memory forget",
        changes=True,
        toolset="memory",
        offline=True,
        show=lambda _: "done",
    ),
    Operation(
        memory_restore, command="memory restore", changes=True, offline=True, show=print_memory
    ),
    Operation(
        memory_feedback,
        command="memory feedback",
        changes=True,
        toolset="memory",
        offline=True,
        show=lambda item: f"{visible(item.key)} used {counted(item.access_count, 'time')}",
    ),
)
