"""Times of a mirror that are later than now: the clock was ahead when they were stored."""

import sqlite3
from datetime import datetime, timedelta
from typing import Final

#: Facts with a time; without one of them, what it is about is done again.
_TIMES: Final = ("looked_at", "caught_up_at", "counted_at", "merged_at")
#: How far the clocks of a vendor and of this machine may be apart; a later time is wrong.
AHEAD: Final = timedelta(days=1)


def is_recent(at: datetime | None, now: datetime, within: timedelta) -> bool:
    """Return whether a time is at most so long ago; a later time than now is not."""
    return at is not None and timedelta(0) <= now - at < within


def correct_times(db: sqlite3.Connection, now: datetime) -> None:
    """Replace times that are later than now, so that nothing waits for them to come.

    Args:
        db: The mirror, in a transaction.
        now: The time.
    """
    names = ", ".join("?" for _ in _TIMES)
    seconds = now.timestamp()
    db.execute(
        f"DELETE FROM facts WHERE name IN ({names}) AND CAST(value AS REAL) > ?",  # noqa: S608  # question marks
        [*_TIMES, seconds],
    )
    # A copy has at least the newest change in it that is not later than now.
    db.execute(
        "UPDATE containers SET updated_at = coalesce("
        " (SELECT max(at) FROM items WHERE container = name AND at <= :now), 0)"
        " WHERE updated_at > :now",
        {"now": seconds},
    )
    # What is still listed is then taken to have begun with that change, too.
    db.execute("UPDATE containers SET began_at = updated_at WHERE began_at > ?", [seconds])
    db.execute("UPDATE containers SET copied_at = :now WHERE copied_at > :now", {"now": seconds})
    # The check is due at once.
    db.execute("UPDATE containers SET checked_at = 0 WHERE checked_at > ?", [seconds])
