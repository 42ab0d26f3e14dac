"""Catch-ups of a mirror: the recent changes of all its containers at once.

They cost a build a few requests, however many containers there are, but they find no deletions:
the server, or the first build after an hour, lists each container from its cursor again.
"""

from datetime import datetime, timedelta
from typing import Final

from rove_core.mirror.clock_faults import is_recent
from rove_core.mirror.state import MirrorState

#: How long after listing all containers a catch-up may replace the next listings.
_LISTED_FOR: Final = timedelta(hours=1)
#: How much earlier a catch-up begins, because a vendor's clock differs and its index lags.
_EARLIER: Final = timedelta(minutes=15)
#: Maximum changes of a catch-up; if there are more, the containers are listed from their cursors.
MOST_CAUGHT_UP: Final = 200


def beginning_of_catch_up(state: MirrorState, now: datetime) -> datetime | None:
    """Return when a catch-up begins; None if the containers must be listed."""
    listed = state.listed_at
    return listed - _EARLIER if listed and is_recent(listed, now, _LISTED_FOR) else None
