"""``rove mirror``, and the commands that search local copies."""

import json
import os
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove_core.project.layout import ProjectPaths

if TYPE_CHECKING:
    from tests.app.conftest import Daemon, Rove, Tracker

KEYS = """{"tickets": [
    {"id": "TR-1", "title": "Rotating the wombat keys", "changed": "2024-12-10T09:00:00Z"},
    {"id": "TR-2", "title": "Lunch", "changed": "2024-12-12T09:00:00Z"}]}"""


def answer(tracker: "Tracker", path: str, text: str, status: int = 200) -> None:
    """Let the tracker answer something from now on."""
    tracker.replies[path] = (status, "application/json", text)


@pytest.fixture
def listed(tracking: Path, tracker: "Tracker") -> Path:
    """Let the tracker list two public projects and a private one; return the project."""
    answer(tracker, "/projects", '{"projects": ["TR", "OPS", "PAY"]}')
    answer(tracker, "/projects/TR/tickets", KEYS)
    answer(tracker, "/projects/OPS/tickets", '{"tickets": []}')
    return tracking


@pytest.fixture
def mirrored(rove: "Rove", listed: Path) -> Path:
    """Copy one project of the tracker; return where mirrors are."""
    outcome = rove("mirror", "start", "tracker", "--container", "tr")

    assert outcome.code == 0, outcome.err
    return ProjectPaths.at(listed).mirrors


@pytest.mark.usefixtures("mirrored")
def test_nothing_outside_the_scope_is_asked_for(rove: "Rove", tracker: "Tracker") -> None:
    """Neither by the first copy nor by an update: only the project that was named is listed."""
    rove("mirror", "update")

    listings = [path for path in tracker.asked if "/tickets" in path]
    assert listings == ["GET /projects/TR/tickets"] * 2


@pytest.mark.usefixtures("listed")
def test_start_copies_what_is_public(rove: "Rove") -> None:
    """While no document cites anything; a private project is copied only if it is named."""
    started = json.loads(rove("mirror", "start", "tracker", "--json").out)

    (mirror,) = started["mirrors"]
    assert (mirror["containers"], mirror["state"], mirror["items"]) == (["OPS", "TR"], "current", 2)


@pytest.mark.usefixtures("listed")
def test_start_refuses_what_is_not_there(rove: "Rove", tracker: "Tracker") -> None:
    """A project that the account has not or may not read is named, and nothing is copied."""
    outcome = rove("mirror", "start", "tracker", "--container", "HR")

    assert (outcome.code, "tracker has no 'HR', or may not read it" in outcome.err) == (2, True)
    assert "no mirror" in rove("mirror", "status").out
    assert not any("/tickets" in path for path in tracker.asked)


@pytest.mark.usefixtures("mirrored")
def test_scope_adds_and_removes(rove: "Rove") -> None:
    """What is added is copied by the next update, what is removed is forgotten at once."""
    changed = rove("mirror", "scope", "tracker", "--add", "OPS", "--remove", "TR", "--json")

    shown = {each["name"]: each for each in json.loads(changed.out)["containers"]}
    assert {name for name, each in shown.items() if each["copied"]} == {"OPS"}
    assert (shown["TR"]["items"], shown["PAY"]["private"]) == (0, True)


