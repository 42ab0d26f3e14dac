"""Measure how long a watched process has stood still although it could run.

A thread that sleeps, or waits for a network, could go on at any time. One that is ready, and gets
no processor because the machine is too busy, could not: that time is nobody's fault. Linux says how
long each thread has waited for a processor. Other systems do not, so all time counts there.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

#: Looks within the time that a process may stand still.
_LOOKS: Final = 4
#: The shortest time between two looks, as a part of that time.
_SHORTEST: Final = 0.02
_PROC: Final = Path("/proc")
_NANOSECONDS: Final = 1e9


@frozen
class ThreadTimes:
    """What the system says of a thread.

    Attributes:
        ran: How many seconds it has run.
        waited: How many seconds it was ready and had no processor, until it last ran.
        is_ready: Whether it runs, or is ready to.
    """

    ran: float
    waited: float
    is_ready: bool = False


@define(eq=False)
class Stall:
    """The time since a process's last sign of life.

    Attributes:
        seconds: How long it has stood still, without the time in which it had no processor.
    """

    seconds: float = field(default=0.0, init=False)
    _seen: object = field(default=None, init=False)
    _passed: float = field(default=0.0, init=False)
    _first: Mapping[int, ThreadTimes] = field(factory=dict, init=False)
    _last: Mapping[int, ThreadTimes] = field(factory=dict, init=False)
    #: How long each thread has been ready without running, which the system adds only later.
    _ready: dict[int, float] = field(factory=dict, init=False)

    def look(self, seen: object, *, passed: float, threads: Mapping[int, ThreadTimes]) -> None:
        """Compare what is seen of the process with the last look.

        Args:
            seen: What changes as long as it lives.
            passed: How many seconds after the last look this one was planned. A watcher that
                comes late had no processor either, or was stopped.
            threads: Its threads, as :func:`thread_times` returns them.
        """
        if seen != self._seen:
            self._seen, self._passed, self._first = seen, 0.0, threads
            self._ready.clear()
        else:
            self._passed += passed
            for thread, times in threads.items():
                is_still = times.is_ready and thread in self._last
                is_still = is_still and times.ran == self._last[thread].ran
                self._ready[thread] = self._ready.get(thread, 0.0) + passed if is_still else 0.0
        # Any thread can be what the others wait for: it may have Python's global lock.
        starved = max((self._starved(*each) for each in threads.items()), default=0.0)
        # What it has run counts, however late the watcher comes.
        ran = max(
            (each.ran - self._before(name).ran for name, each in threads.items()), default=0.0
        )
        self.seconds, self._last = max(0.0, self._passed - starved, ran), threads

    def _starved(self, thread: int, times: ThreadTimes) -> float:
        return times.waited - self._before(thread).waited + self._ready.get(thread, 0.0)

    def _before(self, thread: int) -> ThreadTimes:
        """Return a thread's times at the last sign of life."""
        return self._first.get(thread, ThreadTimes(0.0, 0.0))


def next_look(budget: float, *, left: float) -> float:
    """Return how many seconds to wait until the next look.

    Args:
        budget: How many seconds the process may stand still.
        left: How many of them are left.
    """
    return budget / _LOOKS if left <= 0 else max(budget * _SHORTEST, min(left, budget / _LOOKS))


def thread_times(pid: int, *, proc: Path = _PROC) -> dict[int, ThreadTimes]:
    """Return what the system says of each thread of a process; empty if it says nothing.

    Args:
        pid: The process.
        proc: Where the system shows its processes.
    """
    threads = {}
    # A thread or the process may end meanwhile.
    with suppress(OSError):
        for thread in (proc / str(pid) / "task").iterdir():
            with suppress(OSError, IndexError, ValueError):
                ran, waited, _ = (thread / "schedstat").read_text("ascii").split()
                # The state follows the name, which may have any character.
                state = (
                    (thread / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
                )
                threads[int(thread.name)] = ThreadTimes(
                    int(ran) / _NANOSECONDS, int(waited) / _NANOSECONDS, state == "R"
                )
    return threads
