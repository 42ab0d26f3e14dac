"""Moving logins between the keychain and the encrypted file."""

import asyncio
from typing import TYPE_CHECKING

import attrs
import pytest

from rove.operations.move_logins import LoginMove, sources_move_logins
from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.auth.credentials import EncryptedFileStore, remembered_choice
from rove_core.auth.credentials.choice import StoreChoice, remember_choice
from rove_core.auth.user_store import user_store
from rove_core.errors import CredentialsCorrupt, KeychainUnusable, WrongSetting
from rove_core.login import Credential
from rove_core.project.layout import ProjectPaths
from rove_core.project.local import LocalProject
from rove_core.testing.clock import VirtualClock

if TYPE_CHECKING:
    from tests.core.conftest import FakeKeychain

ACCOUNTS = ("jira", "slack:work")


@pytest.fixture
def project(places: ProjectPaths, credential: Credential) -> LocalProject:
    """Give a project whose user has two logins in the encrypted file."""
    book, store = AccountStore(places.data_dir), EncryptedFileStore(places.data_dir)
    for name in ACCOUNTS:
        book.add(AccountRecord(name=name, kind=name.partition(":")[0]))
        asyncio.run(store.set(name, credential))
    choice = StoreChoice(keychain="", chosen_at=VirtualClock().now(), why="there was no keychain")
    remember_choice(places.data_dir, choice, replace=False)
    return LocalProject(places, VirtualClock())


def move(project: LocalProject, to: str | None = None) -> LoginMove:
    """Move the logins in a process of its own."""
    fresh = LocalProject(project.places, project.clock)
    return asyncio.run(sources_move_logins(fresh, to=to))  # type: ignore[arg-type]  # one of both


def kept(project: LocalProject) -> list[Credential | None]:
    """Return the logins as a new process finds them."""

    async def found() -> list[Credential | None]:
        store = await user_store(LocalProject(project.places, project.clock))
        return [await store.get(account) for account in ACCOUNTS]

    return asyncio.run(found())


@pytest.mark.parametrize("to", ["keychain", None])
def test_to_the_keychain(
    project: LocalProject, keychain: "FakeKeychain", credential: Credential, to: str | None
) -> None:
    """Logins go to the keychain, are found there, and are in the file no more."""
    moved = move(project, to)
    file = EncryptedFileStore(project.places.data_dir)

    assert (moved.store, moved.accounts) == ("keychain", ACCOUNTS)
    assert kept(project) == [credential, credential]
    assert len(keychain.entries) == 2
    assert asyncio.run(file.get("jira")) is None


def test_and_back(project: LocalProject, keychain: "FakeKeychain", credential: Credential) -> None:
    """Logins come back from the keychain, and none stays there."""
    move(project, "keychain")
    moved = move(project, "file")

    assert (moved.store, moved.accounts) == ("encrypted_file", ACCOUNTS)
    assert kept(project) == [credential, credential]
    assert keychain.entries == {}


@pytest.mark.usefixtures("keychain")
def test_moving_twice(project: LocalProject, credential: Credential) -> None:
    """What is where it shall be stays there."""
    move(project, "keychain")

    assert move(project, "keychain").accounts == ()
    assert kept(project) == [credential, credential]


def test_without_a_keychain(project: LocalProject, credential: Credential) -> None:
    """Where this system has no keychain the logins stay, and whoever wants one is told."""
    with pytest.raises(KeychainUnusable):
        move(project, "keychain")

    assert move(project).store == "encrypted_file"
    assert kept(project) == [credential, credential]


def test_a_keychain_that_fails_half_way(
    project: LocalProject,
    keychain: "FakeKeychain",
    credential: Credential,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If one login cannot be moved none is, and none is left in two places."""
    keep = type(keychain).set_password

    def refuse_slack(self: "FakeKeychain", service: str, username: str, password: str) -> None:
        if service == "rove-slack":
            raise OSError("no space")
        keep(self, service, username, password)

    monkeypatch.setattr(type(keychain), "set_password", refuse_slack)
    with pytest.raises(KeychainUnusable):
        move(project, "keychain")

    assert keychain.entries == {}
    assert kept(project) == [credential, credential]
    assert remembered_choice(project.places.data_dir).keychain == ""  # type: ignore[union-attr]  # it was chosen


def test_a_keychain_that_forgets(
    project: LocalProject,
    keychain: "FakeKeychain",
    credential: Credential,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A login is deleted nowhere before the keychain gave it back."""
    give, other = type(keychain).get_password, "{}"
    monkeypatch.setattr(
        type(keychain),
        "get_password",
        lambda self, service, name: other if service == "rove-slack" else give(self, service, name),
    )
    with pytest.raises(CredentialsCorrupt):
        move(project, "keychain")

    monkeypatch.undo()
    store = EncryptedFileStore(project.places.data_dir)
    assert asyncio.run(store.get("slack:work")) == credential


@pytest.mark.usefixtures("keychain")
def test_against_the_settings(project: LocalProject) -> None:
    """Where the settings say another store, the line that does is named, and nothing is moved."""
    project.places.config_dir.mkdir()
    project.places.user_settings_file.write_text('[credentials]\nbackend = "encrypted_file"\n')
    with pytest.raises(WrongSetting, match=r"settings\.toml:2 says credentials\.backend"):
        move(project, "keychain")


def test_what_the_settings_ask_for(
    project: LocalProject, keychain: "FakeKeychain", credential: Credential
) -> None:
    """Whoever has set the keychain since moves the logins there."""
    project.places.config_dir.mkdir()
    project.places.user_settings_file.write_text('[credentials]\nbackend = "keychain"\n')
    move(project, "keychain")

    assert kept(project) == [credential, credential]
    assert len(keychain.entries) == 2


@pytest.mark.usefixtures("keychain")
def test_an_older_login_gives_way(project: LocalProject, credential: Credential) -> None:
    """A login that lies unused in the other store does not take the place of the one in use."""
    move(project, "keychain")
    old = attrs.evolve(credential, scopes=("old",))
    asyncio.run(EncryptedFileStore(project.places.data_dir).set("jira", old))

    assert move(project, "keychain").accounts == ()
    assert kept(project) == [credential, credential]
