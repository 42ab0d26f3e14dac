"""Wire types of the sync."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypeAlias

from attrs import frozen

from rove_core import PARTIAL, Outcome
from rove_memory.sync.outbox import ChangeStatus, ChangeType

RunStatus: TypeAlias = Literal["success", "partial", "failed"]
#: Who wins a conflict, or both.
Resolution: TypeAlias = Literal["keep_local", "keep_remote", "merge"]


@frozen(kw_only=True)
class ChangeInfo:
    """A local edit with its status.

    Attributes:
        id: Its id.
        account: The account it is for.
        ticket: The ticket, by its tracker's id; ``new`` while its tracker has none for it.
        change_type: A field, a comment, or a new ticket.
        field: The field; empty for others.
        before: The field's value that its author saw.
        value: The new value, or the text of the comment, or the title of the new ticket.
        remote: The tracker's value that stands against it; empty unless one does.
        status: Where it stands: ``overruled`` is an edit that the tracker's own value replaced,
            ``failed`` one that the tracker refused, or whose ticket is gone.
        reason: Why it stands there; empty if nothing went wrong.
        created_at: When it was made.
        attempts: How often sending it failed.
        retry_at: When it is tried again; None for the next push.
    """

    id: str
    account: str
    ticket: str
    change_type: ChangeType
    field: str = ""
    before: str = ""
    value: str = ""
    remote: str = ""
    status: ChangeStatus
    reason: str = ""
    created_at: datetime
    attempts: int = 0
    retry_at: datetime | None = None


@frozen(kw_only=True)
class SyncResult(Outcome):
    """The result of a pull, a push, or both.

    Attributes:
        status: ``success``, ``partial`` when something failed, ``failed`` when everything did.
        items_created: How many tickets were new: here for a pull, at the tracker for a push.
        items_updated: How many had changed, or were changed.
        items_deleted: How many their tracker no longer has.
        items_unchanged: How many were read and are unchanged.
        items_left: How many known tickets were left for the next pull.
        changes_sent: How many edits arrived at their tracker.
        changes_waiting: How many still wait.
        conflicts: How many need a decision.
        planned: What would be written, where nothing was sent.
        errors: What went wrong, a line each.
        note: What to do first, where there was nothing to read.
        duration_ms: How long it took.
        retry_at: When the edits that wait can be tried again; None if none wait.
    """

    status: RunStatus
    items_created: int = 0
    items_updated: int = 0
    items_deleted: int = 0
    items_unchanged: int = 0
    items_left: int = 0
    changes_sent: int = 0
    changes_waiting: int = 0
    conflicts: int = 0
    planned: tuple[ChangeInfo, ...] = ()
    errors: tuple[str, ...] = ()
    note: str = ""
    duration_ms: int = 0
    retry_at: datetime | None = None

    @property
    def exit_code(self) -> int:
        """0 for success, 5 if something failed, 1 if everything did."""
        return {"success": 0, "partial": PARTIAL, "failed": 1}[self.status]

    @property
    def resume_at(self) -> datetime | None:
        """When the server retries waiting edits."""
        return self.retry_at


@frozen(kw_only=True)
class SyncStatusInfo:
    """Age of this project's tickets, and waiting edits.

    Attributes:
        last_pull_at: When tickets were read last; None for never.
        last_push_at: When edits were sent last; None for never.
        pending_changes: How many edits wait to be sent.
        conflicts: How many edits need a decision, because somebody else changed the same.
        dead_letters: How many edits their tracker refused, or whose ticket is gone.
        is_online: Whether the last pull or push was answered; None before the first.
        last_error: What went wrong in it; None for nothing.
        staleness_seconds: How old the ticket is that was read longest ago; 0 without any.
        tickets: How many tickets are known.
        pending: The edits that wait, the oldest first, at most 20.
    """

    last_pull_at: datetime | None = None
    last_push_at: datetime | None = None
    pending_changes: int = 0
    conflicts: int = 0
    dead_letters: int = 0
    is_online: bool | None = None
    last_error: str | None = None
    staleness_seconds: int = 0
    tickets: int = 0
    pending: tuple[ChangeInfo, ...] = ()


@frozen(kw_only=True)
class SyncRun:
    """A pull or a push of one account, as the log has it.

    Attributes:
        direction: Which of both.
        account: The account; ``all`` for tickets that were read one by one.
        started_at: When it started.
        status: How it ended.
        items_created: How many tickets it created.
        items_updated: How many it updated.
        items_deleted: How many it found deleted.
        items_unchanged: How many it read that are unchanged.
        errors: What went wrong, a line each.
        duration_ms: How long it took.
        changes: For a push: each edit that it settled, with the values before and after.
    """

    direction: Literal["pull", "push"]
    account: str
    started_at: datetime
    status: RunStatus
    items_created: int = 0
    items_updated: int = 0
    items_deleted: int = 0
    items_unchanged: int = 0
    errors: tuple[str, ...] = ()
    duration_ms: int = 0
    changes: tuple[ChangeInfo, ...] = ()

    @classmethod
    def begin(
        cls, direction: Literal["pull", "push"], account: str, started_at: datetime
    ) -> "SyncRun":
        """Return a run that has done nothing: it counts as failed until it has ended."""
        return cls(direction=direction, account=account, started_at=started_at, status="failed")


def combined_status(ends: Sequence[RunStatus]) -> RunStatus:
    """Return how several runs ended together."""
    if all(each == "success" for each in ends):
        return "success"
    return "failed" if all(each == "failed" for each in ends) else "partial"
