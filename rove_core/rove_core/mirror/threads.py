"""Calls in threads that end before their caller does, even if it is cancelled."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
Result = TypeVar("Result")


async def in_thread(call: Callable[P, Result], *args: P.args, **named: P.kwargs) -> Result:
    """Return the result of a call in a thread.

    A thread cannot be stopped. A caller that is cancelled ends only after the call, so that it
    neither closes nor unlocks what the call still writes to.
    """
    running = asyncio.ensure_future(asyncio.to_thread(partial(call, *args, **named)))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await _ended(running)
        raise


async def _ended(running: "asyncio.Future[Result]") -> None:
    """Wait until a call has ended, however often the caller is cancelled meanwhile."""
    while not running.done():
        try:
            await asyncio.wait({running})
        except asyncio.CancelledError:
            continue
    if not running.cancelled():
        running.exception()  # The caller was cancelled, so nobody reads it.
