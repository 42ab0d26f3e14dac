"""A machine whose time passes at once, and that has no processor for Rove when a test says so."""

import asyncio
import selectors
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")


class BusyMachine:
    """The clock of an event loop, and the figures of the system that belong to it.

    Args:
        file: Where the system shows how long the thread waited for a processor.

    Attributes:
        seconds: How long the machine has been running.
        late: How many seconds each wake-up waits for a processor.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._waited = 0.0
        self.seconds = 0.0
        self.late = 0.0
        self.starve(0)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Return the result of asynchronous code, in which only timers take time."""
        with asyncio.Runner(loop_factory=lambda: _Loop(self)) as runner:
            return runner.run(work)

    def starve(self, seconds: float) -> None:
        """Let the thread wait for a processor."""
        self.seconds += seconds
        self._waited += seconds
        self._file.write_text(f"0 {round(self._waited * 1e9)} 1\n", "ascii")

    def sleep(self, seconds: float) -> None:
        """Let the thread sleep until a timer is due."""
        self.seconds += seconds
        self.starve(self.late)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, machine: BusyMachine) -> None:
        self._machine = machine
        super().__init__(_Selector(machine))

    def time(self) -> float:
        """Return the machine's time."""
        return self._machine.seconds


class _Selector(selectors.SelectSelector):
    def __init__(self, machine: BusyMachine) -> None:
        super().__init__()
        self._machine = machine

    def select(self, timeout: float | None = None) -> Any:  # noqa: ANN401  # as its base says
        """Return what is ready; if nothing is, the next timer is due at once."""
        ready = super().select(None if timeout is None else 0)
        if not ready and timeout:
            self._machine.sleep(timeout)
        return ready
