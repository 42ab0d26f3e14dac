import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail

from rove_core.auth.credentials import CredentialStore, StoreChoice, choose_store, remembered_choice
from rove_core.auth.credentials.choice import remember_choice
from rove_core.clock import SystemClock
from rove_core.errors import KeychainUnusable, UnsafePlace, WrongCall, WrongSetting
from rove_core.login import Credential

_CLASS = "keyring.backends.macOS.Keyring"
_NO_KEYCHAIN = fail.Keyring()  # type: ignore[no-untyped-call]  # keyring's own has no types
_NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


class _Noon(SystemClock):
    def now(self) -> datetime:
        return _NOON


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Give the place of a data directory that does not exist yet."""
    return tmp_path / "data"


def _auto(data_dir: Path) -> CredentialStore:
    return asyncio.run(choose_store("auto", data_dir=data_dir, clock=_Noon()))


@pytest.mark.usefixtures("keychain")
def test_a_keychain_that_works_is_chosen(data_dir: Path) -> None:
    """What was chosen, when and why is remembered, for people and for the next run."""
    store = _auto(data_dir)
    choice = remembered_choice(data_dir)

    assert store.name == "keychain"
    assert choice is not None
    assert (choice.backend, choice.keychain, choice.chosen_at) == ("keychain", _CLASS, _NOON)
    assert choice.why == "it stored an entry and returned it"


@pytest.mark.usefixtures("keychain")
def test_without_a_keychain_the_file_is_chosen(data_dir: Path) -> None:
    """The reason names what was found instead."""
    keyring.set_keyring(_NO_KEYCHAIN)

    store = _auto(data_dir)
    choice = remembered_choice(data_dir)

    assert store.name == "encrypted_file"
    assert choice is not None
    assert (choice.backend, choice.keychain) == ("encrypted_file", "")
    assert "found only keyring.backends.fail.Keyring" in choice.why


def test_a_keychain_that_appears_later_changes_nothing(
    keychain: KeyringBackend, data_dir: Path
) -> None:
    """Logins are looked for in the file that has them."""
    keyring.set_keyring(_NO_KEYCHAIN)
    _auto(data_dir)
    keyring.set_keyring(keychain)

    assert _auto(data_dir).name == "encrypted_file"


@pytest.mark.usefixtures("keychain")
def test_another_backend_that_comes_first_later_changes_nothing(
    data_dir: Path, credential: Credential
) -> None:
    """Logins are looked for in the keychain that has them."""
    asyncio.run(_auto(data_dir).set("jira", credential))
    keyring.set_keyring(_NO_KEYCHAIN)

    assert asyncio.run(_auto(data_dir).get("jira")) == credential


def test_two_processes_choose_the_same(
    keychain: KeyringBackend, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes second takes what the other has remembered while it was trying."""
    other = StoreChoice(keychain="", chosen_at=_NOON, why="it was faster")
    store = keychain.set_password

    def store_slowly(service: str, username: str, password: str) -> None:
        remember_choice(data_dir, other, replace=False)
        store(service, username, password)

    monkeypatch.setattr(keychain, "set_password", store_slowly)

    assert _auto(data_dir).name == "encrypted_file"
    assert remembered_choice(data_dir) == other


