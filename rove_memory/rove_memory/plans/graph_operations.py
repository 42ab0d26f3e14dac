"""Operations on dependencies: link items and walk the links."""

from collections.abc import Callable
from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeVar

from attrs import evolve

from rove_core import Operation, WrongCall
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.memory.redaction import clean_text
from rove_memory.page_bounds import check_offset
from rove_memory.plans.caller import caller
from rove_memory.plans.dependencies import NewDependency, add_dependency, remove_dependencies
from rove_memory.plans.graph import DEEPEST, DependencyKind, ItemType
from rove_memory.plans.graph_drawing import mermaid
from rove_memory.plans.graph_model import BlockerInfo, Dependency, DependencyGraph, DependentInfo
from rove_memory.plans.items import find_item, load_around, load_graph
from rove_memory.plans.summaries import fitting_graph, listed, names_of, short_summary, summary
from rove_memory.plans.terminal_text import (
    print_blockers,
    print_dependency,
    print_dependents,
    print_graph,
)
from rove_memory.store import ProjectStore, in_thread
from rove_memory.token_budget import fitting_list

if TYPE_CHECKING:
    from rove_core import LocalProject

Result = TypeVar("Result")
_TOOLSET: Final = "plans"
_Walked = TypeVar("_Walked", BlockerInfo, DependentInfo)
_OFFSET: Final = "How many of the first to skip."
_TYPE: Final = "external for a ticket, local for a plan; Rove recognises plan ids without it."


async def dependency_add(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    source_id: Annotated[str, "What blocks, is the parent, or was discovered."],
    target_id: Annotated[str, "What is blocked, is the child, or led to the discovery."],
    relation: Annotated[DependencyKind, "The relation of the first to the second."],
    source_type: Annotated[ItemType, _TYPE] = "external",
    target_type: Annotated[ItemType, _TYPE] = "external",
    notes: Annotated[str | None, "Why."] = None,
    bidirectional: Annotated[bool, "Add the link in both directions."] = False,
) -> Dependency:
    """Link two tickets or plans: blocks, parent of, discovered from, related to."""
    store = ProjectStore.of(rove)

    def work() -> Dependency:
        with store.writing() as db:
            new = NewDependency(
                source=find_item(db, source_id, source_type),
                target=find_item(db, target_id, target_type),
                relation=relation,
                notes=clean_text(notes, "the notes") if notes else "",
                bidirectional=bidirectional,
                session=caller(db, rove).session,
            )
            return add_dependency(db, store, new)

    return await in_thread(work)


async def dependency_remove(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    source_id: Annotated[str, "From where it leads."],
    target_id: Annotated[str, "To where."],
    relation: Annotated[DependencyKind | None, "Only links of this kind; default: all."] = None,
    source_type: Annotated[ItemType, _TYPE] = "external",
    target_type: Annotated[ItemType, _TYPE] = "external",
) -> int:
    """Remove the links between two tickets or plans, and print how many."""
    store = ProjectStore.of(rove)

    def work() -> int:
        with store.writing() as db:
            source, target = (
                find_item(db, source_id, source_type),
                find_item(db, target_id, target_type),
            )
            return remove_dependencies(db, source, target, relation)

    return await in_thread(work)


async def get_blockers(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    item_id: Annotated[str, "The plan or ticket."],
    item_type: Annotated[ItemType, _TYPE] = "external",
    recursive: Annotated[bool, "Also show what blocks the blockers, up to ten levels."] = False,
    include_resolved: Annotated[bool, "Include finished ones."] = False,
    offset: Annotated[int, _OFFSET] = 0,
) -> tuple[BlockerInfo, ...]:
    """Show what blocks a ticket or plan.

    An answer takes at most 8,000 tokens: offset shows what is left out.
    """
    check_offset(offset)

    def work(db: Connection) -> tuple[BlockerInfo, ...]:
        key, depth = find_item(db, item_id, item_type), DEEPEST if recursive else 1
        graph = load_around(db, [key], steps=depth, relation="blocks")
        found = tuple(
            BlockerInfo(
                item=summary(each.item),
                depth=each.depth,
                resolved=each.item.is_resolved,
                resolved_at=each.item.resolved_at,
                path=names_of(graph, each.path),
            )
            for each in graph.blockers(key, depth=depth)
            if include_resolved or not each.item.is_resolved
        )
        return fitting_list(found[offset:], _short)

    return await _read(rove, work)


