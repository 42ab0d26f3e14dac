"""Sprints with their tickets, and suggestions for the next one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve, frozen

from rove_core import ItemNotFound, Operation, StatusCategory, counted
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.memory.memories import Memories
from rove_memory.memory.recall import about_ticket
from rove_memory.page_bounds import check_offset, check_page
from rove_memory.plans.caller import caller, viewer
from rove_memory.plans.graph import WorkKey
from rove_memory.plans.items import load_claims, load_near
from rove_memory.plans.ready import Readiness, readiness
from rove_memory.store import ProjectStore, in_thread
from rove_memory.sync.sprints import StoredSprint, stored_sprints
from rove_memory.tickets.model import (
    SprintCounts,
    SprintInfo,
    SprintStatus,
    SprintTicket,
    SprintVelocity,
    SuggestedTicket,
)
from rove_memory.tickets.table import TicketInfo, list_of_sprint, list_todo
from rove_memory.tickets.terminal_text import print_sprint, print_suggestions
from rove_memory.token_budget import ANSWER, fitting_list, shorten, tokens_of
from rove_memory.toolsets import TICKETS
from rove_memory.work_state import CriterionState, criteria_of

if TYPE_CHECKING:
    from rove_core import LocalProject

_ORDER: Final = ("in_progress", "todo", "done", "canceled")
_MOST: Final = 100
_TICKETS: Final = 7_000
_LABELS: Final = 10
_BLOCKING: Final = 20
_DESCRIPTION: Final = 100
_MEMORIES: Final = 3
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


async def sprint_suggest(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    consider_blockers: Annotated[bool, "Put blocked tickets last."] = True,
    consider_ac_complexity: Annotated[bool, "Put tickets with few open criteria first."] = True,
    prefer_assigned: Annotated[bool, "Put your own tickets first."] = True,
    limit: Annotated[int, "The maximum number of results."] = 3,
    offset: Annotated[int, "How many of the first to skip."] = 0,
) -> tuple[SuggestedTicket, ...]:
    """Suggest the next ticket among those known here, with the reason.

    Tickets of an active sprint come before others. An answer takes at most 8,000 tokens: offset
    shows what is left out.
    """
    check_page(limit, offset, most=_MOST)
    store = ProjectStore.of(rove, project_path)

    def work() -> tuple[SuggestedTicket, ...]:
        with store.reading() as db:
            tickets = list_todo(db)
            asking = viewer(db, rove, caller(db, rove).owner, others_too=True)
            graph, claims = load_near(db, [_key(each) for each in tickets]), load_claims(db)
            related = _memories_of(db)
            active = {each.name for each in stored_sprints(db) if each.state == "active"}
            judged = [
                _Suggestion.of(
                    ticket,
                    readiness(graph, graph.items[_key(ticket)], claims, asking),
                    criteria_of(db, ticket.id),
                    related=related.get(ticket.identifier, 0),
                    is_in_sprint=ticket.sprint in active,
                    is_mine=asking.is_among(ticket.assignee),
                )
                for ticket in tickets
            ]
            weights = _SuggestionOrder(consider_blockers, consider_ac_complexity, prefer_assigned)
            best = sorted(judged, key=weights.rank)[offset : offset + limit]
            memories = Memories(db=db, store=store)
            return tuple(_within_answer(each.suggestion(memories, weights) for each in best))

    return await in_thread(work)


@frozen
class _SuggestionOrder:
    """Criteria for ordering suggested tickets."""

    blockers: bool
    criteria: bool
    assigned: bool

    def rank(self, one: "_Suggestion") -> tuple[object, ...]:
        """Return the key that suggestions are ordered by."""
        return (
            self.blockers and not one.readiness.is_ready,
            self.assigned and not one.is_mine,
            self.assigned and one.ticket.assignee != "",
            not one.is_in_sprint,
            -(one.ticket.priority or 0),
            one.related == 0,
            one.open_criteria if self.criteria else 0,
            one.readiness.item.created_at,
            one.ticket.identifier,
        )


@frozen(kw_only=True)
class _Suggestion:
    """A ticket, judged."""

    ticket: TicketInfo
    readiness: Readiness
    open_criteria: int
    criteria: int
    related: int
    is_in_sprint: bool
    is_mine: bool

    @classmethod
    def of(  # noqa: PLR0913  # each says one thing of the ticket
        cls,
        ticket: TicketInfo,
        ready: Readiness,
        criteria: Sequence[CriterionState],
        *,
        related: int,
        is_in_sprint: bool,
        is_mine: bool,
    ) -> "_Suggestion":
        """Return the judgement of a ticket."""
        left = sum(each.status != "verified" for each in criteria)
        return cls(
            ticket=ticket,
            readiness=ready,
            open_criteria=left,
            criteria=len(criteria),
            related=related,
            is_in_sprint=is_in_sprint,
            is_mine=is_mine,
        )

    def suggestion(self, memories: Memories, weights: _SuggestionOrder) -> SuggestedTicket:
        """Return it with its reasons."""
        ticket = self.ticket
        names = [ticket.identifier, ticket.id]
        known = about_ticket(memories, names, ticket.title, limit=_MEMORIES)
        reasons = [
            self.readiness.reason if weights.blockers else "",
            "assigned to you" if self.is_mine else f"assigned to {ticket.assignee or 'nobody'}",
            f"in {ticket.sprint}" if self.is_in_sprint else "",
            f"priority {ticket.priority} of 4" if ticket.priority else "",
            f"{self.open_criteria} of {self.criteria} criteria open" if self.criteria else "",
            f"remembered: {', '.join(each.key for each in known)}" if known else "",
        ]
        return SuggestedTicket(
            ticket=evolve(
                ticket,
                description=shorten(ticket.description, _DESCRIPTION),
                labels=ticket.labels[:_LABELS],
            ),
            reasons=tuple(filter(None, reasons)),
            blocked_by=tuple(each.name for each in self.readiness.waits_for[:_BLOCKING]),
        )


def _within_answer(suggested: Iterable[SuggestedTicket]) -> Iterator[SuggestedTicket]:
    """Yield suggestions while an answer has room: each takes a search of the memory to make."""
    room = ANSWER
    for number, each in enumerate(suggested):
        room -= tokens_of(each)
        if room < 0 and number:
            return
        yield each


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
    stored, known = stored_sprints(db), _sprints_by_activity(db)
    active = [each.name for each in stored if each.state == "active"]
    meant = name or next((each for each in known if not active or each in active), "")
    if not meant and not active:
        raise ItemNotFound("no ticket read here is in a sprint", hint=_HINT)
    meant = (meant or active[0]).casefold()
    sprint = next((each for each in stored if each.name.casefold() == meant), None)
    if sprint:
        return sprint, sprint.name
    found = next((each for each in known if each.casefold() == meant), None)
    if found is None:
        names = ", ".join(sorted({*known} | {each.name for each in stored}))
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


def _memories_of(db: Connection) -> dict[str, int]:
    """Return how many memories are about each ticket."""
    rows = db.execute(
        "SELECT related.value, count(*) FROM memory, json_each(memory.related_items) AS related "
        "WHERE memory.archived_at IS NULL AND memory.superseded_by IS NULL GROUP BY related.value"
    )
    return {row[0]: row[1] for row in rows}


SPRINT_OPERATIONS: Final = (
    Operation(
        sprint_status,
        command="sprint status",
        group="Show a sprint, and what to take next.",
        toolset=TICKETS,
        offline=True,
        bare="sprint",
        show=print_sprint,
    ),
    Operation(
        sprint_suggest,
        command="sprint suggest",
        toolset=TICKETS,
        offline=True,
        show=print_suggestions,
    ),
)
