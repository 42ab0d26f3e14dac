"""Default refresh intervals.

It is apart from the settings because these take longer to load than to see what is due.
"""

from datetime import timedelta
from typing import NamedTuple


class Pace(NamedTuple):
    """Refresh interval of documents.

    Attributes:
        refresh_interval: How old one may be before it is refreshed.
        staleness_threshold: How long nothing may happen before one is left alone.
    """

    refresh_interval: timedelta = timedelta(hours=6)
    staleness_threshold: timedelta = timedelta(days=7)
