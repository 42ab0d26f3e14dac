"""The deadline of a request, which counts no time without a processor."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import attrs

from rove_core.clock import Clock
from rove_core.http.processor_waits import ProcessorWaits


@attrs.define(eq=False)
class Deadline:
    """A request's deadline on a clock."""

    clock: Clock
    at: float
    _timer: "_Timer | None" = attrs.field(default=None, init=False)

    @property
    def remaining(self) -> float:
        """The seconds left."""
        return self.at - self.clock.monotonic()

    def extend(self, seconds: float) -> None:
        """Move the deadline by some seconds."""
        self.at += seconds
        if self._timer:
            self._timer.end += seconds

    @asynccontextmanager
    async def enforced(self) -> AsyncIterator[None]:
        """Raise TimeoutError if the code inside does not end by the deadline."""
        async with asyncio.timeout(None) as timeout:
            self._timer = _Timer(self, timeout)
            try:
                yield
            finally:
                self._timer.stop()


class _Timer:
    """Ends the code of a deadline on the event loop's clock.

    Attributes:
        end: When.
    """

    def __init__(self, deadline: Deadline, timeout: asyncio.Timeout) -> None:
        self._deadline = deadline
        self._timeout = timeout
        self._loop = asyncio.get_running_loop()
        self._processor = ProcessorWaits()
        self.end = self._loop.time() + deadline.remaining
        self._handle = self._loop.call_at(self.end, self._check)

    def stop(self) -> None:
        """Do not end it any more."""
        self._handle.cancel()

    def _check(self) -> None:
        """End the code, unless some of the time was without a processor, or the end has moved."""
        self._deadline.extend(self._processor.more())
        if self.end > self._loop.time():
            self._handle = self._loop.call_at(self.end, self._check)
        else:
            # At once, but after what is ready by now: the reply may be.
            self._timeout.reschedule(self._loop.time())
