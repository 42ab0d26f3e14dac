"""Detect side effects: files, sockets, leftover tasks, slow code."""

import asyncio
import functools
import logging
import signal
import sys
import time  # noqa: TID251  # only to know its sleep
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import current_thread, get_ident, main_thread
from types import FrameType
from typing import Any, Final

_TOUCHES: Final = frozenset(
    {
        "open",
        "os.listdir",
        "os.mkdir",
        "os.remove",
        "os.rename",
        "os.scandir",
        "os.system",
        "sqlite3.connect",
        "subprocess.Popen",
    }
)
_touched: Final[dict[int, list[str]]] = {}
_watched: Final = ContextVar("_watched", default=False)


@contextmanager
def touched() -> Iterator[list[str]]:
    """Yield a list of files, sockets and processes this thread touches."""
    _listen()
    seen = _touched[get_ident()] = []
    try:
        yield seen
    finally:
        del _touched[get_ident()]


@contextmanager
def slept() -> Iterator[list[str]]:
    """Yield a list of ``time.sleep`` calls in this thread."""
    calls: list[str] = []

    def note(_: FrameType, event: str, called: object) -> None:
        if event == "c_call" and called is time.sleep:
            calls.append("time.sleep")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


@contextmanager
def started() -> Iterator[list["asyncio.Task[Any]"]]:
    """Yield a list of tasks started inside.

    What a simulator in the same loop starts is not among them.
    """
    loop, tasks = asyncio.get_running_loop(), list[asyncio.Task[Any]]()

    def start(loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:  # noqa: ANN401  # asyncio's own
        task = asyncio.Task(work, loop=loop, **options)
        if _watched.get():
            tasks.append(task)
        return task

    before, token = loop.get_task_factory(), _watched.set(True)
    loop.set_task_factory(start)
    try:
        yield tasks
    finally:
        loop.set_task_factory(before)
        _watched.reset(token)


@contextmanager
def logged() -> Iterator[list[str]]:
    """Yield a list of all log records with tracebacks."""
    lines: list[str] = []

    class LineHandler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    root, handler = logging.getLogger(), LineHandler()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.setLevel(before)
        root.removeHandler(handler)


class TookTooLongError(BaseException):
    """The code took more processor time than it may; no ``except Exception`` stops this."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Stop the code below after so much processor time of this process.

    Where the system has no such timer, or outside the main thread, nothing stops it.
    """
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TookTooLongError(f"more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@functools.cache
def _listen() -> None:
    """Add this process's only audit hook; Python cannot remove one."""
    sys.addaudithook(_note)


def _note(event: str, arguments: tuple[object, ...]) -> None:
    seen = _touched.get(get_ident()) if _touched else None
    if seen is not None and (event in _TOUCHES or event.startswith("socket.")):
        seen.append(f"{event} {arguments[0] if arguments else ''}".rstrip())
