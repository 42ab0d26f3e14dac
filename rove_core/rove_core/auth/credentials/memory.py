"""Credentials in memory: for use as a library, tests and environment logins."""

from collections.abc import Mapping
from typing import Literal

from rove_core.login import Credential


class MemoryStore:
    """Stores credentials in this process only.

    Args:
        credentials: What it holds from the beginning, by account.
        name: ``environment`` when it holds what the environment let in.
    """

    def __init__(
        self,
        credentials: Mapping[str, Credential] | None = None,
        *,
        name: Literal["memory", "environment"] = "memory",
    ) -> None:
        self._credentials = dict(credentials or {})
        self._name = name

    @property
    def name(self) -> str:
        """The kind of store."""
        return self._name

    async def get(self, account: str) -> Credential | None:
        """Return the account's credential, or None if there is none."""
        return self._credentials.get(account)

    async def set(self, account: str, credential: Credential) -> None:
        """Keep the account's credential instead of the one before."""
        self._credentials[account] = credential

    async def delete(self, account: str) -> None:
        """Forget the account's credential, if there is one."""
        self._credentials.pop(account, None)
