"""Keyring backends: which ones are real keychains, and which ones prompt."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_SECRET_SERVICE: Final = frozenset(
    {"keyring.backends.SecretService.Keyring", "keyring.backends.libsecret.Keyring"}
)
_WALLETS: Final = {
    "keyring.backends.kwallet.DBusKeyring": ("org.kde.kwalletd5", "/modules/kwalletd5"),
    "keyring.backends.kwallet.DBusKeyringKWallet4": ("org.kde.kwalletd", "/modules/kwalletd"),
}
#: The only classes that are ever called. All others may ask at the terminal, keep what they
#: get in a readable file, or forget it.
KEYCHAINS: Final = frozenset(
    {
        *_SECRET_SERVICE,
        *_WALLETS,
        "keyring.backends.macOS.Keyring",
        "keyring.backends.Windows.WinVaultKeyring",
    }
)


def class_name(backend: "KeyringBackend") -> str:
    """Return the full name of a backend's class."""
    return f"{type(backend).__module__}.{type(backend).__qualname__}"


def would_prompt(backend: "KeyringBackend") -> str:
    """Return why a keychain would ask its owner before it answers, or nothing if it would not.

    ``keyring`` itself unlocks a locked collection, creates a missing one and opens a closed
    wallet, and each of these puts up a window.
    """
    name = class_name(backend)
    if name not in _SECRET_SERVICE and name not in _WALLETS:
        return ""
    from rove_core.auth.keychain import session_bus  # noqa: PLC0415  # jeepney is only on Linux

    if name in _WALLETS:
        return session_bus.closed_wallet(*_WALLETS[name])
    return session_bus.locked_collection(getattr(backend, "preferred_collection", ""))
