"""Blocking calls that are waited for no longer than a limit, whatever they do."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


class BoundedCalls:
    """Runs blocking calls of one outside thing, and gives up on those that hang.

    Python cannot end a thread that hangs. So each call gets a daemon thread of its own,
    which holds up neither the event loop nor the end of the process, as a thread of
    ``asyncio.to_thread`` would; and while one hangs, no further one is started.

    Attributes:
        seconds: How long a call may take.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._hanging: Future[object] | None = None

    async def run(self, call: Callable[[], Result]) -> Result:
        """Return what the call returns.

        Raises:
            TimeoutError: It did not end in time, or an earlier one still has not ended.
        """
        if self._hanging is not None and not self._hanging.done():
            raise TimeoutError
        future: Future[Result] = Future()
        # A running future cannot be cancelled, so that its thread may always settle it.
        future.set_running_or_notify_cancel()
        Thread(target=_settle, args=(future, call), daemon=True, name="rove-bounded").start()
        try:
            async with asyncio.timeout(self.seconds):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            self._hanging = future
            raise


def _settle(future: Future[Result], call: Callable[[], Result]) -> None:
    try:
        result = call()
    except Exception as error:  # noqa: BLE001  # whatever it is, it belongs to the waiting side
        future.set_exception(error)
    else:
        future.set_result(result)
