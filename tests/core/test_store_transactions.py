import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from rove_core.errors import StoreUnusable
from rove_core.store.connection import open_for_reading
from rove_core.store.store import Store, open_store
from rove_core.testing.clock import VirtualClock

_INSERT = (
    "INSERT INTO events SELECT ?, coalesce(max(seq), 0) + 1, '', '', '', 0, NULL, '' FROM events"
    " WHERE task = ?"
)
_ROWS_EACH = 25

_WRITER = f"""
import asyncio, sys
from pathlib import Path
from rove_core.clock import SYSTEM
from rove_core.store.store import open_store

async def write():
    async with open_store(Path(sys.argv[1]), clock=SYSTEM) as store:
        for _ in range({_ROWS_EACH}):
            async with store.transaction() as db:
                await db.execute({_INSERT!r}, ["shared", "shared"])

asyncio.run(write())
"""


class _Step:
    """One turn of the event loop."""

    def __await__(self) -> Generator[None, None, None]:
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a database that does not exist yet."""
    return tmp_path / "index.db"


def _with_store(path: Path, work: Callable[[Store], Awaitable[None]]) -> None:
    async def call() -> None:
        async with open_store(path, clock=VirtualClock()) as store:
            await work(store)

    asyncio.run(call())


async def _insert(store: Store, task: str = "t") -> None:
    async with store.transaction() as db:
        await db.execute(_INSERT, [task, task])


def _count(db: sqlite3.Connection) -> int:
    (rows,) = db.execute("SELECT count(*) FROM events").fetchone()
    return int(rows)


def test_a_transaction_is_seen_by_the_next_read(path: Path) -> None:
    """Reads have a connection of their own."""

    async def work(store: Store) -> None:
        await _insert(store)

        assert await store.read(_count) == 1

    _with_store(path, work)


def test_what_is_not_committed_is_not_read(path: Path) -> None:
    """A reader sees the state before, and does not wait."""

    async def work(store: Store) -> None:
        async with store.transaction() as db:
            await db.execute(_INSERT, ["t", "t"])

            assert await store.read(_count) == 0

    _with_store(path, work)


def test_an_exception_undoes_the_transaction(path: Path) -> None:
    """The connection serves the next one."""

    async def work(store: Store) -> None:
        async def fail() -> None:
            async with store.transaction() as db:
                await db.execute(_INSERT, ["t", "t"])
                raise LookupError

        with pytest.raises(LookupError):
            await fail()
        await _insert(store)

        assert await store.read(_count) == 1

    _with_store(path, work)


def test_a_wrong_statement_is_an_error_of_rove(path: Path) -> None:
    """Nobody outside handles errors of SQLite."""

    async def work(store: Store) -> None:
        with pytest.raises(StoreUnusable, match="no such table: shapes"):
            async with store.transaction() as db:
                await db.execute("DELETE FROM shapes")
        with pytest.raises(StoreUnusable, match="no such table: shapes"):
            await store.read(lambda db: db.execute("SELECT * FROM shapes").fetchall())

    _with_store(path, work)


def test_a_cancelled_task_undoes_its_transaction(path: Path) -> None:
    """The connection serves the next one."""

    async def work(store: Store) -> None:
        inside = asyncio.Event()

        async def write() -> None:
            async with store.transaction() as db:
                await db.execute(_INSERT, ["t", "t"])
                inside.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(write())
        await inside.wait()
        task.cancel()
        await asyncio.wait({task})
        await _insert(store)

        assert task.cancelled()
        assert await store.read(_count) == 1

    _with_store(path, work)


@pytest.mark.parametrize("steps", range(12))
def test_a_task_cancelled_at_any_step_writes_all_or_nothing(path: Path, steps: int) -> None:
    """While it begins, writes or commits: both rows are there or none, and the next one works."""

    async def write(store: Store) -> None:
        async with store.transaction() as db:
            await db.execute(_INSERT, ["t", "t"])
            await db.execute(_INSERT, ["t", "t"])

    async def work(store: Store) -> None:
        task = asyncio.create_task(write(store))
        for _ in range(steps):
            await _Step()
        task.cancel()
        await asyncio.wait({task})
        before = await store.read(_count)
        await _insert(store)

        assert before in {0, 2}
        assert await store.read(_count) == before + 1

    _with_store(path, work)


def test_a_task_cancelled_while_it_waits_for_another_process_begins_nothing(path: Path) -> None:
    """What its thread still begins is undone."""

    async def work(store: Store) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            task = asyncio.create_task(_insert(store))
            await _Step()
            task.cancel()
            await _Step()
            other.execute("ROLLBACK")
        await asyncio.wait({task})
        await _insert(store)

        assert task.cancelled()
        assert await store.read(_count) == 1

    _with_store(path, work)


def test_a_database_that_cannot_be_opened_says_so_alone(
    path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """No thread complains beside the error."""
    path.write_bytes(b"no database" * 1000)

    async def work(_: Store) -> None:
        pass

    for _ in range(20):
        with pytest.raises(StoreUnusable, match="is damaged"):
            _with_store(path, work)

    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("steps", range(6))
def test_an_opening_that_is_cancelled_leaves_nothing_open(path: Path, steps: int) -> None:
    """An open connection would warn when it is forgotten."""

    async def call() -> None:
        async def hold() -> None:
            async with open_store(path, clock=VirtualClock()):
                await asyncio.Event().wait()

        task = asyncio.create_task(hold())
        for _ in range(steps):
            await _Step()
        task.cancel()
        await asyncio.wait({task})

        assert task.cancelled()

    asyncio.run(call())

    assert not path.with_name("index.db-wal").exists()


def test_tasks_of_one_process_take_turns(path: Path) -> None:
    """A transaction is never begun inside another."""

    async def work(store: Store) -> None:
        await asyncio.gather(*(_insert(store) for _ in range(50)))

        assert await store.read(_count) == 50

    _with_store(path, work)


def test_threads_and_processes_write_at_once(path: Path) -> None:
    """Nothing is lost, and nobody is told that the database is locked."""

    async def write(store: Store) -> None:
        for _ in range(_ROWS_EACH):
            await _insert(store, "shared")

    command = [sys.executable, "-c", _WRITER, str(path)]
    processes = [
        subprocess.Popen(command, stderr=subprocess.PIPE)  # noqa: S603  # our own program, above
        for _ in range(8)
    ]
    with ThreadPoolExecutor(16) as threads:
        list(threads.map(lambda _: _with_store(path, write), range(16)))
    complaints = [process.communicate()[1] for process in processes]

    assert complaints == [b""] * 8
    with open_for_reading(path) as db:
        assert _count(db) == (16 + 8) * _ROWS_EACH
