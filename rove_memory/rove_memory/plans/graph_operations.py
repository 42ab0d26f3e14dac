"""What Rove can do with dependencies: link items, walk along the links, and tell what is ready."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeVar

from attrs import evolve

from rove_core import Operation, WrongCall
from rove_memory.memory.redaction import kept_text
from rove_memory.plans.caller import caller, viewer
from rove_memory.plans.claims import claim_item, claim_next, release_item
from rove_memory.plans.dependencies import NewDependency, add_dependency, remove_dependencies
from rove_memory.plans.graph import DEEPEST, DependencyKind, ItemType
from rove_memory.plans.graph_drawing import mermaid
from rove_memory.plans.items import find_item, listed, load_claims, load_graph, names_of, summary
from rove_memory.plans.model import (
    BlockerInfo,
    Dependency,
    DependencyGraph,
    DependentInfo,
    ReadyWorkItem,
)
from rove_memory.plans.operations import PROJECT_PATH
from rove_memory.plans.ready import Claim, Readiness, explained
from rove_memory.plans.ready_work import ready_work
from rove_memory.plans.terminal_text import (
    print_blockers,
    print_dependency,
    print_dependents,
    print_graph,
    print_ready,
)
from rove_memory.store import ProjectStore, in_thread

if TYPE_CHECKING:
    from rove_core import LocalProject

Result = TypeVar("Result")
_TOOLSET: Final = "plans"
_MOST: Final = 200
_TYPE: Final = "external for a ticket, local for a plan; a plan's id is understood anyway."
_AGENT: Final = "How the agent calls itself; several in one checkout need names."


async def get_ready_work(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    include_external: Annotated[bool, "Tickets, too."] = True,
    include_local: Annotated[bool, "Plans, too."] = True,
    limit: Annotated[int, "How many at most."] = 5,
    explain: Annotated[bool, "Also show what is not ready, and why."] = False,
    claim: Annotated[bool, "Take the first one: nobody else gets it while the lease runs."] = False,
    item: Annotated[str, "With --claim: take this one."] = "",
    lease_minutes: Annotated[int, "How long a claim holds; claim again to keep it."] = 240,
    agent: Annotated[str, _AGENT] = "",
    others_too: Annotated[bool, "Tickets that are assigned to other people, too."] = False,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
) -> tuple[ReadyWorkItem, ...]:
    """Show what is ready to be worked on: nothing blocks it, and nobody else has it.

    The most important comes first: by priority, then the oldest, then tickets before plans.
    """
    if not 0 < limit <= _MOST:
        raise WrongCall(f"limit {limit}: expected 1 to {_MOST}")
    if item and not claim:
        raise WrongCall("item is only for a claim", hint=f"Take it with: rove ready --claim {item}")
    flags: dict[ItemType, bool] = {"external": include_external, "local": include_local}
    among = [kind for kind, wanted in flags.items() if wanted]
    lease = timedelta(minutes=lease_minutes)
    store = ProjectStore.of(rove, project_path)

    def claimed() -> Sequence[ReadyWorkItem]:
        with store.writing() as db:
            who = caller(db, rove, agent)
            asking = viewer(rove, who.owner, others_too=others_too)
            if item:
                key = find_item(db, item)
                taken = claim_item(db, key, asking, lease, session=who.session)
                return [_ready(taken.ready, taken.claim)]
            first = claim_next(db, asking, lease, among=among, session=who.session)
            return [_ready(first.ready, first.claim)] if first else []

    def shown() -> Sequence[ReadyWorkItem]:
        with store.reading() as db:
            asking = viewer(rove, caller(db, rove, agent).owner, others_too=others_too)
            claims = load_claims(db)
            if explain:
                everything = explained(load_graph(db), claims, asking)
                found = [each for each in everything if each.item.key.type in among][:limit]
            else:
                found = [*ready_work(db, asking, limit, among=among)]
            return [_ready(each, claims.get(each.item.key)) for each in found]

    return tuple(await in_thread(claimed if claim else shown))


async def release_work(
    rove: "LocalProject",
    *,
    item_id: Annotated[str, "The plan or ticket."],
    agent: Annotated[str, _AGENT] = "",
) -> bool:
    """Give back what was claimed, so that others can take it."""
    store = ProjectStore.of(rove)

    def work() -> bool:
        with store.writing() as db:
            return release_item(db, find_item(db, item_id), store, caller(db, rove, agent).owner)

    return await in_thread(work)


async def dependency_add(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    source_id: Annotated[str, "What blocks, is the parent, or was discovered."],
    target_id: Annotated[str, "What is blocked, is the child, or led to the discovery."],
    relation: Annotated[DependencyKind, "How the first stands to the second."],
    source_type: Annotated[ItemType, _TYPE] = "external",
    target_type: Annotated[ItemType, _TYPE] = "external",
    notes: Annotated[str | None, "Why."] = None,
    bidirectional: Annotated[bool, "The same holds the other way round."] = False,
) -> Dependency:
    """Say how one ticket or plan stands to another: it blocks it, is its parent, led to it."""
    store = ProjectStore.of(rove)

    def work() -> Dependency:
        with store.writing() as db:
            new = NewDependency(
                source=find_item(db, source_id, source_type),
                target=find_item(db, target_id, target_type),
                relation=relation,
                notes=kept_text(notes, "the notes") if notes else "",
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
    relation: Annotated[DependencyKind | None, "Only this kind; all unless given."] = None,
    source_type: Annotated[ItemType, _TYPE] = "external",
    target_type: Annotated[ItemType, _TYPE] = "external",
) -> int:
    """Remove how one ticket or plan stands to another, and say how many were removed."""
    store = ProjectStore.of(rove)

    def work() -> int:
        with store.writing() as db:
            source, target = (
                find_item(db, source_id, source_type),
                find_item(db, target_id, target_type),
            )
            return remove_dependencies(db, source, target, relation)

    return await in_thread(work)


async def get_blockers(
    rove: "LocalProject",
    *,
    item_id: Annotated[str, "The plan or ticket."],
    item_type: Annotated[ItemType, _TYPE] = "external",
    recursive: Annotated[bool, "What blocks the blockers, too, up to ten steps away."] = False,
    include_resolved: Annotated[bool, "Those that are done, too."] = False,
) -> tuple[BlockerInfo, ...]:
    """Show what a ticket or plan waits for."""

    def work(db: Connection) -> tuple[BlockerInfo, ...]:
        graph, key = load_graph(db), find_item(db, item_id, item_type)
        found = graph.blockers(key, depth=DEEPEST if recursive else 1)
        return tuple(
            BlockerInfo(
                item=summary(each.item),
                depth=each.depth,
                resolved=each.item.is_resolved,
                resolved_at=each.item.resolved_at,
                path=names_of(graph, each.path),
            )
            for each in found
            if include_resolved or not each.item.is_resolved
        )

    return await _read(rove, work)


async def get_dependents(
    rove: "LocalProject",
    *,
    item_id: Annotated[str, "The plan or ticket."],
    item_type: Annotated[ItemType, _TYPE] = "external",
    recursive: Annotated[bool, "What waits for those, too, up to ten steps away."] = False,
) -> tuple[DependentInfo, ...]:
    """Show what waits for a ticket or plan."""

    def work(db: Connection) -> tuple[DependentInfo, ...]:
        graph, key = load_graph(db), find_item(db, item_id, item_type)
        found = graph.dependents(key, depth=DEEPEST if recursive else 1)
        return tuple(
            DependentInfo(
                item=summary(each.item), depth=each.depth, path=names_of(graph, each.path)
            )
            for each in found
        )

    return await _read(rove, work)


async def get_dependency_graph(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    root_id: Annotated[str | None, "Only what is near this plan or ticket."] = None,
    root_type: Annotated[ItemType, _TYPE] = "external",
    max_depth: Annotated[int, "How many steps away from it."] = 5,
    form: Annotated[Literal["list", "mermaid"], "As lists and a tree, or as Mermaid too."] = "list",
    project_path: Annotated[str | None, PROJECT_PATH] = None,
) -> DependencyGraph:
    """Show tickets and plans with what leads from one to the other, and circles of blockers."""
    if max_depth < 0:
        raise WrongCall(f"max_depth {max_depth}: expected 0 or more")

    def work(db: Connection) -> DependencyGraph:
        graph = load_graph(db)
        if root_id:
            graph = graph.around(find_item(db, root_id, root_type), max_depth)
        found = listed(graph)
        return evolve(found, mermaid=mermaid(found)) if form == "mermaid" else found

    return await _read(rove, work, project_path)


async def _read(
    rove: "LocalProject", work: Callable[[Connection], Result], project_path: str | None = None
) -> Result:
    store = ProjectStore.of(rove, project_path)

    def reading() -> Result:
        with store.reading() as db:
            return work(db)

    return await in_thread(reading)


def _ready(found: Readiness, claim: Claim | None) -> ReadyWorkItem:
    item = found.item
    return ReadyWorkItem(
        item_type=item.key.type,
        id=item.name,
        title=item.title,
        status=item.status,
        priority=item.priority,
        external_item_id=item.ticket or None,
        created_at=item.created_at,
        ready=found.is_ready,
        reason=found.reason,
        blocked_by=tuple(each.name for each in found.waits_for),
        claimed_by=claim.owner if claim else "",
        lease_until=claim.lease_until if claim else None,
    )


GRAPH_OPERATIONS: Final = (
    Operation(
        get_ready_work,
        changes=True,  # With --claim it does.
        command="ready",
        toolset=_TOOLSET,
        project="closed",
        bare="item",
        show=print_ready,
    ),
    Operation(
        release_work,
        changes=True,
        command="plan release",
        toolset=_TOOLSET,
        project="closed",
        show=lambda done: "given back" if done else "nobody had claimed it",
    ),
    Operation(
        dependency_add,
        changes=True,
        command="plan link",
        toolset=_TOOLSET,
        project="closed",
        show=print_dependency,
    ),
    Operation(
        dependency_remove,
        changes=True,
        command="plan unlink",
        toolset=_TOOLSET,
        project="closed",
        show=lambda count: f"{count} removed",
    ),
    Operation(
        get_blockers,
        command="plan blockers",
        toolset=_TOOLSET,
        project="closed",
        show=print_blockers,
    ),
    Operation(
        get_dependents,
        command="plan dependents",
        toolset=_TOOLSET,
        project="closed",
        show=print_dependents,
    ),
    Operation(
        get_dependency_graph,
        command="plan graph",
        toolset=_TOOLSET,
        project="closed",
        show=print_graph,
    ),
)
