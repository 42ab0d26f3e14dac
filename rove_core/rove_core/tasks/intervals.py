"""Default refresh intervals.

It is apart from the settings because these take longer to load than to see what is due.
"""

from datetime import timedelta
from typing import NamedTuple


class Pace(NamedTuple):
    """Refresh interval of documents.

    Attributes:
        refresh_interval: The age at which a document is refreshed.
        staleness_threshold: The time without news or use after which it is no longer refreshed.
    """

    refresh_interval: timedelta = timedelta(hours=6)
    staleness_threshold: timedelta = timedelta(days=7)
