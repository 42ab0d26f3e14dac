import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import attrs
import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.chainer import ChainerBackend

from rove_core.auth.credentials import encode
from rove_core.auth.keychain import KeychainStore, load_keychain, probe_keychain
from rove_core.errors import CredentialsCorrupt, KeychainUnusable
from rove_core.login import Credential
from rove_core.safety.secret import Secret

_CLASS = "keyring.backends.macOS.Keyring"

#: A machine whose keychain never answers, and a program that asks it and ends.
_HANGING = """
import asyncio, sys, threading, types
from pathlib import Path
import keyring.core
from keyring.backend import KeyringBackend

class Keyring(KeyringBackend):
    priority = 5
    def get_password(self, *_): threading.Event().wait()
    set_password = delete_password = get_password

Keyring.__module__ = "keyring.backends.macOS"
keyring.core.set_keyring(Keyring())

from rove_core.auth.credentials import choose_store
store = asyncio.run(choose_store("auto", data_dir=Path(sys.argv[1])))
print(store.name)
"""


@pytest.fixture
def hang() -> Iterator[Callable[..., object]]:
    """Give a call that does not end before the test does."""
    end = threading.Event()
    yield lambda *_: end.wait()
    end.set()


@pytest.fixture
def prompting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Make a backend that would ask at the terminal the chosen one, and list its calls."""
    calls: list[str] = []

    class CryptFileKeyring(KeyringBackend):
        def get_password(self, service: str, username: str) -> str | None:
            calls.append(input(f"password to read {service} {username}: "))
            return None

        def set_password(self, service: str, username: str, password: str) -> None:
            calls.append(input(f"password to write {service} {username} {password}: "))

    CryptFileKeyring.__module__ = "keyrings.cryptfile.cryptfile"
    backend = CryptFileKeyring()  # type: ignore[no-untyped-call]  # keyring's own has no types
    monkeypatch.setattr("keyring.core._keyring_backend", backend)
    return calls


def test_an_entry_is_found_by_its_kind_and_account(
    keychain: KeyringBackend, credential: Credential
) -> None:
    """A person finds it in the keychain's own window."""
    asyncio.run(KeychainStore(keychain).set("jira:work", credential))

    assert keychain.get_password("rove-jira", "jira:work") is not None


def test_another_entry_is_not_taken_for_a_login(keychain: KeyringBackend) -> None:
    """Somebody else may have written it."""
    keychain.set_password("rove-jira", "jira", "hunter2")

    with pytest.raises(CredentialsCorrupt, match=rf"login of jira in .*{_CLASS} \(rove-jira\)"):
        asyncio.run(KeychainStore(keychain).get("jira"))


@pytest.fixture(params=["get", "set", "delete"])
def failing(
    request: pytest.FixtureRequest,
    keychain: KeyringBackend,
    credential: Credential,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[], object]:
    """Give each thing that a store does, in turn, with a keychain that cannot do it."""
    store = KeychainStore(keychain)
    asyncio.run(store.set("jira", credential))
    monkeypatch.setattr(keychain, f"{request.param}_password", lambda *_: 1 / 0)
    calls: dict[str, Callable[[], object]] = {
        "get": lambda: asyncio.run(store.get("jira")),
        "set": lambda: asyncio.run(store.set("jira", credential)),
        "delete": lambda: asyncio.run(store.delete("jira")),
    }
    return calls[request.param]


def test_a_failing_keychain_is_named(failing: Callable[[], object]) -> None:
    """The error says which keychain, what it could not do, and what to do instead."""
    with pytest.raises(KeychainUnusable, match=rf"{_CLASS} could not \w+ rove-jira") as caught:
        failing()

    assert 'backend = "encrypted_file"' in caught.value.hint


