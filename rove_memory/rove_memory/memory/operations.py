"""Operations that change memory, with the published names and arguments."""

from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core import Operation, WrongCall, counted, visible
from rove_memory.argument_help import MEMORY_KEY, MEMORY_TYPE, PROJECT_PATH
from rove_memory.memory.answer import answer_of
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.memories import Memories
from rove_memory.memory.model import Feedback, MemoryItem
from rove_memory.memory.store_operation import STORE, present
from rove_memory.memory.terminal_text import print_memory
from rove_memory.session_settings import SESSION
from rove_memory.sessions.session_rows import workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.store import ProjectStore, in_thread

if TYPE_CHECKING:
    from rove_core import LocalProject


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
            values = {"importance": importance, "confidence": confidence}
            if session:
                sessions.touch(session["id"])
            return answer_of(memories.put(evolve(draft.following(old), **present(values))))

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


MEMORY_CHANGES: Final = (
    STORE,
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
