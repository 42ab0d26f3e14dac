"""``rove mirror``, and the commands that search local copies."""

import json
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import evolve

from rove_core import Container
from rove_core.clock import SYSTEM
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.scope_choice import choose_scope
from rove_core.project.layout import ProjectPaths

if TYPE_CHECKING:
    from tests.app.conftest import Daemon, Rove, Tracker

KEYS = """{"tickets": [
    {"id": "TR-1", "title": "Rotating the wombat keys", "changed": "2024-12-10T09:00:00Z"},
    {"id": "TR-2", "title": "Lunch", "changed": "2024-12-12T09:00:00Z"}]}"""


PAYDAY = '{"id": "PAY-1", "title": "Payday", "changed": "2024-12-10T09:00:00Z"}'


def answer(tracker: "Tracker", path: str, text: str, status: int = 200) -> None:
    """Let the tracker answer something from now on."""
    tracker.replies[path] = (status, "application/json", text)


def index_bytes(project: Path) -> bytes:
    """Return all bytes of a project's index, with its log."""
    files = sorted((project / ".rove").glob("index.db*"))
    return b"".join(each.read_bytes() for each in files)


def serve_dishes(tracker: "Tracker") -> None:
    """Let a project have tickets that a document does not quote, beside one that it does."""
    titles = ["We rotate the wombat keys of TR-1 monthly", *(f"Dish {n}" for n in range(110, 140))]
    tickets = [
        {"id": f"OPS-{number}", "title": title, "changed": "2024-12-10T09:00:00Z"}
        for number, title in enumerate(titles, 1)
    ]
    answer(tracker, "/projects/OPS/tickets", json.dumps({"tickets": tickets}))


@pytest.fixture
def paying(tracker: "Tracker") -> None:
    """Let the account read tickets of a private project; request it before the account is made."""
    answer(tracker, "/me", '{"name": "Robin Doe", "projects": ["TR", "PAY"]}')


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
def test_start_says_how_much_it_copies(rove: "Rove") -> None:
    """Whoever copies a part of an account learns that builds search no other part."""
    part = rove("mirror", "start", "tracker", "--container", "TR", "--keep", "9999d")
    rove("mirror", "drop", "tracker")
    whole = rove("mirror", "start", "tracker")

    assert "The copy of tracker is of 1 of 3 containers, last 9,999 days. Builds" in part.out
    assert "To copy more: rove mirror scope tracker" in part.out
    assert "The copy of tracker is of 2 of 3 containers." in whole.out


@pytest.mark.usefixtures("listed")
def test_start_copies_more_than_the_first_document_cites(rove: "Rove", tracker: "Tracker") -> None:
    """Later documents need other projects: of few public ones all are copied."""
    answer(tracker, "/tickets/TR-1", '{"id": "TR-1", "title": "Keys"}')
    rove("build", "TR-1")
    started = json.loads(rove("mirror", "start", "tracker", "--json").out)

    assert started["mirrors"][0]["containers"] == ["OPS", "TR"]


@pytest.mark.usefixtures("mirrored")
def test_start_deletes_nothing(rove: "Rove") -> None:
    """Of another project it says what it would delete, and how to copy both or delete one."""
    other = rove("mirror", "start", "tracker", "--container", "OPS")
    shorter = rove("mirror", "start", "tracker", "--keep", "30d")
    (mirror,) = json.loads(rove("mirror", "status", "--json").out)["mirrors"]

    assert (other.code, "would leave the copy of tracker: TR (2 items)" in other.err) == (2, True)
    assert "To copy both: rove mirror scope tracker --add OPS" in other.err
    assert "to delete these: rove mirror scope tracker --remove TR" in other.err
    assert (shorter.code, "rove mirror scope tracker --keep 30d" in shorter.err) == (2, True)
    assert (mirror["containers"], mirror["keep"], mirror["items"]) == (["TR"], 0, 2)


@pytest.mark.usefixtures("mirrored")
def test_start_copies_more(rove: "Rove") -> None:
    """Of a mirror that has a part of it already."""
    outcome = rove("mirror", "start", "tracker", "--container", "OPS", "--container", "TR")

    assert outcome.code == 0, outcome.err
    assert "OPS, TR" in outcome.out


