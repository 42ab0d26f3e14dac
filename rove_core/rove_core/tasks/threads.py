"""Call blocking code in threads, without waiting forever for a hung one."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


def in_daemon_thread(call: Callable[[], Result]) -> "Future[Result]":
    """Start a call that blocks; await it with :func:`asyncio.wrap_future`.

    The caller may stop waiting. Python cannot end a hung thread, but this one blocks neither the
    event loop nor the end of the process, as one of ``asyncio.to_thread`` would.
    """
    future: Future[Result] = Future()
    # A running future cannot be cancelled, so its thread can always set the result.
    future.set_running_or_notify_cancel()
    Thread(target=_settle, args=(future, call), daemon=True, name="rove-blocking").start()
    return future


def _settle(future: "Future[Result]", call: Callable[[], Result]) -> None:
    try:
        result = call()
    except Exception as error:  # noqa: BLE001  # whatever it is, it belongs to who waits
        future.set_exception(error)
    except BaseException as error:  # noqa: BLE001  # what would end a thread must not end Rove
        future.set_exception(RuntimeError(f"{type(error).__name__}: {error}"))
    else:
        future.set_result(result)
