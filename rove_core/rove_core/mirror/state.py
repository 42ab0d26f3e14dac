"""State of a mirror: scope, containers, age and size."""

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from rove_core.mirror.attempts import FailedReads, failures_of
from rove_core.mirror.scope import MirrorScope

if TYPE_CHECKING:
    from rove_core.listing import Container

#: A mirror that was updated within this time is current.
CURRENT: Final = timedelta(minutes=5)

#: The name of the stored failed reads.
FAILED_READS: Final = "failed_reads"

_CONTAINERS: Final = """
SELECT
    name, title, since, cursor, copied_at, updated_at, checked_at, check_cursor, turn, check_turn,
    failure
FROM containers ORDER BY name
"""


@frozen(kw_only=True)
class CopiedContainer:
    """A container in a mirror's scope.

    Attributes:
        name: Its name.
        title: Its display title.
        since: Where its listings begin; None for everything.
        cursor: Where its next listing continues.
        copied_at: When the first copy was complete; None until then.
        updated_at: When a listing of it was last completed; None for never.
        checked_at: When a check was last completed.
        check_cursor: Where a check of everything continues; None while none is under way.
        turn: The place of its last listing among those of all containers.
        check_turn: The same of its last check.
        failure: Why its last listing or check failed; empty if it did not.
    """

    name: str
    title: str = ""
    since: datetime | None = None
    cursor: str = ""
    copied_at: datetime | None = None
    updated_at: datetime | None = None
    checked_at: datetime | None = None
    check_cursor: str | None = None
    turn: int = 0
    check_turn: int = 0
    failure: str = ""


@frozen(kw_only=True)
class MirrorState:
    """State of a mirror.

    Attributes:
        scope: The scope of the mirror.
        owner: The owner of the copy: the URL and the identity of the account.
        running: Whether it is kept current and used.
        generation: How many times a person chose the scope.
        full_since: Items older than this were removed for lack of space; None if none were.
        looked_at: When the readable containers of the account were last queried.
        caught_up_at: When all recent changes were last listed at once.
        containers: The containers in its scope.
        failed_reads: Failed reads of items that it lacks.
    """

    scope: MirrorScope
    owner: str = ""
    running: bool = True
    generation: int = 0
    full_since: datetime | None = None
    looked_at: datetime | None = None
    caught_up_at: datetime | None = None
    containers: tuple[CopiedContainer, ...] = ()
    failed_reads: FailedReads = field(factory=dict)

    @property
    def updated_at(self) -> datetime | None:
        """The time up to which the mirror is complete; None while a first copy is under way."""
        listed = self.listed_at
        return max(listed, self.caught_up_at or listed) if listed else None

    @property
    def listed_at(self) -> datetime | None:
        """When the most outdated container was listed; None while a first copy is under way."""
        times = [each.updated_at for each in self.containers]
        if not times or None in times or any(each.copied_at is None for each in self.containers):
            return None
        return min(each for each in times if each)

    def begins(self, now: datetime) -> datetime | None:
        """Return the earliest time of stored items; None for no limit."""
        return max(filter(None, (self.scope.begins(now), self.full_since)), default=None)


def read_state(db: sqlite3.Connection) -> MirrorState | None:
    """Return a mirror's state; None before a scope was chosen."""
    facts = dict(db.execute("SELECT name, value FROM facts").fetchall())
    if "scope" not in facts:
        return None
    return MirrorState(
        scope=MirrorScope.of(facts["scope"]),
        owner=facts.get("owner", ""),
        running=facts.get("running") == "yes",
        generation=int(facts.get("generation", 0)),
        full_since=_moment(facts.get("full_since")),
        looked_at=_moment(facts.get("looked_at")),
        caught_up_at=_moment(facts.get("caught_up_at")),
        containers=tuple(_container(*row) for row in db.execute(_CONTAINERS)),
        failed_reads=failures_of(facts.get(FAILED_READS, "{}")),
    )


def count_items(db: sqlite3.Connection) -> int:
    """Return the number of items in a mirror."""
    return int(db.execute("SELECT count(*) FROM items").fetchone()[0])


def count_of_each(db: sqlite3.Connection) -> dict[str, int]:
    """Return the number of items of each container in a mirror."""
    return dict(db.execute("SELECT container, count(*) FROM items GROUP BY container").fetchall())


