"""The settings of sessions: most commands need no others of this package."""

from datetime import timedelta
from typing import Final

from attrs import field, frozen
from attrs.validators import ge, le

from rove_core import SAFE, SettingsSection


@frozen(kw_only=True, eq=False)
class SessionSettings:
    """Settings of sessions.

    Attributes:
        auto_generate_summary: Whether a session that ends without a summary gets one of its notes.
        max_events_before_compaction: How many notes a session keeps apart; the oldest of low
            importance are folded into one beyond that.
        warn_on_unended_session: Whether the next session says that one was never ended.
        close_after: How long a session may be quiet before it counts as abandoned.
    """

    auto_generate_summary: bool = field(default=True, metadata=SAFE)
    max_events_before_compaction: int = field(
        default=1000, validator=[ge(10), le(1_000_000)], metadata=SAFE
    )
    warn_on_unended_session: bool = field(default=True, metadata=SAFE)
    close_after: timedelta = field(
        default=timedelta(hours=24),
        validator=[ge(timedelta(minutes=1)), le(timedelta(days=365))],
        metadata=SAFE,
    )


SESSION: Final = SettingsSection(name="session", settings=SessionSettings)
