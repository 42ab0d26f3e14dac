"""Terminal output of tickets."""

from collections.abc import Iterator, Sequence
from typing import Final

from rove_core import columns, counted, page, styled_line
from rove_memory.sessions.first_line import first_line
from rove_memory.tickets.description_text import description_lines
from rove_memory.tickets.model import SuggestedTicket, TicketDetail, TicketUpdate
from rove_memory.tickets.table import TicketInfo

_MARKS: Final = {"verified": "x", "failed": "!", "blocked": "-", "in_progress": "~", "pending": " "}


def print_ticket(detail: TicketDetail) -> str:
    """Return a ticket with everything known about it."""
    return page([*_head(detail), *_related_lines(detail)])


def print_changed(ticket: TicketInfo) -> str:
    """Return a ticket's status after a change, and whether its tracker has it."""
    return page([f"{ticket.identifier} is {ticket.status}{_waiting_text(ticket.unsent)}"])


def print_update(update: TicketUpdate) -> str:
    """Return the fields of a ticket that changed, or would change."""
    if not update.changes:
        return f"{update.identifier} has these values already."
    does = "would change; nothing was sent" if update.dry_run else "changed"
    rows = [
        [each.field, f"{_value(each.before)} → {_value(each.value)}"] for each in update.changes
    ]
    count = counted(len(update.changes), "field")
    head = f"{count} of {update.identifier} {does}{_waiting_text(update.unsent)}"
    return page([head, *columns(rows, shrink=(1,), styles={0: "bold"})])


def print_suggestions(suggested: Sequence[SuggestedTicket]) -> str:
    """Return suggestions, each with its reasons."""
    if not suggested:
        return "No ticket to do among those read here. Read one: rove ticket show TB-123"
    lines: list[str] = []
    for each in suggested:
        lines += columns(
            [[each.ticket.identifier, each.ticket.title]], shrink=(1,), styles={0: "bold cyan"}
        )
        lines.append(styled_line(f"    {'; '.join(each.reasons)}", "dim"))
    return page(lines)


def _waiting_text(unsent: Sequence[str]) -> str:
    """Return the text about changes not yet sent to a tracker."""
    note = f" here; not sent to its tracker yet ({', '.join(unsent)}): rove sync push"
    return note if unsent else ""


def _value(words: str) -> str:
    return first_line(words) or "(none)"


def _head(detail: TicketDetail) -> Iterator[str]:
    ticket = detail.ticket
    yield from (styled_line(each, "yellow") for each in detail.warnings)
    yield from columns([[ticket.identifier, ticket.title]], styles={0: "bold cyan", 1: "bold"})
    facts = (
        ticket.status,
        f"assigned to {ticket.assignee}" if ticket.assignee else "",
        f"in {ticket.sprint}" if ticket.sprint else "",
        ticket.url,
    )
    yield from columns([["  ".join(filter(None, facts))]], styles={0: "dim"})
    if ticket.description:
        yield ""
        yield from description_lines(ticket.description)


def _related_lines(detail: TicketDetail) -> Iterator[str]:
    yield from _part(
        "Acceptance criteria:",
        [
            [f"[{_MARKS[each.status]}]", str(each.number), first_line(each.text)]
            for each in detail.acceptance_criteria
        ],
    )
    yield from _part(
        "Blocked by:",
        [[each.id, each.status, each.title] for each in detail.blocking_items],
    )
    yield from _part("Plans:", [[each.id, each.status, each.title] for each in detail.plans])
    yield from _part(
        "Remembered:", [[each.key, first_line(each.content)] for each in detail.memory]
    )
    yield from _part(
        "Discussion:",
        [
            [f"{each.at:%Y-%m-%d}", each.author, first_line(each.content)]
            for each in detail.discussion
        ],
    )
    if detail.discussion_left_out:
        yield styled_line(f"({detail.discussion_left_out} earlier comments are not shown)", "dim")
    yield from _part(
        "Sessions:",
        [
            [each.session_id, each.outcome or each.status, first_line(each.summary)]
            for each in detail.sessions
        ],
    )


def _part(title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield from ("", title)
        yield from columns(rows, shrink=(len(rows[0]) - 1,))
