"""Call a keychain with a time limit, even if it hangs."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from rove_core.errors import KeychainUnusable, RoveError
from rove_core.tasks.threads import in_daemon_thread

if TYPE_CHECKING:
    from concurrent.futures import Future

Result = TypeVar("Result")


class BoundedCalls:
    """Runs the blocking calls of one keychain, and gives up on those that hang.

    Each call gets a daemon thread of its own; and while one hangs, no further one is started.

    Args:
        keychain: What messages call it.
        patience: Seconds that a call may take.
    """

    def __init__(self, keychain: str, patience: float) -> None:
        self._keychain = keychain
        self._patience = patience
        self._hanging: Future[Any] | None = None

    async def run(self, action: str, call: Callable[[], Result], *, quote: bool = True) -> Result:
        """Return the result of the call.

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
        if self._hanging is not None and not self._hanging.done():
            raise TimeoutError
        future = in_daemon_thread(call)
        try:
            async with asyncio.timeout(self._patience):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            self._hanging = future
            raise


def unusable(keychain: str, failure: str) -> KeychainUnusable:
    """Return the error for a keychain failure, with the next step."""
    return KeychainUnusable(
        f"{keychain} {failure}",
        hint='Start or unlock the keychain; or set [credentials] backend = "encrypted_file"'
        " and log in again: rove --add-source KIND",
    )
