"""Where a sprint stands: its tickets, with their criteria and blockers."""

from collections import Counter
from collections.abc import Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core import ItemNotFound, Operation, StatusCategory, counted
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.page_bounds import check_offset
from rove_memory.plans.graph import WorkKey
from rove_memory.plans.items import load_near
from rove_memory.store import ProjectStore, in_thread
from rove_memory.sync.sprints import StoredSprint, stored_sprints
from rove_memory.tickets.sprint_model import (
    SprintCounts,
    SprintInfo,
    SprintStatus,
    SprintTicket,
    SprintVelocity,
)
from rove_memory.tickets.sprint_text import print_sprint
from rove_memory.tickets.table import TicketInfo, list_of_sprint
from rove_memory.token_budget import fitting_list, shorten
from rove_memory.toolsets import TICKETS
from rove_memory.work_state import CriterionState, criteria_of

if TYPE_CHECKING:
    from rove_core import LocalProject

_ORDER: Final = ("in_progress", "todo", "done", "canceled")
_TICKETS: Final = 7_000
_HINT: Final = "Add its project to sync.containers, then: rove sync pull"


async def sprint_status(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    include_ac_status: Annotated[bool, "Show the progress of each ticket's criteria."] = True,
    include_blockers: Annotated[bool, "Show how many items block each ticket."] = True,
    sprint: Annotated[str, "The sprint; the active one if empty."] = "",
    offset: Annotated[int, "How many of the first tickets to skip."] = 0,
) -> SprintStatus:
    """Show where a sprint stands: its tickets by status, with their criteria and blockers.

    Rove knows the active sprint of the containers in the settings. Elsewhere it takes the sprint
    whose known tickets changed last. An answer takes at most
    8,000 tokens, and says how many tickets it leaves out.
    """
    check_offset(offset)
    store = ProjectStore.of(rove, project_path)

    def work() -> SprintStatus:
        with store.reading() as db:
            stored, name = _sprint(db, sprint)
            tickets = list_of_sprint(db, name)
            graph = load_near(db, [_key(each) for each in tickets])
            rows = [
                _row(
                    ticket,
                    criteria_of(db, ticket.id) if include_ac_status else (),
                    len(graph.open_blockers(_key(ticket))) if include_blockers else None,
                )
                for ticket in tickets
            ]
        read = [each.synced_at for each in tickets if each.synced_at]
        ordered = sorted(rows, key=lambda each: _ORDER.index(each.status_category))[offset:]
        shown = fitting_list(ordered, _short_row, _TICKETS)
        return SprintStatus(
            sprint=SprintInfo(
                name=name,
                tickets_read=len(rows),
                read_at=max(read, default=None),
                state=stored.state if stored else "",
                starts=stored.starts if stored else None,
                ends=stored.ends if stored else None,
                goal=stored.goal if stored else "",
            ),
            tickets=shown,
            summary=SprintCounts(**Counter[str](each.status_category for each in rows)),
            velocity=_velocity(rows),
            note=f"All tickets of {stored.container} are listed here."
            if stored
            else f"Counted from {counted(len(rows), 'ticket')} of {name} that Rove has read here. "
            "To list all of them, name their project in sync.containers.",
            left_out=len(ordered) - len(shown),
        )

    return await in_thread(work)


def _short_row(ticket: SprintTicket, width: int) -> SprintTicket:
    return evolve(
        ticket,
        title=shorten(ticket.title, width),
        assignee=shorten(ticket.assignee, width),
        url=ticket.url if len(ticket.url) <= 3 * width else "",
    )


def _sprint(db: Connection, name: str) -> tuple[StoredSprint | None, str]:
    """Return a sprint and its name: the named one, else the active one with the latest activity.

    It is None itself where its container is not listed.
    """
    stored, by_activity = stored_sprints(db), _sprints_by_activity(db)
    active = [each.name for each in stored if each.state == "active"]
    meant = name or next((each for each in by_activity if not active or each in active), "")
    if not meant and not active:
        raise ItemNotFound("no ticket read here is in a sprint", hint=_HINT)
    meant = (meant or active[0]).casefold()
    sprint = next((each for each in stored if each.name.casefold() == meant), None)
    if sprint:
        return sprint, sprint.name
    found = next((each for each in by_activity if each.casefold() == meant), None)
    if found is None:
        names = ", ".join(sorted({*by_activity} | {each.name for each in stored}))
        raise ItemNotFound(f"no ticket that Rove has read is in {name!r}", hint=f"Known: {names}")
    return None, found


def _sprints_by_activity(db: Connection) -> list[str]:
    """Return the sprints of known tickets: by the latest change of a ticket, in progress first."""
    rows = db.execute(
        "SELECT sprint_name FROM external_items WHERE deleted_at IS NULL AND sprint_name <> '' "
        "GROUP BY sprint_name ORDER BY max(coalesce(status_category = 'in_progress', 0) "
        "|| coalesce(updated_at_provider, synced_at)) DESC"
    )
    return [row[0] for row in rows]


def _category(ticket: TicketInfo) -> StatusCategory:
    return ticket.status_category or "todo"


def _key(ticket: TicketInfo) -> WorkKey:
    return WorkKey("external", ticket.id)


def _row(
    ticket: TicketInfo, criteria: Sequence[CriterionState], blockers: int | None
) -> SprintTicket:
    verified = sum(each.status == "verified" for each in criteria)
    return SprintTicket(
        identifier=ticket.identifier,
        title=ticket.title,
        status=ticket.status,
        status_category=_category(ticket),
        assignee=ticket.assignee,
        estimate=ticket.estimate,
        ac_completion=round(100 * verified / len(criteria), 1) if criteria else None,
        blocker_count=blockers,
        url=ticket.url,
    )


def _velocity(rows: Sequence[SprintTicket]) -> SprintVelocity:
    done = [each for each in rows if each.status_category == "done"]
    left = [each for each in rows if each.status_category in ("todo", "in_progress")]
    return SprintVelocity(
        completed_points=sum(each.estimate or 0.0 for each in done),
        remaining_points=sum(each.estimate or 0.0 for each in left),
        without_estimate=sum(each.estimate is None for each in (*done, *left)),
    )


SPRINT_STATUS: Final = Operation(
    sprint_status,
    command="sprint status",
    group="Show a sprint, and what to take next.",
    toolset=TICKETS,
    offline=True,
    bare="sprint",
    show=print_sprint,
)
