"""Operations on plans: create, update, list and delete."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core import Operation
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.memory.redaction import clean_name, clean_names, clean_text
from rove_memory.page_bounds import check_page
from rove_memory.plans.caller import caller
from rove_memory.plans.graph import WorkKey
from rove_memory.plans.items import find_item
from rove_memory.plans.model import LocalPlan
from rove_memory.plans.plans import (
    PlanChange,
    PlanFilter,
    change_plan,
    check_priority,
    delete_plan,
    insert_plan,
    list_plans,
    require_plan,
)
from rove_memory.plans.statuses import PlanStatus
from rove_memory.plans.terminal_text import print_plan, print_plans
from rove_memory.store import ProjectStore, in_thread
from rove_memory.token_budget import fitting_list, shorten

if TYPE_CHECKING:
    from rove_core import LocalProject

_TOOLSET: Final = "plans"
_MOST: Final = 500


async def plan_create(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    title: Annotated[str, "What to do, in one line."],
    description: Annotated[str | None, "A description."] = None,
    external_item_id: Annotated[str | None, "The ticket it belongs to: TB-123."] = None,
    priority: Annotated[int, "0 none, 1 low, 2 normal, 3 high, 4 urgent."] = 2,
    tags: Annotated[tuple[str, ...] | None, "A tag; may be given again."] = None,
    blocks: Annotated[tuple[str, ...] | None, "A plan or ticket that this plan blocks."] = None,
    blocked_by: Annotated[tuple[str, ...] | None, "A plan or ticket that blocks this plan."] = None,
    discovered_from: Annotated[
        str | None, "The plan or ticket that it was discovered from."
    ] = None,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
) -> LocalPlan:
    """Create a plan. Plans never leave this machine."""
    from rove_memory.plans.dependencies import NewDependency, add_dependency  # noqa: PLC0415  # lists need none
    from rove_memory.tickets.table import ensure_ticket  # noqa: PLC0415  # the same

    check_priority(priority)
    store = ProjectStore.of(rove, project_path)

    def work() -> LocalPlan:
        with store.writing() as db:
            who = caller(db, rove)
            ticket = ensure_ticket(db, store, external_item_id) if external_item_id else None
            values = {
                "title": clean_name(title, "the title"),
                "description": clean_text(description, "the description") if description else None,
                "external_item_id": ticket.id if ticket else None,
                "priority": priority,
                "created_by_session": who.session,
            }
            plan = WorkKey("local", insert_plan(db, store, values, clean_names(tags or (), "tags")))
            found = [(find_item(db, each), plan) for each in blocked_by or ()]
            found += [(plan, find_item(db, each)) for each in blocks or ()]
            for source, target in found:
                new = NewDependency(
                    source=source, target=target, relation="blocks", session=who.session
                )
                add_dependency(db, store, new)
            if discovered_from:
                origin = find_item(db, discovered_from)
                new = NewDependency(
                    source=plan, target=origin, relation="discovered_from", session=who.session
                )
                add_dependency(db, store, new)
            return require_plan(db, plan.id)

    return await in_thread(work)


async def plan_update(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    plan_id: Annotated[str, "The plan's id."],
    title: Annotated[str | None, "The new title."] = None,
    description: Annotated[str | None, "The new description; '' removes it."] = None,
    status: Annotated[PlanStatus | None, "The new status."] = None,
    priority: Annotated[int | None, "The new priority, 0 to 4."] = None,
    tags: Annotated[tuple[str, ...] | None, "The new tags; they replace all others."] = None,
) -> LocalPlan:
    """Change a plan.

    A pending plan can become in_progress, blocked or canceled; a plan in progress completed,
    blocked or canceled; a blocked plan in_progress or canceled. Completed and canceled are final.
    """
    check_priority(priority)
    change = PlanChange(
        title=None if title is None else clean_name(title, "the title"),
        description=clean_text(description, "the description") if description else description,
        status=status,
        priority=priority,
        tags=None if tags is None else clean_names(tags, "tags"),
    )
    store = ProjectStore.of(rove)

    def work() -> LocalPlan:
        with store.writing() as db:
            return _fitting_plan(change_plan(db, store, plan_id, change))

    return await in_thread(work)


async def plan_list(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    external_item_id: Annotated[str | None, "Only plans of this ticket."] = None,
    status: Annotated[PlanStatus | None, "Only plans with this status."] = None,
    tags: Annotated[tuple[str, ...] | None, "Only plans with one of these tags."] = None,
    include_completed: Annotated[bool, "Include completed and canceled plans."] = False,
    limit: Annotated[int, "The maximum number of results."] = 100,
    offset: Annotated[int, "How many to skip."] = 0,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
) -> tuple[LocalPlan, ...]:
    """List open plans.

    An answer takes at most 8,000 tokens: long texts are cut, and offset shows what is left out.
    """
    check_page(limit, offset, most=_MOST)
    store = ProjectStore.of(rove, project_path)

    def work() -> Sequence[LocalPlan]:
        with store.reading() as db:
            ticket = ""
            if external_item_id:
                from rove_memory.tickets.table import find_ticket  # noqa: PLC0415  # most name no ticket

                found = find_ticket(db, external_item_id)
                ticket = found.id if found else "none"
            plan_filter = PlanFilter(
                ticket=ticket, status=status, tags=tags or (), closed_too=include_completed
            )
            return list_plans(db, plan_filter)

    found = (await in_thread(work))[offset : offset + limit]
    return fitting_list(found, _short_plan)


def _fitting_plan(plan: LocalPlan) -> LocalPlan:
    """Return a plan with texts that fit into an answer."""
    return fitting_list([plan], _short_plan)[0]


def _short_plan(plan: LocalPlan, width: int) -> LocalPlan:
    return evolve(
        plan, description=shorten(plan.description, width), tags=plan.tags[: max(1, width // 20)]
    )


async def plan_delete(rove: "LocalProject", *, plan_id: Annotated[str, "The plan's id."]) -> bool:
    """Delete a plan with its dependencies."""
    store = ProjectStore.of(rove)

    def work() -> bool:
        with store.writing() as db:
            delete_plan(db, plan_id)
            return True

    return await in_thread(work)


PLAN_OPERATIONS: Final = (
    Operation(
        plan_create,
        changes=True,
        command="plan create",
        group="Plan steps and their dependencies.",
        toolset=_TOOLSET,
        offline=True,
        show=print_plan,
    ),
    Operation(
        plan_update,
        changes=True,
        command="plan update",
        toolset=_TOOLSET,
        offline=True,
        show=print_plan,
    ),
    Operation(plan_list, command="plan list", toolset=_TOOLSET, offline=True, show=print_plans),
    Operation(
        plan_delete,
        changes=True,
        command="plan delete",
        toolset=_TOOLSET,
        offline=True,
        show=lambda _: "deleted",
    ),
)
