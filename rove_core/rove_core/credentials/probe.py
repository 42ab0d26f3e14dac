"""Finding a keychain that works, without being held up by one that does not."""

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rove_core.credentials.backends import KEYCHAINS, class_name, would_prompt
from rove_core.credentials.bounded import BoundedCalls
from rove_core.credentials.keychain import PATIENCE, KeychainStore
from rove_core.errors import KeychainUnusable

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_CANARY: Final = "rove-probe"


async def probe_keychain(*, patience: float = PATIENCE) -> str:
    """Return the full name of the keychain's class after an entry was set, read and deleted.

    Args:
        patience: Seconds that all of it may take.

    Raises:
        KeychainUnusable: There is no keychain, or it does not work.
    """
    failure = ""
    try:
        return await BoundedCalls(patience).run(_working_keychain)
    except TimeoutError:
        failure = f"did not answer within {patience:g} s"
    except KeychainUnusable:
        raise
    except Exception as error:
        ...
