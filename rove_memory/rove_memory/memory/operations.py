"""The operations of memory, by the names and arguments of the tools that agents know."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core import Operation, WrongCall, visible
from rove_memory.memory.decay import decay
from rove_memory.memory.memories import Memories, MemoryDraft
from rove_memory.memory.model import (
    DecayReport,
    Feedback,
    MemoryItem,
    MemoryType,
    MemoryVersion,
)
from rove_memory.memory.recall import RecallRequest, recall
from rove_memory.memory.terminal_text import (
    print_decay,
    print_memories,
    print_memory,
    print_versions,
)
from rove_memory.sessions.operations import PROJECT, workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.settings import MEMORY, SESSION
from rove_memory.store import ProjectStore, in_thread
from rove_memory.store.registry import known_projects
from rove_memory.store.values import time_text

if TYPE_CHECKING:
    from rove_core import LocalProject

_KEY: Final = "The memory's key, or its id."
_TYPE: Final = "Its type, where several have that key."
_LEAST_TOKENS: Final = 200


async def memory_store(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    key: Annotated[str, "What it is called, once within its type: token-rotation."],
    content: Annotated[str, "What is to be remembered."],
    memory_type: Annotated[MemoryType, "What it is about."],
    importance: Annotated[int, "1 nice to know, 2 useful, ... 5 critical."] = 2,
    summary: Annotated[str | None, "The same in short."] = None,
    tags: Annotated[tuple[str, ...], "A tag; may be given again."] = (),
    related_items: Annotated[tuple[str, ...], "A ticket or plan; may be given again."] = (),
    project_path: Annotated[str | None, PROJECT] = None,
    expires_at: Annotated[datetime | None, "When it stops to hold."] = None,
    supersedes: Annotated[str, "The key of a memory that this one replaces."] = "",
    contradicts: Annotated[str, "The key of a memory that says something else."] = "",
    session_id: Annotated[str, "The session it is from; the active one unless given."] = "",
) -> MemoryItem:
    """Remember something for this project; under a key that is there, as its next version."""
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
            item = memories.put(
                MemoryDraft(
                    key=key,
                    content=content,
                    memory_type=memory_type,
                    importance=importance,
                    summary=summary or "",
                    tags=tags,
                    related_items=related_items,
                    expires_at=time_text(expires_at) if expires_at else None,
                    session_id=session,
                )
            )
            if old:
                memories.supersede(old, item, session)
            if other:
                memories.contradict(item, other, session)
            if session:
                sessions.touch(session)
            return memories.get(item.id)

    return await in_thread(work)


async def memory_recall(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    query: Annotated[str | None, "What to look for; the most important unless given."] = None,
    memory_type: Annotated[str | None, "Only this type."] = None,
    tags: Annotated[tuple[str, ...], "With any of these tags; may be given again."] = (),
    min_importance: Annotated[int, "Only of at least this importance."] = 1,
    limit: Annotated[int, "How many at most."] = 10,
    project_path: Annotated[str | None, PROJECT] = None,
    as_of: Annotated[datetime | None, "As they were at this time."] = None,
    archived: Annotated[bool, "Also those put aside, replaced or expired."] = False,
    all_projects: Annotated[bool, "Of all projects of this user."] = False,
    max_tokens: Annotated[int, "How many tokens the answer may take."] = 8_000,
) -> tuple[MemoryItem, ...]:
    """Recall what fits a question, best first, each with the reason why.

    Recalling changes nothing: say with memory_feedback what was of use.
    """
    if max_tokens < _LEAST_TOKENS:
        raise WrongCall(f"max_tokens {max_tokens}: give at least {_LEAST_TOKENS}")
    request = RecallRequest(
        question=query or "",
        memory_type=memory_type,
        tags=tags,
        min_importance=min_importance,
        limit=limit,
        as_of=as_of,
        archived=archived,
        max_tokens=max_tokens,
    )
    here = ProjectStore.of(rove, project_path)

    def work() -> tuple[MemoryItem, ...]:
        if not all_projects:
            return _recalled(here, request)
        found: list[MemoryItem] = []
        for known in known_projects():
            other = evolve(here, other=known)
            found += (evolve(item, project=known.name) for item in _recalled(other, request))
        found.sort(key=lambda item: (-item.score, item.key))
        return tuple(found[:limit])

    return await in_thread(work)


async def memory_update(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    key: Annotated[str, _KEY],
    content: Annotated[str | None, "What it says from now on."] = None,
    importance: Annotated[int | None, "Its importance from now on."] = None,
    confidence: Annotated[float | None, "How sure it is, 0 to 1."] = None,
    memory_type: Annotated[str | None, _TYPE] = None,
    project_path: Annotated[str | None, PROJECT] = None,
) -> MemoryItem:
    """Change a memory: what it said before stays as a version of it."""
    if content is None and importance is None and confidence is None:
        raise WrongCall("there is nothing to change: give content, importance or confidence")
    store = ProjectStore.of(rove, project_path)

    def work() -> MemoryItem:
        with store.writing() as db:
            memories = Memories(db=db, store=store)
            old = memories.named(key, memory_type)
            return memories.put(
                MemoryDraft(
                    key=old.key,
                    content=old.content if content is None else content,
                    memory_type=old.memory_type,
                    importance=old.importance if importance is None else importance,
                    confidence=old.confidence if confidence is None else confidence,
                    summary=old.summary if content is None else "",
                    tags=old.tags,
                    related_items=old.related_items,
                    expires_at=time_text(old.expires_at) if old.expires_at else None,
                )
            )

    return await in_thread(work)


async def memory_forget(
    rove: "LocalProject",
    *,
    key: Annotated[str, _KEY],
    memory_type: Annotated[str | None, _TYPE] = None,
    project_path: Annotated[str | None, PROJECT] = None,
    archive: Annotated[bool, "Only put it aside: it can be taken back."] = False,
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
    key: Annotated[str, _KEY],
    memory_type: Annotated[str | None, _TYPE] = None,
) -> MemoryItem:
    """Take a memory back that was put aside or replaced."""
    store = ProjectStore.of(rove)

    def work() -> MemoryItem:
        with store.writing() as db:
            memories = Memories(db=db, store=store)
            item = memories.named(key, memory_type)
            memories.restore(item)
            return memories.get(item.id)

    return await in_thread(work)


async def memory_feedback(
    rove: "LocalProject",
    *,
    key: Annotated[str, _KEY],
    feedback: Annotated[Feedback, "used or not_useful."],
    memory_type: Annotated[str | None, _TYPE] = None,
) -> MemoryItem:
    """Say that a memory was used, or of no use: what is used lasts longer."""
    store = ProjectStore.of(rove)

    def work() -> MemoryItem:
        with store.writing() as db:
            memories = Memories(db=db, store=store)
            item = memories.named(key, memory_type)
            memories.rate(item, feedback)
            return memories.get(item.id)

    return await in_thread(work)


async def memory_decay(
    rove: "LocalProject",
    *,
    project_path: Annotated[str | None, PROJECT] = None,
    dry_run: Annotated[bool, "Only say what would be put aside."] = True,
) -> DecayReport:
    """Put aside what nobody has needed for long; nothing is deleted."""
    store, settings = ProjectStore.of(rove, project_path), rove.settings.section(MEMORY)

    def work() -> DecayReport:
        with store.reading() if dry_run else store.writing() as db:
            return decay(Memories(db=db, store=store), settings, dry_run=dry_run)

    return await in_thread(work)


async def memory_show(
    rove: "LocalProject",
    *,
    key: Annotated[str, _KEY],
    memory_type: Annotated[str | None, _TYPE] = None,
) -> MemoryItem:
    """Show one memory in full."""
    store = ProjectStore.of(rove)

    def work() -> MemoryItem:
        with store.reading() as db:
            return Memories(db=db, store=store).named(key, memory_type)

    return await in_thread(work)


async def memory_versions(
    rove: "LocalProject",
    *,
    key: Annotated[str, _KEY],
    memory_type: Annotated[str | None, _TYPE] = None,
) -> tuple[MemoryVersion, ...]:
    """List all versions of a memory, the first one first."""
    store = ProjectStore.of(rove)

    def work() -> tuple[MemoryVersion, ...]:
        with store.reading() as db:
            memories = Memories(db=db, store=store)
            return memories.versions(memories.named(key, memory_type))

    return await in_thread(work)


async def memory_list(
    rove: "LocalProject",
    *,
    memory_type: Annotated[str | None, "Only this type."] = None,
    tags: Annotated[tuple[str, ...], "With any of these tags; may be given again."] = (),
    limit: Annotated[int, "How many at most."] = 50,
    archived: Annotated[bool, "Also those put aside, replaced or expired."] = False,
) -> tuple[MemoryItem, ...]:
    """List memories, the most important first."""
    request = RecallRequest(memory_type=memory_type, tags=tags, limit=limit, archived=archived)
    store = ProjectStore.of(rove)
    return await in_thread(lambda: _recalled(store, request))


def _recalled(store: ProjectStore, request: RecallRequest) -> tuple[MemoryItem, ...]:
    with store.reading() as db:
        return recall(Memories(db=db, store=store), request)


MEMORY_OPERATIONS: Final = (
    Operation(
        memory_store,
        command="memory store",
        changes=True,
        toolset="memory",
        offline=True,
        stdin="content",
        show=lambda item: f"{visible(item.key)} stored (version {item.version})",
    ),
    Operation(
        memory_recall,
        command="memory recall",
        toolset="memory",
        offline=True,
        bare="query",
        show=print_memories,
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
        show=lambda _: "forgotten",
    ),
    Operation(
        memory_decay,
        command="memory decay",
        changes=True,
        toolset="memory",
        offline=True,
        show=print_decay,
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
        show=lambda item: f"{visible(item.key)} used {item.access_count} times",
    ),
    Operation(memory_show, command="memory show", offline=True, show=print_memory),
    Operation(memory_versions, command="memory versions", offline=True, show=print_versions),
    Operation(memory_list, command="memory list", offline=True, show=print_memories),
)
