"""State of a mirror: scope, containers, age and size."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from rove_core.mirror.attempts import FailedReads, failures_of
from rove_core.mirror.clock_faults import AHEAD
from rove_core.mirror.copied_containers import CopiedContainer, read_containers
from rove_core.mirror.environment_logins import EnvironmentLogins
from rove_core.mirror.incidents import (
    ContainerIncident,
    UpdateFailure,
    failure_of,
    incidents_of,
)
from rove_core.mirror.moments import moment_of, seconds_of
from rove_core.mirror.scope import MirrorScope
from rove_core.terminal.tables import counted

if TYPE_CHECKING:
    from rove_core.listing import Container

#: A mirror that was updated within this time is current.
CURRENT: Final = timedelta(minutes=5)

#: For a person who refreshes a document: of several, only the first updates the mirror.
JUST_NOW: Final = timedelta(seconds=30)

#: The names of stored values.
FAILED_READS: Final = "failed_reads"
FAILURE: Final = "failure"
#: The index has words of removed items, until it is merged.
HAS_OLD_WORDS: Final = "has_old_words"
LOGINS: Final = "environment_logins"
LOST: Final = "lost"
READABLE: Final = "readable"
TURNED_PRIVATE: Final = "turned_private"
WAS_WHOLE: Final = "was_whole"


@frozen(kw_only=True)
class MirrorState:
    """State of a mirror.

    Attributes:
        scope: The scope of the mirror.
        owner: The owner of the copy: the URL and the identity of the account.
        running: Whether it is kept current and used.
        generation: How many times a person chose the scope.
        cut_at: Items older than this were removed for lack of space; None if none were.
        looked_at: When the readable containers of the account were last queried.
        caught_up_at: When all recent changes were last listed at once.
        was_whole: Whether all containers were searchable at some time: from then on builds search
            the mirror, and ask the vendor only for items of containers that were added later.
        containers: The containers in its scope.
        lost: The containers that were removed because the account may no longer read them.
        turned_private: The containers that turned private while they were copied.
        failure: Why no request of its last update could succeed; None if that was not so.
        failed_reads: Failed reads of items that it lacks.
        readable: How many containers the account could read when that was last queried; 0 if
            unknown.
        logins: The logins in the environment, as far as their owners are known.
        has_old_words: Whether its search index has words of removed items.
    """

    scope: MirrorScope
    owner: str = ""
    running: bool = True
    generation: int = 0
    cut_at: datetime | None = None
    looked_at: datetime | None = None
    caught_up_at: datetime | None = None
    was_whole: bool = False
    containers: tuple[CopiedContainer, ...] = ()
    lost: tuple[ContainerIncident, ...] = ()
    turned_private: tuple[ContainerIncident, ...] = ()
    failure: UpdateFailure | None = None
    failed_reads: FailedReads = field(factory=dict)
    readable: int = 0
    logins: EnvironmentLogins = field(factory=EnvironmentLogins)
    has_old_words: bool = False

    @property
    def updated_at(self) -> datetime | None:
        """The time up to which the mirror is complete; None while a first copy is under way."""
        listed = self.listed_at
        return max(listed, self.caught_up_at or listed) if listed else None

    @property
    def listed_at(self) -> datetime | None:
        """When the most outdated container was listed; None if none may be searched."""
        times = [each.updated_at for each in self.containers if each.updated_at]
        return min(times, default=None) if self.was_whole else None

    @property
    def is_first_copy(self) -> bool:
        """Whether the first copy is under way, and nothing is searched yet."""
        return self.running and bool(self.containers) and self.listed_at is None

    @property
    def searchable(self) -> tuple[str, ...]:
        """The names of the containers of which a first copy was completed."""
        return tuple(each.name for each in self.containers if each.is_searchable)

    @property
    def incomplete(self) -> tuple[CopiedContainer, ...]:
        """The containers that are still being copied."""
        return tuple(each for each in self.containers if not each.is_complete)

    @property
    def missing_parts(self) -> Sequence[str]:
        """What a searched mirror lacks for now, in a few words each."""
        added = [each.title or each.name for each in self.containers if not each.is_searchable]
        cut = f"items before {self.cut_at:%Y-%m-%d}" if self.cut_at else ""
        return [*added, cut]

    def is_of(self, owner: str, environ: Mapping[str, str]) -> bool:
        """Return whether the login that is used made the mirror, as far as that is known.

        Args:
            owner: The owner of the login that Rove keeps.
            environ: The environment; a login there comes before the stored one.
        """
        return self.owner == self.logins.owner(owner, environ)

    def coverage(self, containers: str) -> str:
        """Return how much of the account a mirror covers, in a few words; empty for all of it.

        Args:
            containers: What the account's containers are called (``channels``).
        """
        copied, days = len(self.scope.containers), self.scope.keep.days if self.scope.keep else 0
        is_part = copied < self.readable
        some = f"{copied} of {self.readable} {containers}" if is_part else ""
        last = f"last {counted(days, 'day')}" if days else ""
        return f"{some}, {last}" if some and last else some or (last and f"the {last}")

    def is_complete(self, container: str) -> bool:
        """Return whether a mirror has everything of a container."""
        whole = {each.name for each in self.containers if each.is_complete}
        return container in whole and not (self.scope.keep or self.cut_at)

    def begins(self, now: datetime) -> datetime | None:
        """Return the earliest time of stored items; None for no limit."""
        return max(filter(None, (self.scope.begins(now), self.cut_at)), default=None)


def read_state(db: sqlite3.Connection) -> MirrorState | None:
    """Return a mirror's state; None before a scope was chosen."""
    facts = dict(db.execute("SELECT name, value FROM facts").fetchall())
    if "scope" not in facts:
        return None
    containers = read_containers(db)
    return MirrorState(
        scope=MirrorScope.of(facts["scope"]),
        owner=facts.get("owner", ""),
        running=facts.get("running") == "yes",
        generation=int(facts.get("generation", 0)),
        cut_at=moment_of(facts.get("full_since")),
        looked_at=moment_of(facts.get("looked_at")),
        caught_up_at=moment_of(facts.get("caught_up_at")),
        was_whole=WAS_WHOLE in facts or _are_searchable(containers),
        containers=containers,
        lost=incidents_of(facts.get(LOST, "[]")),
        turned_private=incidents_of(facts.get(TURNED_PRIVATE, "[]")),
        failure=failure_of(facts.get(FAILURE, "")),
        failed_reads=failures_of(facts.get(FAILED_READS, "{}")),
        readable=int(facts.get(READABLE, 0)),
        logins=EnvironmentLogins.of(facts[LOGINS]) if LOGINS in facts else EnvironmentLogins(),
        has_old_words=HAS_OLD_WORDS in facts,
    )


