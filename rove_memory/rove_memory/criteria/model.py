"""Argument and result types of the criteria operations."""

from datetime import datetime
from typing import Literal, TypeAlias

from attrs import field, frozen

from rove_memory.criteria.status import CriterionStatus

CriterionChange: TypeAlias = Literal["", "new", "changed", "gone", "back"]


@frozen(kw_only=True)
class Evidence:
    """Evidence that a criterion is met.

    Attributes:
        files: Paths of files that implement it, within the checkout.
        tests: Tests that verify it: a name, or path::name.
        commits: Commits that are about it.
        screenshots: Paths of pictures.
        notes: What there is to say besides.
    """

    files: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    screenshots: tuple[str, ...] = ()
    notes: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether it names nothing that can be looked at."""
        return not (self.files or self.tests or self.commits or self.screenshots)


@frozen(kw_only=True)
class AcceptanceCriterion:
    """An acceptance criterion of a ticket, with its status.

    Attributes:
        id: Its id (``c-7k2f9``).
        external_item_id: The ticket (``TB-123``).
        number: What people call it in its ticket: 2 is ``TB-123#2``. It never changes.
        criterion_text: What it says.
        criterion_index: Its place in the description, from 0.
        source_type: ``parsed``, ``manual`` or ``checklist``.
        status: ``pending``, ``in_progress``, ``verified``, ``failed`` or ``blocked``.
        verified_at: When it was verified.
        verified_by_session: In which session.
        failed_at: When it failed last.
        failed_reason: Why.
        evidence: What shows it.
        attempts: How often it failed.
        reason: Why the parser took it for a criterion.
        place: The headings it stands under.
        change: What the last edit of the ticket did to it: ``new``, ``changed``, ``gone``,
            ``back``; empty for nothing.
        previous_text: What it said before that edit.
        gone_at: Since when the ticket no longer has it.
        created_at: When it was seen first.
        updated_at: When it was changed last.
    """

    id: str
    external_item_id: str
    number: int
    criterion_text: str
    criterion_index: int
    source_type: Literal["parsed", "manual", "checklist"] = "parsed"
    status: CriterionStatus = "pending"
    verified_at: datetime | None = None
    verified_by_session: str | None = None
    failed_at: datetime | None = None
    failed_reason: str | None = None
    evidence: Evidence = field(factory=Evidence)
    attempts: int = 0
    reason: str = ""
    place: str = ""
    change: CriterionChange = ""
    previous_text: str | None = None
    gone_at: datetime | None = None
    created_at: datetime
    updated_at: datetime


@frozen(kw_only=True)
class ACStatus:
    """Status of a ticket's acceptance criteria.

    Attributes:
        total: How many there are.
        pending: How many nobody has looked at.
        in_progress: How many are being worked on.
        verified: How many are verified.
        failed: How many failed.
        blocked: How many wait for something.
        completion_percentage: How many of a hundred are verified; 0 without any.
        criteria: They themselves.
        blockers: The ids of those that failed or are blocked.
        gone: Those that the ticket no longer has.
        left_out: How many criteria follow those that are here; offset shows them.
    """

    total: int
    pending: int = 0
    in_progress: int = 0
    verified: int = 0
    failed: int = 0
    blocked: int = 0
    completion_percentage: float = 0.0
    criteria: tuple[AcceptanceCriterion, ...] = ()
    blockers: tuple[str, ...] = ()
    gone: tuple[AcceptanceCriterion, ...] = ()
    left_out: int = 0


@frozen(kw_only=True)
class ACCheckResult:
    """Whether a ticket's acceptance criteria are satisfied.

    Attributes:
        all_verified: Whether there are any, and all are verified.
        ready_to_close: Whether, besides, nothing blocks the ticket.
        summary: The same in words.
        pending: Those that are pending or in progress.
        failed: Those that failed.
        blocked: Those that wait for something.
        blocked_by: What blocks the ticket itself.
        left_out: How many more are not met; ac_status shows them all.
    """

    all_verified: bool
    ready_to_close: bool
    summary: str
    pending: tuple[AcceptanceCriterion, ...] = ()
    failed: tuple[AcceptanceCriterion, ...] = ()
    blocked: tuple[AcceptanceCriterion, ...] = ()
    blocked_by: tuple[str, ...] = ()
    left_out: int = 0
