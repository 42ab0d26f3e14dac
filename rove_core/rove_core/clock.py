"""The one seam of time: whatever stamps or waits takes a clock."""

import time
from datetime import UTC, datetime
from typing import Final, Protocol

__all__ = ["SYSTEM", "Clock"]


class Clock(Protocol):
    """Tells the time and waits. :class:`rove_core.testing.VirtualClock` does so without waiting."""

    def now(self) -> datetime:
        """Return the time of day; aware, UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never run backwards, for measuring."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """Return the time of day; aware, UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that never run backwards, for measuring."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        import asyncio  # noqa: PLC0415  # what only reads the time should not pay for a loop

        await asyncio.sleep(seconds)


SYSTEM: Final = SystemClock()
