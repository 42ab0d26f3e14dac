"""The keychains of Linux, played by a service on a session bus of the test's own."""

import asyncio
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from rove_core.auth.keychain import load_keychain
from rove_core.errors import KeychainUnusable

jeepney = pytest.importorskip("jeepney")
blocking = pytest.importorskip("jeepney.io.blocking")
session_bus = pytest.importorskip("rove_core.auth.keychain.session_bus")

pytestmark = pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="needs dbus-daemon")

_SECRETS = "org.freedesktop.secrets"
_WALLETS = "org.kde.kwalletd5"
_CLASS = "keyring.backends.SecretService.Keyring"

#: A bus on which nothing but the test answers: what is installed here is not started.
_BUS = """
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""

#: What a service answers: the signature and the values, by method.
_Replies: TypeAlias = Mapping[str, tuple[str, tuple[object, ...]]]
_Serve: TypeAlias = Callable[[str, _Replies], list[str]]


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Start a session bus that ends with the test."""
    (tmp_path / "bus.conf").write_text(_BUS, "utf-8")
    config = f"--config-file={tmp_path}/bus.conf"
    command = ["dbus-daemon", config, "--nofork", "--print-address"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:  # noqa: S603  # it is above
        assert daemon.stdout is not None
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", daemon.stdout.readline().strip())
        yield
        daemon.terminate()


@pytest.fixture
def serve(bus: None) -> Iterator[_Serve]:  # noqa: ARG001  # it has to be there
    """Give what starts a service of some replies, and lists what it is asked."""
    connections: list[Any] = []

    def start(name: str, replies: _Replies) -> list[str]:
        asked: list[str] = []
        connection = blocking.open_dbus_connection()
        connections.append(connection)
        connection.send_and_get_reply(jeepney.message_bus.RequestName(name))
        threading.Thread(target=_answer, args=(connection, replies, asked), daemon=True).start()
        return asked

    yield start
    for connection in connections:
        connection.close()


def _answer(connection: Any, replies: _Replies, asked: list[str]) -> None:  # noqa: ANN401  # jeepney has no types
    with suppress(OSError, ValueError):
        while True:
            message = connection.receive()
            method = message.header.fields.get(jeepney.HeaderFields.member)
            if message.header.message_type is jeepney.MessageType.method_call:
                asked.append(method)
                if method in replies:
                    connection.send(jeepney.new_method_return(message, *replies[method]))


def _secrets(*, path: str = "/login", is_locked: bool = False) -> _Replies:
    return {"ReadAlias": ("o", (path,)), "Get": ("v", (("b", is_locked),))}


def test_an_open_collection_would_not_prompt(serve: _Serve) -> None:
    """It answers at once."""
    serve(_SECRETS, _secrets())

    assert session_bus.locked_collection() == ""


def test_a_locked_collection_is_not_unlocked(serve: _Serve) -> None:
    """To unlock it would put up a window."""
    asked = serve(_SECRETS, _secrets(is_locked=True))
    store = asyncio.run(load_keychain(_CLASS))

    with pytest.raises(KeychainUnusable, match=f"{_CLASS} is locked"):
        asyncio.run(store.get("jira"))

    assert asked == ["ReadAlias", "Get"]


def test_a_missing_collection_is_not_created(serve: _Serve) -> None:
    """To create it would put up a window."""
    asked = serve(_SECRETS, _secrets(path="/"))
    store = asyncio.run(load_keychain(_CLASS))

    with pytest.raises(KeychainUnusable, match=f"{_CLASS} has no default collection yet"):
        asyncio.run(store.get("jira"))

    assert asked == ["ReadAlias"]


def test_a_silent_service_is_given_up(serve: _Serve) -> None:
    """A keyring daemon without a screen to ask on does that."""
    serve(_SECRETS, {})
    store = asyncio.run(load_keychain(_CLASS, patience=0.2))

    with pytest.raises(KeychainUnusable, match=r"did not answer within 0\.2 s"):
        asyncio.run(store.get("jira"))


@pytest.mark.usefixtures("bus")
def test_a_service_that_is_not_there_is_told() -> None:
    """The keychain was chosen on a desktop, and this is a login over the network."""
    with pytest.raises(KeychainUnusable, match="neither running nor activatable"):
        asyncio.run(load_keychain(_CLASS))


@pytest.mark.parametrize(("is_open", "reason"), [(True, ""), (False, "is closed")])
def test_a_closed_wallet_is_not_opened(serve: _Serve, is_open: bool, reason: str) -> None:  # noqa: FBT001  # a parameter
    """To open it would put up a window."""
    asked = serve(_WALLETS, {"networkWallet": ("s", ("kdewallet",)), "isOpen": ("b", (is_open,))})

    assert session_bus.closed_wallet(_WALLETS, "/modules/kwalletd5") == reason
    assert asked == ["networkWallet", "isOpen"]
