"""Log the figures of each pass of a build."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from rove_core.errors import RoveError
from rove_core.http import counting
from rove_core.project.logs import TaskMetrics, log_performance

if TYPE_CHECKING:
    from rove_core.build.builder import DocumentBuilder

_PARTIAL: Final = 5


@contextmanager
def measured(build: "DocumentBuilder") -> Iterator[None]:
    """Log one line of figures when the pass inside ends, however it ends."""
    wall, cpu, code = build.clock.monotonic(), sum(os.times()[:2]), 1
    with counting() as counts:
        try:
            yield
            code = _PARTIAL if build.failures else 0
        except RoveError as error:
            code = error.exit_code
            raise
        finally:
            model = build.chosen.record
            log_performance(
                TaskMetrics(
                    task=build.task,
                    ticket=build.request.ticket.id,
                    accounts=build.accounts.names,
                    requests=counts.requests - model.calls,
                    bytes=counts.bytes,
                    items=build.items,
                    hops=build.hops,
                    model_calls=model.calls,
                    tokens=model.tokens,
                    wall=build.clock.monotonic() - wall,
                    cpu=sum(os.times()[:2]) - cpu,
                    exit=code,
                )
            )
