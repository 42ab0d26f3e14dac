"""Lists that are kept until something changes: of plugins, and of accounts with their logins."""

import json
import os
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.kept_logins import cached_login_states, keep_login_states
from rove.manifest import installation_stamp
from rove.plugin_list import cached_plugins, is_unchanged, keep_plugins
from rove_core.auth.accounts import AccountRecord
from rove_core.auth.login_states import LoginState
from rove_core.project.local import LocalProject

if TYPE_CHECKING:
    from tests.app.conftest import Rove

ROW = {"name": "moon", "distribution": "rove-moon"}
KEPT = {"jira": LoginState(state="logged in")}


@pytest.fixture
def project(empty: Path) -> LocalProject:
    """Return a project with an account, whose login was last seen in the encrypted file."""
    project = LocalProject.at(empty)
    project.book.add(AccountRecord(name="jira", kind="jira"))
    keep_login_states(project, project.book.accounts(), KEPT)
    return project


def _again(project: LocalProject) -> LocalProject:
    return LocalProject.at(project.places.root)


def test_keeps_the_list_of_plugins(empty: Path) -> None:  # noqa: ARG001  # it is where it is used
    """The rows that were kept are there while nothing changes."""
    keep_plugins(["here"], ["rove"], [ROW])

    assert cached_plugins(["here"]) == [ROW]
    assert cached_plugins(["elsewhere"]) is None


def test_a_changed_file_ends_the_list(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of a plugin, or the accounts, that changed since makes the list out of date."""
    # It stays imported after this test, so no other test may have a module of its name.
    module = empty / "module_of_a_kept_list.py"
    module.write_text("")
    monkeypatch.syspath_prepend(str(empty))
    import_module(module.stem)
    keep_plugins(["here"], [module.stem])
    assert is_unchanged(["here"])

    os.utime(module, ns=(0, 0))

    assert not is_unchanged(["here"])


@pytest.mark.parametrize("damaged", [b"{", b"[]", b'{"stamp": ["here"]}', b"\xff"])
def test_a_damaged_list_counts_as_none(empty: Path, damaged: bytes) -> None:  # noqa: ARG001  # the same
    """A file that is not a list of plugins is made anew."""
    keep_plugins(["here"], ["rove"], [ROW])
    Path(os.environ["ROVE_DATA_DIR"], "plugin-list.json").write_bytes(damaged)

    assert cached_plugins(["here"]) is None


def test_the_kept_list_says_the_same(rove: "Rove", empty: Path) -> None:  # noqa: ARG001  # the same
    """The second list of plugins is the first one, without loading a plugin."""
    first = rove("sources", "plugins", "--json")
    kept = cached_plugins(installation_stamp())

    assert kept is not None
    assert json.loads(first.out) == kept
    assert rove("sources", "plugins", "--json").out == first.out


def test_keeps_login_states(project: LocalProject) -> None:
    """States are kept while the accounts and the file of logins stay as they are."""
    assert cached_login_states(_again(project)) == KEPT


@pytest.mark.parametrize("name", ["credentials.enc", "accounts.toml", "credential-store.json"])
def test_a_change_ends_login_states(project: LocalProject, name: str) -> None:
    """When one of the files that logins depend on changes, the logins are looked at again."""
    place = project.places.data_dir / name
    place.write_bytes(place.read_bytes() if place.exists() else b"{}")
    os.utime(place, ns=(0, 0))

    assert cached_login_states(_again(project)) is None


def test_a_login_in_the_environment_ends_login_states(
    project: LocalProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When variables answer a way to log in, they take precedence over what is kept."""
    monkeypatch.setenv("ROVE_JIRA_EMAIL", "robin@northwind.example")
    monkeypatch.setenv("ROVE_JIRA_TOKEN", "sample")

    assert cached_login_states(_again(project)) is None


def test_an_expiry_ends_login_states(project: LocalProject) -> None:
    """A login that has expired since is looked at again."""
    ended = LoginState(state="logged in", expires_at=datetime(2020, 1, 1, tzinfo=UTC))

    keep_login_states(project, project.book.accounts(), {"jira": ended})

    assert cached_login_states(_again(project)) is None


def test_keeps_no_state_of_a_keychain(project: LocalProject) -> None:
    """A keychain is asked each time: others change what it holds."""
    choice = {"backend": "keychain", "keychain": "some.Keyring", "why": "it works"}
    text = json.dumps({**choice, "chosen_at": "2024-12-15T00:00:00+00:00"})
    place = project.places.data_dir / "credential-store.json"
    place.write_text(text)
    place.chmod(0o600)

    keep_login_states(project, project.book.accounts(), KEPT)

    assert cached_login_states(_again(project)) is None
