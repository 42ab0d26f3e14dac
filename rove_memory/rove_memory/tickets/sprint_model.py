"""Wire types of sprints."""

from datetime import datetime

from attrs import frozen

from rove_core import StatusCategory


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
