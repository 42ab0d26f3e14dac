"""A ticket in full: text, discussion, and what memory has about it."""

from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve, frozen

from rove_core import Operation, RoveError, WrongCall, estimated_tokens
from rove_memory.criteria.parsing import fetch_ticket
from rove_memory.criteria.text_reader import read_automatically
from rove_memory.memory.answer import within_budget
from rove_memory.memory.memories import Memories
from rove_memory.memory.model import MemoryItem
from rove_memory.memory.recall import about_ticket
from rove_memory.plans.model import LocalPlan
from rove_memory.plans.plans import PlanFilter, list_plans
from rove_memory.session_settings import SESSION, SessionSettings
from rove_memory.sessions.sessions import Sessions
from rove_memory.sessions.summaries import SessionSummary
from rove_memory.store import ProjectStore, in_thread
from rove_memory.tickets.model import DiscussionEntry, TicketDetail
from rove_memory.tickets.table import TicketInfo, find_ticket, require_ticket, store_ticket
from rove_memory.tickets.terminal_text import print_ticket
from rove_memory.token_budget import FRAME, fitting_criteria, shorten
from rove_memory.toolsets import TICKETS
from rove_memory.work_state import CriterionState, blockers_of, criteria_of

if TYPE_CHECKING:
    from rove_core import ContextItem, Project

_LEAST: Final = 500
_MEMORIES: Final = 10
_BLOCKERS: Final = 20
_SESSIONS: Final = 5
_SUMMARY: Final = 100
_FILES: Final = 10


async def get_ticket(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "Project",
    *,
    identifier: Annotated[str, "The ticket: TB-123."],
    include_plans: Annotated[bool, "Its open plans."] = True,
    include_ac: Annotated[bool, "Its acceptance criteria."] = True,
    include_memory: Annotated[bool, "Include related memories."] = True,
    include_history: Annotated[bool, "The last sessions on it."] = False,
    max_tokens: Annotated[int, "How many tokens the answer may take."] = 8_000,
) -> TicketDetail:
    """Read a ticket at its tracker, with its plans, criteria, blockers and memories.

    If the tracker does not answer, the ticket is shown as it was read last, and says so.
    """
    if max_tokens < _LEAST:
        raise WrongCall(f"max_tokens {max_tokens}: give at least {_LEAST}")
    store, settings = ProjectStore.of(rove), rove.settings.section(SESSION)
    item, failure = await _fetch(rove, identifier)

    def work() -> TicketDetail:
        if item is not None:
            with store.writing() as db:
                ticket = store_ticket(db, store, item)
                read_automatically(db, store, ticket, rove.settings)
        with store.reading() as db:
            stored = (
                require_ticket(db, ticket.id) if item else _stored_ticket(db, identifier, failure)
            )
            pages = _Pages(db, store, stored, max_tokens)
            comments, left_out = pages.discussion(item)
            return TicketDetail(
                ticket=evolve(stored, description=shorten(stored.description, max_tokens * 2 // 5)),
                discussion=comments,
                discussion_left_out=left_out,
                plans=pages.plans() if include_plans else (),
                acceptance_criteria=pages.criteria() if include_ac else (),
                blocking_items=blockers_of(db, stored.id)[:_BLOCKERS],
                memory=pages.memory() if include_memory else (),
                sessions=pages.sessions(settings) if include_history else (),
                warnings=_warnings(stored, failure),
            )

    return await in_thread(work)


@frozen
class _Pages:
    """The parts of an answer, each within its share of the tokens."""

    db: Connection
    store: ProjectStore
    ticket: TicketInfo
    max_tokens: int

    def discussion(self, item: "ContextItem | None") -> tuple[tuple[DiscussionEntry, ...], int]:
        """Return the last comments that fit, and how many do not."""
        thread = [each for each in item.thread if not each.facts.history] if item else []
        entries: list[DiscussionEntry] = []
        room = self.max_tokens // 5
        for each in reversed(thread):
            content = shorten(each.content, self.max_tokens // 20)
            room -= estimated_tokens(content) + FRAME
            if room < 0:
                break
            entries.append(DiscussionEntry(author=each.author, at=each.timestamp, content=content))
        return tuple(entries[::-1]), len(thread) - len(entries)

    def plans(self) -> tuple[LocalPlan, ...]:
        """Return the open plans that fit."""
        plans: list[LocalPlan] = []
        room = self.max_tokens // 8
        for plan in list_plans(self.db, PlanFilter(ticket=self.ticket.id)):
            short = evolve(plan, description=shorten(plan.description, FRAME))
            room -= estimated_tokens(f"{short.title} {short.description}") + 2 * FRAME
            if room < 0:
                break
            plans.append(short)
        return tuple(plans)

    def criteria(self) -> tuple[CriterionState, ...]:
        """Return the criteria that fit."""
        return fitting_criteria(criteria_of(self.db, self.ticket.id), self.max_tokens // 8)

    def sessions(self, settings: SessionSettings) -> tuple[SessionSummary, ...]:
        """Return the last sessions on it, each in short."""
        sessions = Sessions(db=self.db, store=self.store, settings=settings)
        found = sessions.listed(ticket=self.ticket.id, status=None, limit=_SESSIONS, offset=0)
        return tuple(
            evolve(
                each,
                summary=shorten(each.summary, _SUMMARY),
                files_modified=each.files_modified[:_FILES],
                commits_made=each.commits_made[:_FILES],
            )
            for each in found
        )

    def memory(self) -> tuple[MemoryItem, ...]:
        """Return the memories that fit."""
        memories = Memories(db=self.db, store=self.store)
        words = f"{self.ticket.title} {self.ticket.description[:500]}"
        names = [self.ticket.identifier, self.ticket.id]
        found = about_ticket(memories, names, words, limit=_MEMORIES)
        return tuple(within_budget(found, self.max_tokens // 8))


async def _fetch(rove: "Project", identifier: str) -> "tuple[ContextItem | None, RoveError | None]":
    """Return a ticket as its tracker has it, or why it cannot be read."""
    try:
        return await fetch_ticket(rove, identifier), None
    except RoveError as error:
        return None, error


def _stored_ticket(db: Connection, identifier: str, failure: RoveError | None) -> TicketInfo:
    """Return a ticket as it was read last; raise what went wrong if it never was."""
    ticket = find_ticket(db, identifier)
    if ticket is None or not ticket.account:
        raise failure or AssertionError(identifier)
    return ticket


def _warnings(ticket: TicketInfo, failure: RoveError | None) -> tuple[str, ...]:
    if failure is None:
        return ()
    read = f"{ticket.synced_at:%Y-%m-%d %H:%M} UTC" if ticket.synced_at else "an earlier day"
    return (f"Read on {read}, without its discussion: {failure.message}",)


TICKET_OPERATIONS: Final = (
    Operation(
        get_ticket,
        command="ticket show",
        group="Show a ticket with everything known about it, or change it.",
        toolset=TICKETS,
        show=print_ticket,
    ),
)
