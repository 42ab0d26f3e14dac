"""Credentials in the keychain of the operating system, through the ``keyring`` package.

An account is one entry: service ``rove-<kind>``, user name the account's name, password the
JSON of :mod:`rove_core.credentials.codec`. A credential that is too long for the keychain
(Windows takes 2,560 bytes of UTF-16) is refused and not cut into several entries: a crash
between two of them would lose it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from rove_core.credentials.bounded import BoundedCalls
from rove_core.credentials.codec import decode, encode
from rove_core.credentials.backends import WINDOWS, class_name, would_prompt
from rove_core.errors import KeychainUnusable, RoveError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

    from rove_core.login import Credential

Result = TypeVar("Result")

#: Seconds that any call of a keychain may take.
PATIENCE: Final = 2.0

_WINDOWS_BYTES: Final = 2560


class KeychainStore:
    """Keeps credentials in a keychain, and never lets it ask anybody anything.

    Args:
        backend: The keychain.
        patience: Seconds that each call of it may take.
    """

    def __init__(self, backend: "KeyringBackend", *, patience: float = PATIENCE) -> None:
        self._backend = backend
        self._calls = BoundedCalls(patience)

    @property
    def name(self) -> str:
        """Which kind of store it is."""
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
        text = await self._call(
            f"read {service}", lambda: self._backend.get_password(service, account)
        )
        if text is None:
            return None
        return decode(text, account=account, place=f"the keychain ({service})")

    async def set(self, account: str, credential: "Credential") -> None:
        """Keep the account's credential instead of the one before.

        Raises:
            KeychainUnusable: As with :meth:`get`, or the credential is too long for it.
        """
        service = _service(account)
        text = encode(credential)
        self._check_length(account, text)
        await self._call(
            f"store {service}", lambda: self._backend.set_password(service, account, text)
        )

    async def delete(self, account: str) -> None:
        """Forget the account's credential, if there is one.

        Raises:
            KeychainUnusable: As with :meth:`get`.
        """
        service = _service(account)

        def delete() -> None:
            if self._backend.get_password(service, account) is not None:
                self._backend.delete_password(service, account)

        await self._call(f"delete {service}", delete)

    async def _call(self, action: str, call: Callable[[], Result]) -> Result:
        def unprompted() -> Result:
            if reason := would_prompt(self._backend):
                raise _unusable(self.backend, reason)
            return call()

        try:
            return await self._calls.run(unprompted)
        except RoveError:
            raise
        except TimeoutError:
            failure = f"did not answer within {self._calls.seconds:g} s"
        except Exception as error:  # noqa: BLE001  # a keychain may raise anything
            failure = f"cannot {action} ({type(error).__name__})"
        # Nothing is chained and no text is passed on: it could quote what was to be stored.
        raise _unusable(self.backend, failure)

    def _check_length(self, account: str, text: str) -> None:
        size = 2 * len(text)
        if self.backend == WINDOWS and size > _WINDOWS_BYTES:
            raise _unusable(
                self.backend,
                f"takes {_WINDOWS_BYTES:,} bytes, and the login of {account} has {size:,}",
            )


def _service(account: str) -> str:
    kind = account.partition(":")[0]
    return f"rove-{kind}"


def _unusable(backend: str, failure: str) -> KeychainUnusable:
    return KeychainUnusable(
        f"the keychain {backend} {failure}",
        hint="Start or unlock it and try again; or set [credentials] backend ="
        ' "encrypted_file" and log in again: rove --add-source KIND',
    )
