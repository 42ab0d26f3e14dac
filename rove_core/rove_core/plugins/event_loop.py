"""Run a coroutine so that no plugin can stop the event loop, or delay its end.

A plugin's task that swallows its cancellation is left behind after a moment, and so is a blocked
thread. If a plugin tampers with the loop or with tasks of others, that is an error of the plugin,
provided that the running plugin is being recorded (:mod:`rove_core.plugins.watchdog`).
"""

import asyncio
import logging
import sys
from asyncio import Runner
from collections.abc import Coroutine
from contextlib import suppress
from types import FrameType
from typing import Any, Final, TypeVar

from rove_core.errors import PluginFailed
from rove_core.plugins.limits import GRACE
from rove_core.plugins.reports import current_reports
from rove_core.plugins.watchdog import SteppedCall, running, running_hook

Result = TypeVar("Result")

_LOG: Final = logging.getLogger("rove.plugins")


def run_to_end(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine and return its result; remaining tasks of plugins are ended or abandoned."""
    runner = Runner(loop_factory=PluginLoop)
    try:
        return runner.run(work)
    finally:
        _end(runner.get_loop())


def give_to(name: str, task: "asyncio.Future[Any]") -> None:
    """Make a plugin the owner of a task, which its code may then cancel.

    Args:
        name: The account, or the plugin.
        task: A task in which only its code runs.
    """
    if isinstance(task, _OwnedTask):
        task.owner = name


class PluginLoop(asyncio.SelectorEventLoop):
    """An event loop that runs the code of plugins."""

    def __init__(self) -> None:
        super().__init__()
        self.set_task_factory(_task)  # type: ignore[arg-type]  # its protocol lacks the options

    def stop(self) -> None:
        """Stop the loop, unless a plugin's code requests it."""
        if name := running():
            raise PluginFailed(f"{name}: {running_hook()} blocks the event loop", account=name)
        super().stop()

    def run_until_complete(self, future: Any) -> Any:  # noqa: ANN401  # asyncio's own
        """Run until a future is done, even if somebody stops the loop earlier."""
        done = asyncio.ensure_future(future, loop=self)
        while True:
            try:
                return super().run_until_complete(done)
            except RuntimeError:
                if done.done() or self.is_closed():
                    raise
                _LOG.warning("the event loop was stopped from outside; resuming")


class _OwnedTask(asyncio.Task[Any]):
    """A task that no other plugin's code can cancel."""

    owner = ""

    def cancel(self, msg: object = None) -> bool:
        """Cancel the task, or raise :class:`PluginFailed` in a plugin that does not own it."""
        # Ctrl-C can interrupt any code.
        name = "" if _is_interrupt(sys._getframe(1)) else running()  # noqa: SLF001  # no other way
        if name and name != self.owner:
            raise PluginFailed(f"{name}: {running_hook()} cancels another task", account=name)
        if name and self is asyncio.current_task():
            current_reports().note(name, running_hook(), "cancels itself")
        return super().cancel(msg)


def _is_interrupt(frame: FrameType) -> bool:
    return frame.f_code is getattr(Runner, "_on_sigint").__code__  # noqa: B009  # it is asyncio's own


def _task(
    loop: asyncio.AbstractEventLoop,
    work: Coroutine[Any, Any, Any],
    **options: Any,  # noqa: ANN401  # asyncio's own
) -> asyncio.Task[Any]:
    """Return a task; one that a plugin's code starts belongs to that plugin."""
    if not (name := running()):
        return _OwnedTask(work, loop=loop, **options)
    task = _OwnedTask(SteppedCall(name, lambda: work, running_hook()), loop=loop, **options)
    give_to(name, task)
    return task


def _end(loop: asyncio.AbstractEventLoop) -> None:
    """Finish a loop's remaining tasks and close it; late tasks are abandoned."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=GRACE))
    closing = loop.create_task(loop.shutdown_asyncgens())
    loop.run_until_complete(asyncio.wait({closing}, timeout=GRACE))
    for task in [*left, closing]:
        if not task.done():
            _LOG.warning("a task does not stop when it is cancelled: %r", task)
            # Otherwise asyncio would report it as destroyed on standard error.
            task._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001  # as gather does
        elif not task.cancelled():
            with suppress(BaseException):
                task.exception()
    # Closing does not wait for threads. The loop's own way to wait for them has no timeout.
    loop.close()
