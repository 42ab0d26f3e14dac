"""Suggestions for the next ticket, each with its reasons."""

from collections.abc import Iterable, Iterator, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve, frozen

from rove_core import Operation
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.memory.memories import Memories
from rove_memory.memory.recall import about_ticket
from rove_memory.page_bounds import check_page
from rove_memory.plans.caller import caller, viewer
from rove_memory.plans.graph import WorkKey
from rove_memory.plans.items import load_claims, load_near
from rove_memory.plans.ready import Readiness, readiness
from rove_memory.store import ProjectStore, in_thread
from rove_memory.sync.sprints import stored_sprints
from rove_memory.tickets.model import SuggestedTicket
from rove_memory.tickets.table import TicketInfo, list_todo
from rove_memory.tickets.terminal_text import print_suggestions
from rove_memory.token_budget import ANSWER, shorten, tokens_of
from rove_memory.toolsets import TICKETS
from rove_memory.work_state import CriterionState, criteria_of

if TYPE_CHECKING:
    from rove_core import LocalProject

_MOST: Final = 100
_LABELS: Final = 10
_BLOCKING: Final = 20
_DESCRIPTION: Final = 100
_MEMORIES: Final = 3


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
            if asking.has_tracker:  # Of a name that nobody has read, nothing is known.
                tickets = [each for each in tickets if each.account]
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
        related = about_ticket(memories, names, ticket.title, limit=_MEMORIES)
        reasons = [
            self.readiness.reason if weights.blockers else "",
            "assigned to you" if self.is_mine else f"assigned to {ticket.assignee or 'nobody'}",
            f"in {ticket.sprint}" if self.is_in_sprint else "",
            f"priority {ticket.priority} of 4" if ticket.priority else "",
            f"{self.open_criteria} of {self.criteria} criteria open" if self.criteria else "",
            f"remembered: {', '.join(each.key for each in related)}" if related else "",
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


def _memories_of(db: Connection) -> dict[str, int]:
    """Return how many memories are about each ticket."""
    rows = db.execute(
        "SELECT related.value, count(*) FROM memory, json_each(memory.related_items) AS related "
        "WHERE memory.archived_at IS NULL AND memory.superseded_by IS NULL GROUP BY related.value"
    )
    return {row[0]: row[1] for row in rows}


def _key(ticket: TicketInfo) -> WorkKey:
    return WorkKey("external", ticket.id)


SPRINT_SUGGEST: Final = Operation(
    sprint_suggest,
    command="sprint suggest",
    toolset=TICKETS,
    offline=True,
    show=print_suggestions,
)
