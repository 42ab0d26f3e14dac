"""Catch-ups of a mirror: the recent changes of all its containers at once.

They cost a build a few requests, however many containers there are, but they find no deletions:
the server, or the first build after an hour, lists each container from its cursor again.
"""

from datetime import datetime, timedelta
from typing import Final

from rove_core.mirror.state import MirrorState

#: How long after the listings of all containers recent changes may be listed instead.
_LISTED_FOR: Final = timedelta(hours=1)
#: How much earlier a catch-up begins: a vendor's clock differs, and its index is late.
_EARLIER: Final = timedelta(minutes=15)
#: How many changes a catch-up may bring; with more, the containers are listed from their cursors.
MOST_CAUGHT_UP: Final = 200


def beginning_of_catch_up(state: MirrorState, now: datetime) -> datetime | None:
    """Return since when changes may be lacking; None if the containers have to be listed."""
    listed = state.listed_at
    return listed - _EARLIER if listed and now - listed < _LISTED_FOR else None