def test_an_error_does_not_quote_what_was_to_be_stored(
    keychain: KeyringBackend, credential: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keychain's own error may quote its arguments."""

    def fail(*args: object) -> None:
        raise OSError(f"cannot store {args}")

    monkeypatch.setattr(keychain, "set_password", fail)
    secret = attrs.evolve(credential, access=Secret("canary-hunter2"))

    with pytest.raises(KeychainUnusable) as caught:
        asyncio.run(KeychainStore(keychain).set("jira", secret))

    error = caught.value
    assert "canary" not in f"{error!r} {error.hint} {error.__cause__!r} {error.__context__!r}"


def test_a_keychain_that_fails_keeps_the_login_before(
    keychain: KeyringBackend, credential: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is deleted to be replaced."""
    store = KeychainStore(keychain)
    asyncio.run(store.set("jira", credential))
    monkeypatch.setattr(keychain, "set_password", lambda *_: 1 / 0)
    with pytest.raises(KeychainUnusable):
        asyncio.run(store.set("jira", attrs.evolve(credential, access=None)))

    assert asyncio.run(store.get("jira")) == credential


def test_a_hanging_keychain_is_given_up(
    keychain: KeyringBackend, monkeypatch: pytest.MonkeyPatch, hang: Callable[..., object]
) -> None:
    """The limit holds for each call."""
    monkeypatch.setattr(keychain, "get_password", hang)

    with pytest.raises(KeychainUnusable, match=r"did not answer within 0\.02 s"):
        asyncio.run(KeychainStore(keychain, patience=0.02).get("jira"))


def test_a_hanging_keychain_is_not_asked_again(
    keychain: KeyringBackend, monkeypatch: pytest.MonkeyPatch, hang: Callable[..., object]
) -> None:
    """A daemon that runs for weeks does not collect threads."""
    store = KeychainStore(keychain, patience=0.02)
    monkeypatch.setattr(keychain, "get_password", hang)
    with pytest.raises(KeychainUnusable):
        asyncio.run(store.get("jira"))
    threads = threading.active_count()

    with pytest.raises(KeychainUnusable, match="did not answer"):
        asyncio.run(store.get("jira"))

    assert threading.active_count() == threads


def test_the_event_loop_runs_while_the_keychain_hangs(
    keychain: KeyringBackend, monkeypatch: pytest.MonkeyPatch, hang: Callable[..., object]
) -> None:
    """Everything else goes on."""
    monkeypatch.setattr(keychain, "get_password", hang)
    done = asyncio.Event()

    async def both() -> None:
        asyncio.get_running_loop().call_soon(done.set)
        await KeychainStore(keychain, patience=0.02).get("jira")

    with pytest.raises(KeychainUnusable):
        asyncio.run(both())

    assert done.is_set()


def test_a_hanging_keychain_does_not_hold_up_the_end(tmp_path: object) -> None:
    """The file is chosen after two seconds, and the process ends."""
    command = [sys.executable, "-c", _HANGING, f"{tmp_path}/data"]
    done = subprocess.run(  # noqa: S603  # the program is above
        command, capture_output=True, text=True, timeout=100, check=False
    )

    assert (done.stdout, done.stderr, done.returncode) == ("encrypted_file\n", "", 0)


def test_a_working_keychain_is_found(keychain: KeyringBackend, credential: Credential) -> None:
    """The probe leaves nothing behind, and the store works."""
    store = asyncio.run(probe_keychain())

    assert store.backend == _CLASS
    assert vars(type(keychain))["entries"] == {}
    asyncio.run(store.set("jira", credential))
    assert asyncio.run(store.get("jira")) == credential


@pytest.mark.parametrize("method", ["get_password", "set_password", "delete_password"])
def test_the_probe_finds_out_what_fails(
    keychain: KeyringBackend, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """A keychain has to do all three."""
    monkeypatch.setattr(keychain, method, lambda *_: 1 / 0)

    with pytest.raises(KeychainUnusable, match=r"could not \w+ rove-probe"):
        asyncio.run(probe_keychain())


def test_the_probe_finds_out_what_forgets(
    keychain: KeyringBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keychain that takes everything and keeps nothing is none."""
    monkeypatch.setattr(keychain, "set_password", lambda *_: None)

    with pytest.raises(KeychainUnusable, match="does not return what was stored"):
        asyncio.run(probe_keychain())


def test_the_probe_finds_out_short_entries(
    keychain: KeyringBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keychain that has no room for two tokens is refused before there are any."""

    def store(_service: str, _username: str, password: str) -> None:
        if len(password.encode("utf-16-le")) > 2560:
            raise OSError(1783, "CredWrite: the stub received bad data")

    monkeypatch.setattr(keychain, "set_password", store)

    with pytest.raises(KeychainUnusable, match="could not store rove-probe"):
        asyncio.run(probe_keychain())


def test_the_probe_gives_up_what_hangs(
    keychain: KeyringBackend, monkeypatch: pytest.MonkeyPatch, hang: Callable[..., object]
) -> None:
    """The limit holds for all of its calls together."""
    monkeypatch.setattr(keychain, "set_password", hang)

    with pytest.raises(KeychainUnusable, match=r"did not answer within 0\.02 s"):
        asyncio.run(probe_keychain(patience=0.02))


def test_what_asks_at_the_terminal_is_never_called(prompting: list[str]) -> None:
    """An encrypted file of keyring's would wait for a password that nobody types."""
    with pytest.raises(KeychainUnusable, match=r"found only keyrings\.cryptfile\.cryptfile"):
        asyncio.run(probe_keychain())

    assert prompting == []


@pytest.mark.parametrize(
    "name",
    [
        "keyrings.alt.file.PlaintextKeyring",
        "keyrings.alt.file.EncryptedKeyring",
        "keyring.backends.null.Keyring",
        "keyring.backends.fail.Keyring",
        "keyring.backends.SecretService.Other",
    ],
)
def test_only_real_keychains_are_used(keychain: KeyringBackend, name: str) -> None:
    """However well it works, a backend of another name is not one."""
    kind = type(keychain)
    kind.__module__, _, kind.__qualname__ = name.rpartition(".")

    with pytest.raises(KeychainUnusable, match=f"found only {name}"):
        asyncio.run(probe_keychain())


def test_a_chain_is_resolved_to_its_first_real_keychain(
    keychain: KeyringBackend, prompting: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chain itself would go on to the next member when one fails."""
    members = [keyring.get_keyring(), keychain]
    monkeypatch.setattr(ChainerBackend, "backends", members)
    keyring.set_keyring(ChainerBackend())  # type: ignore[no-untyped-call]  # it has no types

    store = asyncio.run(probe_keychain())

    assert store.backend == _CLASS
    assert prompting == []


def test_a_keychain_is_loaded_by_its_name(
    keychain: KeyringBackend, prompting: list[str], credential: Credential
) -> None:
    """What has become keyring's first choice since does not count."""
    keychain.set_password("rove-jira", "jira", encode(credential))

    store = asyncio.run(load_keychain(_CLASS))

    assert asyncio.run(store.get("jira")) == credential
    assert prompting == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("keyrings.alt.file.PlaintextKeyring", "is not one that Rove supports"),
        ("keyring.backends.Windows.WinVaultKeyring", "could not be loaded"),
    ],
)
def test_a_keychain_that_is_not_there_is_named(name: str, reason: str) -> None:
    """The data directory may come from another machine."""
    with pytest.raises(KeychainUnusable, match=f"the keychain {name} {reason}"):
        asyncio.run(load_keychain(name))
