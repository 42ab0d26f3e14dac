"""Rate limits: one bucket per account and endpoint class."""

import asyncio
import os
import sqlite3
import threading
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from attrs import evolve, field, frozen

from rove_core.clock import SYSTEM, Clock
from rove_core.errors import StoreUnusable

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECOND: Final = 1_000_000
#: A vendor counts when a request arrives, and some take longer than others on their way.
_MINUTE: Final = 61 * _SECOND
_START: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TABLE: Final = """
    CREATE TABLE IF NOT EXISTS buckets (
        bucket TEXT PRIMARY KEY,
        sent BLOB NOT NULL,
        closed_until INTEGER NOT NULL,
        seen_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
"""
_TURNS: Final = """
    CREATE TABLE IF NOT EXISTS turns (
        bucket TEXT PRIMARY KEY,
        began INTEGER NOT NULL,
        until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
"""
#: Work that has its turn and asks for nothing this long has lost it: it reads what it found.
_TURN: Final = 3 * _SECOND


class Limits(Protocol):
    """Keeps the buckets; callers wait on their own clocks."""

    async def take(
        self,
        bucket: str,
        *,
        per_minute: int | None,
        at_most: float,
        share: float = 1.0,
        begun: datetime | None = None,
    ) -> float:
        """Reserve a request and return the seconds to wait before it is sent.

        Args:
            bucket: The account and class of endpoint.
            per_minute: How many may leave in any minute; None when only the vendor limits them.
            at_most: The longest wait that makes sense; nothing is reserved for a longer one.
            share: The part of a minute's requests that this one may use; the rest is left to
                others.
            begun: When the work began that this belongs to: earlier work has its turn first.
                None for a request that takes no turns.
        """
        ...

    async def close(self, bucket: str, seconds: float) -> None:
        """Close a bucket for some seconds, as the vendor asked."""
        ...

    async def closed_for(self, bucket: str) -> float:
        """Return the seconds until the vendor accepts requests; 0 if it does now."""
        ...

    async def opens_in(
        self,
        bucket: str,
        *,
        requests: int,
        per_minute: int,
        share: float = 1.0,
        begun: datetime | None = None,
    ) -> float:
        """Return the seconds until so many more requests may leave; nothing is reserved."""
        ...


@frozen
class _Bucket:
    """The state of a bucket, in microseconds of wall time, which all processes share.

    Attributes:
        sent: When the last minute's requests left, or will leave; the earliest first.
        closed_until: Until when the vendor wants no request.
        seen_at: When it was last looked at; a clock that is behind this was put back.
        turn_of: When the work began that has its turn.
        turn_until: Until when it has it, unless it asks again; later work waits for that.
    """

    sent: tuple[int, ...] = ()
    closed_until: int = 0
    seen_at: int = 0
    turn_of: int = 0
    turn_until: int = 0

    def at(self, now: int) -> "_Bucket":
        """Return the bucket at a time; it shifts when the clock was set back."""
        back = max(0, self.seen_at - now)
        sent = tuple(each - back for each in self.sent if each - back > now - _MINUTE)
        return _Bucket(sent, self.closed_until - back, now, self.turn_of, self.turn_until - back)

    def opens(self, begun: int) -> int:
        """Return from when on the vendor, and work that began earlier, let others ask."""
        has_turn = not begun or begun <= self.turn_of
        return max(self.seen_at, self.closed_until, 0 if has_turn else self.turn_until)


_Change: TypeAlias = Callable[[_Bucket], tuple[_Bucket, int]]


class _Buckets(ABC):
    """The arithmetic of buckets, independent of their storage."""

    def __init__(self, *, clock: Clock = SYSTEM) -> None:
        self._clock = clock

    async def take(
        self,
        bucket: str,
        *,
        per_minute: int | None,
        at_most: float,
        share: float = 1.0,
        begun: datetime | None = None,
    ) -> float:
        """Reserve a request and return the seconds to wait before it is sent."""
        usable = None if per_minute is None else max(1, int(per_minute * share))
        longest = round(at_most * _SECOND)
        return await self._change(bucket, partial(_take, usable, longest, _micro(begun))) / _SECOND

    async def close(self, bucket: str, seconds: float) -> None:
        """Close a bucket for some seconds, as the vendor asked."""
        await self._change(bucket, partial(_close, round(seconds * _SECOND)))

    async def closed_for(self, bucket: str) -> float:
        """Return the seconds until the vendor accepts requests; 0 if it does now."""
        return await self._change(bucket, partial(_close, 0)) / _SECOND

    async def opens_in(
        self,
        bucket: str,
        *,
        requests: int,
        per_minute: int,
        share: float = 1.0,
        begun: datetime | None = None,
    ) -> float:
        """Return the seconds until so many more requests may leave; nothing is reserved."""
        usable = max(1, int(per_minute * share))
        return (
            await self._change(bucket, partial(_last_departure, usable, requests, _micro(begun)))
            / _SECOND
        )

    def _now(self) -> int:
        return _micro(self._clock.now())

    @abstractmethod
    async def _change(self, bucket: str, change: _Change) -> int:
        """Apply a change to a bucket, and return its result."""


