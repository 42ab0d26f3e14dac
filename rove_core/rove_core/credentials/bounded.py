"""Calls of a keychain that are waited for no longer than a limit, whatever it does."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

from rove_core.errors import KeychainUnusable, RoveError

Result = TypeVar("Result")


class BoundedCalls:
    """Runs the blocking calls of one keychain, and gives up on those that hang.

    Python cannot end a thread that hangs. So each call gets a daemon thread of its own,
    which holds up neither the event loop nor the end of the process, as a thread of
    ``asyncio.to_thread`` would; and while one hangs, no further one is started.

    Args:
        keychain: What messages call it.
        patience: Seconds that a call may take.
    """

    def __init__(self, keychain: str, patience: float) -> None:
        self._keychain = keychain
        self._patience = patience
        self._hanging: Thread | None = None

    async def run(self, action: str, call: Callable[[], Result], *, quote: bool = True) -> Result:
        """Return what the call returns.

        Args:
            action: What it does, for messages (``read rove-jira``).
            call: What blocks.
            quote: Whether messages may quote the keychain's own, which could quote a secret.

        Raises:
            KeychainUnusable: It failed, or did not end in time.
        """
        try:
            return await self._answer(call)
        except RoveError:
            raise
        except TimeoutError:
            failure = f"did not answer within {self._patience:g} s"
        except Exception as error:  # noqa: BLE001  # a keychain may raise anything
            reason = f"{type(error).__name__}: {error}" if quote else type(error).__name__
            failure = f"could not {action} ({reason})"
        # Raised out here, nothing is chained: a traceback would quote it all.
        raise unusable(self._keychain, failure)

    async def _answer(self, call: Callable[[], Result]) -> Result:
        if self._hanging is not None and self._hanging.is_alive():
            raise TimeoutError
        future: Future[Result] = Future()
        # A running future cannot be cancelled, so that its thread may always settle it.
        future.set_running_or_notify_cancel()
        thread = Thread(target=_settle, args=(future, call), daemon=True, name="rove-keychain")
        thread.start()
        try:
            async with asyncio.timeout(self._patience):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            self._hanging = thread
            raise


def unusable(keychain: str, failure: str) -> KeychainUnusable:
    """Return the error that says what a keychain did, and what to do about it."""
    return KeychainUnusable(
        f"{keychain} {failure}",
        hint='Start or unlock the keychain; or set [credentials] backend = "encrypted_file"'
        " and log in again: rove --add-source KIND",
    )


def _settle(future: Future[Result], call: Callable[[], Result]) -> None:
    try:
        result = call()
    except Exception as error:  # noqa: BLE001  # whatever it is, it belongs to the waiting side
        future.set_exception(error)
    else:
        future.set_result(result)
