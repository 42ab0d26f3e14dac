"""Log the figures of a queued task; a build logs its own, which say more."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define

from rove_core.clock import Clock
from rove_core.errors import RoveError
from rove_core.http import counting
from rove_core.operations import outcome_of
from rove_core.project.logs import OperationMetrics, log_performance, noting_lines
from rove_core.store.tasks import Task


@define
class TaskEnd:
    """How a task ended.

    Attributes:
        exit: Its exit code; 1 until it has ended.
    """

    exit: int = 1

    def take(self, result: object) -> None:
        """Note a result, or the error that replaced it."""
        if isinstance(result, RoveError):
            self.exit = result.exit_code
        else:
            self.exit = outcome_of(result).exit_code


@contextmanager
def measured_task(task: Task, clock: Clock) -> Iterator[TaskEnd]:
    """Log one line of figures when the work inside ends, unless it has logged its own.

    Args:
        task: The task.
        clock: The clock.
    """
    wall, cpu, end = clock.monotonic(), sum(os.times()[:2]), TaskEnd()
    with counting() as counts, noting_lines() as lines:
        try:
            yield end
        finally:
            if not lines:
                log_performance(
                    OperationMetrics(
                        task=task.id,
                        operation=task.operation,
                        requests=counts.requests,
                        bytes=counts.bytes,
                        wall=clock.monotonic() - wall,
                        cpu=sum(os.times()[:2]) - cpu,
                        exit=end.exit,
                    )
                )