@pytest.mark.parametrize("backend", ["auto", "keychain"])
def test_a_chosen_keychain_that_is_gone_is_told(
    data_dir: Path,
    keychain: KeyringBackend,
    backend: Literal["auto", "keychain"],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another store would be empty, and look like a lost login."""
    _auto(data_dir)
    monkeypatch.delattr(sys.modules[type(keychain).__module__], "Keyring")

    with pytest.raises(KeychainUnusable, match=f"{_CLASS} could not be loaded"):
        asyncio.run(choose_store(backend, data_dir=data_dir))


@pytest.mark.usefixtures("keychain")
def test_a_keychain_that_was_asked_for_and_fails_is_told(data_dir: Path) -> None:
    """The settings said keychain, not file; and nothing is remembered."""
    keyring.set_keyring(_NO_KEYCHAIN)

    with pytest.raises(KeychainUnusable, match="this system has no keychain"):
        asyncio.run(choose_store("keychain", data_dir=data_dir))

    assert remembered_choice(data_dir) is None


def test_the_settings_may_ask_for_the_keychain_later(
    keychain: KeyringBackend, data_dir: Path
) -> None:
    """A person's word counts more than what was found earlier, and is remembered."""
    keyring.set_keyring(_NO_KEYCHAIN)
    _auto(data_dir)
    keyring.set_keyring(keychain)

    store = asyncio.run(choose_store("keychain", data_dir=data_dir))

    assert store.name == _auto(data_dir).name == "keychain"


@pytest.mark.usefixtures("keychain")
def test_the_settings_may_ask_for_the_file(data_dir: Path) -> None:
    """Then no keychain is tried, and nothing needs remembering."""
    store = asyncio.run(choose_store("encrypted_file", data_dir=data_dir))

    assert store.name == "encrypted_file"
    assert not data_dir.exists()


@pytest.mark.usefixtures("keychain")
def test_a_file_that_is_there_is_chosen(data_dir: Path, credential: Credential) -> None:
    """Its logins are found, whatever the settings said when they were kept."""
    file = asyncio.run(choose_store("encrypted_file", data_dir=data_dir))
    asyncio.run(file.set("jira", credential))

    assert asyncio.run(_auto(data_dir).get("jira")) == credential


def test_the_file_may_lie_in_the_project(
    data_dir: Path, tmp_path: Path, credential: Credential
) -> None:
    """The key stays with the user."""
    store = asyncio.run(
        choose_store("encrypted_file", data_dir=data_dir, location="project", project=tmp_path)
    )
    asyncio.run(store.set("jira", credential))

    assert [path.name for path in tmp_path.glob(".rove/*")] == ["credentials.enc"]
    assert sorted(path.name for path in data_dir.iterdir()) == ["credentials.lock", "master.key"]


def test_the_project_must_be_known(data_dir: Path) -> None:
    """Rove does not guess which one was meant."""
    with pytest.raises(WrongCall, match="needs a project"):
        asyncio.run(choose_store("auto", data_dir=data_dir, location="project"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"backend": "keychain", "keychain": 1, "chosen_at": "2026-01-02T12:00", "why": ""}',
        '{"backend": "keychain", "keychain": "", "chosen_at": "2026-01-02T12:00", "why": ""}',
        '{"backend": "memory", "keychain": "", "chosen_at": "2026-01-02T12:00", "why": ""}',
    ],
)
def test_an_unreadable_choice_is_told(data_dir: Path, text: str) -> None:
    """Rove does not choose again by itself: the logins lie somewhere."""
    data_dir.mkdir(mode=0o700)
    remembered = data_dir / "credential-store.json"
    remembered.touch(mode=0o600)
    remembered.write_text(text)

    with pytest.raises(WrongSetting, match=r"credential-store\.json does not say") as caught:
        _auto(data_dir)

    assert caught.value.hint.endswith(f"rm {remembered}")


def test_a_choice_that_others_could_make_is_refused(data_dir: Path) -> None:
    """It says where logins are put."""
    data_dir.mkdir(mode=0o700)
    remembered = data_dir / "credential-store.json"
    remembered.touch(mode=0o600)
    remembered.chmod(0o620)

    with pytest.raises(UnsafePlace, match="is open to other users"):
        _auto(data_dir)


@pytest.mark.usefixtures("keychain")
def test_where_nothing_can_be_remembered_the_choice_still_holds(tmp_path: Path) -> None:
    """A build server may have no home folder, and a login in its environment."""
    no_folder = tmp_path / "null"
    no_folder.touch()

    assert _auto(no_folder / "data").name == "keychain"
