"""The interface of every credential store."""

from typing import Protocol

from rove_core.login import Credential


class CredentialStore(Protocol):
    """Stores one credential per account, without ever prompting."""

    @property
    def name(self) -> str:
        """The kind: ``keychain``, ``encrypted_file``, ``memory`` or ``environment``."""

    async def get(self, account: str) -> Credential | None:
        """Return the account's credential, or None if there is none."""

    async def set(self, account: str, credential: Credential) -> None:
        """Keep the account's credential instead of the one before.

        If this raises, the one before is still there and the caller still holds the new one.
        """

    async def delete(self, account: str) -> None:
        """Forget the account's credential, if there is one."""
