"""Operations that run by the server's schedule: in their time, once, and never in a storm."""

from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import attrs
import pytest

from rove_core import Operation, Project, Unavailable, open_project
from rove_core.auth.credentials import MemoryStore
from rove_core.operations import Operations
from rove_core.store.task_changes import forget_tasks, unplan
from rove_core.store.tasks import Task, TaskState, due_tasks, list_tasks, shown_tasks
from rove_core.tasks.recurring_operations import (
    KEPT,
    intervals_of,
    load_intervals,
    plan_operations,
    read_runs,
    save_intervals,
)
from rove_core.testing import VirtualClock

pytestmark = pytest.mark.anyio

SECOND = timedelta(seconds=1)
EVERY = {"tick": "2s"}


class Ticking:
    """A project whose operation ``tick`` runs by the schedule.

    Attributes:
        project: It.
        clock: Its time.
        runs: When the operation ran, in seconds from the beginning.
        trouble: What it raises.
        takes: How many seconds it takes.
    """

    def __init__(self, project: Project, clock: VirtualClock) -> None:
        self.project, self.clock = project, clock
        self.runs: list[float] = []
        self.trouble: Exception | None = None
        self.takes = 0.0
        self._began = clock.now()
        self._operations = Operations()
        self._operations.add(Operation(self._tick(), every="2s", changes=True), "rove-tick")

    async def look(self, intervals: dict[str, str] | None = None) -> None:
        """Do what the server does at each look: plan, and run what is due."""
        await plan_operations(self.project.store, EVERY if intervals is None else intervals)
        for task in await self.project.store.read(due_tasks, now=self.clock.now()):
            await self.project.run_queued(self._operations, task.id)

    async def pass_time(self, seconds: int) -> None:
        """Let time pass, with a look each second."""
        for _ in range(seconds):
            await self.look()
            self.clock.advance(1)

    async def tasks(self) -> tuple[Task, ...]:
        """Return all tasks."""
        return await self.project.store.read(list_tasks)

    def _tick(self) -> Callable[[Project], Coroutine[Any, Any, int]]:
        async def tick(rove: Project) -> int:  # noqa: ARG001  # so operations are
            """Count."""
            self.runs.append((self.clock.now() - self._began).total_seconds())
            self.clock.advance(self.takes)
            if self.trouble:
                raise self.trouble
            return len(self.runs)

        return tick


@pytest.fixture
async def ticking(tmp_path: Path) -> AsyncIterator[Ticking]:
    """Open a project with the operation."""
    clock = VirtualClock()
    async with open_project(
        tmp_path, accounts=(), plugins=(), credentials=MemoryStore(), clock=clock
    ) as project:
        yield Ticking(project, clock)


async def test_it_runs_in_its_time(ticking: Ticking) -> None:
    """It runs at once, and then each time its interval is over."""
    await ticking.pass_time(10)

    assert ticking.runs == [0, 2, 4, 6, 8]


async def test_looking_often_changes_nothing(ticking: Ticking) -> None:
    """However often the server looks, one run waits at most."""
    for _ in range(5):
        await ticking.look()
    (done,) = [task for task in await ticking.tasks() if not task.active]

    assert ticking.runs == [0]
    assert done.state is TaskState.DONE
    assert done.result == 1


async def test_a_slow_run_is_not_followed_by_those_it_missed(ticking: Ticking) -> None:
    """One that takes longer than its interval rests for a second, and then runs once."""
    ticking.takes = 7
    await ticking.look()
    ticking.takes = 0
    await ticking.pass_time(3)

    assert ticking.runs == [0, 8]


async def test_a_night_of_sleep_is_one_run(ticking: Ticking) -> None:
    """What a sleeping machine missed is done once, and goes on from there."""
    await ticking.look()
    ticking.clock.advance(8 * 3600)
    await ticking.pass_time(4)

    assert ticking.runs == [0, 28800, 28802]


async def test_a_clock_that_went_back_stops_nothing(ticking: Ticking) -> None:
    """A run in the future proves nothing."""
    ticking.clock.advance(3 * 86400)
    await ticking.look()
    ticking.clock.advance(-3 * 86400)
    await ticking.look()

    assert ticking.runs == [3 * 86400, 0]


async def test_what_fails_is_tried_more_and_more_seldom(ticking: Ticking) -> None:
    """Each failure doubles the pause, up to an hour; one success ends that."""
    ticking.trouble = Unavailable("the vendor is down")
    await ticking.pass_time(29)
    ticking.trouble = None
    await ticking.pass_time(35)

    assert ticking.runs == [0, 4, 12, 28, 60, 62]


async def test_only_the_last_runs_are_kept(ticking: Ticking) -> None:
    """A week of an operation that runs every two seconds does not fill the index."""
    await ticking.pass_time(4 * KEPT)

    assert len(await ticking.tasks()) <= KEPT + 2


async def test_the_list_of_tasks_is_not_flooded(ticking: Ticking) -> None:
    """Runs that ended are not among the tasks that people are shown."""
    await ticking.pass_time(4)

    assert await ticking.project.store.read(shown_tasks, ended=20) == ()


async def test_planning_refreshes_leaves_it_alone(ticking: Ticking) -> None:
    """The plan for documents is made anew without touching the operations."""
    await ticking.look()
    await ticking.look()
    async with ticking.project.store.transaction() as db:
        await unplan(db)
        await forget_tasks(db, before=ticking.clock.now() - timedelta(days=30))
    runs = await ticking.project.store.read(read_runs, "tick")

    assert runs.active
    assert runs.active.due_at == ticking.clock.now() + 2 * SECOND


async def test_a_shorter_interval_counts_at_once(ticking: Ticking) -> None:
    """A package that is updated to run more often need not wait for the old plan."""
    await ticking.look({"tick": "6h"})
    await ticking.look({"tick": "6h"})
    ticking.clock.advance(3)
    await ticking.look()

    assert ticking.runs == [0, 3]


async def test_only_those_with_an_interval_run(ticking: Ticking) -> None:
    """What is done on request alone is not scheduled."""
    (tick,) = ticking._operations  # noqa: SLF001  # its own operation
    asked = attrs.evolve(tick, every=None)

    assert intervals_of([tick]) == EVERY
    assert intervals_of([asked]) == {}


async def test_they_are_known_without_a_plugin(ticking: Ticking) -> None:
    """What the server learnt is read by whoever shows it; a damaged file says nothing."""
    places = ticking.project.places
    before = load_intervals(places)
    save_intervals(places, EVERY, "stamp")
    known = load_intervals(places)
    places.schedule_file.write_text('{"every": {"tick": "soon"}, "stamp": 1}', "utf-8")

    assert (before, known, load_intervals(places)) == (({}, ""), (EVERY, "stamp"), ({}, ""))
