"""Whose code is running just now, told to whoever watches this process from outside.

A plugin that blocks its thread, or ends its process, can say so no more. So its name stands on a
*board*, a piece of memory shared with the watching process, whenever its code runs: from each
moment at which an awaited thing lets it go on to the next at which it waits again. Where nobody
watches there is no board, and nothing is done.
"""

import mmap
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, Self, TypeVar, cast

Result = TypeVar("Result")

_LONGEST: Final = 120
_BEATS: Final = slice(0, 8)
_NAME: Final = slice(8, 8 + _LONGEST)
#: How large a board is.
SIZE: Final = _NAME.stop


class Board:
    """What a process tells about itself, in memory that its watcher can read.

    Args:
        file: The descriptor of a file of :data:`SIZE` bytes that both have open.
    """

    def __init__(self, file: int) -> None:
        self._memory = mmap.mmap(file, SIZE)

    def beat(self) -> None:
        """Say that the event loop turns."""
        self._memory[_BEATS] = ((self.beats + 1) % 2**64).to_bytes(8, "little")

    @property
    def beats(self) -> int:
        """How often it said so."""
        return int.from_bytes(self._memory[_BEATS], "little")

    @property
    def running(self) -> str:
        """Whose code runs; empty when it is Rove's own."""
        return self._memory[_NAME].rstrip(b"\0").decode(errors="replace")

    def enter(self, name: bytes) -> bytes:
        """Write down whose code runs from now on, and return what stood there."""
        before = self._memory[_NAME]
        self._memory[_NAME] = name
        return before

    def close(self) -> None:
        """Let the memory go."""
        self._memory.close()


_board: Board | None = None


def show_on(board: Board | None) -> None:
    """Show the steps of this process on a board; on none any more if None."""
    global _board  # noqa: PLW0603  # a process is watched or is not
    _board = board


@contextmanager
def step(name: str) -> Iterator[None]:
    """Show inside that the code of a plugin runs; it waits for nothing.

    Args:
        name: The account, or the plugin.
    """
    if _board is None:
        yield
        return
    before = _board.enter(_written(name))
    try:
        yield
    finally:
        _board.enter(before)


async def stepped(name: str, call: Callable[[], Awaitable[Result]]) -> Result:
    """Return what a plugin's awaitable returns, and show each step in which its code runs.

    Args:
        name: The account, or the plugin.
        call: Gives the awaitable.
    """
    if _board is None:
        return await call()
    return await _Stepped(name, call, _board)


class _Stepped(Awaitable[Result]):
    """An awaitable that is its own iterator: each step goes through here."""

    def __init__(self, name: str, call: Callable[[], Awaitable[Result]], board: Board) -> None:
        self._name = _written(name)
        self._call = call
        self._board = board
        self._steps: Any = None

    def __await__(self) -> Generator[Any, Any, Result]:
        return cast("Generator[Any, Any, Result]", self)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> object:
        return self._step(self._go_on)

    def send(self, value: object) -> object:
        """Let it go on; what it waited for has no value for it in asyncio."""
        return self._step(partial(self._steps.send, value) if value is not None else self._go_on)

    def throw(self, *error: Any) -> object:  # noqa: ANN401  # one error, or as of old its parts
        """Let it go on with an error."""
        return self._step(partial(self._steps.throw, *error))

    def close(self) -> None:
        """Let it end where it stands."""
        if self._steps is not None:
            self._step(self._steps.close)

    def _go_on(self) -> object:
        if self._steps is None:
            self._steps = self._call().__await__()
        return next(self._steps)

    def _step(self, act: Callable[[], object]) -> object:
        before = self._board.enter(self._name)
        try:
            return act()
        finally:
            self._board.enter(before)


def _written(name: str) -> bytes:
    return name.encode(errors="replace")[:_LONGEST].ljust(_LONGEST, b"\0")
