"""Time windows in JQL: by the minute, in the account's time zone."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from attrs import frozen

from rove_core import Query
from rove_jira.jql import compares

#: An hour that comes twice in a year can be meant either time.
_OVERLAP: Final = timedelta(hours=1)
#: No zone is farther away from UTC.
_ANY_ZONE: Final = timedelta(days=1)
_MINUTE: Final = timedelta(minutes=1)
_FIRST: Final = datetime(1970, 1, 3, tzinfo=UTC)
_LAST: Final = datetime(9999, 12, 29, tzinfo=UTC)


@frozen
class Zone:
    """The time zone of an account, in which Jira reads the times of its queries.

    Attributes:
        zone: The zone; UTC when it is not known.
        overlap: How much wider a window must be so that nothing falls out of it.
    """

    zone: ZoneInfo
    overlap: timedelta

    @classmethod
    def named(cls, name: str) -> "Zone":
        """Return a time zone by name; an unknown one is replaced by a margin of a day."""
        try:
            return cls(ZoneInfo(name), _OVERLAP)
        except (ValueError, OSError, LookupError):
            return cls(ZoneInfo("UTC"), _ANY_ZONE)

    def clauses(self, query: Query) -> Iterator[str]:
        """Yield the clauses of a query's time window, with a margin on both sides."""
        if query.since:
            yield compares("updated", ">=", self._local(query.since, -self.overlap))
        if query.until:
            yield compares("updated", "<=", self._local(query.until, self.overlap + _MINUTE))

    def _local(self, at: datetime, further: timedelta) -> datetime:
        return (min(max(at, _FIRST), _LAST) + further).astimezone(self.zone)
