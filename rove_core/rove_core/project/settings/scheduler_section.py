"""The section ``[scheduler]`` of the settings."""

from datetime import timedelta

from attrs import field, frozen

from rove_core.project.settings.bounds import between
from rove_core.project.settings.plugin_section import SAFE
from rove_core.tasks.intervals import Pace


@frozen(kw_only=True)
class SchedulerSettings:
    """Settings of the refresh schedule.

    Attributes:
        refresh_interval: How old a document may be before it is refreshed.
        retry_attempts: How often a failed task is tried again.
        retry_delay: How long to wait before that.
        staleness_threshold: How long nothing may happen before a document is left alone.
    """

    refresh_interval: timedelta = field(
        default=Pace().refresh_interval,
        validator=between(timedelta(minutes=1), timedelta(days=365)),
        metadata=SAFE,
    )
    retry_attempts: int = field(default=3, validator=between(0, 100), metadata=SAFE)
    retry_delay: timedelta = field(
        default=timedelta(minutes=30),
        validator=between(timedelta(seconds=1), timedelta(days=7)),
        metadata=SAFE,
    )
    staleness_threshold: timedelta = field(
        default=Pace().staleness_threshold,
        validator=between(timedelta(hours=1), timedelta(days=3650)),
        metadata=SAFE,
    )

    @property
    def pace(self) -> Pace:
        """Refresh interval of documents."""
        return Pace(self.refresh_interval, self.staleness_threshold)
