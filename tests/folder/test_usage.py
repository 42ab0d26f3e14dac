"""The ledger of tokens is exact, however many processes spend at a time."""

import multiprocessing
import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rove_core import PackageDatabase
from rove_folder.storage import usage
from rove_folder.storage.tables import MIGRATIONS
from rove_folder.storage.usage import Reservation, TokenAccount

NOW = datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC)
ACCOUNT = TokenAccount()
EXAMPLES = int(os.environ.get("ROVE_EXAMPLES", "50"))


@pytest.fixture
def database(tmp_path: Path) -> PackageDatabase:
    """Return an empty database."""
    return PackageDatabase(tmp_path / "folder.db", MIGRATIONS)


def _sums(db: sqlite3.Connection) -> tuple[int, int, int, int]:
    """Return counter and log, and what is set aside according to counter and rows."""
    (row,) = db.execute(
        "SELECT (SELECT ifnull(sum(tokens_used), 0) FROM monthly_token_usage),"
        " (SELECT ifnull(sum(tokens_used), 0) FROM agent_run_logs),"
        " (SELECT ifnull(sum(tokens_reserved), 0) FROM monthly_token_usage),"
        " (SELECT ifnull(sum(tokens), 0) FROM token_reservations)"
    )
    return row  # type: ignore[no-any-return]  # four sums


def test_a_reservation_is_committed_once(database: PackageDatabase) -> None:
    """A second commit of the same question changes nothing."""
    with database.writing() as db:
        reserved = usage.reserve(db, ACCOUNT, 100, cap=1_000, now=NOW)
        assert reserved
        for _ in range(2):
            usage.commit(db, reserved, 60, now=NOW)

        assert _sums(db) == (60, 60, 0, 0)


def test_the_cap_holds(database: PackageDatabase) -> None:
    """What would go over the cap is refused, with what is set aside counted in."""
    with database.writing() as db:
        assert usage.reserve(db, ACCOUNT, 600, cap=1_000, now=NOW)
        assert usage.reserve(db, ACCOUNT, 401, cap=1_000, now=NOW) is None
        assert usage.reserve(db, ACCOUNT, 400, cap=1_000, now=NOW)
        assert usage.reserve(db, ACCOUNT, 10**9, cap=-1, now=NOW)


def test_a_month_begins_at_zero(database: PackageDatabase) -> None:
    """The budget of a month ends with it, in UTC; what was set aside stays in its own month."""
    with database.writing() as db:
        last = usage.reserve(db, ACCOUNT, 1_000, cap=1_000, now=NOW)
        assert last
        assert usage.reserve(db, ACCOUNT, 1, cap=1_000, now=NOW) is None
        after = NOW + timedelta(seconds=1)
        assert usage.reserve(db, ACCOUNT, 1_000, cap=1_000, now=after)
        usage.commit(db, last, 900, now=after)

        assert usage.monthly_usage(db, ACCOUNT, NOW).used == 900
        assert usage.monthly_usage(db, ACCOUNT, after).used == 0


@pytest.mark.parametrize(
    ("now", "date"), [(NOW, "2026-12-01"), (NOW + timedelta(days=20), "2027-01-01")]
)
def test_a_budget_resets_on_the_first(now: datetime, date: str) -> None:
    """The day that is named is the first of the next month."""
    assert usage.reset_date(now) == date


def test_what_dead_processes_set_aside_returns(database: PackageDatabase) -> None:
    """A reservation that nobody commits expires."""
    with database.writing() as db:
        assert usage.reserve(db, ACCOUNT, 1_000, cap=1_000, now=NOW)
        later = NOW + timedelta(milliseconds=usage.RESERVED_MS)
        assert usage.reserve(db, ACCOUNT, 1_000, cap=1_000, now=later)
        assert _sums(db)[2] == _sums(db)[3] == 1_000


@settings(max_examples=EXAMPLES)
@given(st.lists(st.tuples(st.sampled_from("rce"), st.integers(0, 400)), max_size=40))
def test_sums_agree_after_every_step(steps: list[tuple[str, int]]) -> None:
    """Counter and log agree, and the cap holds but for what was spent after its time."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    for script in MIGRATIONS:
        db.executescript(script)
    now, held, late = NOW.replace(day=1), list[tuple[Reservation, datetime]](), 0
    for what, number in steps:
        if what == "r":
            taken = usage.reserve(db, ACCOUNT, number, cap=1_000, now=now)
            held += [(taken, now)] if taken else []
        elif what == "c" and held:
            spent, since = held.pop(number % len(held))
            usage.commit(db, spent, min(number, spent.tokens), now=now)
            if now - since >= timedelta(milliseconds=usage.RESERVED_MS):
                late += min(number, spent.tokens)
        else:
            now += timedelta(minutes=number / 10)
            usage.release_expired(db, now)
        used, logged, reserved, rows = _sums(db)

        assert (used, reserved) == (logged, rows)
        assert used <= 1_000 + late
    db.close()


def _spend(path: Path, count: int) -> None:
    database = PackageDatabase(path, MIGRATIONS)
    db = database.open()
    for _ in range(count):
        with database.transaction(db):
            reserved = usage.reserve(db, ACCOUNT, 3, cap=1_000, now=NOW)
        if reserved:
            with database.transaction(db):
                usage.commit(db, reserved, 2, now=NOW)
    db.close()


def test_processes_lose_nothing(database: PackageDatabase) -> None:
    """Eight processes that spend at a time lose no token and stay within the cap."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_spend, args=(database.path, EXAMPLES)) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    with database.reading() as db:
        used, logged, reserved, rows = _sums(db)

    assert [worker.exitcode for worker in workers] == [0] * 8
    assert used == logged == min(2 * 8 * EXAMPLES, 998)
    assert reserved == rows == 0
