"""Faults in Python's own calls, for machines that allow no tracing; SQLite's are not reached."""

import errno
import os
import signal
from collections.abc import Callable
from itertools import count
from typing import Final, ParamSpec, TypeVar

from attrs import frozen

from benchmarks.campaign.run import Run
from benchmarks.campaign.strace import LASTING

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

#: The functions that write, and how often each is made to fail.
CALLS: Final = dict.fromkeys(["open", "write", "fsync", "replace", "mkdir", "unlink"], 6)


@frozen
class CallFault:
    """The n-th call of a function of ``os`` fails or is the process's last.

    After an error that lasts, all later calls of the function fail too.

    Attributes:
        call: Which function.
        effect: An error's name, or ``SIGKILL``.
        nth: Which of them, from 1.
    """

    call: str
    effect: str
    nth: int

    def arm(self) -> None:
        """Put the fault in the way of this process."""
        setattr(os, self.call, self._failing(getattr(os, self.call)))

    def release(self, run: Run) -> None:
        """Release the process, which is armed."""
        run.release()

    def _failing(self, real: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        calls = count(1)

        def failing(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            call = next(calls)
            if call == self.nth or (call > self.nth and self.effect in LASTING):
                self._strike()
            return real(*args, **kwargs)

        return failing

    def _strike(self) -> None:
        if self.effect == "SIGKILL":
            os.kill(os.getpid(), signal.SIGKILL)
        number = getattr(errno, self.effect)
        raise OSError(number, os.strerror(number))
