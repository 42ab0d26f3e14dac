"""Running tasks that wait, as the server's workers do."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.operations.build import BUILD
from rove.operations.refresh import REFRESH
from rove_core import Project, RateLimited, RoveError, Unavailable
from rove_core.operations import Operation, Operations
from rove_core.store.task_changes import cancel_task, claim_task
from rove_core.store.tasks import Task, TaskState, due_tasks, list_tasks
from rove_core.tasks.leases import LEASE
from rove_core.tasks.submission import submit
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from tests.core.team import Team

pytestmark = pytest.mark.anyio


async def add(rove: Project, *, number: int = 1) -> int:  # noqa: ARG001  # so operations are
    """Add one to a number."""
    if number < 0:
        raise ZeroDivisionError("no such number")
    return number + 1


@pytest.fixture
def operations() -> Operations:
    """Give what can be done: what Rove does with documents, and an operation of a plugin."""
    known = Operations()
    for operation in (BUILD, REFRESH, Operation(add)):
        known.add(operation, "rove")
    return known


async def _queued(project: Project, operation: Operation, **arguments: JSON) -> Task:
    (task,) = await submit(project.store, operation, arguments)
    return task


def _told(error: JSON) -> str:
    assert isinstance(error, Mapping)
    return str(error["message"])


async def test_a_task_is_carried_out(team: "Team", tmp_path: Path, operations: Operations) -> None:
    """Its result is what the operation returns on every wire, and no second task is made of it."""
    async with team.opened(tmp_path) as project:
        task = await _queued(project, BUILD, tickets=["T-1"], source="tickets")
        done = await project.run_queued(operations, task.id)
        tasks = await project.store.read(list_tasks)

    assert done
    assert done.state is TaskState.DONE
    assert isinstance(done.result, dict)
    assert done.result["failed"] == []
    assert [each.id for each in tasks] == [task.id]


async def test_a_plugins_operation_can_be_a_task(
    team: "Team", tmp_path: Path, operations: Operations
) -> None:
    """What is no build is a task as well."""
    async with team.opened(tmp_path) as project:
        task = await _queued(project, operations["add"], number=41)
        done = await project.run_queued(operations, task.id)

    assert done
    assert done.result == 42


@pytest.mark.parametrize(("number", "code"), [(41, 0), (-1, 1)])
async def test_its_figures_are_a_line(
    team: "Team", tmp_path: Path, operations: Operations, number: int, code: int
) -> None:
    """The performance log says what each task of the server cost, and how it ended."""
    async with team.opened(tmp_path) as project:
        task = await _queued(project, operations["add"], number=number)
        await project.run_queued(operations, task.id)
        (line,) = _figures(project)

    assert f"task={task.id} operation=add requests=0 bytes=0 " in line
    assert line.endswith(f" exit={code}")


async def test_a_build_logs_its_own_figures_alone(
    team: "Team", tmp_path: Path, operations: Operations
) -> None:
    """They say more, and no line counts twice."""
    async with team.opened(tmp_path) as project:
        task = await _queued(project, BUILD, tickets=["T-1"], source="tickets")
        await project.run_queued(operations, task.id)
        lines = _figures(project)

    assert lines
    assert all(" ticket=T-1 " in line for line in lines)


def _figures(project: Project) -> list[str]:
    return (project.places.logs / "performance.log").read_text("utf-8").splitlines()


async def test_nobody_carries_out_what_is_another_s(
    team: "Team", tmp_path: Path, operations: Operations
) -> None:
    """A task that is being done, or is done, cannot be claimed."""
    async with team.opened(tmp_path) as project:
        task = await _queued(project, operations["add"])
        async with project.store.transaction() as db:
            claimed = await claim_task(
                db, "another", now=team.clock.now(), lease=LEASE, task_id=task.id
            )

        assert claimed
        assert await project.run_queued(operations, task.id) is None


@pytest.mark.parametrize(
    ("error", "later"),
    [
        (Unavailable("the vendor is down"), timedelta(minutes=30)),
        (RateLimited("too fast"), timedelta(minutes=30)),
    ],
)
async def test_what_may_work_later_is_queued_again(
    team: "Team", tmp_path: Path, operations: Operations, error: RoveError, later: timedelta
) -> None:
    """It says why, and waits as long as the settings say."""
    team.tickets.trouble = error
    async with team.opened(tmp_path) as project:
        task = await _queued(project, BUILD, tickets=["T-1"], source="tickets")
        again = await project.run_queued(operations, task.id)

    assert again
    assert (again.state, again.due_at) == (TaskState.QUEUED, team.clock.now() + later)
    assert error.message in _told(again.error)


async def test_a_vendor_s_word_counts_when_it_is_later(
    team: "Team", tmp_path: Path, operations: Operations
) -> None:
    """Who is asked to wait for an hour does not ask after half of it."""
    until = team.clock.now() + timedelta(hours=1)
    team.tickets.trouble = RateLimited("too fast", retry_at=until)
    async with team.opened(tmp_path) as project:
        task = await _queued(project, BUILD, tickets=["T-1"], source="tickets")
        again = await project.run_queued(operations, task.id)

    assert again
    assert again.due_at == until


async def test_a_task_is_not_tried_for_ever(
    team: "Team", tmp_path: Path, operations: Operations
) -> None:
    """After the attempts that the settings allow it has failed."""
    team.tickets.trouble = Unavailable("the vendor is down")
    async with team.opened(tmp_path) as project:
        task = await _queued(project, BUILD, tickets=["T-1"], source="tickets")
        states = []
        for _ in range(4):
            after = await project.run_queued(operations, task.id)
            assert after
            states.append(after.state)
            team.clock.advance(1800)

    assert states == [TaskState.QUEUED] * 3 + [TaskState.FAILED]


async def test_what_will_not_work_later_has_failed(
    team: "Team", tmp_path: Path, operations: Operations
) -> None:
    """A ticket that is not there is not asked for again; nor is a document that is not there."""
    async with team.opened(tmp_path) as project:
        for operation in (BUILD, REFRESH):
            task = await _queued(project, operation, tickets=["T-404"])
            failed = await project.run_queued(operations, task.id)

            assert failed
            assert failed.state is TaskState.FAILED
            assert "T-404" in _told(failed.error)


async def test_a_crash_is_told_of(team: "Team", tmp_path: Path, operations: Operations) -> None:
    """What nobody foresaw ends the task, not who carries it out."""
    async with team.opened(tmp_path) as project:
        task = await _queued(project, operations["add"], number=-1)
        failed = await project.run_queued(operations, task.id)

    assert failed
    assert failed.state is TaskState.FAILED
    assert "ZeroDivisionError" in _told(failed.error)


async def test_two_tasks_never_write_one_document(
    team: "Team", tmp_path: Path, operations: Operations
) -> None:
    """The later one is put off for a moment, and that is no attempt."""
    async with team.opened(tmp_path) as project:
        first = await _queued(project, BUILD, tickets=["T-1"], source="tickets")
        other = await _queued(project, BUILD, tickets=["T-1"])
        team.tickets.is_silent = True
        doing = asyncio.create_task(project.run_queued(operations, first.id))
        while not team.tickets.reads:
            await project.store.read(list_tasks)
        waits = await project.run_queued(operations, other.id)
        team.clock.advance(2)
        due = await project.store.read(due_tasks, now=team.clock.now())
        doing.cancel()
        await asyncio.gather(doing, return_exceptions=True)

    assert waits
    assert (waits.state, waits.attempt, waits.error) == (TaskState.QUEUED, 0, None)
    assert [task.id for task in due] == [other.id]


async def test_who_is_told_to_stop_gives_the_task_back(
    team: "Team", tmp_path: Path, operations: Operations
) -> None:
    """It waits again, due at once, and that was no attempt."""
    team.tickets.is_silent = True
    async with team.opened(tmp_path) as project:
        task = await _queued(project, BUILD, tickets=["T-1"], source="tickets")
        doing = asyncio.create_task(project.run_queued(operations, task.id))
        while not team.tickets.reads:
            await project.store.read(list_tasks)
        doing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await doing
        (waits,) = await project.store.read(list_tasks)

    assert (waits.state, waits.attempt) == (TaskState.QUEUED, 0)
    assert waits.due_at <= team.clock.now()


@pytest.mark.parametrize("is_stopped", [True, False])
async def test_a_cancelled_task_stops(
    team: "Team", tmp_path: Path, operations: Operations, *, is_stopped: bool
) -> None:
    """Its owner learns it from the next sign of life, or from who tells it."""
    team.tickets.is_silent = True
    async with team.opened(tmp_path) as project:
        project.tasks.heartbeat = 60.0 if is_stopped else 0.01
        task = await _queued(project, BUILD, tickets=["T-1"], source="tickets")
        doing = asyncio.create_task(project.run_queued(operations, task.id))
        while not team.tickets.reads:
            await project.store.read(list_tasks)
        async with project.store.transaction() as db:
            await cancel_task(db, task.id, now=team.clock.now())
        if is_stopped:
            doing.cancel()
        after = await doing

    assert after
    assert after.state is TaskState.CANCELLED