@frozen
class PlannedLimit:
    """A limit that Rove keeps by itself: requests of a bucket per minute.

    Attributes:
        bucket: The account and class of endpoint.
        per_minute: How many.
        limits: What keeps the bucket.
    """

    bucket: str
    per_minute: int
    limits: Limits = field(eq=False, repr=False)

    async def opens_in(
        self, requests: int, *, share: float, begun: datetime | None = None
    ) -> float:
        """Return the seconds until so many more requests may leave; nothing is reserved."""
        return await self.limits.opens_in(
            self.bucket,
            requests=requests,
            per_minute=self.per_minute,
            share=share,
            begun=begun,
        )


class MemoryLimits(_Buckets):
    """Buckets of this process alone."""

    def __init__(self, *, clock: Clock = SYSTEM) -> None:
        super().__init__(clock=clock)
        self._stored: dict[str, _Bucket] = {}

    async def _change(self, bucket: str, change: _Change) -> int:
        stored = self._stored.get(bucket, _Bucket())
        self._stored[bucket], result = change(stored.at(self._now()))
        return result


class SharedLimits(_Buckets):
    """Buckets that all processes of a user share: rows of an SQLite file.

    Args:
        path: The file; it is made when it is first needed.
        clock: The wall clock.
    """

    def __init__(self, path: Path, *, clock: Clock = SYSTEM) -> None:
        super().__init__(clock=clock)
        self._path = path
        self._database: sqlite3.Connection | None = None
        self._alone = threading.Lock()

    def shut(self) -> None:
        """Close the file; it is opened again when it is needed."""
        with self._alone:
            if self._database:
                self._database.close()
            self._database = None

    async def _change(self, bucket: str, change: _Change) -> int:
        # Another process may hold the lock, stopped by a debugger: never wait in the loop.
        return await asyncio.to_thread(self._change_row, bucket, change)

    def _change_row(self, bucket: str, change: _Change) -> int:
        with self._alone, self._transaction() as database:
            query = """
                SELECT sent, closed_until, seen_at, coalesce(began, 0), coalesce(until, 0)
                FROM buckets LEFT JOIN turns USING (bucket) WHERE bucket = ?
            """
            with closing(database.execute(query, (bucket,))) as rows:
                sent, *times = rows.fetchone() or (b"",)
            stored = _Bucket(tuple(array("q", sent)), *times).at(self._now())
            after, result = change(stored)
            database.execute(
                "INSERT OR REPLACE INTO buckets VALUES (?, ?, ?, ?)",
                (bucket, array("q", after.sent).tobytes(), after.closed_until, after.seen_at),
            )
            if after.turn_until != stored.turn_until:
                turn = (bucket, after.turn_of, after.turn_until)
                database.execute("INSERT OR REPLACE INTO turns VALUES (?, ?, ?)", turn)
        return result

    @contextmanager
    def _transaction(self) -> "Iterator[sqlite3.Connection]":
        """Hold the file's write lock, so that values read inside stay valid."""
        try:
            self._database = self._database or self._open()
            with self._database:
                self._database.execute("BEGIN IMMEDIATE")
                yield self._database
        except (sqlite3.Error, OSError) as error:
            hint = f"It can be rebuilt: move {self._path} away and run the command again."
            raise StoreUnusable(f"{self._path}: {error}", hint=hint) from error

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # SQLite would let everybody read it, as the umask says.
        with suppress(OSError):
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        database = sqlite3.connect(
            self._path, timeout=30, isolation_level=None, check_same_thread=False
        )
        with suppress(sqlite3.OperationalError):  # Another process is doing the same just now.
            database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(_TABLE)
        database.execute(_TURNS)
        return database


def _micro(at: datetime | None) -> int:
    """Return a time in microseconds; 0 for none."""
    return (at - _START) // timedelta(microseconds=1) if at else 0


def _take(usable: int | None, at_most: int, begun: int, bucket: _Bucket) -> tuple[_Bucket, int]:
    """Wait for room in the bucket, in order."""
    opens = bucket.opens(begun)
    if usable is None:
        return bucket, opens - bucket.seen_at
    full = len(bucket.sent) >= usable
    has_room = bucket.sent[-usable] + _MINUTE if full else opens
    turn = max(opens, has_room, *bucket.sent[-1:])
    wait = turn - bucket.seen_at
    if begun and (begun <= bucket.turn_of or bucket.turn_until <= bucket.seen_at):
        bucket = evolve(bucket, turn_of=begun, turn_until=turn + _TURN)
    if wait > at_most:
        return bucket, wait
    return evolve(bucket, sent=(*bucket.sent, turn)), wait


def _last_departure(usable: int, requests: int, begun: int, bucket: _Bucket) -> tuple[_Bucket, int]:
    """Return when the last of some requests could be sent."""
    opens = bucket.opens(begun)
    if not requests:
        return bucket, opens - bucket.seen_at
    behind = usable - requests + 1
    if behind < 1:
        opens += _MINUTE
    elif len(bucket.sent) >= behind:
        opens = max(opens, bucket.sent[-behind] + _MINUTE)
    return bucket, opens - bucket.seen_at


def _close(wait: int, bucket: _Bucket) -> tuple[_Bucket, int]:
    until = max(bucket.closed_until, bucket.seen_at + wait)
    return evolve(bucket, closed_until=until), until - bucket.seen_at
