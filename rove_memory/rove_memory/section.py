"""A document's sections from memory: earlier decisions, criteria, blockers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rove_core import ContextItem, LocalProject, Section, escape_markdown, estimated_tokens, quote
from rove_core.clock import SYSTEM, Clock
from rove_memory.criteria.text_reader import read_automatically
from rove_memory.memory.memories import Memories
from rove_memory.memory.model import MemoryItem
from rove_memory.memory.recall import about_ticket
from rove_memory.store import ProjectStore, in_thread
from rove_memory.tickets.table import TicketInfo, find_ticket, store_ticket
from rove_memory.work_state import BlockingItem, CriterionState, blockers_of, criteria_of

if TYPE_CHECKING:
    from sqlite3 import Connection

_DECIDED: Final = "Decided before"
_CRITERIA: Final = "Acceptance criteria"
_BLOCKED: Final = "Blocked by"
_MEMORIES: Final = 5
_MOST_OF_ONE: Final = 1_200
_SHORTER: Final = (600, 300, 150)


async def sections(
    ticket: ContextItem, budget: int, project: Path, *, clock: Clock = SYSTEM
) -> Sequence[Section]:
    """Return the sections of a ticket, and store its text for the next session.

    A project without a memory gets neither: building a document starts none.

    Args:
        ticket: The ticket.
        budget: How many tokens the sections may take.
        project: The project's folder.
        clock: The clock.
    """
    rove = LocalProject.at(project, clock)
    store, settings = ProjectStore.of(rove), rove.settings

    def work() -> Sequence[Section]:
        if store.registered() is None:
            return ()
        with store.reading() as db:
            is_used = store.project_id(db) != ""
        if not is_used:
            return ()
        if not ticket.account:  # A document about words is about no ticket.
            with store.reading() as db:
                return tuple(_remembered(db, store, (), ticket.title, budget))
        with store.writing() as db:
            stored = store_ticket(db, store, ticket)
            read_automatically(db, store, stored, settings)
        with store.reading() as db:
            return tuple(_sections(db, store, stored, budget))

    return await in_thread(work)


def _sections(
    db: "Connection", store: ProjectStore, ticket: TicketInfo, budget: int
) -> Iterator[Section]:
    room = budget
    if criteria := criteria_of(db, ticket.id):
        text = _fit_lines([_criterion(one) for one in criteria], room // 2)
        room -= estimated_tokens(text)
        yield Section(heading=_CRITERIA, content=text)
    if blockers := blockers_of(db, ticket.id):
        text = _fit_lines([_blocker(one) for one in blockers], room // 4)
        room -= estimated_tokens(text)
        yield Section(heading=_BLOCKED, content=text)
    words = f"{ticket.title} {ticket.description[:500]}"
    yield from _remembered(db, store, (ticket.identifier, ticket.id), words, room)


def _remembered(
    db: "Connection", store: ProjectStore, names: Sequence[str], words: str, room: int
) -> Iterator[Section]:
    """Yield the section of the memories about a ticket, or about words."""
    found = about_ticket(Memories(db=db, store=store), [*names], words, limit=_MEMORIES)
    if text := _fit_memories(db, found, room // 2):
        yield Section(heading=_DECIDED, content=text)


def _memory(db: "Connection", item: MemoryItem, longest: int = _MOST_OF_ONE) -> str:
    session = find_session_ticket(db, item.session_id)
    source = f"session {item.session_id}{session}" if item.session_id else "stored without session"
    against = f"; contradicted by {', '.join(item.contradicts)}" if item.contradicts else ""
    head = f"{item.key}: {item.memory_type}, {item.updated_at:%b %d, %Y}, {source}{against}"
    content = item.content[:longest]
    return f"{escape_markdown(' '.join(head.split()))}\n\n{quote(content)}"


def find_session_ticket(db: "Connection", session: str) -> str:
    """Return on which ticket a session was, as the end of a phrase; empty if on none."""
    row = db.execute("SELECT external_item_id FROM sessions WHERE id = ?", [session]).fetchone()
    ticket = find_ticket(db, row["external_item_id"]) if row and row["external_item_id"] else None
    return f" on {ticket.identifier}" if ticket else ""


def _criterion(one: CriterionState) -> str:
    box = "x" if one.status == "verified" else " "
    state = "" if one.status in ("verified", "pending") else f" ({one.status.replace('_', ' ')})"
    reason = f": {_one_line(one.failed_reason)}" if one.failed_reason else ""
    return f"- [{box}] {one.number}. {_one_line(one.text)}{state}{reason}"


def _blocker(one: BlockingItem) -> str:
    return f"- {_one_line(one.id)}: {_one_line(one.title)} ({one.status})"


def _one_line(text: str) -> str:
    return escape_markdown(" ".join(text.split()))


def _fit_memories(db: "Connection", items: Sequence[MemoryItem], max_tokens: int) -> str:
    """Return the quotes that fit; the first one is cut if it does not."""
    quotes: list[str] = []
    room = max_tokens
    for item in items:
        text = _memory(db, item)
        for longest in () if quotes else _SHORTER:
            if estimated_tokens(text) >= room:
                text = _memory(db, item, longest)
        cost = estimated_tokens(text) + 1
        if cost <= room:
            quotes.append(text)
            room -= cost
    return "\n\n".join(quotes)


def _fit_lines(lines: Sequence[str], max_tokens: int) -> str:
    head: list[str] = []
    room = max_tokens
    for line in lines:
        room -= estimated_tokens(line)
        if room < 0:
            head.append(f"- and {len(lines) - len(head)} more")
            break
        head.append(line)
    return "\n".join(head)
