"""``rove status``: what was done and is being done, what is next, and whether a server runs."""

import asyncio
import fcntl
import json
import os
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiosqlite
import pytest

from rove.watch import watch
from rove_core.clock import SYSTEM
from rove_core.events import Event
from rove_core.store.events import append_event
from rove_core.store.store import open_store
from rove_core.store.task_changes import add_task, claim_task, fail_task
from rove_core.store.task_keys import planned_key
from rove_core.store.tasks import Task

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Spawn, Terminal

_LEASE = timedelta(hours=1)
_NOW = SYSTEM.now()
_DOWN = {"code": "ROVE-NET-001", "message": "jira cannot be reached", "hint": "", "docs": ""}


def _write(root: Path, *writes: Callable[[aiosqlite.Connection], Awaitable[object]]) -> None:
    """Write into the index of a project, as others do meanwhile."""

    async def written() -> None:
        async with open_store(root / ".rove" / "index.db", clock=SYSTEM) as store:
            for write in writes:
                async with store.transaction() as db:
                    await write(db)

    asyncio.run(written())


def _task(key: str = "build TB-9") -> Task:
    arguments = {"tickets": ["TB-9"], "source": "jira"}
    return Task(operation="build", arguments=arguments, key=key, created_at=_NOW, due_at=_NOW)


async def _claim(db: aiosqlite.Connection) -> Task:
    task = await claim_task(db, "elsewhere/1", now=_NOW, lease=_LEASE)
    assert task
    return task


def _status(rove: "Rove") -> dict[str, Any]:
    outcome = rove("status", "--json")
    assert outcome.code == 0, outcome.err
    told: dict[str, Any] = json.loads(outcome.out)
    return told


def test_a_dead_server_is_told_of(rove: "Rove", project: Path) -> None:
    """What one left behind is no server: who holds its lock is one."""
    (project / ".rove" / "daemon.lock").write_text(json.dumps({"pid": os.getpid()}))

    assert "no server running; start one: rove --start-server" in rove("--status").out
    assert _status(rove)["server"]["running"] is False


