"""A mirror is used with the login that made it, also where the environment holds another one."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.app.test_mirror_commands import answer, listed, mirrored

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Tracker

__all__ = ["listed", "mirrored"]

SOMEBODY_ELSE = '{"name": "Bo", "projects": ["TR"]}'


@pytest.fixture
def other_login(
    mirrored: Path,  # noqa: ARG001  # the mirror was made before
    tracker: "Tracker",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Let the environment hold somebody else's login."""
    monkeypatch.setenv("ROVE_TRACKER_TOKEN", "CANARY-key")
    answer(tracker, "/me", SOMEBODY_ELSE)


def state_of(rove: "Rove") -> str:
    """Return the state of the only mirror."""
    (mirror,) = json.loads(rove("mirror", "status", "--json").out)["mirrors"]
    return str(mirror["state"])


@pytest.mark.usefixtures("other_login")
def test_a_login_of_somebody_else_updates_nothing(rove: "Rove", tracker: "Tracker") -> None:
    """The account may read other things with it; the next command is named."""
    tracker.asked.clear()
    updated = rove("mirror", "update", "--json")

    (failure,) = json.loads(updated.out)["failed"]
    assert failure["message"] == "tracker: its copy was made with another login"
    assert tracker.asked == ["GET /me"]
    assert state_of(rove) == "other login"


@pytest.mark.usefixtures("other_login")
def test_a_build_with_a_login_of_somebody_else_asks_the_vendor(
    rove: "Rove", tracker: "Tracker"
) -> None:
    """What the other person may read is not shown to this one."""
    tracker.asked.clear()
    rove("build", "TR-1")
    searched = json.loads(rove("search", "wombat", "--everywhere", "--json").out)

    assert any("?q=" in path for path in tracker.asked)
    assert (searched["items"], len(searched["notes"])) == ([], 1)


@pytest.mark.usefixtures("mirrored")
def test_ones_own_login_in_the_environment_is_checked_once(
    rove: "Rove", tracker: "Tracker", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose it is stays known, so that offline commands know it, too."""
    monkeypatch.setenv("ROVE_TRACKER_TOKEN", "CANARY-key")
    tracker.asked.clear()
    outcomes = [rove("mirror", "update"), rove("mirror", "update")]

    assert [each.code for each in outcomes] == [0, 0]
    assert tracker.asked.count("GET /me") == 1
    assert state_of(rove) == "current"


@pytest.mark.usefixtures("mirrored")
def test_the_login_itself_is_not_stored(
    rove: "Rove", mirrored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a digest of it."""
    monkeypatch.setenv("ROVE_TRACKER_TOKEN", "CANARY-key")
    rove("mirror", "update")

    assert b"CANARY-key" not in b"".join(each.read_bytes() for each in mirrored.iterdir())


@pytest.mark.usefixtures("other_login")
def test_without_the_other_login_the_copy_is_used_again(
    rove: "Rove", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it was removed."""
    rove("mirror", "update")
    monkeypatch.delenv("ROVE_TRACKER_TOKEN")

    assert rove("mirror", "update").code == 0
    assert state_of(rove) == "current"


@pytest.mark.usefixtures("other_login")
def test_start_copies_with_the_login_of_the_environment(rove: "Rove") -> None:
    """The copy belongs to that one from then on."""
    started = rove("mirror", "start", "tracker")

    assert started.code == 0, started.err
    assert state_of(rove) == "current"


@pytest.mark.usefixtures("mirrored")
def test_an_unchecked_login_forgets_without_the_vendor(
    rove: "Rove", tracker: "Tracker", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who cannot reach it can still remove what is copied."""
    rove("mirror", "scope", "tracker", "--add", "OPS")
    monkeypatch.setenv("ROVE_TRACKER_TOKEN", "CANARY-key")
    tracker.replies.clear()
    removed = rove("mirror", "scope", "tracker", "--remove", "TR", "--json")

    assert removed.code == 0, removed.err
    assert [each["name"] for each in json.loads(removed.out)["containers"]] == ["OPS"]


@pytest.mark.usefixtures("other_login")
@pytest.mark.parametrize("change", [("--budget", "1999"), ("--keep", "all"), ("--add", "OPS")])
def test_a_change_of_the_scope_keeps_a_copy_of_another_login(
    rove: "Rove", monkeypatch: pytest.MonkeyPatch, change: tuple[str, str]
) -> None:
    """Only start makes it a copy of the login that is used."""
    changed = rove("mirror", "scope", "tracker", *change)
    monkeypatch.delenv("ROVE_TRACKER_TOKEN")
    (mirror,) = json.loads(rove("mirror", "status", "--json").out)["mirrors"]

    assert changed.code == (2 if "--add" in change else 0)
    assert (mirror["state"], mirror["items"]) == ("current", 2)


@pytest.mark.usefixtures("mirrored")
def test_a_login_that_was_not_checked_is_told(
    rove: "Rove", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is advised to delete what may be their own copy."""
    monkeypatch.setenv("ROVE_TRACKER_TOKEN", "CANARY-key")
    notes = json.loads(rove("search", "wombat", "--everywhere", "--json").out)["notes"]

    assert state_of(rove) == "unknown login"
    assert "To ask: rove mirror update --account tracker" in notes[0]
