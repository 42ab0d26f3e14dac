"""What a result says of itself."""

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
    [(0, TaskState.DONE), (PARTIAL, TaskState.DONE), (1, TaskState.QUEUED)],
)
async def test_a_task_ends_as_its_result_says(
    team: "Team", tmp_path: Path, code: int, state: TaskState
) -> None:
    """A result that is there is the task's, whole or not; another failure is tried again."""
    operations = Operations()
    operations.add(Operation(report), "rove-report")
    async with team.opened(tmp_path) as project:
        (task,) = await submit(project.store, operations["report"], {"code": code})
        ended = await project.run_queued(operations, task.id)

    assert ended
    assert ended.state is state
