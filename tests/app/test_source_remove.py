"""``rove sources remove``: an account goes, here and at its vendor, and what is left is said."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Tracker


def _settings(project: Path) -> str:
    return (project / ".rove" / "settings.toml").read_text("utf-8")


def test_removing_leaves_nothing(rove: "Rove", tracking: Path) -> None:
    """The record is gone, the project no longer names the account, and neither does a default."""
    rove("--set-default-source", "tracker")

    assert rove("sources", "remove", "tracker").code == 0
    assert "no account is connected yet" in rove("sources", "list").out
    assert "tracker" not in _settings(tracking)


@pytest.mark.usefixtures("tracking")
def test_removing_revokes(rove: "Rove", tracker: "Tracker") -> None:
    """A login that the source can revoke is revoked at the vendor."""
    outcome = rove("sources", "remove", "tracker")

    assert outcome.out == "tracker is removed, and its login revoked at the vendor\n"
    assert tracker.asked == ["POST /revoke"]


@pytest.mark.usefixtures("tracking")
def test_the_login_is_forgotten(rove: "Rove", tracker: "Tracker") -> None:
    """An account that is added again has no login."""
    rove("sources", "remove", "tracker")

    outcome = rove("--add-source", "tracker", "--base-url", tracker.url)

    assert (outcome.code, tracker.asked) == (4, ["POST /revoke"])


@pytest.mark.usefixtures("tracking")
def test_what_cannot_be_revoked_is_forgotten_all_the_same(rove: "Rove", tracker: "Tracker") -> None:
    """A vendor that does not revoke is named; here the account is gone."""
    del tracker.replies["/revoke"]

    outcome = rove("sources", "remove", "tracker")

    assert outcome.code == 0
    assert "note: its login was not revoked: " in outcome.out
    assert "no account is connected yet" in rove("sources", "list").out


@pytest.mark.usefixtures("tracking")
def test_a_login_of_the_environment_is_not_revoked(
    rove: "Rove", tracker: "Tracker", monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands in a variable is not Rove's to revoke."""
    monkeypatch.setenv("ROVE_TRACKER_TOKEN", "CANARY-key")

    assert rove("sources", "remove", "tracker").out == "tracker is removed\n"
    assert tracker.asked == []


def test_other_projects_are_named(
    rove: "Rove", tracking: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Projects in which the account was put to use, and that still name it, are listed."""
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    rove("--add-source", "notes", "--set", f"folder={tracking}")

    removed = json.loads(rove("sources", "remove", "tracker", "--json").out)

    assert removed["projects"] == [str(tracking)]


@pytest.mark.usefixtures("tracking")
def test_a_plugin_that_is_gone(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> None:
    """An account whose plugin is no longer installed can be removed."""
    monkeypatch.setenv("ROVE_LOAD_PLUGINS", "notes")

    outcome = rove("sources", "remove", "tracker")

    assert outcome.code == 0
    assert "no installed plugin provides the source 'tracker'" in outcome.out


def test_what_another_place_says_is_left(rove: "Rove", tracking: Path) -> None:
    """What names the account is not the project's own file: it is said, and not overruled."""
    user = Path(os.environ["ROVE_CONFIG_DIR"]) / "settings.toml"
    user.parent.mkdir(parents=True, exist_ok=True)
    (tracking / ".rove" / "settings.toml").rename(user)

    outcome = rove("sources", "remove", "tracker")

    assert f"note: {user}:2 still names it, in sources.use" in outcome.out
    assert "tracker" in user.read_text("utf-8")


def test_a_folder_is_taken_out_of_use(rove: "Rove", empty: Path) -> None:
    """An account that needs no login and no record leaves the project's settings."""
    (empty / "notes").mkdir()
    rove("--add-source", "notes")

    assert rove("sources", "remove", "notes").out == "notes is removed\n"
    assert "notes" not in _settings(empty)


@pytest.mark.usefixtures("empty")
def test_an_account_that_nobody_knows(rove: "Rove") -> None:
    """What is no account cannot be removed."""
    assert rove("sources", "remove", "jira").code == 7
