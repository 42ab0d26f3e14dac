"""Hold back signals while a process must not be interrupted."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final

_ENDING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Hold off Ctrl-C and the other polite signals inside; what came takes effect at the end.

    Who sends the same signal twice means it: that one is let through. Outside the main thread,
    where Python handles no signal, nothing is held off.
    """
    if current_thread() is not main_thread():
        yield
        return
    _HELD.enter()
    try:
        yield
    finally:
        _HELD.leave()


class _DeferredSignals:
    """Signals deferred by all current holders."""

    def __init__(self) -> None:
        self._holders = 0
        self._before: dict[int, Any] = {}
        self._came: list[int] = []

    def enter(self) -> None:
        self._holders += 1
        if self._holders == 1:
            # A handler that was not set from Python is not known, and could not be put back.
            handlers = {each: signal.getsignal(each) for each in _ENDING}
            self._before = {each: before for each, before in handlers.items() if before is not None}
            for each in self._before:
                signal.signal(each, self._hold)

    def leave(self) -> None:
        self._holders -= 1
        if self._holders == 0:
            self._let_go()
            came, self._came = self._came, []
            for each in came:
                signal.raise_signal(each)

    def _hold(self, number: int, _: FrameType | None) -> None:
        if number not in self._came:
            self._came.append(number)
            return
        self._came.remove(number)
        self._let_go()
        signal.raise_signal(number)

    def _let_go(self) -> None:
        for each, before in self._before.items():
            signal.signal(each, before)
        self._before = {}


_HELD: Final = _DeferredSignals()
