"""``rove purge``: nothing of Rove is left, and nothing of anybody else's is gone."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Tracker

ALL = ("purge", "--all", "--documents", "--yes")


def _everything(*folders: Path) -> Mapping[str, bytes]:
    """Return every file below some folders with what it holds, and every folder."""
    paths = [path for folder in folders for path in folder.rglob("*")]
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in paths}


@pytest.fixture
def before(empty: Path) -> Mapping[str, bytes]:
    """Give a project of somebody's, and what was there before Rove was."""
    (empty / ".git" / "info").mkdir(parents=True)
    (empty / ".git" / "info" / "exclude").write_text("# mine\n*.orig\n")
    (empty / "code.py").write_text("pass\n")
    return _everything(empty, Path(os.environ["HOME"]))


@pytest.fixture
def used(before: Mapping[str, bytes], tracking: Path, rove: "Rove") -> Path:  # noqa: ARG001  # it looks first
    """Use Rove for all that leaves a trace, and return the project."""
    rove("--ticket", "TR-1")
    rove("--set-default-source", "tracker")
    rove("trust", "--yes")
    rove("doctor")
    rove("--help")
    rove("sources", "rename", "tracker", "tracker:work")
    return tracking


def test_nothing_is_left(rove: "Rove", before: Mapping[str, bytes], used: Path) -> None:
    """With everything, each file and folder is as it was before Rove came."""
    was = _everything(used, Path(os.environ["HOME"]))

    outcome = rove(*ALL)

    assert len(was) > len(before) + 10
    assert outcome.code == 0
    assert _everything(used, Path(os.environ["HOME"])) == before


@pytest.mark.usefixtures("used")
def test_logins_are_revoked(rove: "Rove", tracker: "Tracker") -> None:
    """With the accounts their logins go at the vendors, too."""
    rove(*ALL)

    assert tracker.asked[-1] == "POST /revoke"


@pytest.mark.usefixtures("used")
def test_a_vendor_that_does_not_revoke_is_said(rove: "Rove", tracker: "Tracker") -> None:
    """What could not be done is said, and the rest is done all the same."""
    del tracker.replies["/revoke"]

    outcome = rove(*ALL)

    assert outcome.code == 0
    assert "note: tracker:work: its login was not revoked: " in outcome.out
    assert not Path(os.environ["ROVE_DATA_DIR"]).exists()


def test_documents_and_accounts_stay(rove: "Rove", used: Path) -> None:
    """Without options only what is of this project goes, and it is said what stays."""
    purged = json.loads(rove("purge", "--yes", "--json").out)

    assert not (used / ".rove").exists()
    assert list((used / ".context").glob("TR-1*"))
    assert "logged in" in rove("sources", "list").out
    assert purged["removed"][1] == "your trust in this project's settings"
    assert f"{used}/.context (1 file): remove it with --documents" in purged["stays"]
    assert any("with your accounts and logins" in line for line in purged["stays"])


@pytest.mark.usefixtures("used")
def test_the_data_of_each_package_is_named(rove: "Rove") -> None:
    """Before everything goes, the list names the folder of each package that kept something."""
    kept = Path(os.environ["ROVE_DATA_DIR"]) / "state" / "memory"
    kept.mkdir(parents=True, exist_ok=True)
    (kept / "decisions.db").touch()

    assert f"  {kept} (1 file)\n" in rove("purge", "--all").err


def test_nobody_to_agree(rove: "Rove", used: Path) -> None:
    """Where nobody agrees it is shown what would go and what would stay, and nothing goes."""
    was = _everything(used, Path(os.environ["HOME"]))

    outcome = rove("purge", "--all")

    assert outcome.code == 2
    assert f"  {used}/.rove (" in outcome.err
    assert "your accounts and their logins: tracker:work" in outcome.err
    assert _everything(used, Path(os.environ["HOME"])) == was


@pytest.mark.usefixtures("empty")
def test_nothing_to_remove(rove: "Rove") -> None:
    """Where there is nothing, nobody is asked."""
    assert rove("purge").out == "nothing to remove\n"


def test_other_things_stay(rove: "Rove", used: Path) -> None:
    """What Rove did not make is left in the data directory, and named; one's settings stay."""
    data, user = Path(os.environ["ROVE_DATA_DIR"]), Path(os.environ["ROVE_CONFIG_DIR"])
    (data / "thesis.txt").write_text("years of work")
    user.mkdir(exist_ok=True)
    (user / "settings.toml").write_text("")

    outcome = rove(*ALL)

    assert [path.name for path in data.iterdir()] == ["thesis.txt"]
    assert "more that Rove does not know: thesis.txt" in outcome.out
    assert f"{user / 'settings.toml'}, which is your own" in outcome.out
    assert not (used / ".rove").exists()


def test_links_are_not_followed(rove: "Rove", used: Path, tmp_path: Path) -> None:
    """What a link in a folder leads to stays where it is."""
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "file").touch()
    (used / ".context" / "link").symlink_to(tmp_path / "theirs")

    rove("purge", "--documents", "--yes")

    assert not (used / ".context").exists()
    assert (tmp_path / "theirs" / "file").exists()


@pytest.mark.parametrize("name", [".rove", ".context"])
def test_a_link_is_refused(rove: "Rove", used: Path, tmp_path: Path, name: str) -> None:
    """A folder that is a link is not removed, and neither is what it leads to."""
    (used / name).rename(tmp_path / "elsewhere")
    (used / name).symlink_to(tmp_path / "elsewhere")
    was = _everything(tmp_path)

    outcome = rove(*ALL)

    assert outcome.code == 7
    assert _everything(tmp_path) == was


def test_a_broken_project(rove: "Rove", used: Path, tracker: "Tracker") -> None:
    """What cannot be opened can still be removed, with the logins on this machine."""
    (used / ".rove" / "index.db").write_bytes(b"no database")

    outcome = rove(*ALL)

    assert outcome.code == 0
    assert "the logins were not revoked: " in outcome.out
    assert not Path(os.environ["ROVE_DATA_DIR"]).exists()
    assert "POST /revoke" not in tracker.asked


def test_accounts_that_cannot_be_read(rove: "Rove", used: Path) -> None:
    """Where nobody knows which logins there were, something may be left: the exit code says so."""
    (Path(os.environ["ROVE_DATA_DIR"]) / "accounts.toml").write_text("[accounts\n")

    outcome = rove(*ALL)

    assert outcome.code == 1
    assert "it is not known which logins there are" in outcome.out
    assert not (used / ".rove").exists()


def test_other_projects_are_named(
    rove: "Rove", used: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Rove keeps in other projects is said."""
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")

    outcome = rove(*ALL)

    assert f"{used}/.rove, of another project: run rove purge there" in outcome.out


def test_the_json_of_an_unanswered_question_says_what_it_is_about(rove: "Rove", used: Path) -> None:
    """A program can show a person what it would agree to."""
    asked = json.loads(rove("purge", "--json").err)

    assert str(used / ".rove") in asked["message"]
