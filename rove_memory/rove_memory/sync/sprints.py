"""The last known sprints of listed containers."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from sqlite3 import Connection
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_memory.store.values import read_time, time_of, time_text

if TYPE_CHECKING:
    from rove_core import Iteration

#: Sprints change seldom: they are asked for again when they are this old.
_OLD: Final = timedelta(hours=1)
#: Under which scope the time of the last reading is kept beside the cursors.
_READ: Final = "sprints of "


@frozen(kw_only=True)
class StoredSprint:
    """A sprint or cycle of a listed container.

    Attributes:
        id: Its tracker's own name for it.
        name: Its name.
        state: ``planned``, ``active`` or ``completed``.
        container: The account and the container that it is of.
        starts: When it starts.
        ends: When it ends.
        goal: What it is for.
    """

    id: str
    name: str
    state: str
    container: str
    starts: datetime | None
    ends: datetime | None
    goal: str


def are_sprints_old(db: Connection, account: str, container: str, now: datetime) -> bool:
    """Return whether the sprints of a container should be read again."""
    row = db.execute(
        "SELECT cursor FROM sync_cursors WHERE account = ? AND containers = ?",
        [account, f"{_READ}{container}"],
    ).fetchone()
    # A time that is still to come was written before the clock was put back.
    return row is None or not timedelta(0) <= now - time_of(row["cursor"]) < _OLD


def store_sprints(
    db: Connection, account: str, container: str, sprints: "Sequence[Iteration]", now: datetime
) -> None:
    """Replace the stored sprints of a container."""
    db.execute("DELETE FROM sync_sprints WHERE account = ? AND container = ?", [account, container])
    db.executemany(
        "INSERT OR REPLACE INTO sync_sprints VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (account, container, each.id, each.name, each.state, *_times(each), each.goal)
            for each in sprints
        ],
    )
    db.execute(
        "INSERT OR REPLACE INTO sync_cursors (account, containers, cursor) VALUES (?, ?, ?)",
        [account, f"{_READ}{container}", time_text(now)],
    )


def stored_sprints(db: Connection) -> Sequence[StoredSprint]:
    """Return the sprints of all listed containers, those under way first."""
    rows = db.execute(
        "SELECT * FROM sync_sprints ORDER BY state <> 'active', starts DESC, account, id"
    )
    return [
        StoredSprint(
            id=row["id"],
            name=row["name"],
            state=row["state"],
            container=f"{row['account']}/{row['container']}",
            starts=read_time(row["starts"]),
            ends=read_time(row["ends"]),
            goal=row["goal"],
        )
        for row in rows
    ]


def _times(sprint: "Iteration") -> tuple[str | None, str | None]:
    return (
        time_text(sprint.starts) if sprint.starts else None,
        time_text(sprint.ends) if sprint.ends else None,
    )
