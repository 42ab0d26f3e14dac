"""Wire types of tickets."""

from datetime import datetime

from attrs import frozen

from rove_memory.memory.model import MemoryItem
from rove_memory.plans.model import LocalPlan
from rove_memory.sessions.summaries import SessionSummary
from rove_memory.tickets.table import TicketInfo
from rove_memory.work_state import BlockingItem, CriterionState


@frozen(kw_only=True)
class DiscussionEntry:
    """A comment on a ticket.

    Attributes:
        author: Who wrote it.
        at: When.
        content: What it says, as Markdown.
    """

    author: str
    at: datetime
    content: str


@frozen(kw_only=True)
class TicketDetail:
    """A ticket, with all that this project's memory has on it.

    Attributes:
        ticket: The ticket as its tracker has it, or had it when it was read last.
        discussion: Its latest comments, oldest first; none when the tracker did not answer.
        discussion_left_out: How many earlier comments are not here.
        plans: Its open plans.
        acceptance_criteria: Its criteria.
        blocking_items: What blocks it and is not done.
        memory: What was remembered that fits it.
        sessions: The last sessions on it, the newest first.
        warnings: What is not up to date, and why.
    """

    ticket: TicketInfo
    discussion: tuple[DiscussionEntry, ...] = ()
    discussion_left_out: int = 0
    plans: tuple[LocalPlan, ...] = ()
    acceptance_criteria: tuple[CriterionState, ...] = ()
    blocking_items: tuple[BlockingItem, ...] = ()
    memory: tuple[MemoryItem, ...] = ()
    sessions: tuple[SessionSummary, ...] = ()
    warnings: tuple[str, ...] = ()


@frozen(kw_only=True)
class FieldValue:
    """A field of a ticket before and after a change, in words.

    Attributes:
        field: Its name.
        before: Its value before; empty for none.
        value: Its new value; empty for none.
    """

    field: str
    before: str = ""
    value: str = ""


@frozen(kw_only=True)
class TicketUpdate:
    """The result of changing a ticket's fields.

    Attributes:
        identifier: What its tracker calls the ticket.
        changes: The fields that changed, or would change.
        unsent: Its fields that wait to be sent to its tracker.
        dry_run: Whether it was only shown.
    """

    identifier: str
    changes: tuple[FieldValue, ...] = ()
    unsent: tuple[str, ...] = ()
    dry_run: bool = False


@frozen(kw_only=True)
class SuggestedTicket:
    """A ticket that could be next.

    Attributes:
        ticket: The ticket, its description cut.
        reasons: Why it stands where it does.
        blocked_by: What it waits for.
    """

    ticket: TicketInfo
    reasons: tuple[str, ...]
    blocked_by: tuple[str, ...] = ()
