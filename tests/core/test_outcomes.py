"""What a result says of itself."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import frozen

from rove_core import PARTIAL, Failure, Operation, Outcome, Project, RateLimited
from rove_core.operations import Operations, outcome_of
from rove_core.store.tasks import TaskState
from rove_core.tasks.submission import submit

if TYPE_CHECKING:
    from tests.core.team import Team


@frozen(kw_only=True)
class Report(Outcome):
    """A result whose exit code is one of its fields."""

    code: int
    failure: Failure

    @property
    def exit_code(self) -> int:
        """Return the code."""
        return self.code

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Return the one failure."""
        return (self.failure,)


async def report(rove: Project, *, code: int) -> Report:
    """Report that a vendor asked to wait for an hour."""
    until = rove.clock.now().replace(minute=59, second=0, microsecond=0)
    return Report(code=code, failure=Failure.of(RateLimited("too fast", retry_at=until)))


def test_plain_data_says_that_all_is_well() -> None:
    """A tuple has no outcome of its own."""
    outcome = outcome_of(("one", "two"))

    assert (outcome.show(), outcome.exit_code, tuple(outcome.failures)) == (None, 0, ())


def test_a_failure_keeps_until_when_to_wait(team: "Team") -> None:
    """The error made of it again says the same."""
    until = team.clock.now()
    error = Failure.of(RateLimited("too fast", retry_at=until)).as_error()

    assert (type(error), error.retry_at) == (RateLimited, until)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("code", "state"),
    [(0, TaskState.DONE), (PARTIAL, TaskState.PARTIAL), (1, TaskState.QUEUED)],
)
async def test_a_task_ends_as_its_result_says(
    team: "Team", tmp_path: Path, code: int, state: TaskState
) -> None:
    """A result that lacks something is partial; another failure is tried again."""
    operations = Operations()
    operations.add(Operation(report), "rove-report")
    async with team.opened(tmp_path) as project:
        (task,) = await submit(project.store, operations["report"], {"code": code})
        ended = await project.run_queued(operations, task.id)

    assert ended
    assert ended.state is state


@frozen(kw_only=True)
class Part(Outcome):
    """A result of which the rest can be had in a minute."""

    at: datetime | None

    @property
    def resume_at(self) -> datetime | None:
        """Return when."""
        return self.at


async def part(rove: Project) -> Part:
    """Do one half of the work in a first call, and the other half in the next."""
    claimed = rove.tasks.inside
    is_first = claimed is not None and claimed.task.result is None
    return Part(at=rove.clock.now() + timedelta(seconds=60) if is_first else None)


@pytest.mark.anyio
async def test_a_task_goes_on_with_what_is_left(team: "Team", tmp_path: Path) -> None:
    """It waits in the queue until the rest can be had, and that is no further attempt."""
    operations = Operations()
    operations.add(Operation(part), "rove-part")
    async with team.opened(tmp_path) as project:
        (task,) = await submit(project.store, operations["part"], {})
        paused = await project.run_queued(operations, task.id)
        too_soon = await project.run_queued(operations, task.id)
        team.clock.advance(60)
        ended = await project.run_queued(operations, task.id)

    assert paused
    assert ended
    assert (paused.state, paused.attempt, too_soon) == (TaskState.QUEUED, 0, None)
    assert (ended.state, ended.attempt) == (TaskState.DONE, 1)
