"""Changes of a mirror, one transaction each."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core.errors import RoveError
from rove_core.items import ItemRef
from rove_core.listing import Container, ListedChange
from rove_core.mirror.attempts import add_failures, failures_text
from rove_core.mirror.budget import keep_within_budget, pragma
from rove_core.mirror.clock_faults import correct_times, is_recent
from rove_core.mirror.copies import (
    complete_copy,
    forget_copy,
    forget_everything,
    forget_where,
    mark_listed,
    save_copy,
)
from rove_core.mirror.environment_logins import EnvironmentLogins
from rove_core.mirror.incidents import (
    UpdateFailure,
    failure_text,
    incidents_text,
)
from rove_core.mirror.readable import write_readable
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.search_words import count_words, forget_counts
from rove_core.mirror.shared_items import check_sharing
from rove_core.mirror.state import (
    FAILED_READS,
    FAILURE,
    HAS_OLD_WORDS,
    LOGINS,
    LOST,
    READABLE,
    MirrorState,
    begin_check,
    begin_older,
    begin_unfinished_again,
    begins_too_late,
    check_number_of,
    count_items,
    end_check,
    end_listing,
    move_cursor,
    read_state,
    take_turn,
    write_containers,
    write_fact,
    write_failure,
)
from rove_core.mirror.ticket_sample import draw_samples, write_samples
from rove_core.mirror.unconfirmed_items import add_unconfirmed, confirm, forget_unconfirmed
from rove_core.mirror.unread import forget_unread, put_off
from rove_core.safety.sanitise import harmless_message
from rove_core.store.values import storable

if TYPE_CHECKING:
    from rove_core.mirror.mirror import Mirror

#: A database is rewritten when more than this share of it is empty.
_HOLLOW: Final = 0.25
#: Words are counted again when the number of items has grown by this factor since the last count,
#: or after this time: a word that is no longer used must not stay forever.
_GROWN: Final = 1.2
_COUNTED_FOR: Final = timedelta(days=7)
#: Maximum pages of the index written when its small parts are merged.
_MERGED_PAGES: Final = 500
#: Items of a mirror whose index is merged at most once in this time: that takes 2.5 s for each
#: million of short items.
_LARGE: Final = 20_000
_MERGED_FOR: Final = timedelta(hours=1)


class ScopeChangedError(Exception):
    """A person chose another scope or stopped the mirror since a listing began."""


@frozen
class MirrorWriter:
    """Changes a mirror; each method is one transaction.

    Attributes:
        mirror: The mirror.
        db: Its connection.
        generation: The scope that listings, and a choice of another scope, belong to. After a
            change of it, what stores them raises :class:`ScopeChangedError`. None for any scope.
    """

    mirror: "Mirror"
    db: sqlite3.Connection
    generation: int | None = None

    def choose(  # noqa: PLR0913  # each is stored
        self,
        scope: MirrorScope,
        containers: Sequence[Container],
        *,
        owner: str,
        now: datetime,
        starts: bool = True,
        readable: int = 0,
    ) -> None:
        """Set the scope, and remove what is outside it.

        Args:
            scope: What to copy from now on.
            containers: The containers of the scope, with their titles.
            owner: The owner of the copy; a copy with another owner is deleted.
            now: The time.
            starts: Whether the mirror is kept current and used from now on; else that stays as is.
            readable: How many containers the account can read; 0 if that was not queried.
        """
        with self._transaction():
            before = state = read_state(self.db)
            is_running = starts or bool(state and state.running)
            if self.generation not in {None, state.generation if state else 0}:
                raise ScopeChangedError
            if state and state.owner != owner:
                self._forget_all()
                before = None
            write_fact(self.db, "scope", scope.text())
            write_fact(self.db, "owner", owner)
            write_fact(self.db, "running", "yes" if is_running else "no")
            write_fact(self.db, "generation", str(state.generation + 1 if state else 1))
            write_fact(self.db, READABLE, str(readable or (state.readable if state else 0)))
            self.db.execute("DELETE FROM facts WHERE name = 'caught_up_at'")
            gone = write_containers(self.db, containers, scope.begins(now))
            self._forget_containers(gone)
            if before:
                self._go_back(before, scope, now)
                lost = [each for each in before.lost if each.name not in scope.containers]
                write_fact(self.db, LOST, incidents_text(lost))
        self.mirror.save_scope(scope)
        if gone or (state and (state.has_old_words or state.owner != owner)):
            self._merge_index()
        self.trim(now)

    def _go_back(self, before: MirrorState, scope: MirrorScope, now: datetime) -> None:
        """List again what a new scope has room for and the copy lacks."""
        has_gone = set(before.scope.containers).difference(scope.containers)
        has_room = before.cut_at and (has_gone or scope.budget > before.scope.budget)
        if has_room or scope.goes_further_back(before.scope):
            self.db.execute("DELETE FROM facts WHERE name = 'full_since'")
            begin_older(self.db, scope.begins(now))
        elif scope.keep != before.scope.keep:
            begin_unfinished_again(self.db, scope.begins(now))

    def set_running(self, *, running: bool) -> None:
        """Set whether the mirror is kept current and used."""
        with self._transaction():
            write_fact(self.db, "running", "yes" if running else "no")

    def check_scope(self) -> None:
        """Raise ScopeChangedError if listings of this writer's scope are no longer wanted."""
        with self._listing():
            pass

    def correct_times(self, now: datetime) -> None:
        """Replace stored times that are later than now, and list again what they left out."""
        with self._transaction():
            correct_times(self.db, now)
            state = read_state(self.db)
            if state and begins_too_late(state, now):
                self.db.execute("DELETE FROM facts WHERE name = 'full_since'")
                begin_older(self.db, state.scope.begins(now))

    def take_turn(self, container: str, *, is_check: bool) -> None:
        """Record that a listing of a container, or a check of it, is about to begin."""
        with self._listing():
            take_turn(self.db, container, is_check=is_check)

    def store_changes(  # noqa: PLR0913  # each is stored
        self,
        container: str,
        changes: Sequence[ListedChange],
        *,
        cursor: str,
        is_check: bool,
        now: datetime,
        began: datetime | None = None,
        unfiltered: Iterable[ItemRef] = (),
    ) -> None:
        """Store the changes of a listing, with its cursor.

        Args:
            container: The container that was listed.
            changes: The listed changes.
            cursor: Where to continue; empty to leave the cursor as it is.
            is_check: Whether everything is listed again, to find what is gone.
            now: The time.
            began: When this part of the listing began; None for now.
            unfiltered: Listed items that a filter failed on: stored ones stay; all are read later.
        """
        with self._listing() as state:
            if container not in state.scope.containers:
                return
            begins, number = state.begins(now), check_number_of(self.db, container)
            refs = [*unfiltered, *(each.item.ref for each in changes if each.item)]
            add_unconfirmed(self.db, container, refs, cursor=cursor, is_check=is_check)
            for change in changes:
                if change.gone is not None:
                    forget_copy(self.db, container, change.gone.id, self.mirror.account)
                if change.item is not None:
                    save_copy(
                        self.db,
                        container,
                        change.item,
                        whole=change.whole,
                        check_number=number,
                        begins=begins.timestamp() if begins else None,
                    )
            for ref in unfiltered:
                mark_listed(self.db, ref.id, number)
                put_off(self.db, container, ref, now)
            if cursor:
                move_cursor(self.db, container, cursor, began=None if is_check else began or now)

    def complete(self, listed_as: str, change: ListedChange) -> None:
        """Store an item that was read in full, or delete one that is gone."""
        with self._listing():
            if change.item is not None:
                complete_copy(self.db, change.item, listed_as=listed_as)
            else:
                self._forget("id = ?", storable(listed_as))
                forget_unread(self.db, listed_as)

    def put_off(self, container: str, ref: ItemRef, now: datetime) -> None:
        """Record that an item could not be read, so that others are read first."""
        with self._listing():
            put_off(self.db, container, ref, now)

    def end_listing(self, container: str, now: datetime) -> None:
        """Record that a container is current."""
        with self._listing():
            end_listing(self.db, container, now)
            confirm(self.db, container)

    def note_failure(self, container: str, failure: str) -> None:
        """Record why a listing or a check of a container failed."""
        with self._listing():
            write_failure(self.db, container, harmless_message(failure))

    def end_catch_up(self, now: datetime) -> None:
        """Record that all recent changes were listed."""
        with self._listing():
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

    def begin_check(self, container: str, since: datetime | None) -> None:
        """Record that a check of a container begins, with what changed since a time, or all."""
        with self._listing():
            begin_check(self.db, container, since)

    def end_check(self, container: str, now: datetime) -> int:
        """Remove items that a check did not list; return their number."""
        with self._listing():
            number = check_number_of(self.db, container)
            gone = self._forget("container = ? AND check_number != ?", container, number)
            end_check(self.db, container, now)
        return gone

    def keep_readable(
        self, readable: Sequence[Container], now: datetime, *, total: int = 0
    ) -> Sequence[str]:
        """Remove the containers that may no longer be read; return their names.

        Args:
            readable: The containers of the scope that can be read.
            now: The time.
            total: How many containers the account can read; 0 if that was not queried.
        """
        with self._listing() as state:
            names = {each.name for each in readable}
            lost = [name for name in state.scope.containers if name not in names]
            self._forget_containers(lost)
            scope = write_readable(self.db, state, readable, now, total=total)
        if lost:
            self.mirror.save_scope(scope)
            self._merge_index()
        return lost

    def remember_update(self, failure: RoveError | None, now: datetime) -> None:
        """Record why no request of an update could succeed.

        Args:
            failure: Why; None if that was not so.
            now: The time.
        """
        incident = None
        if failure:
            message, hint = harmless_message(failure.message), harmless_message(failure.hint)
            incident = UpdateFailure(at=now, message=message, hint=hint)
        with self._transaction():
            write_fact(self.db, FAILURE, failure_text(incident))

    def remember_logins(self, logins: EnvironmentLogins) -> None:
        """Record whose the logins in the environment are."""
        with self._transaction():
            if read_state(self.db):
                write_fact(self.db, LOGINS, logins.text())

    def trim(self, now: datetime) -> None:
        """Remove items beyond the age or the disk budget of the scope, and free the space."""
        with self._transaction():
            state = read_state(self.db)
            if state is None:
                return
            if begins := state.begins(now):
                self._forget("at < ?", begins.timestamp())
            chosen = state.scope.begins(now)
            if state.cut_at and chosen and state.cut_at <= chosen:
                self.db.execute("DELETE FROM facts WHERE name = 'full_since'")
            keep_within_budget(self.db, self.mirror.account, state.scope.budget, now)
        self._give_back()
        self._merge_small_parts()

    def erase_old_words(self, now: datetime) -> None:
        """Remove the words of deleted and changed items from the index, if it is time to.

        SQLite leaves them there until it is merged: that takes seconds in a large mirror.
        """
        with self.mirror.database.errors():
            facts = self._facts()
            if HAS_OLD_WORDS not in facts:
                return
            merged = float(facts.get("merged_at", 0))
            is_large = count_items(self.db) > _LARGE
            if is_large and is_recent(datetime.fromtimestamp(merged, UTC), now, _MERGED_FOR):
                return
        with self._transaction():
            self.db.execute("DELETE FROM facts WHERE name = ?", [HAS_OLD_WORDS])
            self.db.execute("INSERT INTO texts (texts) VALUES ('optimize')")
            write_fact(self.db, "merged_at", now)
        self._empty_log()

    def count_words(self, now: datetime) -> None:
        """Count word frequencies and sample tickets, unless the last count still holds.

        This also merges the index, because searching one in many parts takes longer.
        """
        with self.mirror.database.errors():
            facts = self._facts()
            items = count_items(self.db)
            counted_at = datetime.fromtimestamp(float(facts.get("counted_at", 0)), UTC)
            recent = is_recent(counted_at, now, _COUNTED_FOR)
            if recent and items <= int(facts["counted"]) * _GROWN:
                return
            samples = draw_samples(self.db, self.mirror.account)
        with self._transaction():
            count_words(self.db)
            write_samples(self.db, samples)
            write_fact(self.db, "counted", str(items))
            write_fact(self.db, "counted_at", now)
        self._merge_index()

    def _forget_containers(self, names: Sequence[str]) -> None:
        for name in names:
            self._forget("container = ?", name)
            self.db.execute("DELETE FROM unread WHERE container = ?", [name])
            forget_unconfirmed(self.db, name)
        if names:
            check_sharing(self.db, names)
            forget_counts(self.db)

    def _forget_all(self) -> None:
        forget_everything(self.db)
        forget_counts(self.db)
        self.db.execute("DELETE FROM containers")
        self.db.execute("DELETE FROM facts WHERE name != ?", [LOGINS])

    def _forget(self, condition: str, *values: object) -> int:
        return forget_where(self.db, self.mirror.account, condition, values)

    def _give_back(self) -> None:
        """Rewrite the database if much of it is empty."""
        if pragma(self.db, "freelist_count") > pragma(self.db, "page_count") * _HOLLOW:
            self._execute("VACUUM")
            self._merge_index()

    def _merge_index(self) -> None:
        """Rewrite the index as one part, which erases removed words there and in the log."""
        with self._transaction():
            self.db.execute("DELETE FROM facts WHERE name = ?", [HAS_OLD_WORDS])
            self.db.execute("INSERT INTO texts (texts) VALUES ('optimize')")
        self._empty_log()

    def _empty_log(self) -> None:
        self._execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _execute(self, statement: str) -> None:
        with self.mirror.database.errors():
            self.db.execute(statement)

    def _merge_small_parts(self) -> None:
        """Merge the latest small parts of the index; merging all of it takes too long."""
        with self._transaction():
            for setting, value in (("usermerge", 2), ("merge", _MERGED_PAGES)):
                self.db.execute("INSERT INTO texts (texts, rank) VALUES (?, ?)", [setting, value])

    def _facts(self) -> dict[str, str]:
        return dict(self.db.execute("SELECT name, value FROM facts").fetchall())

    @contextmanager
    def _listing(self) -> Iterator[MirrorState]:
        """Begin a transaction that belongs to a listing of this writer's scope."""
        with self._transaction():
            state = read_state(self.db)
            is_other = self.generation is not None and (
                state is None or not state.running or state.generation != self.generation
            )
            if state is None or is_other:
                raise ScopeChangedError
            yield state

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self.mirror.database.transaction(self.db):
            yield