async def get_dependents(
    rove: "LocalProject",
    *,
    item_id: Annotated[str, "The plan or ticket."],
    item_type: Annotated[ItemType, _TYPE] = "external",
    recursive: Annotated[bool, "Also show what those block, up to ten levels."] = False,
    offset: Annotated[int, _OFFSET] = 0,
) -> tuple[DependentInfo, ...]:
    """Show what a ticket or plan blocks.

    An answer takes at most 8,000 tokens: offset shows what is left out.
    """
    check_offset(offset)

    def work(db: Connection) -> tuple[DependentInfo, ...]:
        key, depth = find_item(db, item_id, item_type), DEEPEST if recursive else 1
        graph = load_around(db, [key], steps=depth, relation="blocks")
        found = tuple(
            DependentInfo(
                item=summary(each.item), depth=each.depth, path=names_of(graph, each.path)
            )
            for each in graph.dependents(key, depth=depth)
        )
        return fitting_list(found[offset:], _short)

    return await _read(rove, work)


async def get_dependency_graph(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    root_id: Annotated[str | None, "Only what is connected to this plan or ticket."] = None,
    root_type: Annotated[ItemType, _TYPE] = "external",
    max_depth: Annotated[int, "The maximum number of levels."] = 5,
    form: Annotated[
        Literal["list", "mermaid"], "Lists and a tree, or a Mermaid diagram too."
    ] = "list",
    project_path: Annotated[str | None, PROJECT_PATH] = None,
) -> DependencyGraph:
    """Show tickets and plans with their dependencies and cycles.

    An answer takes at most 8,000 tokens; it says how many items it leaves out.
    """
    if max_depth < 0:
        raise WrongCall(f"max_depth {max_depth}: expected 0 or more")

    def work(db: Connection) -> DependencyGraph:
        if root_id:
            root = find_item(db, root_id, root_type)
            # One step more: the edges between the outermost items belong to them.
            graph = load_around(db, [root], steps=max_depth + 1).around(root, max_depth)
        else:
            graph = load_graph(db)
        return fitting_graph(listed(graph), mermaid if form == "mermaid" else None)

    return await _read(rove, work, project_path)


def _short(found: _Walked, width: int) -> _Walked:
    return evolve(found, item=short_summary(found.item, width))


async def _read(
    rove: "LocalProject", work: Callable[[Connection], Result], project_path: str | None = None
) -> Result:
    store = ProjectStore.of(rove, project_path)

    def reading() -> Result:
        with store.reading() as db:
            return work(db)

    return await in_thread(reading)


GRAPH_OPERATIONS: Final = (
    Operation(
        dependency_add,
        changes=True,
        command="plan link",
        toolset=_TOOLSET,
        offline=True,
        show=print_dependency,
    ),
    Operation(
        dependency_remove,
        changes=True,
        command="plan unlink",
        toolset=_TOOLSET,
        offline=True,
        show=lambda count: f"{count} removed",
    ),
    Operation(
        get_blockers,
        command="plan blockers",
        toolset=_TOOLSET,
        offline=True,
        show=print_blockers,
    ),
    Operation(
        get_dependents,
        command="plan dependents",
        toolset=_TOOLSET,
        offline=True,
        show=print_dependents,
    ),
    Operation(
        get_dependency_graph,
        command="plan graph",
        toolset=_TOOLSET,
        offline=True,
        show=print_graph,
    ),
)
