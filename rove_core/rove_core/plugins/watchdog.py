"""Record which plugin is running, for the process that watches this one.

A plugin that blocks its thread, or ends its process, cannot be reported from inside. So its name
is on a *board*, memory shared with the watching process, whenever its code runs: from each moment
it resumes until it awaits again. If nobody watches, there is no board, and nothing is recorded.
"""

import mmap
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from functools import lru_cache
from typing import Any, Final, Self, TypeVar, cast

from rove_core.clock import SYSTEM
from rove_core.plugins.limits import plugin_seconds

Result = TypeVar("Result")

#: Seconds between two heartbeats of the loop; fewer if plugins may block it for less than 4 s.
_BEAT: Final = 0.5

_LONGEST: Final = 120
_LONGEST_HOOK: Final = 40
_YES: Final = b"\1"
_BEATS: Final = slice(0, 8)
_NAME: Final = slice(8, 8 + _LONGEST)
_HOOK: Final = slice(_NAME.stop, _NAME.stop + _LONGEST_HOOK)
#: Whether the plugin is known to have no filter.
_WITHOUT_FILTER: Final = slice(_HOOK.stop, _HOOK.stop + 1)
_STEP: Final = slice(_NAME.start, _WITHOUT_FILTER.stop)
#: The size of a board in bytes.
SIZE: Final = _STEP.stop
#: Instead of a file: memory that a process shares with its forked children.
ANONYMOUS: Final = -1


class Board:
    """Shared memory in which a process records which plugin is running.

    Args:
        file: The descriptor of a file of :data:`SIZE` bytes that both have open, or
            :data:`ANONYMOUS`.
    """

    def __init__(self, file: int) -> None:
        self._memory = mmap.mmap(file, SIZE)

    def beat(self) -> None:
        """Record a heartbeat of the event loop."""
        self._memory[_BEATS] = ((self.beats + 1) % 2**64).to_bytes(8, "little")

    def rest(self) -> None:
        """Record that no event loop is running."""
        self._memory[_BEATS] = bytes(8)

    @property
    def beats(self) -> int:
        """Heartbeat counter; 0 without a running loop."""
        return int.from_bytes(self._memory[_BEATS], "little")

    @property
    def running(self) -> str:
        """The running plugin; empty for Rove's own code."""
        return self._memory[_NAME].rstrip(b"\0").decode(errors="replace")

    @property
    def hook(self) -> str:
        """The running hook; empty if none."""
        return self._memory[_HOOK].rstrip(b"\0").decode(errors="replace")

    @property
    def has_no_filter(self) -> bool:
        """Whether the running plugin is known to have no filter."""
        return self._memory[_WITHOUT_FILTER] == _YES

    def enter(self, written: bytes) -> bytes:
        """Record the plugin that runs from now on, and return the previous record."""
        before = self._memory[_STEP]
        self._memory[_STEP] = written
        return before

    def close(self) -> None:
        """Release the shared memory."""
        self._memory.close()


_board: Board | None = None
_after: Callable[[], None] = lambda: None  # noqa: E731  # it is replaced
#: The plugins that were loaded and have no filter.
_without_filter: set[str] = set()


def show_on(board: Board | None) -> None:
    """Record the steps of this process on a board; None stops that."""
    global _board  # noqa: PLW0603  # a process is watched or is not
    _board = board


def note_without_filter(name: str) -> None:
    """Record that a loaded plugin has no filter, so that without it nothing must be withheld.

    Args:
        name: The plugin.
    """
    if _board is None or name in _without_filter:
        return
    _without_filter.add(name)
    _record.cache_clear()
    if _board.running == name:
        _board.enter(_record(name, _board.hook))


def after_steps(look: Callable[[], None]) -> None:
    """Run a check after each step of a plugin."""
    global _after  # noqa: PLW0603  # as above
    _after = look


@asynccontextmanager
async def beating() -> AsyncIterator[None]:
    """Signal inside that the event loop is alive, if a supervisor watches."""
    if _board is None:
        yield
        return
    import asyncio  # noqa: PLC0415  # settings are read without an event loop

    board, pause = _board, min(_BEAT, plugin_seconds() / 8)

    async def beat() -> None:
        while True:
            board.beat()
            await SYSTEM.sleep(pause)

    beat_on = asyncio.create_task(beat())
    try:
        yield
    finally:
        beat_on.cancel()
        board.rest()


def is_watched() -> bool:
    """Return whether another process watches this one."""
    return _board is not None


def running() -> str:
    """Return the plugin whose code runs; empty if none does or nobody watches."""
    return _board.running if _board else ""


def running_hook() -> str:
    """Return the running hook of the plugin; "its code" if unknown."""
    return (_board.hook if _board else "") or "its code"


def step(name: str, hook: str = "") -> AbstractContextManager[None]:
    """Record that a plugin's code runs inside the block, which awaits nothing.

    Args:
        name: The account, or the plugin.
        hook: The name of the hook.
    """
    return _UNSHOWN if _board is None else _ShownStep(_board, _record(name, hook))


_UNSHOWN: Final = nullcontext()


class _ShownStep:
    """A step on a board: a class, because a generator would take twice the time."""

    __slots__ = ("_before", "_board", "_entered")

    def __init__(self, board: Board, entered: bytes) -> None:
        self._board = board
        self._entered = entered

    def __enter__(self) -> None:
        self._before = self._board.enter(self._entered)

    def __exit__(self, *_: object) -> None:
        try:
            _after()
        finally:
            self._board.enter(self._before)


class SteppedCall(Coroutine[Any, Any, Result]):
    """Runs a plugin's awaitable, and records each step for the watchdog.

    Args:
        name: The account, or the plugin.
        call: Returns the awaitable.
        hook: The name of the hook.
    """

    def __init__(self, name: str, call: Callable[[], Awaitable[Result]], hook: str = "") -> None:
        self._name = name
        self._call = call
        self._hook = hook
        self._steps: Any = None

    def __await__(self) -> Generator[Any, Any, Result]:
        return cast("Generator[Any, Any, Result]", self)

    def __iter__(self) -> Self:
        return self

    def send(self, value: object = None) -> object:
        """Resume it until its next await."""
        with step(self._name, self._hook):
            if self._steps is None:
                self._steps = self._call().__await__()
            return next(self._steps) if value is None else self._steps.send(value)

    __next__ = send

    def throw(self, *error: Any) -> object:  # noqa: ANN401  # one error, or as of old its parts
        """Throw an error into it."""
        if self._steps is None:
            self._steps = _unbegun().__await__()
        with step(self._name, self._hook):
            return self._steps.throw(*error)

    def close(self) -> None:
        """Close it."""
        if self._steps is not None:
            with step(self._name, self._hook):
                self._steps.close()


async def _unbegun() -> None:
    """Replace a coroutine that was cancelled before it began."""


@lru_cache(maxsize=256)
def _record(name: str, hook: str) -> bytes:
    without = _YES if name in _without_filter else b"\0"
    return _pad(name, _LONGEST) + _pad(hook, _LONGEST_HOOK) + without


def _pad(text: str, length: int) -> bytes:
    return text.encode(errors="replace")[:length].ljust(length, b"\0")
