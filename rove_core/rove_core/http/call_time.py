"""Measure working and waiting time of a call."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from datetime import datetime
from typing import Final, TypeAlias

from attrs import define, field

from rove_core.clock import Clock
from rove_core.http.processor_waits import ProcessorWaits

#: Is told until when an account waits for a limit.
ReportWait: TypeAlias = Callable[[datetime], Awaitable[None]]


@define(eq=False)
class Stopwatch:
    """Measures how long anything is under way; several things at once take the time of one."""

    clock: Clock
    _done: float = field(default=0.0, init=False)
    _running: int = field(default=0, init=False)
    _since: float = field(default=0.0, init=False)

    @property
    def seconds(self) -> float:
        """The time so far."""
        now = self.clock.monotonic() - self._since if self._running else 0.0
        return self._done + now

    @property
    def is_running(self) -> bool:
        """Whether anything is running."""
        return self._running > 0

    def start(self) -> None:
        """Begin one more thing."""
        if not self._running:
            self._since = self.clock.monotonic()
        self._running += 1

    def stop(self) -> None:
        """End one of the things."""
        self._running -= 1
        if not self._running:
            self._done += self.clock.monotonic() - self._since


@define(eq=False, kw_only=True)
class Patience:
    """How a call waits for rate limits.

    Attributes:
        work: Measures how long the account works, without waiting for limits.
        waits: Measures how long the account waits for limits.
        longest: The longest wait for a limit, in seconds.
        share: The part of each limit that the call may use.
        report: Is told of each wait.
        keeps_replies: Whether replies may be stored for the next conditional request. A mirror
            stores what it copies in its own database, and nowhere else.
        begun: When the work began that the call belongs to; work that began earlier has its turn
            first. None for a call that takes no turns.
    """

    work: Stopwatch
    waits: Stopwatch
    longest: float
    report: ReportWait
    share: float = 1.0
    keeps_replies: bool = True
    begun: datetime | None = None
    _own_waits: Stopwatch = field(init=False)

    @_own_waits.default
    def _on_the_same_clock(self) -> Stopwatch:
        return Stopwatch(self.work.clock)

    @property
    def is_queued(self) -> bool:
        """Whether the call holds a place in the queue.

        A call that may use a part of the limit, or takes turns, does not: everybody else goes
        first.
        """
        return self.share >= 1 and self.begun is None

    @property
    def waited(self) -> float:
        """Seconds that the call has waited for limits."""
        return self._own_waits.seconds

    @contextmanager
    def working(self) -> Iterator[None]:
        """Make the call inside; its requests treat limits in this way."""
        before = _CURRENT.set(self)
        self.work.start()
        try:
            yield
        finally:
            self.work.stop()
            _CURRENT.reset(before)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for a limit: that time does not count."""
        if not self._own_waits.is_running:
            self.work.stop()
        self._own_waits.start()
        self.waits.start()
        try:
            yield
        finally:
            self.waits.stop()
            self._own_waits.stop()
            if not self._own_waits.is_running:
                self.work.start()


@define(eq=False)
class LimitWaits:
    """Measures how long a call without a patience waits for limits."""

    _watch: Stopwatch | None = field(default=None, init=False)

    @property
    def waited(self) -> float:
        """Seconds that the call has waited for limits."""
        return self._watch.seconds if self._watch else 0.0

    @contextmanager
    def waiting(self, clock: Clock) -> Iterator[None]:
        """Wait for a limit, on a clock: that time does not count."""
        watch = self._watch = self._watch or Stopwatch(clock)
        watch.start()
        try:
            yield
        finally:
            watch.stop()


class TimeLeft:
    """The rest of a call's time, of which waits for rate limits and for a processor use up none.

    Args:
        seconds: The time.
        waits: The call's waits for limits.

    Attributes:
        seconds: The rest.
    """

    def __init__(self, seconds: float, waits: Patience | LimitWaits) -> None:
        self.seconds = seconds
        self._waits = waits
        self._processor = ProcessorWaits()
        self._used = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Let the code inside use up the time."""
        time, limits = asyncio.get_running_loop().time, self._waits
        began, waited = time(), limits.waited
        try:
            yield
        finally:
            self._use(time() - began - (limits.waited - waited))

    def _use(self, seconds: float) -> None:
        self.seconds -= seconds
        self._used += max(0.0, seconds)
        # The system is asked only if it matters, as each item of a stream comes here.
        if self.seconds <= 0:
            # The thread may have waited while the time did not run, too.
            self.seconds += min(self._processor.more(), self._used)
            self._used = 0.0


_CURRENT: Final[ContextVar[Patience | None]] = ContextVar("rove_patience", default=None)
_WAITS: Final[ContextVar[LimitWaits | None]] = ContextVar("rove_limit_waits", default=None)


def current_patience() -> Patience | None:
    """Return the patience of the current call; None if none was set."""
    return _CURRENT.get()


@contextmanager
def measured_waits() -> Iterator[Patience | LimitWaits]:
    """Yield a measure of the time a call waits for limits."""
    found = _CURRENT.get() or _WAITS.get()
    if found:
        yield found
        return
    waits = LimitWaits()
    before = _WAITS.set(waits)
    try:
        yield waits
    finally:
        _WAITS.reset(before)


@contextmanager
def waiting_without_patience(clock: Clock) -> Iterator[None]:
    """Wait for a limit in a call without a patience."""
    waits = _WAITS.get()
    with waits.waiting(clock) if waits else nullcontext():
        yield
