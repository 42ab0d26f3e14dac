"""Whose a task is, and what becomes of it when its owner dies, sleeps or is told a wrong time."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from rove_core import PluginFailed, Unavailable
from rove_core.project.settings import SchedulerSettings
from rove_core.store.store import Store, open_store
from rove_core.store.task_changes import add_task, claim_task, extend_lease
from rove_core.store.tasks import Task, TaskState, find_task
from rove_core.tasks.leases import (
    LEASE,
    is_dead,
    owner_pid,
    release,
    settle,
    this_owner,
)
from rove_core.testing import VirtualClock

pytestmark = pytest.mark.anyio

_SETTINGS = SchedulerSettings()
_ELSEWHERE = "another-machine/1/1"


@pytest.fixture
def dead() -> str:
    """Give an owner that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return f"{os.uname().nodename}/{process.pid}/1"


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[Store, VirtualClock]]:
    """Give an index, and the clock that stamps it."""
    clock = VirtualClock()
    async with open_store(folder / "index.db", clock=clock) as store:
        yield store, clock


async def _running(store: Store, owner: str, *, times: int = 1) -> Task:
    now = store.clock.now()
    asked = Task(operation="build", key="build", created_at=now, due_at=now)
    async with store.transaction() as db:
        await add_task(db, asked)
    for time in range(times):
        async with store.transaction() as db:
            task = await claim_task(db, owner, now=now + time * LEASE, lease=LEASE)
        assert task
        if time < times - 1:
            await release(store, task, SchedulerSettings(retry_attempts=100))
    assert task
    return task


def test_this_process_lives() -> None:
    """It is known by its machine, its number and its birth."""
    assert owner_pid(this_owner()) == os.getpid()
    assert not is_dead(this_owner())


def test_the_number_of_a_process_is_not_the_process() -> None:
    """Who has a dead owner's number, and was born at another time, is not that owner."""
    node = os.uname().nodename

    assert is_dead(f"{node}/{os.getpid()}/1")
    assert not is_dead(f"{node}/{os.getpid()}")


def test_a_process_that_nobody_buried_is_dead() -> None:
    """Its number is still taken, until its parent looks."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    try:
        assert is_dead(f"{os.uname().nodename}/{process.pid}")
    finally:
        process.wait()


def test_nothing_is_known_of_other_machines() -> None:
    """Whether their processes live cannot be told from here."""
    assert owner_pid(_ELSEWHERE) is None
    assert not is_dead(_ELSEWHERE)


async def test_what_a_dead_process_did_is_done_again(tmp_path: Path, dead: str) -> None:
    """Its task waits again, due at once."""
    async with opened(tmp_path) as (store, clock):
        await _running(store, dead)
        (task,) = await settle(store, _SETTINGS)

    assert (task.state, task.due_at) == (TaskState.QUEUED, clock.now())


async def test_what_kills_its_process_each_time_fails(tmp_path: Path, dead: str) -> None:
    """Whoever kills a process need not have meant its task, but not twenty times."""
    async with opened(tmp_path) as (store, _):
        await _running(store, dead, times=20)
        (task,) = await settle(store, _SETTINGS)

    assert task.state is TaskState.FAILED
    assert "ended its process 20 times" in str(task.error)


async def test_who_is_spared_is_not_looked_at(tmp_path: Path, dead: str) -> None:
    """A worker's parent knows better why it died."""
    async with opened(tmp_path) as (store, _):
        task = await _running(store, dead)

        assert await settle(store, _SETTINGS, skipped={task.id}) == ()


async def test_who_lives_keeps_the_task(tmp_path: Path) -> None:
    """Until the lease ends nobody takes it away."""
    async with opened(tmp_path) as (store, clock):
        await _running(store, this_owner())
        clock.advance(59)

        assert await settle(store, _SETTINGS) == ()


@pytest.mark.parametrize("jump", [timedelta(days=1), timedelta(days=-1), timedelta(minutes=2)])
async def test_who_slept_gets_one_more_lease(tmp_path: Path, jump: timedelta) -> None:
    """After a sleep, or when the clock was set, a living owner may say that it lives."""
    async with opened(tmp_path) as (store, clock):
        task = await _running(store, this_owner())
        clock.put(clock.now() + jump)
        first = await settle(store, _SETTINGS)
        async with store.transaction() as db:
            is_mine = await extend_lease(db, task, now=clock.now(), lease=LEASE)
        second = await settle(store, _SETTINGS)

    assert (first, is_mine, second) == ((), True, ())


@pytest.mark.parametrize("jump", [timedelta(days=1), timedelta(days=-1)])
async def test_who_stays_silent_loses_the_task(tmp_path: Path, jump: timedelta) -> None:
    """One more lease is all."""
    async with opened(tmp_path) as (store, clock):
        await _running(store, this_owner())
        clock.put(clock.now() + jump)
        await settle(store, _SETTINGS)
        clock.advance(61)
        (task,) = await settle(store, _SETTINGS)

    assert task.state is TaskState.QUEUED


async def test_a_silent_machine_gets_none(tmp_path: Path) -> None:
    """Of a process elsewhere only the lease is known."""
    async with opened(tmp_path) as (store, clock):
        await _running(store, _ELSEWHERE)
        clock.advance(61)
        (task,) = await settle(store, _SETTINGS)

    assert task.state is TaskState.QUEUED


async def test_a_worker_s_death_has_a_reason(tmp_path: Path, dead: str) -> None:
    """A plugin that ended its process has failed; what may pass is tried later."""
    for error, state in (
        (PluginFailed("wiki ended the process"), TaskState.FAILED),
        (Unavailable("the wiki is down"), TaskState.QUEUED),
    ):
        async with opened(tmp_path) as (store, _):
            task = await _running(store, dead)
            released = await release(store, task, _SETTINGS, error=error)
            after = await store.read(find_task, task.id)

            assert released
            assert after
            assert after.state is state
            assert error.message in str(after.error)


async def test_nobody_releases_what_is_another_s_by_now(tmp_path: Path, dead: str) -> None:
    """A task that was claimed again belongs to who claimed it."""
    async with opened(tmp_path) as (store, _):
        task = await _running(store, dead)
        await release(store, task, _SETTINGS)
        await _running(store, this_owner())

        assert not await release(store, task, _SETTINGS)
