"""Operations that read memory, with the published names and arguments."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core import Operation, WrongCall
from rove_memory.argument_help import MEMORY_KEY, MEMORY_TYPE, PROJECT_PATH
from rove_memory.memory.answer import answer_of, within_budget
from rove_memory.memory.memories import Memories
from rove_memory.memory.memory_version import MemoryVersion
from rove_memory.memory.model import MemoryItem
from rove_memory.memory.recall import MOST, RecallRequest, recall
from rove_memory.memory.terminal_text import print_memories, print_memory, print_versions
from rove_memory.page_bounds import check_offset, check_page
from rove_memory.store import ProjectStore, in_thread
from rove_memory.store.registry import registered_projects
from rove_memory.token_budget import fitting_list, shorten

if TYPE_CHECKING:
    from rove_core import LocalProject

_LEAST_TOKENS: Final = 200


async def memory_recall(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    query: Annotated[str | None, "What to look for; the most important unless given."] = None,
    memory_type: Annotated[str | None, "Only this type."] = None,
    tags: Annotated[tuple[str, ...] | None, "With any of these tags; may be given again."] = None,
    min_importance: Annotated[int, "Only memories of at least this importance."] = 1,
    limit: Annotated[int, "The maximum number of results."] = 10,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    as_of: Annotated[datetime | None, "The memories as they were at this time."] = None,
    archived: Annotated[bool, "Include archived, replaced and expired memories."] = False,
    all_projects: Annotated[bool, "Search the memories of all your projects."] = False,
    max_tokens: Annotated[int, "How many tokens the answer may take."] = 8_000,
) -> tuple[MemoryItem, ...]:
    """Find memories for a question, best first, each with the reason.

    Recalling changes nothing; report useful memories with memory_feedback.
    """
    if max_tokens < _LEAST_TOKENS:
        raise WrongCall(f"max_tokens {max_tokens}: give at least {_LEAST_TOKENS}")
    _check_filters(limit, min_importance)
    request = RecallRequest(
        question=query or "",
        memory_type=memory_type,
        tags=tags or (),
        min_importance=min_importance,
        limit=limit,
        as_of=as_of,
        archived=archived,
        max_tokens=max_tokens,
    )
    here = ProjectStore.of(rove, project_path)

    def work() -> tuple[MemoryItem, ...]:
        if not all_projects:
            return _recall(here, request)
        found: list[MemoryItem] = []
        for project in registered_projects():
            other = evolve(here, other=project)
            found += (evolve(item, project=project.name) for item in _recall(other, request))
        found.sort(key=lambda item: (-item.score, item.key))
        return tuple(within_budget(found[:limit], max_tokens))

    return await in_thread(work)


async def memory_show(
    rove: "LocalProject",
    *,
    key: Annotated[str, MEMORY_KEY],
    memory_type: Annotated[str | None, MEMORY_TYPE] = None,
    offset: Annotated[int, "Start at this character of its text."] = 0,
) -> MemoryItem:
    """Show one memory in full.

    An answer takes at most 8,000 tokens: a longer text says with which offset it goes on.
    """
    check_offset(offset)
    store = ProjectStore.of(rove)

    def work() -> MemoryItem:
        with store.reading() as db:
            return answer_of(Memories(db=db, store=store).named(key, memory_type), offset)

    return await in_thread(work)


async def memory_versions(
    rove: "LocalProject",
    *,
    key: Annotated[str, MEMORY_KEY],
    memory_type: Annotated[str | None, MEMORY_TYPE] = None,
    offset: Annotated[int, "How many of the oldest to skip."] = 0,
) -> tuple[MemoryVersion, ...]:
    """List the versions of a memory, oldest first.

    An answer takes at most 8,000 tokens: long texts are cut, and offset shows what is left out.
    """
    check_offset(offset)
    store = ProjectStore.of(rove)

    def work() -> tuple[MemoryVersion, ...]:
        with store.reading() as db:
            memories = Memories(db=db, store=store)
            found = memories.versions(memories.named(key, memory_type))
        return fitting_list(
            found[offset:],
            lambda each, width: evolve(each, content=shorten(each.content, width)),
        )

    return await in_thread(work)


async def memory_list(
    rove: "LocalProject",
    *,
    memory_type: Annotated[str | None, "Only this type."] = None,
    tags: Annotated[tuple[str, ...] | None, "With any of these tags; may be given again."] = None,
    limit: Annotated[int, "The maximum number of results."] = 50,
    archived: Annotated[bool, "Include archived, replaced and expired memories."] = False,
) -> tuple[MemoryItem, ...]:
    """List memories, most important first."""
    _check_filters(limit)
    request = RecallRequest(
        memory_type=memory_type, tags=tags or (), limit=limit, archived=archived
    )
    store = ProjectStore.of(rove)
    return await in_thread(lambda: _recall(store, request))


def _check_filters(limit: int, min_importance: int = 1) -> None:
    check_page(limit, most=MOST)
    if not 1 <= min_importance <= 5:
        raise WrongCall(f"min_importance {min_importance}: give 1 (all) to 5 (critical)")


def _recall(store: ProjectStore, request: RecallRequest) -> tuple[MemoryItem, ...]:
    with store.reading() as db:
        return recall(Memories(db=db, store=store), request)


RECALL_OPERATIONS: Final = (
    Operation(
        memory_recall,
        command="memory recall",
        toolset="memory",
        offline=True,
        bare="query",
        show=print_memories,
        is_missing=lambda found, given: bool(given.get("query")) and not found,
    ),
    Operation(memory_show, command="memory show", offline=True, show=print_memory),
    Operation(memory_versions, command="memory versions", offline=True, show=print_versions),
    Operation(memory_list, command="memory list", offline=True, show=print_memories),
)
