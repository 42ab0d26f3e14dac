"""What Rove knows of keyring's backends: which are real keychains, and when these would prompt.

A locked Secret Service collection is unlocked by ``keyring`` itself, a missing one created,
a closed wallet opened, and each of these puts up a window. So Rove asks over the session bus
first, in words that never do.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jeepney import DBusAddress, Message  # type: ignore[import-untyped]  # it has no types
    from jeepney.io.blocking import DBusConnection  # type: ignore[import-untyped]  # the same
    from keyring.backend import KeyringBackend

WINDOWS: Final = "keyring.backends.Windows.WinVaultKeyring"
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
    {*_SECRET_SERVICE, *_WALLETS, "keyring.backends.macOS.Keyring", WINDOWS}
)


def class_name(backend: "KeyringBackend") -> str:
    """Return the full name of a backend's class."""
    return f"{type(backend).__module__}.{type(backend).__qualname__}"


def would_prompt(backend: "KeyringBackend") -> str:
    """Return why a keychain would ask its owner before it answers, or nothing if it would not."""
    name = class_name(backend)
    if name in _SECRET_SERVICE:
        return _locked_collection(getattr(backend, "preferred_collection", ""))
    if name in _WALLETS:
        return _closed_wallet(*_WALLETS[name])
    return ""


def _locked_collection(path: str) -> str:
    from jeepney import DBusAddress, Properties  # noqa: PLC0415  # slow to import
    from jeepney.io.blocking import open_dbus_connection  # noqa: PLC0415  # slow to import

    service = DBusAddress(
        "/org/freedesktop/secrets",
        bus_name="org.freedesktop.secrets",
        interface="org.freedesktop.Secret.Service",
    )
    with open_dbus_connection() as bus:
        path = path or str(_ask(bus, _message(service, "ReadAlias", "default")))
        if path == "/":
            return "has no default collection yet"
        collection = DBusAddress(
            path, bus_name=service.bus_name, interface="org.freedesktop.Secret.Collection"
        )
        _, locked = _ask(bus, Properties(collection).get("Locked"))
        return "is locked" if locked else ""


def _closed_wallet(bus_name: str, object_path: str) -> str:
    from jeepney import DBusAddress  # noqa: PLC0415  # slow to import
    from jeepney.io.blocking import open_dbus_connection  # noqa: PLC0415  # slow to import

    wallets = DBusAddress(object_path, bus_name=bus_name, interface="org.kde.KWallet")
    with open_dbus_connection() as bus:
        wallet = _ask(bus, _message(wallets, "networkWallet"))
        is_open = _ask(bus, _message(wallets, "isOpen", wallet))
        return "" if is_open else "is closed"


def _message(address: "DBusAddress", method: str, *texts: str) -> "Message":
    from jeepney import new_method_call  # noqa: PLC0415  # slow to import

    return new_method_call(address, method, "s" * len(texts) or None, texts)


def _ask(bus: "DBusConnection", message: "Message"):
    from jeepney.wrappers import unwrap_msg

    return unwrap_msg(bus.send_and_get_reply(message))[0]
