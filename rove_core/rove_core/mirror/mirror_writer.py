"""Changes of a mirror, one transaction each."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import attrs
from attrs import frozen

from rove_core.items import ItemRef
from rove_core.listing import Container, ListedChange
from rove_core.mirror.attempts import add_failures, failures_text
from rove_core.mirror.copies import (
    complete_copy,
    forget_copy,
    forget_everything,
    forget_where,
    save_copy,
)
from rove_core.mirror.frequencies import sample_frequencies, write_frequencies
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.state import (
    FAILED_READS,
    begin_check,
    count_items,
    end_check,
    end_listing,
    move_cursor,
    read_state,
    write_containers,
    write_fact,
    write_titles,
)
from rove_core.mirror.words import count_words, forget_counts

if TYPE_CHECKING:
    from rove_core.mirror.mirror import Mirror

#: The share of the items that is removed at once if a mirror takes too much space.
_TOO_MANY: Final = 0.1
#: A database is rewritten when more than this share of it is empty.
_HOLLOW: Final = 0.25
#: Words are counted again when the number of items has grown by this factor since the last count,
#: or after this time: a word that is no longer used must not stay forever.
_GROWN: Final = 1.2
_COUNTED_FOR: Final = timedelta(days=7)
#: Maximum pages of the index written when its small parts are merged.
_MERGED_PAGES: Final = 500


@frozen
class MirrorWriter:
    """Changes a mirror; each method is one transaction.

    Attributes:
        mirror: The mirror.
        db: Its connection.
    """

    mirror: "Mirror"
    db: sqlite3.Connection

    def choose(
        self,
        scope: MirrorScope,
        containers: Sequence[Container],
        *,
        owner: str,
        now: datetime,
    ) -> None:
        """Set the scope, and remove what is outside it.

        Args:
            scope: What to copy from now on.
            containers: The containers of the scope, with their titles.
            owner: The owner of the copy; a copy with another owner is deleted.
            now: The time.
        """
        with self._transaction():
            state = read_state(self.db)
            if state and state.owner != owner:
                self._forget_all()
            write_fact(self.db, "scope", scope.text())
            write_fact(self.db, "owner", owner)
            write_fact(self.db, "running", "yes")
            self.db.execute("DELETE FROM facts WHERE name IN ('full_since', 'caught_up_at')")
            gone = write_containers(self.db, containers, scope.begins(now))
            self._forget_containers(gone)
        if gone or (state and state.owner != owner):
            self._merge_index()
        self.trim(now)

    def set_running(self, *, running: bool) -> None:
        """Set whether the mirror is kept current and used."""
        with self._transaction():
            write_fact(self.db, "running", "yes" if running else "no")

    def take(
        self,
        container: str,
        changes: Iterable[ListedChange],
        *,
        cursor: str,
        is_check: bool,
        now: datetime,
    ) -> None:
        """Store the changes of a listing, with its cursor.

        Args:
            container: The container that was listed.
            changes: The listed changes.
            cursor: Where to continue; empty to leave the cursor as it is.
            is_check: Whether everything is listed again, to find what is gone.
            now: The time.
        """
        with self._transaction():
            state = read_state(self.db)
            if state is None or container not in state.scope.containers:
                return  # The scope has changed in the meantime.
            begins = state.begins(now)
            for change in changes:
                if change.gone is not None:
                    forget_copy(self.db, container, change.gone.id, self.mirror.account)
                if change.item is not None:
                    save_copy(
                        self.db,
                        container,
                        change.item,
                        whole=change.whole,
                        seen=now.timestamp(),
                        begins=begins.timestamp() if begins else None,
                    )
            if cursor:
                move_cursor(self.db, container, cursor, is_check=is_check)

    def complete(self, listed_as: str, change: ListedChange) -> None:
        """Store an item that was read in full, or delete one that is gone."""
        with self._transaction():
            if change.item is not None:
                complete_copy(self.db, change.item, listed_as=listed_as)
            else:
                self._forget("id = ?", listed_as)

    def end_listing(self, container: str, now: datetime) -> None:
        """Record that a container is current."""
        with self._transaction():
            end_listing(self.db, container, now)

    def end_catch_up(self, now: datetime) -> None:
        """Record that all recent changes were listed."""
        with self._transaction():
            write_fact(self.db, "caught_up_at", now)

    def remember_failures(
        self, unread: Iterable[ItemRef], missing: Iterable[ItemRef], now: datetime
    ) -> None:
        """Record failed reads of items that the mirror lacks.

        Args:
            unread: Items that could not be read.
            missing: Items that the vendor lacks.
            now: The time.
        """
        with self._transaction():
            if state := read_state(self.db):
                failures = add_failures(state.failed_reads, unread, missing, now)
                write_fact(self.db, FAILED_READS, failures_text(failures))

    def begin_check(self, container: str, now: datetime) -> None:
        """Record that a check of everything in a container begins."""
        with self._transaction():
            begin_check(self.db, container, now)

    def end_check(self, container: str, began: datetime, now: datetime) -> int:
        """Remove items that a check did not list; return their number."""
        with self._transaction():
            gone = self._forget("container = ? AND seen < ?", container, began.timestamp())
            end_check(self.db, container, now)
        if gone:
            self._merge_index()
        return gone

    def keep_readable(self, readable: Sequence[Container], now: datetime) -> Sequence[str]:
        """Remove the containers that may no longer be read; return their names."""
        with self._transaction():
            state = read_state(self.db)
            if state is None:
                return ()
            names = {each.name for each in readable}
            lost = [name for name in state.scope.containers if name not in names]
            self._forget_containers(lost)
            self.db.executemany("DELETE FROM containers WHERE name = ?", [(each,) for each in lost])
            write_titles(self.db, readable)
            left = tuple(name for name in state.scope.containers if name in names)
            write_fact(self.db, "scope", attrs.evolve(state.scope, containers=left).text())
            write_fact(self.db, "looked_at", now)
        if lost:
            self._merge_index()
        return lost

    def trim(self, now: datetime) -> None:
        """Remove items beyond the age or the disk budget of the scope, and free the space."""
        with self._transaction():
            state = read_state(self.db)
            if state is None:
                return
            if begins := state.begins(now):
                self._forget("at < ?", begins.timestamp())
            while self._used_bytes() > state.scope.budget and (many := count_items(self.db)):
                self._remove_oldest(max(1, int(many * _TOO_MANY)))
        self._give_back()
        self._merge_small_parts()

    def count_words(self, now: datetime) -> None:
        """Count word frequencies, unless the last count is recent and of about as many items.

        This also merges the index, because searching one in many parts takes longer.
        """
        with self.mirror.database.errors():
            facts = dict(self.db.execute("SELECT name, value FROM facts").fetchall())
            items = count_items(self.db)
            recent = float(facts.get("counted_at", 0)) > (now - _COUNTED_FOR).timestamp()
            if recent and items <= int(facts["counted"]) * _GROWN:
                return
            frequencies = sample_frequencies(self.db, self.mirror.account)
        with self._transaction():
            count_words(self.db)
            write_frequencies(self.db, frequencies)
            write_fact(self.db, "counted", str(items))
            write_fact(self.db, "counted_at", now)
        self._merge_index()

    def _remove_oldest(self, many: int) -> None:
        last = self.db.execute("SELECT at FROM items ORDER BY at LIMIT 1 OFFSET ?", [many - 1])
        at = float(last.fetchone()[0])
        self._forget("at <= ?", at)
        self.db.execute("INSERT OR REPLACE INTO facts VALUES ('full_since', ?)", [repr(at)])
        # The words of removed items take space until the index is rewritten.
        self.db.execute("INSERT INTO texts (texts) VALUES ('optimize')")

    def _forget_containers(self, names: Sequence[str]) -> None:
        for name in names:
            self._forget("container = ?", name)
        if names:
            forget_counts(self.db)

    def _forget_all(self) -> None:
        forget_everything(self.db)
        forget_counts(self.db)
        self.db.execute("DELETE FROM containers")

    def _forget(self, condition: str, *values: object) -> int:
        return forget_where(self.db, self.mirror.account, condition, values)

    def _used_bytes(self) -> int:
        pages, free, size = (
            int(self.db.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size

    def _give_back(self) -> None:
        """Rewrite the database if much of it is empty."""
        pages, free = (
            int(self.db.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count")
        )
        if free > pages * _HOLLOW:
            with self.mirror.database.errors():
                self.db.execute("VACUUM")
            self._merge_index()

    def _merge_index(self) -> None:
        """Rewrite the index as one part, which erases removed words there and in the log."""
        with self.mirror.database.errors():
            self.db.execute("INSERT INTO texts (texts) VALUES ('optimize')")
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _merge_small_parts(self) -> None:
        """Merge the latest small parts of the index; merging all of it takes too long."""
        with self._transaction():
            for setting, value in (("usermerge", 2), ("merge", _MERGED_PAGES)):
                self.db.execute("INSERT INTO texts (texts, rank) VALUES (?, ?)", [setting, value])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self.mirror.database.transaction(self.db):
            yield