@pytest.mark.usefixtures("paying", "listed")
def test_start_says_which_private_project_it_leaves_out(rove: "Rove", tracker: "Tracker") -> None:
    """If a document cites it; the command that it names copies it."""
    answer(tracker, "/tickets/PAY-1", PAYDAY)
    rove("build", "PAY-1")
    started = rove("mirror", "start", "tracker")
    listings = [path for path in tracker.asked if "/projects/PAY" in path]
    rove("mirror", "scope", "tracker", "--add", "PAY")

    assert "Documents cite private containers of tracker that are not copied: PAY." in started.out
    assert "To copy one: rove mirror scope tracker --add PAY" in started.out
    assert listings == []
    assert "PAY" in rove("mirror", "status").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--budget", "-5"), "budget -5: expected 1 or more megabytes"),
        (("--budget", "0"), "budget 0: expected 1 or more megabytes"),
        (("--keep", "0d"), "keep 0d: expected 1d or more, or all"),
    ],
)
@pytest.mark.usefixtures("mirrored")
def test_limits_that_allow_nothing_are_refused(
    rove: "Rove", options: tuple[str, ...], message: str
) -> None:
    """By both commands that set them; the copy stays as it was."""
    for command in ("scope", "start"):
        outcome = rove("mirror", command, "tracker", *options)
        assert (outcome.code, message in outcome.err) == (2, True)

    assert "2 items" in rove("mirror", "status").out


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
def test_add_keeps_what_the_vendor_does_not_name(rove: "Rove", tracker: "Tracker") -> None:
    """Some vendors answer a login that has lapsed with fewer projects, without error."""
    answer(tracker, "/projects", '{"projects": ["OPS"]}')
    rove("mirror", "scope", "tracker", "--add", "OPS")
    (mirror,) = json.loads(rove("mirror", "status", "--json").out)["mirrors"]

    assert (mirror["containers"], mirror["items"]) == (["OPS", "TR"], 2)


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


@pytest.mark.parametrize(
    "command",
    [
        ("mirror", "drop", "tracker"),
        ("mirror", "scope", "tracker", "--remove", "OPS"),
        ("sources", "remove", "tracker"),
    ],
)
def test_what_no_document_quotes_leaves_the_index(
    rove: "Rove", tracker: "Tracker", listed: Path, command: tuple[str, ...]
) -> None:
    """With the copy, its container or its account: no text, no reply, no word in free pages."""
    serve_dishes(tracker)
    rove("mirror", "start", "tracker", "--container", "TR", "--container", "OPS")
    rove("build", "TR-1")
    before = index_bytes(listed)

    outcome = rove(*command)

    assert outcome.code == 0, outcome.err
    after = index_bytes(listed)
    assert [b"Dish 139" in each for each in (before, after)] == [True, False]


@pytest.fixture
def with_dishes(rove: "Rove", tracker: "Tracker", listed: Path) -> Path:
    """Copy tickets that the document of TR-1 does not quote; return the project."""
    serve_dishes(tracker)
    rove("mirror", "start", "tracker", "--container", "TR", "--container", "OPS")
    rove("build", "TR-1")
    return listed


INTERRUPTED = [
    (("mirror", "drop", "tracker"), "mirror.Mirror.drop"),
    (("mirror", "drop", "tracker"), "mirror.Mirror.begin_drop"),
    (("mirror", "scope", "tracker", "--remove", "OPS"), "mirror_writer.MirrorWriter.choose"),
    (("mirror", "scope", "tracker", "--remove", "OPS"), "mirror.Mirror.save_scope"),
]


@pytest.mark.parametrize(("command", "step"), INTERRUPTED)
def test_a_killed_removal_is_repeated(
    rove: "Rove",
    with_dishes: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    step: str,
) -> None:
    """At whatever step it was killed, the same command removes the rest."""
    with monkeypatch.context() as patched:
        patched.setattr(f"rove_core.mirror.{step}", interrupt)
        killed = rove(*command)
    again = rove(*command)

    assert (killed.code, again.code) == (130, 0), again.err
    assert b"Dish 139" not in index_bytes(with_dishes)
    assert b"Dish 139" not in mirror_bytes(with_dishes)


