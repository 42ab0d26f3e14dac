"""Find a working keychain without being blocked by a broken one."""

import asyncio
import secrets
from typing import TYPE_CHECKING, Final

from rove_core.auth.keychain.backends import KEYCHAINS, class_name
from rove_core.auth.keychain.bounded_calls import BoundedCalls, unusable
from rove_core.auth.keychain.store import KeychainStore
from rove_core.errors import KeychainUnusable
from rove_core.login import Credential
from rove_core.safety.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Sequence

    from keyring.backend import KeyringBackend

_CANARY_BYTES: Final = 2048


async def probe_keychain(*, patience: float = 2.0) -> KeychainStore:
    """Return the system's keychain after a test login was stored, read and deleted.

    The login is as long as those with two tokens get. So a keychain of short entries
    (Windows takes 2,560 bytes of UTF-16) is refused here, and not when the first long
    login comes; to cut one into several entries would lose it in a crash between two.

    Args:
        patience: Seconds that all of it may take.

    Raises:
        KeychainUnusable: There is no keychain, or it does not work.
    """
    account = f"probe:{secrets.token_hex(8)}"
    canary = Credential(headers={}, hosts=(), access=Secret(secrets.token_hex(_CANARY_BYTES)))
    try:
        async with asyncio.timeout(patience):
            store = await _found_keychain(patience)
            await store.set(account, canary)
            stored = await store.get(account)
            await store.delete(account)
    except TimeoutError:
        raise unusable("the keychain", f"did not answer within {patience:g} s") from None
    if stored != canary:
        raise unusable(f"the keychain {store.backend}", "does not return what was stored")
    return store


async def load_keychain(name: str, *, patience: float = 2.0) -> KeychainStore:
    """Return the keychain that was chosen earlier, whatever was installed since.

    Args:
        name: The full name of its class.
        patience: Seconds that each call of it may take.

    Raises:
        KeychainUnusable: It is not there, or does not work any more.
    """
    if name not in KEYCHAINS:
        raise unusable(f"the keychain {name}", "is not one that Rove supports")

    def load() -> "KeyringBackend":
        from keyring.core import load_keyring  # noqa: PLC0415  # slow to import

        return load_keyring(name)

    backend = await BoundedCalls(f"the keychain {name}", patience).run("be loaded", load)
    return KeychainStore(backend, patience=patience)


async def _found_keychain(patience: float) -> KeychainStore:
    def find() -> "Sequence[KeyringBackend]":
        from keyring import get_keyring  # noqa: PLC0415  # slow to import

        chosen = get_keyring()
        # A chain of backends is resolved: it would go on to the next, however unsafe.
        return (chosen, *getattr(chosen, "backends", ()))

    backends = await BoundedCalls("keyring", patience).run("find a keychain", find)
    for backend in backends:
        if class_name(backend) in KEYCHAINS:
            return KeychainStore(backend, patience=patience)
    names = ", ".join(map(class_name, backends))
    raise KeychainUnusable(f"this system has no keychain: keyring found only {names}")
