"""Ask Linux keychains whether they are unlocked, without opening a window."""

from typing import Any

from jeepney import (  # type: ignore[import-untyped]  # it has no types
    DBusAddress,
    Message,
    Properties,
    new_method_call,
)
from jeepney.io.blocking import (  # type: ignore[import-untyped]  # it has no types
    DBusConnection,
    open_dbus_connection,
)
from jeepney.wrappers import unwrap_msg  # type: ignore[import-untyped]  # it has no types

_SECRETS = "org.freedesktop.secrets"


def locked_collection(path: str = "") -> str:
    """Return why a collection of the Secret Service is not open, or nothing if it is.

    Args:
        path: The collection; the default one if empty.
    """
    service = DBusAddress("/org/freedesktop/secrets", _SECRETS, "org.freedesktop.Secret.Service")
    with open_dbus_connection() as bus:
        path = path or _ask(bus, new_method_call(service, "ReadAlias", "s", ("default",)))
        if path == "/":
            return "has no default collection yet"
        collection = DBusAddress(path, _SECRETS, "org.freedesktop.Secret.Collection")
        _, is_locked = _ask(bus, Properties(collection).get("Locked"))
        return "is locked" if is_locked else ""


def closed_wallet(bus_name: str, object_path: str) -> str:
    """Return why the wallet of KDE is not open, or nothing if it is."""
    wallets = DBusAddress(object_path, bus_name, "org.kde.KWallet")
    with open_dbus_connection() as bus:
        wallet = _ask(bus, new_method_call(wallets, "networkWallet"))
        is_open = _ask(bus, new_method_call(wallets, "isOpen", "s", (wallet,)))
        return "" if is_open else "is closed"


def _ask(bus: DBusConnection, message: Message) -> Any:  # noqa: ANN401  # D-Bus has many types
    return unwrap_msg(bus.send_and_get_reply(message))[0]
