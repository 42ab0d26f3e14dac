"""The settings of the sync."""

from typing import Final

from attrs import field, frozen
from attrs.validators import ge, le

from rove_core import SAFE, SettingsSection


@frozen(kw_only=True, eq=False)
class SyncSettings:
    """Settings of the sync.

    Attributes:
        containers: Whose tickets are listed, each as ``account/container``: ``jira/TB``,
            ``github/acme/api``. Without any, only tickets that were read here are kept up to date.
        auto_pull_on_session_start: Whether the server reads what changed after a session started.
        auto_pull_threshold_seconds: How old the last pull must be for that.
        pull_item_types: Which types of item are kept: ticket, subtask, epic, sprint, milestone.
        auto_push_on_session_end: Whether the server sends what waits when no session is active.
        auto_push_on_status_change: Whether a changed status is sent at once, and by the server if
            that fails.
        push_debounce_seconds: How long an edit waits for others of the same ticket.
        queue_changes_when_offline: Whether an edit is kept for later while its tracker is away.
        max_queued_changes: How many edits may wait.
        retry_interval_seconds: How long after a failure an edit is tried again; each further
            failure doubles it, up to an hour. No edit is ever given up.
        push_criteria: Whether the acceptance criteria of a ticket, with their state, are kept in
            one comment on it.
    """

    containers: tuple[str, ...] = field(default=(), metadata=SAFE)
    auto_pull_on_session_start: bool = field(default=True, metadata=SAFE)
    auto_pull_threshold_seconds: int = field(
        default=300, validator=[ge(10), le(86_400)], metadata=SAFE
    )
    pull_item_types: tuple[str, ...] = field(
        default=("ticket", "subtask", "sprint", "epic", "milestone"), metadata=SAFE
    )
    auto_push_on_session_end: bool = field(default=True, metadata=SAFE)
    auto_push_on_status_change: bool = field(default=True, metadata=SAFE)
    push_debounce_seconds: int = field(default=5, validator=[ge(0), le(3_600)], metadata=SAFE)
    queue_changes_when_offline: bool = field(default=True, metadata=SAFE)
    max_queued_changes: int = field(default=100, validator=[ge(1), le(10_000)], metadata=SAFE)
    retry_interval_seconds: int = field(default=60, validator=[ge(1), le(3_600)], metadata=SAFE)
    push_criteria: bool = field(default=False)


SYNC: Final = SettingsSection(name="sync", settings=SyncSettings)