def count_items(db: sqlite3.Connection) -> int:
    """Return the number of items in a mirror."""
    return int(db.execute("SELECT count(*) FROM items").fetchone()[0])


def count_of_each(db: sqlite3.Connection) -> dict[str, int]:
    """Return the number of items of each container in a mirror."""
    return dict(db.execute("SELECT container, count(*) FROM items GROUP BY container").fetchall())


def oldest_item(db: sqlite3.Connection) -> datetime | None:
    """Return when the oldest item last changed; None if there is none."""
    return moment_of(db.execute("SELECT min(at) FROM items").fetchone()[0])


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
        since: Where the listings of new ones begin.
    """
    titles, begin = {each.name: each.title for each in containers}, seconds_of(since)
    gone = [name for (name,) in db.execute("SELECT name FROM containers") if name not in titles]
    db.executemany("DELETE FROM containers WHERE name = ?", [(name,) for name in gone])
    db.executemany(
        "INSERT INTO containers (name, title, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [(name, title, begin) for name, title in titles.items()],
    )
    write_titles(db, containers)
    return gone


def begin_unfinished_again(db: sqlite3.Connection, since: datetime | None) -> None:
    """Begin again to copy what is not copied yet, because it goes back to another time.

    Args:
        db: The mirror, in a transaction.
        since: Where the listings begin; None for everything.
    """
    begin = [seconds_of(since)]
    db.execute(
        "INSERT OR REPLACE INTO unconfirmed SELECT id, container FROM items"
        " WHERE container IN (SELECT name FROM containers WHERE updated_at IS NULL)"
    )
    db.execute(
        "UPDATE containers SET since = ?, cursor = '', began_at = NULL WHERE updated_at IS NULL",
        begin,
    )
    db.execute(
        "UPDATE containers SET check_since = ?, check_cursor = '', check_number = check_number + 1"
        " WHERE updated_at IS NOT NULL AND copied_at IS NULL",
        begin,
    )


def begin_older(db: sqlite3.Connection, since: datetime | None) -> None:
    """Begin to copy the items that are older than before, beside the changes.

    Args:
        db: The mirror, in a transaction.
        since: Where the listings begin; None for everything.
    """
    db.execute("UPDATE containers SET copied_at = NULL WHERE updated_at IS NOT NULL")
    begin_unfinished_again(db, since)


def begins_too_late(state: MirrorState, now: datetime) -> bool:
    """Return whether a time from a wrong clock keeps items out of a mirror.

    That is the time up to which its budget removed items, or the beginning of a listing.
    """
    if state.cut_at and state.cut_at > now:
        return True
    latest = (state.begins(now) or now) + AHEAD
    listings = (
        each.since if each.check_cursor is None else each.check_since for each in state.containers
    )
    return any(since > latest for since in listings if since)


def write_titles(db: sqlite3.Connection, containers: "Iterable[Container]") -> None:
    """Store the current titles of containers, and whether they are private."""
    db.executemany(
        "UPDATE containers SET title = coalesce(nullif(?, ''), title), private = ? WHERE name = ?",
        [(each.title, each.private, each.name) for each in containers],
    )


def move_cursor(
    db: sqlite3.Connection, container: str, cursor: str, *, began: datetime | None
) -> None:
    """Store where a listing of a container continues.

    Args:
        db: The mirror, in a transaction.
        container: The container.
        cursor: Where the listing continues.
        began: When this part of the listing began; None for a check.
    """
    if began is None:
        update = "UPDATE containers SET check_cursor = :cursor WHERE name = :name"
    else:
        update = (
            "UPDATE containers SET cursor = :cursor, began_at = coalesce(began_at, :began)"
            " WHERE name = :name"
        )
    db.execute(update, {"cursor": cursor, "began": seconds_of(began), "name": container})


def end_listing(db: sqlite3.Connection, container: str, at: datetime) -> None:
    """Record that a listing of a container was completed.

    A first one completes its copy; while older items are copied, the check does. What was listed
    in several parts is current as of the first: the others began where that had ended.

    Args:
        db: The mirror, in a transaction.
        container: The container.
        at: When the last part of the listing began.
    """
    db.execute(
        "UPDATE containers SET updated_at = coalesce(began_at, :at),"
        " checked_at = coalesce(checked_at, :at),"
        " copied_at = CASE WHEN updated_at IS NULL THEN :at ELSE copied_at END,"
        " began_at = NULL, failure = '' WHERE name = :name",
        {"at": at.timestamp(), "name": container},
    )
    if db.execute("SELECT count(*) FROM containers WHERE updated_at IS NULL").fetchone() == (0,):
        write_fact(db, WAS_WHOLE, "yes")


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


def begin_check(db: sqlite3.Connection, container: str, since: datetime | None) -> None:
    """Record that a check of a container begins.

    Args:
        db: The mirror, in a transaction.
        container: The container.
        since: Where its listings begin; None for everything.
    """
    db.execute(
        "UPDATE containers SET check_cursor = '', check_since = ?,"
        " check_number = check_number + 1 WHERE name = ?",
        [seconds_of(since), container],
    )


def end_check(db: sqlite3.Connection, container: str, at: datetime) -> None:
    """Record that a check of a container was completed.

    The next listing goes on where it ended: that knows all items, and none that are too old by now.
    """
    db.execute(
        "UPDATE containers SET since = check_since, cursor = check_cursor, check_cursor = NULL,"
        " check_since = NULL, copied_at = coalesce(copied_at, :at), checked_at = :at"
        " WHERE name = :name",
        {"at": at.timestamp(), "name": container},
    )


def _are_searchable(containers: Sequence[CopiedContainer]) -> bool:
    return bool(containers) and all(each.is_searchable for each in containers)
