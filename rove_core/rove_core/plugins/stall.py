"""Measure how long a watched process has stood still although it could run.

A thread that sleeps, or waits for a network, could go on at any time. One that is ready, and gets
no processor because the machine is too busy, could not: that time is nobody's fault. Linux says how
long each thread has waited for a processor. Other systems do not, so all time counts there.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from attrs import define, field

#: Looks within the time that a process may stand still.
_LOOKS: Final = 4
#: The shortest time between two looks, as a part of that time.
_SHORTEST: Final = 0.02
_PROC: Final = Path("/proc")
_NANOSECONDS: Final = 1e9


@define(eq=False)
class Stall:
    """The time since a process's last sign of life.

    Attributes:
        seconds: How long it has stood still, without the time in which it had no processor.
    """

    seconds: float = 0.0
    _seen: object = field(default=None, init=False)
    _waits: Mapping[int, float] = field(factory=dict, init=False)

    def look(self, seen: object, *, passed: float, waits: Mapping[int, float]) -> None:
        """Compare what is seen of the process with the last look.

        Args:
            seen: What changes as long as it lives.
            passed: How many seconds after the last look this one was planned. A watcher that
                comes late had no processor either, or was stopped.
            waits: How long each of its threads has waited for a processor, as
                :func:`processor_waits` returns it.
        """
        # Any thread can be what the others wait for: it may have Python's global lock.
        starved = max(
            (each - self._waits.get(thread, 0.0) for thread, each in waits.items()), default=0.0
        )
        if seen == self._seen:
            self.seconds += max(0.0, passed - starved)
        else:
            self.seconds = 0.0
        self._seen, self._waits = seen, waits


def next_look(budget: float, *, left: float) -> float:
    """Return how many seconds to wait until the next look.

    Args:
        budget: How many seconds the process may stand still.
        left: How many of them are left.
    """
    return budget / _LOOKS if left <= 0 else max(budget * _SHORTEST, min(left, budget / _LOOKS))


def processor_waits(pid: int, *, proc: Path = _PROC) -> dict[int, float]:
    """Return how many seconds each thread of a process was ready to run and had no processor.

    Args:
        pid: The process.
        proc: Where the system shows its processes.
    """
    waits = {}
    # A thread or the process may end meanwhile.
    with suppress(OSError):
        for thread in (proc / str(pid) / "task").iterdir():
            with suppress(OSError, IndexError, ValueError):
                figures = (thread / "schedstat").read_text("ascii").split()
                waits[int(thread.name)] = int(figures[1]) / _NANOSECONDS
    return waits