def oldest_item(db: sqlite3.Connection) -> datetime | None:
    """Return when the oldest item last changed; None if there is none."""
    return _moment(db.execute("SELECT min(at) FROM items").fetchone()[0])


def write_fact(db: sqlite3.Connection, name: str, value: str | datetime) -> None:
    """Store a named value of the mirror's state."""
    text = repr(value.timestamp()) if isinstance(value, datetime) else value
    db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", [name, text])


def write_containers(
    db: sqlite3.Connection, containers: "Iterable[Container]", since: datetime | None
) -> Sequence[str]:
    """Store the containers of the scope; return the names of those no longer in it.

    Args:
        db: The mirror, in a transaction.
        containers: The containers.
        since: Where their listings begin. A container whose listing began later is listed again.
    """
    titles, begin = {each.name: each.title for each in containers}, _seconds(since)
    gone = [name for (name,) in db.execute("SELECT name FROM containers") if name not in titles]
    db.executemany("DELETE FROM containers WHERE name = ?", [(name,) for name in gone])
    db.executemany(
        "INSERT INTO containers (name, title, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [(name, title, begin) for name, title in titles.items()],
    )
    write_titles(db, containers)
    db.execute(
        "UPDATE containers SET since = :since, cursor = '', copied_at = NULL, check_cursor = NULL"
        " WHERE since IS NOT NULL AND (:since IS NULL OR :since < since)",
        {"since": begin},
    )
    return gone


def write_titles(db: sqlite3.Connection, containers: "Iterable[Container]") -> None:
    """Store the current titles of containers."""
    titles = [(each.title, each.name) for each in containers if each.title]
    db.executemany("UPDATE containers SET title = ? WHERE name = ?", titles)


def move_cursor(db: sqlite3.Connection, container: str, cursor: str, *, is_check: bool) -> None:
    """Store where a listing of a container, or a check of it, continues."""
    column = "check_cursor" if is_check else "cursor"
    db.execute(f"UPDATE containers SET {column} = ? WHERE name = ?", [cursor, container])  # noqa: S608  # one of two columns


def end_listing(db: sqlite3.Connection, container: str, at: datetime) -> None:
    """Record that a listing of a container was completed."""
    db.execute(
        "UPDATE containers SET updated_at = :at, copied_at = coalesce(copied_at, :at),"
        " checked_at = coalesce(checked_at, :at), failure = '' WHERE name = :name",
        {"at": at.timestamp(), "name": container},
    )


def take_turn(db: sqlite3.Connection, container: str, *, is_check: bool) -> None:
    """Put a container at the end of the order of listings, or of checks."""
    column = "check_turn" if is_check else "turn"
    db.execute(
        f"UPDATE containers SET {column} = (SELECT max({column}) + 1 FROM containers)"  # noqa: S608  # one of two columns
        " WHERE name = ?",
        [container],
    )


def write_failure(db: sqlite3.Connection, container: str, failure: str) -> None:
    """Store why a listing or a check of a container failed."""
    db.execute("UPDATE containers SET failure = ? WHERE name = ?", [failure, container])


def check_number_of(db: sqlite3.Connection, container: str) -> int:
    """Return the number of a container's current or last check."""
    query = "SELECT check_number FROM containers WHERE name = ?"
    return int(db.execute(query, [container]).fetchone()[0])


def begin_check(db: sqlite3.Connection, container: str) -> None:
    """Record that a check of a container begins."""
    db.execute(
        "UPDATE containers SET check_cursor = '', check_number = check_number + 1 WHERE name = ?",
        [container],
    )


def end_check(db: sqlite3.Connection, container: str, at: datetime) -> None:
    """Record that a check of a container was completed."""
    db.execute(
        "UPDATE containers SET check_cursor = NULL, checked_at = ? WHERE name = ?",
        [at.timestamp(), container],
    )


def _container(name: str, title: str, since: object, cursor: str, *rest: object) -> CopiedContainer:
    copied, updated, checked, check_cursor, turn, check_turn, failure = rest
    return CopiedContainer(
        name=name,
        title=title,
        since=_moment(since),
        cursor=cursor,
        copied_at=_moment(copied),
        updated_at=_moment(updated),
        checked_at=_moment(checked),
        check_cursor=None if check_cursor is None else str(check_cursor),
        turn=int(str(turn)),
        check_turn=int(str(check_turn)),
        failure=str(failure),
    )


def _seconds(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None


def _moment(seconds: object) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(float(str(seconds)), UTC)