def test_a_living_server_is_told_of(rove: "Rove", project: Path) -> None:
    """Its lock says that it lives, and what it wrote there who it is."""
    lock = project / ".rove" / "daemon.lock"
    said = {"pid": 4711, "version": "1.2.3", "started_at": "2026-01-01T12:00:00Z"}
    lock.write_text(json.dumps(said))
    with lock.open("r+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)

        assert "server running (v1.2.3, pid 4711)" in rove("status").out
        assert _status(rove)["server"] == {"running": True, **said}


@pytest.mark.parametrize("said", ["", "4711\n", '{"pid": "x"}', "[" * 10_000])
def test_a_server_need_not_say_who_it_is(rove: "Rove", project: Path, said: str) -> None:
    """Whatever its file says, it is there as long as it holds it."""
    lock = project / ".rove" / "daemon.lock"
    lock.write_text(said)
    with lock.open("r+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)

        assert "server running" in rove("status").out


def test_a_running_task_shows_how_far_it_is(rove: "Rove", project: Path) -> None:
    """It says what each account has brought so far, and what went wrong there."""

    async def work(db: aiosqlite.Connection) -> None:
        task = await add_task(db, _task())
        await _claim(db)
        for account, done, note in (("jira", 3, ""), ("slack", 0, "no answer"), ("jira", 4, "")):
            event = Event(
                task=task.id, at=_NOW, stage="search", account=account, done=done, note=note
            )
            await append_event(db, event)

    _write(project, work)
    running = _status(rove)["tasks"][0]

    assert "running  build TB-9  " in rove("status").out
    assert "jira 7 found; slack search (no answer)" in rove("status").out
    assert [(each["account"], each["found"]) for each in running["sources"]] == [
        ("jira", 7),
        ("slack", 0),
    ]


def test_a_waiting_task_says_when_and_why(rove: "Rove", project: Path) -> None:
    """One that failed is tried again at a time that is told."""
    later = _NOW + timedelta(minutes=30)

    async def fail(db: aiosqlite.Connection) -> None:
        await add_task(db, _task())
        await fail_task(db, await _claim(db), _DOWN, now=_NOW, retry_at=later)

    _write(project, fail)
    waiting = _status(rove)["tasks"][0]

    assert f"from {later:%Y-%m-%d %H:%M} UTC, as it failed: jira" in rove("status").out
    assert (waiting["state"], waiting["attempt"]) == ("queued", 1)


def test_a_failed_task_says_why(rove: "Rove", project: Path) -> None:
    """Its last error stays with it."""

    async def fail(db: aiosqlite.Connection) -> None:
        await add_task(db, _task())
        await fail_task(db, await _claim(db), _DOWN, now=_NOW)

    _write(project, fail)

    assert "failed  build TB-9    jira cannot be reached" in rove("status").out


def test_what_is_only_planned_is_no_task_yet(rove: "Rove", project: Path) -> None:
    """It is told of as the next refresh of its document."""

    async def planned(db: aiosqlite.Connection) -> None:
        await add_task(db, _task(planned_key("jira", "TB-123")))

    _write(project, planned)
    told = _status(rove)

    assert [task["state"] for task in told["tasks"]] == ["done"]
    assert [each["ticket_id"] for each in told["next_refreshes"]] == ["TB-123"]


def test_the_next_refresh_is_as_the_settings_say(
    rove: "Rove", project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six hours after the last one, or what the settings file or the environment says."""

    def hours() -> int:
        (refresh,) = _status(rove)["next_refreshes"]
        with closing(sqlite3.connect(project / ".rove" / "index.db")) as db:
            (updated,) = db.execute("SELECT last_updated FROM context_files").fetchone()
        at, last = map(datetime.fromisoformat, (refresh["at"], updated))
        return round((at - last) / timedelta(hours=1))

    by_default = hours()
    (project / ".rove" / "settings.toml").write_text('[scheduler]\nrefresh_interval = "30h"\n')
    by_file = hours()
    monkeypatch.setenv("ROVE_SCHEDULER_REFRESH_INTERVAL", "60h")

    assert 5 <= by_default <= 7
    assert 27 <= by_file <= 33
    assert 54 <= hours() <= 66


def test_a_stale_document_is_left_alone(rove: "Rove", project: Path) -> None:
    """That is told, until somebody asks for it: then it is refreshed again."""
    old = (datetime.now(UTC) - timedelta(days=30)).isoformat()  # noqa: TID251  # the command's own clock is the machine's
    with closing(sqlite3.connect(project / ".rove" / "index.db")) as db:
        db.execute("UPDATE context_files SET created_at = ?1, changed_at = ?1", [old])
        db.commit()
    left = rove("status").out
    rove("--find", "TB-123")
    told = _status(rove)

    assert "no longer refreshed, after a long time without news: TB-123" in left
    assert told["stale_documents"] == []
    assert [each["ticket_id"] for each in told["next_refreshes"]] == ["TB-123"]


def test_watching_prints_each_change_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Into a pipe it goes line by line, and moves no cursor."""
    texts = iter(["one", "one", "two", "two"])

    with pytest.raises(StopIteration):
        watch(lambda: next(texts), pause=lambda: None)

    assert capsys.readouterr().out == "one\ntwo\n"


@pytest.mark.usefixtures("project")
def test_watching_on_a_terminal_draws_in_place(spawn: "Spawn", terminal: "Terminal") -> None:
    """It shows the state at once, and Ctrl-C ends it with 130."""
    process = spawn("status", "--watch", stdin=terminal.end, stdout=terminal.end)
    terminal.wait_for("1 document; 1 task")
    os.killpg(process.pid, 2)

    assert process.wait(30) == 130
    assert "\x1b[H" in terminal.look()


@pytest.mark.usefixtures("project")
def test_watching_as_json_is_a_line_for_each_change(spawn: "Spawn") -> None:
    """A program reads line by line."""
    process = spawn("status", "--watch", "--json")
    assert process.stdout
    line = process.stdout.readline()
    os.killpg(process.pid, 2)

    assert json.loads(line)["documents"] == 1
    assert process.wait(30) == 130
