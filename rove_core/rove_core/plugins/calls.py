"""Run a plugin's code so that whatever it does costs one error of its account, in bounded time."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any, Final, TypeVar

from attrs import frozen

from rove_core.errors import PluginFailed, RoveError, TimedOut
from rove_core.http.patience import waited_for_limits
from rove_core.plugins.watchdog import step, stepped

Result = TypeVar("Result")

#: Seconds that a plugin has to stop when it is told to; then it is left alone.
GRACE: Final = 2.0

#: Errors in which attrs gives the field, what it wants and what it got besides the message.
_WITH_MORE: Final = (TypeError, ValueError)

_LOG: Final = logging.getLogger("rove.calls")


@frozen
class _End:
    """What follows the last thing that a plugin yields."""

    error: RoveError | None = None


async def answer(
    account: str, call: Callable[[], Awaitable[Result]], *, deadline: float | None
) -> Result:
    """Return what a plugin's coroutine returns, or raise an error that names its account.

    It runs in a task of its own: one that does not let itself be cancelled is left behind. The
    time that it waits for a limit does not count.
    """
    task = asyncio.ensure_future(_blaming(account, call))
    left = deadline
    try:
        while left is None or left > 0:
            before = waited_for_limits()
            await asyncio.wait({task}, timeout=left)
            if task.done():
                return task.result()
            left = waited_for_limits() - before
    finally:
        await _stop(account, task)
    raise TimedOut(f"{account}: no answer within {deadline:g} s", account=account)


async def stream(
    account: str, call: Callable[[], AsyncIterator[Result]], *, deadline: float
) -> AsyncGenerator[Result, None]:
    """Yield what a plugin's async generator yields; it runs in a task of its own, one thing ahead.

    The deadline is for the plugin: the time that its reader takes does not count, nor the time
    that it waits for a limit.
    """
    ready: asyncio.Queue[Result | _End] = asyncio.Queue(maxsize=1)
    task = asyncio.ensure_future(_pump(account, call, ready))
    count, left = 0, deadline
    try:
        while True:
            thing, left = await _next(ready, left)
            if isinstance(thing, _End):
                break
            yield thing
            count += 1
    except TimeoutError as error:
        raise TimedOut(
            f"{account}: first {count}, then no answer within {deadline:g} s", account=account
        ) from error
    finally:
        await _stop(account, task)
    if thing.error is not None:
        raise thing.error


async def _next(
    ready: "asyncio.Queue[Result | _End]", seconds: float
) -> "tuple[Result | _End, float]":
    """Return what a plugin yields next, and what is left of its time."""
    loop, left = asyncio.get_running_loop(), seconds
    while True:
        began, waited = loop.time(), waited_for_limits()
        try:
            async with asyncio.timeout(left):
                thing = await ready.get()
        except TimeoutError:
            left = waited_for_limits() - waited
            if left <= 0:
                raise
        else:
            worked = loop.time() - began - (waited_for_limits() - waited)
            return thing, left - max(0.0, worked)


def blame(account: str, error: BaseException) -> RoveError:
    """Return what a plugin raised as an error that names its account."""
    if isinstance(error, RoveError):
        error.account = error.account or account
        return error
    said = told(error)
    if isinstance(error, TimeoutError):
        return TimedOut(f"{account}: {said}", account=account)
    return PluginFailed(f"{account}: {said}", account=account)


def told(error: BaseException) -> str:
    """Return what somebody else's error says, in one line."""
    has_more = type(error) in _WITH_MORE and len(error.args) > 1
    said = error.args[0] if has_more else error
    return " ".join(f"{type(error).__name__}: {said}".split()).removesuffix(":")


async def _blaming(account: str, call: Callable[[], Awaitable[Result]]) -> Result:
    try:
        return await stepped(account, call)
    except BaseException as error:
        if _is_for_us(error):
            raise
        raise blame(account, error) from error


async def _pump(
    account: str,
    call: Callable[[], AsyncIterator[Result]],
    ready: "asyncio.Queue[Result | _End]",
) -> None:
    try:
        with step(account):
            found = call()
        await _pour(account, found, ready)
    except BaseException as error:
        if _is_for_us(error):
            raise
        blamed = blame(account, error)
        if blamed is not error:
            blamed.__cause__ = error
        if _is_cancelled():  # Nobody reads any more.
            raise blamed from error
        await ready.put(_End(blamed))
    else:
        await ready.put(_End())


async def _pour(
    account: str, found: AsyncIterator[Result], ready: "asyncio.Queue[Result | _End]"
) -> None:
    things = aiter(found)
    try:
        while True:
            await ready.put(await stepped(account, things.__anext__))
    except StopAsyncIteration:
        return
    finally:
        if close := getattr(found, "aclose", None):  # An iterator need not have it.
            await stepped(account, close)


def _is_for_us(error: BaseException) -> bool:
    """Tell whether a plugin passes on what was meant for Rove: Ctrl-C, a cancellation."""
    if isinstance(error, asyncio.CancelledError):
        return _is_cancelled()
    return isinstance(error, KeyboardInterrupt)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _stop(account: str, task: "asyncio.Future[Any]") -> None:
    """Cancel what still runs and wait until it has stopped, but not for long."""
    if task.done():
        return
    task.cancel()
    await asyncio.wait({task}, timeout=GRACE)
    if not task.done():
        _LOG.warning("%s: does not stop when it is cancelled", account)
        task.add_done_callback(_look)
    elif error := _look(task):
        _LOG.warning("%s: stopped with %s", account, error)


def _look(task: "asyncio.Future[Any]") -> BaseException | None:
    """Return a task's error: asyncio reports as lost what nobody has looked at."""
    return None if task.cancelled() else task.exception()
