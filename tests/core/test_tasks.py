"""Work as tasks of this process: signs of life, and a lease that is lost."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.operations.build import BUILD
from rove_core import Locked, Project
from rove_core.store.task_changes import (
    allow_lease,
    cancel_task,
    claim_task,
    fail_task,
    finish_task,
    take_subject,
)
from rove_core.store.tasks import Task, TaskState, list_tasks
from rove_core.tasks.leases import LEASE, this_owner
from rove_core.tasks.submission import submit

if TYPE_CHECKING:
    from tests.core.team import Team

pytestmark = pytest.mark.anyio


async def _claimed(project: Project, task_id: str) -> Task | None:
    """Claim a task for a living process that is not this test."""
    now = project.clock.now()
    async with project.store.transaction() as db:
        return await claim_task(db, this_owner(), now=now, lease=LEASE, task_id=task_id)


async def test_work_gives_signs_of_life(team: "Team", tmp_path: Path) -> None:
    """The lease is extended while the work runs, though nothing is told of it."""
    team.tickets.is_silent = True
    async with team.opened(tmp_path) as project:
        project.tasks.heartbeat = 0.01
        build = asyncio.create_task(project.build("T-1"))
        while not team.tickets.reads:
            await project.store.read(list_tasks)
        team.clock.advance(45)
        while (await project.store.read(list_tasks))[0].heartbeat_at != team.clock.now():
            assert not build.done()
        (task,) = await project.store.read(list_tasks)
        build.cancel()
        await asyncio.gather(build, return_exceptions=True)

    assert task.lease_until == team.clock.now() + LEASE


async def test_work_stops_when_its_task_is_cancelled(team: "Team", tmp_path: Path) -> None:
    """Who cancels a build from elsewhere stops it, and its caller is told."""
    team.tickets.is_silent = True
    async with team.opened(tmp_path) as project:
        project.tasks.heartbeat = 0.01
        build = asyncio.create_task(project.build("T-1"))
        while not team.tickets.reads:
            await project.store.read(list_tasks)
        (task,) = await project.store.read(list_tasks)
        async with project.store.transaction() as db:
            await cancel_task(db, task.id, now=team.clock.now())
        with pytest.raises(Locked, match="document tickets T-1 was cancelled"):
            await build
        (task,) = await project.store.read(list_tasks)

    assert task.state is TaskState.CANCELLED


async def test_a_build_says_how_to_do_it_again(team: "Team", tmp_path: Path) -> None:
    """What is in the index does the same when anybody else calls it, even years later."""
    async with team.opened(tmp_path) as project:
        await project.build("T-1", fresh=True, max_tokens=900, shape="seed")
        (task,) = await project.store.read(list_tasks)

    assert task.operation == "build"
    assert task.arguments == {
        "tickets": ["T-1"],
        "source": "tickets",
        "fresh": True,
        "max_tokens": 900,
        "shape": "seed",
    }


async def test_a_task_of_the_daemon_is_waited_for(team: "Team", tmp_path: Path) -> None:
    """A build here does not write the document that a living worker writes."""
    async with team.opened(tmp_path) as project:
        (queued,) = await submit(project.store, BUILD, {"tickets": ["T-1"]})
        held = await _claimed(project, queued.id)
        assert held
        async with project.store.transaction() as db:
            await take_subject(db, held, "document tickets T-1")
        with pytest.raises(Locked, match="already working on document tickets T-1"):
            await project.build("T-1")
        tasks = await project.store.read(list_tasks)

    assert [task.id for task in tasks] == [queued.id]


async def test_a_task_given_back_is_no_longer_in_the_way(team: "Team", tmp_path: Path) -> None:
    """What waits for another attempt does not keep anybody from the document."""
    async with team.opened(tmp_path) as project:
        (queued,) = await submit(project.store, BUILD, {"tickets": ["T-1"]})
        held = await _claimed(project, queued.id)
        assert held
        later = team.clock.now() + timedelta(hours=1)
        async with project.store.transaction() as db:
            await take_subject(db, held, "document tickets T-1")
            await allow_lease(db, held, until=later)
            await fail_task(db, held, None, now=team.clock.now(), retry_at=later)
        built = await project.build("T-1")

    assert built.document.path.is_file()


async def test_who_is_patient_waits_for_a_twin(team: "Team", tmp_path: Path) -> None:
    """A build that finds another one at the same document says so, and does its own after it."""
    said: list[str] = []
    async with team.opened(tmp_path) as project:
        project.tasks.patience = 60.0
        project.tasks.on_event = lambda event: said.append(f"{event.stage}: {event.note}")
        (queued,) = await submit(project.store, BUILD, {"tickets": ["T-1"]})
        held = await _claimed(project, queued.id)
        assert held
        async with project.store.transaction() as db:
            await take_subject(db, held, "document tickets T-1")
        build = asyncio.create_task(project.build("T-1"))
        while not said:
            await project.store.read(list_tasks)
        async with project.store.transaction() as db:
            await finish_task(db, held, None, now=team.clock.now())
        built = await build

    assert built.document.path.is_file()
    assert said[0].endswith("is already working on document tickets T-1")