def test_a_killed_removal_is_repeated_with_more(
    rove: "Rove", with_dishes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is still copied is removed, and what is not is named: it may be a typing error."""
    rove("mirror", "scope", "tracker", "--add", "PAY")
    with monkeypatch.context() as patched:
        patched.setattr("rove_core.mirror.mirror.Mirror.save_scope", interrupt)
        rove("mirror", "scope", "tracker", "--remove", "OPS")
    again = rove("mirror", "scope", "tracker", "--remove", "OPS", "--remove", "PAY")
    (mirror,) = json.loads(rove("mirror", "status", "--json").out)["mirrors"]

    assert "Not in the copy of tracker: OPS." in again.out
    assert mirror["containers"] == ["TR"]
    assert b"Dish 139" not in mirror_bytes(with_dishes)


def interrupt(*_: object, **__: object) -> None:
    """End as a command does that is interrupted."""
    raise KeyboardInterrupt


def mirror_bytes(project: Path) -> bytes:
    """Return all bytes of the mirrors."""
    return b"".join(each.read_bytes() for each in ProjectPaths.at(project).mirrors.iterdir())


def test_a_shorter_retention_leaves_the_index(
    rove: "Rove", tracker: "Tracker", listed: Path
) -> None:
    """What only becomes too old for the copy stays, for the documents that found it."""
    serve_dishes(tracker)
    rove("mirror", "start", "tracker", "--container", "TR", "--container", "OPS")
    rove("build", "TR-1")

    rove("mirror", "scope", "tracker", "--keep", "1d")

    assert b"Dish 139" in index_bytes(listed)


def test_drop_removes_the_copy_of_a_removed_account(
    rove: "Rove", mirrored: Path, tmp_path: Path
) -> None:
    """One that could not be removed with its account; the command is the one that was named."""
    copy, elsewhere = mirrored / "tracker.db", tmp_path / "elsewhere.db"
    copy.rename(elsewhere)
    copy.symlink_to(elsewhere)
    removed = rove("sources", "remove", "tracker")
    copy.unlink()
    elsewhere.rename(copy)
    dropped = rove("mirror", "drop", "all")

    assert "Then: rove mirror drop all" in removed.out
    assert (dropped.code, dropped.out.startswith("removed tracker: ")) == (0, True)
    assert [*mirrored.iterdir()] == []


def test_status_names_an_account_that_was_removed_elsewhere(
    rove: "Rove", listed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project that still names it says so, and which command forgets it."""
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    rove("sources", "remove", "tracker")
    monkeypatch.chdir(listed)

    shown = rove("mirror", "status").out

    assert "tracker  not connected" in shown
    assert "rove sources remove tracker" in shown
    assert rove("sources", "remove", "tracker").code == 0
    assert "tracker" not in rove("mirror", "status").out


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


@pytest.mark.usefixtures("mirrored")
def test_a_change_of_the_scope_starts_nothing(rove: "Rove") -> None:
    """A mirror that was stopped stays so."""
    rove("mirror", "stop", "tracker")
    rove("mirror", "scope", "tracker", "--keep", "900d")

    assert '"state": "stopped"' in rove("mirror", "status", "--json").out


@pytest.mark.usefixtures("mirrored")
def test_forgetting_needs_no_vendor(rove: "Rove", tracker: "Tracker") -> None:
    """Nor does it take to keep less."""
    rove("mirror", "scope", "tracker", "--add", "OPS")
    tracker.replies.clear()
    tracker.asked.clear()
    removed = rove("mirror", "scope", "tracker", "--remove", "TR", "--json")
    shorter = rove("mirror", "scope", "tracker", "--keep", "30d")

    assert (removed.code, shorter.code, tracker.asked) == (0, 0, [])
    assert [each["name"] for each in json.loads(removed.out)["containers"]] == ["OPS"]


@pytest.mark.usefixtures("mirrored")
def test_to_go_on_needs_no_list_of_projects(rove: "Rove", tracker: "Tracker") -> None:
    """A mirror that was stopped knows what it copies."""
    rove("mirror", "stop", "tracker")
    answer(tracker, "/projects", "", status=503)
    outcome = rove("mirror", "start", "tracker")

    assert outcome.code == 0, outcome.err
    assert "current" in outcome.out


@pytest.mark.usefixtures("mirrored")
def test_a_failed_update_names_its_account(rove: "Rove", tracker: "Tracker") -> None:
    """The command says it at once, and the status until an update succeeds."""
    answer(tracker, "/projects/TR/tickets", "{}", status=401)
    failed = rove("mirror", "update")
    shown = rove("mirror", "status").out
    answer(tracker, "/projects/TR/tickets", KEYS)
    rove("mirror", "update")

    assert (failed.code, "rove: tracker" in failed.err) == (5, True)
    assert "The last update of tracker failed at " in shown
    assert "failed at" not in rove("mirror", "status").out


def test_one_failure_of_several_projects_is_told_once(rove: "Rove", mirrored: Path) -> None:
    """With the names of all of them."""
    rove("mirror", "scope", "tracker", "--add", "OPS")
    (database,) = mirrored.glob("*.db")
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("UPDATE containers SET failure = 'no route to the vendor'")
    (mirror,) = json.loads(rove("mirror", "status", "--json").out)["mirrors"]

    assert mirror["problems"] == ["OPS, TR: no route to the vendor"]


@pytest.mark.usefixtures("mirrored")
def test_the_last_project_cannot_be_removed(rove: "Rove") -> None:
    """An empty copy would look as if it were copying for ever."""
    outcome = rove("mirror", "scope", "tracker", "--remove", "TR")

    assert (outcome.code, "To delete all of it: rove mirror drop tracker" in outcome.err) == (
        2,
        True,
    )


@pytest.mark.usefixtures("mirrored")
def test_status_says_what_was_lost(
    rove: "Rove", tracker: "Tracker", monkeypatch: pytest.MonkeyPatch
) -> None:
    """And that nothing is left of an account that may read none of its projects any more."""
    monkeypatch.setattr("rove_core.mirror.update.LOOK_EVERY", -timedelta(1))
    answer(tracker, "/projects", '{"projects": ["OPS"]}')
    updated = rove("mirror", "update").out
    shown = rove("mirror", "status").out

    assert "TR was removed from the copy of tracker on " in updated
    assert "To copy it again once it may: rove mirror scope tracker --add TR" in shown
    assert shown.startswith("tracker  empty  0 items")


@pytest.mark.usefixtures("mirrored")
def test_status_says_what_turned_private(rove: "Rove", mirrored: Path) -> None:
    """It is still copied, and the command that forgets it is named."""
    (database,) = mirrored.glob("*.db")
    with closing(sqlite3.connect(database)) as db, db:
        incident = json.dumps([["TR", "Tracker", SYSTEM.now().timestamp()]])
        db.execute("INSERT OR REPLACE INTO facts VALUES ('turned_private', ?)", [incident])
    status = " ".join(rove("mirror", "status").out.split())

    assert "Tracker turned private by " in status
    assert "To forget it: rove mirror scope tracker --remove TR" in status


@pytest.mark.usefixtures("mirrored")
def test_a_copy_is_searched_while_a_project_is_added(rove: "Rove", tracker: "Tracker") -> None:
    """The status says which project is not copied to the end."""
    answer(tracker, "/projects/OPS/tickets", "{}", status=403)
    rove("mirror", "scope", "tracker", "--add", "OPS")
    rove("mirror", "update")
    shown = rove("mirror", "status").out

    assert "TR-1" in rove("search", "wombats", "--everywhere").out
    assert "TR-1" in rove("sources", "search", "tracker", "wombat", "--local").out
    assert "OPS (being copied), TR" in shown
    assert "Still being copied for tracker: OPS." in shown


@pytest.mark.usefixtures("listed")
def test_a_first_copy_under_way_is_not_offered_to_be_started(
    rove: "Rove", tracker: "Tracker"
) -> None:
    """Both searches say that it goes on."""
    answer(tracker, "/projects/TR/tickets", "{}", status=403)
    rove("mirror", "start", "tracker", "--container", "TR")
    for search in (
        ("search", "wombats", "--everywhere"),
        ("sources", "search", "tracker", "wombat", "--local"),
    ):
        outcome = rove(*search)
        assert "The first copy of tracker is under way" in outcome.err
        assert "rove mirror start" not in outcome.err


@pytest.mark.usefixtures("listed")
def test_a_copy_without_a_server_says_how_to_go_on(rove: "Rove", tracker: "Tracker") -> None:
    """Where the environment forbids a server, nothing retries by itself."""
    answer(tracker, "/projects/TR/tickets", "{}", status=429)
    started = rove("mirror", "start", "tracker", "--container", "TR")

    assert "Go on: rove mirror update --account tracker" in started.err
    assert "not copied to the end" not in started.out
    assert "by itself" not in started.err


@pytest.fixture
def of_another(mirrored: Path) -> Path:
    """Let the copy belong to another person's login; return where mirrors are."""
    (database,) = mirrored.glob("*.db")
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("UPDATE facts SET value = 'elsewhere bo' WHERE name = 'owner'")
    return mirrored


@pytest.mark.usefixtures("of_another")
def test_a_copy_of_another_login_is_told(rove: "Rove") -> None:
    """Nothing uses it, and status, search and update say so and name the next command."""
    status = rove("mirror", "status")
    searched = rove("search", "wombats", "--everywhere", "--json")
    updated = rove("mirror", "update", "--json")

    assert (
        json.loads(rove("mirror", "status", "--json").out)["mirrors"][0]["state"] == "other login"
    )
    assert "To copy the same with this one: rove mirror start tracker" in " ".join(
        status.out.split()
    )
    assert "made with another login" in json.loads(searched.out)["notes"][0]
    (failure,) = json.loads(updated.out)["failed"]
    assert (failure["code"], failure["message"]) == (
        "ROVE-USE-001",
        "tracker: its copy was made with another login",
    )


@pytest.mark.usefixtures("of_another")
def test_start_copies_with_another_login_what_was_copied(rove: "Rove") -> None:
    """Not what documents cite, nor everything."""
    started = json.loads(rove("mirror", "start", "tracker", "--json").out)

    (mirror,) = started["mirrors"]
    assert (mirror["containers"], mirror["state"], mirror["items"]) == (["TR"], "current", 2)


def test_a_damaged_copy_hides_no_documents(
    rove: "Rove", mirrored: Path, tracker: "Tracker"
) -> None:
    """A search everywhere shows them, and what is wrong with the copy."""
    answer(tracker, "/tickets/TR-1", '{"id": "TR-1", "title": "Rotating the wombat keys"}')
    rove("build", "TR-1")
    (database,) = mirrored.glob("*.db")
    database.write_bytes(b"wombat" * 1_000)
    outcome = rove("search", "wombat", "--everywhere")

    assert outcome.code == 0, outcome.err
    assert "TR-1" in outcome.out
    assert "rove mirror drop tracker && rove mirror start tracker" in outcome.out


@pytest.mark.usefixtures("mirrored")
def test_start_lowers_no_budget(rove: "Rove") -> None:
    """It only adds to a copy; another command lowers its budget."""
    outcome = rove("mirror", "start", "tracker", "--budget", "1")

    assert (outcome.code, "rove mirror scope tracker --budget 1" in outcome.err) == (2, True)


def test_a_copy_that_is_stopped_stays_stopped(rove: "Rove", mirrored: Path) -> None:
    """Whatever its state was when another command began to change the scope."""
    mirror = Mirror("tracker", mirrored / "tracker.db")
    before = mirror.state()
    assert before is not None
    rove("mirror", "stop", "tracker")
    choose_scope(
        mirror,
        before,
        evolve(before.scope, containers=("TR", "OPS")),
        [Container(name="TR"), Container(name="OPS")],
        owner=before.owner,
        now=SYSTEM.now(),
        starts=False,
    )
    after = mirror.state()

    assert after is not None
    assert (after.running, after.scope.containers) == (False, ("TR", "OPS"))


@pytest.mark.usefixtures("mirrored")
def test_an_added_project_says_what_copies_it(rove: "Rove") -> None:
    """Nothing goes on by itself where no server may run."""
    added = rove("mirror", "scope", "tracker", "--add", "OPS").out
    status = " ".join(rove("mirror", "status").out.split())

    assert "being copied" in added
    assert "Go on: rove mirror update --account tracker." in " ".join(added.split())
    assert "No server is running, so nothing goes on copying tracker." in status


@pytest.mark.usefixtures("mirrored")
def test_all_copies_are_stopped_and_dropped_at_once(rove: "Rove") -> None:
    """And without any there is nothing to drop."""
    stopped = rove("mirror", "stop", "all")
    dropped = [rove("mirror", "drop", "all").out for _ in range(2)]

    assert "stopped" in stopped.out
    assert dropped[0].startswith("removed tracker: ")
    assert dropped[1] == "there was no copy to remove\n"


@pytest.mark.usefixtures("mirrored")
def test_stop_without_a_copy_says_so(rove: "Rove") -> None:
    """The account is still connected."""
    rove("mirror", "drop", "tracker")

    assert rove("mirror", "stop", "all").out.split() == ["tracker", "no", "mirror"]


@pytest.mark.usefixtures("mirrored")
def test_a_copy_of_an_account_that_is_not_used_here_stays(rove: "Rove") -> None:
    """Another project may use it: the command says where it can be removed."""
    rove("sources", "unuse", "tracker")
    one, all_of_them = rove("mirror", "drop", "tracker"), rove("mirror", "drop", "all")

    assert (one.code, "Use it here first: rove sources use tracker" in one.err) == (7, True)
    assert "this project does not use their accounts: tracker" in " ".join(all_of_them.out.split())
