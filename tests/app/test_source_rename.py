"""``rove sources rename``: an account gets another name, and everything goes along."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove_core.store.connection import open_for_writing

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Tracker

RENAME = ("sources", "rename", "tracker", "tracker:work")


def _listed(rove: "Rove") -> list[dict[str, object]]:
    listed: list[dict[str, object]] = json.loads(rove("sources", "list", "--json").out)
    return listed


def test_the_login_goes_along(rove: "Rove", tracking: Path, tracker: "Tracker") -> None:
    """Whoever was logged in still is, by the new name alone."""
    outcome = rove(*RENAME)

    assert (outcome.code, outcome.out) == (0, "tracker is called tracker:work now\n")
    assert rove("sources", "test", "tracker:work").out.startswith("tracker:work: you are Robin Doe")
    assert tracker.asked == ["GET /me"]
    assert '"tracker:work"' in (tracking / ".rove" / "settings.toml").read_text("utf-8")


@pytest.mark.usefixtures("tracking")
def test_nothing_is_left_by_the_old_name(rove: "Rove", tracker: "Tracker") -> None:
    """An account that is added by the old name has no login."""
    rove(*RENAME)

    assert [each["name"] for each in _listed(rove)] == ["tracker:work"]
    assert rove("--add-source", "tracker", "--base-url", tracker.url).code == 4


@pytest.mark.usefixtures("tracking")
def test_the_default_goes_along(rove: "Rove") -> None:
    """Tickets are read from the same account as before."""
    rove("--set-default-source", "tracker")
    rove(*RENAME)

    assert [each["default"] for each in _listed(rove)] == [True]


def test_documents_go_along(rove: "Rove", tracking: Path) -> None:
    """A document is found by the account's new name."""
    rove("--ticket", "TR-1")
    rove(*RENAME)

    assert rove("find", "TR-1", "--account", "tracker:work").code == 0
    db = open_for_writing(tracking / ".rove" / "index.db")
    assert db.execute("SELECT account FROM context_files").fetchall() == [("tracker:work",)]
    db.close()


@pytest.mark.usefixtures("tracking")
@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("tracker", "there is an account 'tracker' already"),
        ("Tracker Two", "is not a valid account name"),
        ("other", "there is an account 'other' already"),
    ],
)
def test_names_that_cannot_be(rove: "Rove", tracker: "Tracker", new: str, said: str) -> None:
    """A name that is taken, or none at all, is refused, and no login is touched."""
    add = ("--add-source", "tracker", "--account", "other", "--base-url", tracker.url)
    rove(*add, "--token-stdin", typed="CANARY-key\n")

    outcome = rove("sources", "rename", "tracker", new)

    assert outcome.code == 2
    assert said in outcome.err
    assert {each["login"] for each in _listed(rove)} == {"logged in"}


@pytest.mark.usefixtures("tracking")
def test_what_only_a_person_can_change_is_said(
    rove: "Rove", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variables and tables by the old name are named, with what they are called now."""
    monkeypatch.setenv("ROVE_TRACKER_TOKEN", "CANARY-key")
    user = Path(os.environ["ROVE_CONFIG_DIR"]) / "settings.toml"
    user.parent.mkdir()
    user.write_text("[sources.tracker]\npage_size = 9\n")

    outcome = rove(*RENAME)

    assert "note: ROVE_TRACKER_TOKEN is not its variable any more" in outcome.out
    assert "that is ROVE_TRACKER_WORK_TOKEN" in outcome.out
    assert f'note: {user}:1 sets it as before: write [sources."tracker:work"] there' in outcome.out


def test_other_projects_are_named(
    rove: "Rove", tracking: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Projects that name the account by its old name are listed."""
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")

    renamed = json.loads(rove(*RENAME, "--json").out)

    assert renamed["projects"] == [str(tracking)]


@pytest.mark.usefixtures("empty")
def test_an_account_that_nobody_knows(rove: "Rove") -> None:
    """What is no account has no other name."""
    assert rove(*RENAME).code == 7


@pytest.mark.usefixtures("tracking")
def test_the_list_tells_of_logins(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> None:
    """The list says whether one is logged in and where from, and asks no vendor."""
    stored = rove("sources", "list").out
    monkeypatch.setenv("ROVE_TRACKER_TOKEN", "CANARY-key")
    variable = rove("sources", "list").out

    assert stored == "tracker  Robin Doe  logged in\n"
    assert variable == "tracker  Robin Doe  from environment\n"


@pytest.mark.usefixtures("tracking")
def test_the_list_tells_of_no_login(rove: "Rove", tracker: "Tracker") -> None:
    """An account without a login is listed so; the next command that needs it says its name."""
    rove(*RENAME)
    Path(os.environ["ROVE_DATA_DIR"], "credentials.enc").unlink()

    assert rove("sources", "list").out == "tracker:work  Robin Doe  no login\n"
    assert "rove --add-source tracker --account tracker:work" in rove("--ticket", "TR-1").err
    assert tracker.asked == []


@pytest.mark.usefixtures("tracking")
def test_the_list_without_its_store(rove: "Rove") -> None:
    """Logins that cannot be read are listed as unknown, with the reason."""
    Path(os.environ["ROVE_DATA_DIR"], "credentials.enc").write_bytes(b"damaged")

    outcome = rove("sources", "list")

    assert outcome.code == 0
    assert "login unknown: " in outcome.out
