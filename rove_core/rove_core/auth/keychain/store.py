"""Credentials in the keychain of the operating system, through the ``keyring`` package.

An account is one entry: service ``rove-<kind>``, user name the account's name, password the
JSON of :mod:`rove_core.auth.credentials.codec`.
"""

from typing import TYPE_CHECKING

from rove_core.auth.credentials.codec import decode, encode
from rove_core.auth.keychain.backends import class_name, would_prompt
from rove_core.auth.keychain.bounded_calls import BoundedCalls, unusable

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

    from rove_core.login import Credential


class KeychainStore:
    """Stores credentials in a keychain, without ever letting it prompt.

    Args:
        backend: The keychain.
        patience: Seconds that each call of it may take.
    """

    def __init__(self, backend: "KeyringBackend", *, patience: float = 2.0) -> None:
        self._backend = backend
        self._title = f"the keychain {class_name(backend)}"
        self._calls = BoundedCalls(self._title, patience)

    @property
    def name(self) -> str:
        """The kind of store."""
        return "keychain"

    @property
    def backend(self) -> str:
        """The full name of the keychain's class."""
        return class_name(self._backend)

    async def get(self, account: str) -> "Credential | None":
        """Return the account's credential, or None if there is none.

        Raises:
            CredentialsCorrupt: The entry holds something else.
            KeychainUnusable: The keychain fails, is locked or does not answer.
        """
        service = _service(account)

        def read() -> str | None:
            self._refuse_prompt()
            return self._backend.get_password(service, account)

        text = await self._calls.run(f"read {service}", read)
        place = f"{self._title} ({service})"
        return None if text is None else decode(text, account=account, place=place)

    async def set(self, account: str, credential: "Credential") -> None:
        """Keep the account's credential instead of the one before.

        Raises:
            KeychainUnusable: The keychain fails, is locked or does not answer.
        """
        service = _service(account)
        text = encode(credential)

        def store() -> None:
            self._refuse_prompt()
            self._backend.set_password(service, account, text)

        await self._calls.run(f"store {service}", store, quote=False)

    async def delete(self, account: str) -> None:
        """Forget the account's credential, if there is one.

        Raises:
            KeychainUnusable: The keychain fails, is locked or does not answer.
        """
        service = _service(account)

        def delete() -> None:
            self._refuse_prompt()
            if self._backend.get_password(service, account) is not None:
                self._backend.delete_password(service, account)

        await self._calls.run(f"delete {service}", delete)

    def _refuse_prompt(self) -> None:
        if reason := would_prompt(self._backend):
            raise unusable(self._title, reason)


def _service(account: str) -> str:
    kind = account.partition(":")[0]
    return f"rove-{kind}"
