"""Asking for tasks: one for each document, none twice, none that makes no sense."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.operations.build import BUILD, join_results
from rove.operations.refresh import REFRESH
from rove.operations.trust import TRUST
from rove_core import WrongCall
from rove_core.operations import Operation
from rove_core.store.tasks import TaskState, find_task, list_tasks
from rove_core.tasks.submission import submit
from rove_core.tasks.task_groups import EndedTask
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import to_json

if TYPE_CHECKING:
    from tests.core.team import Team

pytestmark = pytest.mark.anyio


async def test_each_ticket_is_a_task(team: "Team", tmp_path: Path) -> None:
    """Ids may stand in one word; what else was asked for goes for each."""
    async with team.opened(tmp_path) as project:
        arguments: dict[str, JSON] = {"tickets": ["T-1,T-2", "how do we log in?"], "fresh": True}
        tasks = await submit(project.store, BUILD, arguments)

    assert [task.arguments for task in tasks] == [
        {"tickets": ["T-1"], "fresh": True},
        {"tickets": ["T-2"], "fresh": True},
        {"tickets": ["how do we log in?"], "fresh": True},
    ]


async def test_each_document_is_a_task(team: "Team", tmp_path: Path) -> None:
    """``--all`` names each document as its account does, the oldest first."""
    team.tickets.put("T-2", "Another ticket.", kind="ticket")
    await team.build(tmp_path, "T-2")
    await team.build(tmp_path, "T-1")
    async with team.opened(tmp_path) as project:
        everything = await submit(project.store, REFRESH, {"all": True})
        named = await submit(project.store, REFRESH, {"tickets": ["t-1", "T-404"]})

    one: JSON = {"tickets": ["T-1"], "account": "tickets"}
    other: JSON = {"tickets": ["T-2"], "account": "tickets"}
    assert [task.arguments for task in everything] == [other, one]
    assert [task.arguments for task in named] == [one, {"tickets": ["T-404"]}]
    assert named[0].id == everything[1].id


async def test_the_same_is_queued_once(team: "Team", tmp_path: Path) -> None:
    """Who asks for what is asked for already gets the task that there is."""
    async with team.opened(tmp_path) as project:
        (first,) = await submit(project.store, BUILD, {"tickets": ["T-1"], "fresh": True})
        (again,) = await submit(
            project.store, BUILD, {"fresh": True, "tickets": ["T-1", "T-1"], "dry_run": False}
        )
        (other,) = await submit(project.store, BUILD, {"tickets": ["T-1"]})

    assert first.id == again.id != other.id


async def test_who_asks_again_waits_no_longer(team: "Team", tmp_path: Path) -> None:
    """A task that is to be tried in an hour is tried now when somebody asks for it."""
    async with team.opened(tmp_path) as project:
        await submit(project.store, BUILD, {"tickets": ["T-1"]})
        async with project.store.transaction() as db:
            await db.execute("UPDATE tasks SET due_at = '2099-01-01T00:00:00.000000Z'")
        (task,) = await submit(project.store, BUILD, {"tickets": ["T-1"]})

    assert task.due_at == team.clock.now()


@pytest.mark.parametrize(
    ("operation", "arguments", "said"),
    [
        (BUILD, {"tickets": "T-1"}, "tickets"),
        (BUILD, {"tickets": [" , "]}, "no ticket given"),
        (BUILD, {"tickets": ["T-1"], "since": "tomorrowish"}, "'tomorrowish' is not a valid time"),
        (BUILD, {"tickets": ["T-1"], "max_tokens": 1}, "max-tokens 1"),
        (BUILD, {"tickets": ["T-1"], "colour": "red"}, "no such argument: colour"),
        (REFRESH, {}, "give documents, or --all"),
        (TRUST, {}, "for a person at a terminal"),
    ],
)
async def test_what_makes_no_sense_is_not_queued(
    team: "Team", tmp_path: Path, operation: Operation, arguments: dict[str, JSON], said: str
) -> None:
    """Whoever asks is told at once."""
    async with team.opened(tmp_path) as project:
        with pytest.raises(WrongCall, match=said):
            await submit(project.store, operation, arguments)

        assert await project.store.read(list_tasks) == ()


async def test_the_results_of_tasks_are_one_again(team: "Team", tmp_path: Path) -> None:
    """They say what the call would have returned if nobody had split it."""
    async with team.opened(tmp_path) as project:
        arguments: dict[str, JSON] = {"tickets": ["T-1", "T-404"]}
        whole = await BUILD.call(project, arguments)
        parts = [await BUILD.call(project, {"tickets": [each]}) for each in ("T-1", "T-404")]
    ended = [EndedTask({"tickets": []}, result=part) for part in parts]

    assert to_json(join_results(ended)) == whole


async def test_a_task_keeps_what_it_was_asked(team: "Team", tmp_path: Path) -> None:
    """It waits, with its arguments as they are on every wire."""
    async with team.opened(tmp_path) as project:
        (task,) = await submit(project.store, BUILD, {"tickets": ["T-1"], "since": "7d"})
        kept = await project.store.read(find_task, task.id)

    assert kept
    assert (kept.state, kept.operation) == (TaskState.QUEUED, "build")
    assert kept.arguments == {"tickets": ["T-1"], "since": "7d"}
