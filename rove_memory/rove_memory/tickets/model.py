"""Wire types of tickets and sprints."""

from datetime import datetime

from attrs import frozen

from rove_core import StatusCategory
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
class SprintInfo:
    """A sprint or cycle.

    Attributes:
        name: Its name.
        tickets_read: How many of its tickets this project's memory knows.
        read_at: When one of them was read last.
        state: ``planned``, ``active`` or ``completed``; empty if its container is not listed.
        starts: When it starts, if its container is listed.
        ends: When it ends, if its container is listed.
        goal: What it is for.
    """

    name: str
    tickets_read: int
    read_at: datetime | None = None
    state: str = ""
    starts: datetime | None = None
    ends: datetime | None = None
    goal: str = ""


@frozen(kw_only=True)
class SprintTicket:
    """A ticket of a sprint.

    Attributes:
        identifier: What its tracker calls it.
        title: Its title.
        status: Its status, in the tracker's words.
        status_category: What that means.
        assignee: Who does it.
        estimate: Its size, in its tracker's units.
        ac_completion: How many of a hundred of its criteria are verified; None without any.
        blocker_count: How many items block it; None when nobody asked.
        url: Where a person reads it.
    """

    identifier: str
    title: str
    status: str
    status_category: StatusCategory
    assignee: str = ""
    estimate: float | None = None
    ac_completion: float | None = None
    blocker_count: int | None = None
    url: str = ""


@frozen(kw_only=True)
class SprintCounts:
    """Number of tickets by status.

    Attributes:
        todo: Not begun.
        in_progress: Begun.
        done: Done.
        canceled: Canceled.
    """

    todo: int = 0
    in_progress: int = 0
    done: int = 0
    canceled: int = 0


@frozen(kw_only=True)
class SprintVelocity:
    """Done and total estimates.

    Attributes:
        completed_points: The estimates of what is done.
        remaining_points: The estimates of what is not.
        without_estimate: How many tickets have none.
    """

    completed_points: float = 0.0
    remaining_points: float = 0.0
    without_estimate: int = 0


@frozen(kw_only=True)
class SprintStatus:
    """Status of a sprint, from the tickets read so far.

    Attributes:
        sprint: The sprint.
        tickets: Its tickets: those begun first, then what is to do, then what is done.
        summary: How many stand where.
        velocity: How much is done.
        note: What this is counted from.
        left_out: How many tickets follow those that are here; offset shows them.
    """

    sprint: SprintInfo
    tickets: tuple[SprintTicket, ...]
    summary: SprintCounts
    velocity: SprintVelocity
    note: str
    left_out: int = 0


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