@pytest.mark.usefixtures("mirrored")
def test_a_project_that_may_no_longer_be_read_is_forgotten(
    rove: "Rove", tracker: "Tracker", monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first update that looks at what the account may read."""
    monkeypatch.setattr("rove_core.mirror.update.LOOK_EVERY", -timedelta(1))
    answer(tracker, "/projects", '{"projects": ["OPS"]}')
    (mirror,) = json.loads(rove("mirror", "update", "--json").out)["mirrors"]

    assert (mirror["containers"], mirror["items"]) == ([], 0)


def test_drop_leaves_no_byte(rove: "Rove", mirrored: Path) -> None:
    """No file of Rove's data has a word of what was copied."""
    outcome = rove("mirror", "drop", "tracker")

    assert outcome.code == 0
    assert [*mirrored.iterdir()] == []
    files = [each for each in mirrored.parent.rglob("*") if each.is_file()]
    assert not any(b"wombat" in each.read_bytes() for each in files)


@pytest.mark.usefixtures("mirrored")
def test_search_everywhere_asks_nobody(rove: "Rove", tracker: "Tracker") -> None:
    """It lists items of local copies with their excerpts, hits marked, and how old the copy is."""
    tracker.asked.clear()
    outcome = rove("search", "wombats key", "--everywhere")

    assert outcome.code == 0, outcome.err
    assert "1.00  tracker  2024-12-10  TR-1  Rotating the wombat keys" in outcome.out
    assert "Ann: Rotating the *wombat* *keys*" in outcome.out
    assert "local copy of tracker, " in outcome.out
    assert "TR-2" not in outcome.out
    assert tracker.asked == []


@pytest.mark.usefixtures("tracking")
def test_search_everywhere_wants_a_copy(rove: "Rove") -> None:
    """Without any local copy it says which command makes one."""
    outcome = rove("search", "wombats", "--everywhere")

    assert (outcome.code, "rove mirror start" in outcome.err) == (2, True)


@pytest.mark.usefixtures("mirrored")
def test_preview_searches_the_copy(rove: "Rove", tracker: "Tracker") -> None:
    """Nobody is asked, and a line says which local copy answered."""
    tracker.asked.clear()
    shown = rove("preview", "wombat keys", "--limit", "1").out

    assert "TR-1" in shown
    assert "local copy of tracker, " in shown
    assert tracker.asked == []


@pytest.mark.usefixtures("listed")
def test_the_server_goes_on_copying(
    rove: "Rove",
    tracker: "Tracker",
    daemon: "Daemon",
    eventually: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a person's command could not copy comes once the server runs, and nothing else."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    answer(tracker, "/projects/TR/tickets", "{}", status=403)
    assert rove("mirror", "start", "tracker", "--container", "TR").code == 5
    answer(tracker, "/projects/TR/tickets", KEYS)
    daemon.start()

    eventually(lambda: '"state": "current"' in rove("mirror", "status", "--json").out)
    assert "GET /projects/OPS/tickets" not in tracker.asked


@pytest.mark.usefixtures("listed")
def test_status_says_how_far_back_a_copy_goes(rove: "Rove") -> None:
    """A copy with few items may be one of few days."""
    rove("mirror", "start", "tracker", "--container", "TR", "--keep", "30d")

    assert "items of 30 days" in rove("mirror", "status").out


@pytest.mark.usefixtures("listed")
def test_status_says_why_a_copy_is_empty(rove: "Rove") -> None:
    """Builds search nothing else, so a person must notice."""
    started = rove("mirror", "start", "tracker", "--container", "OPS", "--keep", "30d").out
    rove("mirror", "scope", "tracker", "--keep", "all")

    assert "Nothing in tracker changed in the last 30 days, so its copy is empty." in started
    assert "To copy older items, too: rove mirror scope tracker --keep all" in started
    assert "Nothing in" not in rove("mirror", "status").out


def test_a_damaged_copy_is_shown_and_dropped(rove: "Rove", mirrored: Path) -> None:
    """Before and after doctor has moved it away; what doctor moved goes, too."""
    (database,) = mirrored.glob("*.db")
    database.write_bytes(b"wombat" * 1_000)
    status = rove("mirror", "status")
    fixed = rove("doctor", "--fix")
    dropped = rove("mirror", "drop", "tracker")

    assert "damaged" in status.out
    assert "rove mirror drop tracker && rove mirror start tracker" in status.err
    assert "copy it again with: rove mirror start tracker" in fixed.out
    assert (dropped.code, [*mirrored.iterdir()]) == (0, [])


@pytest.mark.usefixtures("listed")
def test_status_says_what_failed(rove: "Rove", tracker: "Tracker") -> None:
    """The others are copied all the same."""
    answer(tracker, "/projects/TR/tickets", "[]")
    rove("mirror", "start", "tracker")
    status = rove("mirror", "status").out

    assert "tracker: TR: " in status
    assert "0 items" in status
