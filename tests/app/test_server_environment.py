"""A server works for those whose environment is its own, as far as that decides anything."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.server.client import call
from rove.server.environment import HEADER, environment_digest
from rove_core.project.paths import data_dir

if TYPE_CHECKING:
    from tests.app.conftest import Daemon


@pytest.mark.parametrize(
    ("name", "decides"),
    [
        ("ROVE_JIRA_TOKEN", True),
        ("ROVE_AI_MODEL", True),
        ("GH_TOKEN", True),
        ("LINEAR_API_KEY", True),
        ("https_proxy", True),
        ("SSL_CERT_FILE", True),
        ("ROVE_DEBUG", False),
        ("ROVE_DAEMON", False),
        ("EDITOR", False),
    ],
)
def test_what_decides(name: str, decides: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001  # a column of the table
    """Logins, settings, proxies and authorities make environments differ; nothing else does."""
    monkeypatch.delenv(name, raising=False)
    before = environment_digest()
    monkeypatch.setenv(name, "CANARY-value")
    after = environment_digest()
    monkeypatch.setenv(name, "")

    assert (after != before) == decides
    assert environment_digest() == before


@pytest.mark.parametrize("name", ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"])
def test_other_folders_of_the_user_decide(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose accounts and settings lie elsewhere has another environment, whatever says so."""
    for own in ("ROVE_DATA_DIR", "ROVE_CONFIG_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(own, raising=False)
    before = environment_digest()
    monkeypatch.setenv(name, str(tmp_path))

    assert environment_digest() != before


def test_the_same_folder_said_otherwise_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """To name the folder in which accounts lie anyway changes nothing."""
    before = environment_digest()
    monkeypatch.setenv("ROVE_DATA_DIR", data_dir())

    assert environment_digest() == before


def test_another_environment_is_refused(daemon: "Daemon", monkeypatch: pytest.MonkeyPatch) -> None:
    """Who says what its environment is like is told when the server has another."""
    daemon.start()
    same = call(daemon.places, "GET", "/health", headers={HEADER: environment_digest()})
    monkeypatch.setenv("ROVE_JIRA_TOKEN", "CANARY-value")
    status, told = call(daemon.places, "GET", "/health", headers={HEADER: environment_digest()})

    assert same[0] == 200
    assert (status, "ROVE-LOCK-002" in str(told)) == (409, True)
