"""Run a plugin's code in bounded time, so that any failure is one error of its account."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from functools import partial
from math import inf
from typing import Any, Final, Generic, TypeVar

from attrs import frozen

from rove_core.errors import PluginFailed, RoveError, TimedOut
from rove_core.http.call_time import TimeLeft, measured_waits
from rove_core.plugins.event_loop import give_to
from rove_core.plugins.limits import GRACE
from rove_core.plugins.memory_limit import end_if_full
from rove_core.plugins.watchdog import SteppedCall, step

Result = TypeVar("Result")

#: Errors to which attrs adds the field, the expected and the actual value after the message.
_WITH_MORE: Final = (TypeError, ValueError)

_LOG: Final = logging.getLogger("rove.calls")


@frozen
class _End:
    """Marks the end of a plugin's generator."""

    error: RoveError | None = None


async def answer(
    account: str, call: Callable[[], Awaitable[Result]], *, deadline: float | None, hook: str = ""
) -> Result:
    """Return the result of a plugin's coroutine, or raise an error that names the account.

    It runs in a task of its own, which is left behind if it cannot be cancelled. Waits for rate
    limits, and for a processor, do not count.

    Args:
        account: The account, or the plugin.
        call: Starts the coroutine.
        deadline: Maximum seconds; None for no limit.
        hook: The name of the hook.
    """
    with measured_waits() as waits:
        task = asyncio.ensure_future(_call_blaming(account, hook, call))
    give_to(account, task)
    left = TimeLeft(inf if deadline is None else deadline, waits)
    try:
        while left.seconds > 0:
            with left.running():
                await asyncio.wait({task}, timeout=left.seconds)
            if task.cancelled():  # Not by us: a cancelled caller never gets here.
                raise _cancellation_error(account, hook)
            if task.done():
                return task.result()
    finally:
        await _stop(account, task)
    raise TimedOut(f"{account}: no answer within {deadline:g} s", account=account)


async def stream(
    account: str, call: Callable[[], AsyncIterator[Result]], *, deadline: float, hook: str = ""
) -> AsyncGenerator[Result, None]:
    """Yield from a plugin's generator, which runs in its own task, one item ahead.

    Args:
        account: The account.
        call: Starts the generator.
        deadline: Maximum seconds, without the time that the reader takes and without waits for
            rate limits and for a processor.
        hook: The name of the hook.
    """
    ready = _Ready[Result]()
    with measured_waits() as waits:
        task = asyncio.ensure_future(_pump(account, hook, call, ready))
    give_to(account, task)
    task.add_done_callback(partial(_end_cancelled, account, hook, ready))
    count, left = 0, TimeLeft(deadline, waits)
    try:
        while True:
            thing = await ready.take_within(left)
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


def blame(account: str, error: BaseException, hook: str = "") -> RoveError:
    """Return a plugin's exception as an error that names its account.

    Args:
        account: The account, or the plugin.
        error: What it raised.
        hook: The name of the hook.
    """
    if isinstance(error, MemoryError):
        end_if_full(account, hook)
    if isinstance(error, RoveError):
        error.account = error.account or account
        return error
    message = f"{hook}: {error_line(error)}" if hook else error_line(error)
    if isinstance(error, TimeoutError):
        return TimedOut(f"{account}: {message}", account=account)
    return PluginFailed(f"{account}: {message}", account=account)


def error_line(error: BaseException) -> str:
    """Return the message of a foreign exception as one line."""
    has_more = type(error) in _WITH_MORE and len(error.args) > 1
    message = error.args[0] if has_more else error
    return " ".join(f"{type(error).__name__}: {message}".split()).removesuffix(":")


async def _call_blaming(account: str, hook: str, call: Callable[[], Awaitable[Result]]) -> Result:
    try:
        return await SteppedCall(account, call, hook)
    except BaseException as error:
        if _is_for_us(error):
            raise
        raise blame(account, error, hook) from error


class _Ready(Generic[Result]):
    """A queue of one element for a plugin's results."""

    def __init__(self) -> None:
        self._things: asyncio.Queue[Result | _End] = asyncio.Queue()
        self._room = asyncio.Semaphore(1)

    async def put(self, thing: Result) -> None:
        """Put a result, as soon as the previous one has been taken."""
        await self._room.acquire()
        self._things.put_nowait(thing)

    def end(self, error: RoveError | None = None) -> None:
        """Put the end of the results."""
        self._things.put_nowait(_End(error))

    async def take_within(self, left: TimeLeft) -> "Result | _End":
        """Return the next element or the end.

        Raises:
            TimeoutError: The plugin has no time left.
        """
        while True:
            try:
                with left.running():
                    async with asyncio.timeout(left.seconds):
                        thing = await self._things.get()
            except TimeoutError:
                if left.seconds <= 0:
                    raise
            else:
                self._room.release()
                return thing


async def _pump(
    account: str,
    hook: str,
    call: Callable[[], AsyncIterator[Result]],
    ready: "_Ready[Result]",
) -> None:
    """Move a plugin's results, and their end, into the queue."""
    try:
        with step(account, hook):
            found = call()
        things = aiter(found)
        try:
            while True:
                await ready.put(await SteppedCall(account, things.__anext__, hook))
        finally:
            if close := getattr(found, "aclose", None):  # An iterator need not have it.
                await SteppedCall(account, close, hook)
    except StopAsyncIteration:
        ready.end()
    except BaseException as error:
        if _is_for_us(error):
            raise
        blamed = blame(account, error, hook)
        if blamed is not error:
            blamed.__cause__ = error
        if _is_cancelled():  # Nobody is reading any more.
            raise blamed from error
        ready.end(blamed)


def _end_cancelled(
    account: str, hook: str, ready: "_Ready[Any]", task: "asyncio.Future[None]"
) -> None:
    """Report to the reader that the plugin's task was cancelled."""
    if task.cancelled():
        ready.end(_cancellation_error(account, hook))


def _cancellation_error(account: str, hook: str) -> PluginFailed:
    return PluginFailed(f"{account}: {hook or 'its code'} cancelled itself", account=account)


def _is_for_us(error: BaseException) -> bool:
    """Return whether an exception concerns Rove itself: Ctrl-C or a cancellation."""
    if isinstance(error, asyncio.CancelledError):
        return _is_cancelled()
    return isinstance(error, KeyboardInterrupt)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _stop(account: str, task: "asyncio.Future[Any]") -> None:
    """Cancel a task that is still running, and wait briefly until it has stopped."""
    if task.done():
        return
    task.cancel()
    await asyncio.wait({task}, timeout=GRACE)
    if not task.done():
        _LOG.warning("%s: does not stop when it is cancelled", account)
        task.add_done_callback(_retrieve_error)
    elif error := _retrieve_error(task):
        _LOG.warning("%s: stopped with %s", account, error)


def _retrieve_error(task: "asyncio.Future[Any]") -> BaseException | None:
    """Retrieve a task's exception, so that asyncio does not report it as lost."""
    return None if task.cancelled() else task.exception()
