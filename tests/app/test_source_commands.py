"""``rove sources search|item|recognise|test``: what one account answers."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.app.conftest import Rove, Tracker

FILTER = """
import attrs
from rove_core import hookimpl

@hookimpl
def rove_filter_item(account, item):
    return None if item.ref.id == "TR-1" else attrs.evolve(item, title="REDACTED")
"""


ATTACHED = """
import attrs
from rove_core import Facts, hookimpl

@hookimpl
def rove_filter_item(account, item):
    if item.ref.id != "TR-1":
        return item
    return attrs.evolve(item, facts=Facts(attachments=("a.log", "gone.log")))
"""


@pytest.mark.usefixtures("tracking")
def test_search_lists_what_is_found(rove: "Rove") -> None:
    """Each item is a line: its day, its kind, its id, its author and its title."""
    assert rove("sources", "search", "tracker", "keys").out == (
        "2024-12-10  ticket  TR-1  Ann  Keys\n2024-12-12  ticket  TR-2  Ann  More keys\n"
    )


@pytest.mark.usefixtures("tracking")
def test_search_gives_whole_items_as_json(rove: "Rove") -> None:
    """``--json`` has all that is known of each item."""
    found = json.loads(rove("sources", "search", "tracker", "keys", "--limit", "1", "--json").out)

    assert [item["content"] for item in found["items"]] == ["About Keys."]


@pytest.mark.usefixtures("tracking")
@pytest.mark.parametrize(
    ("window", "ids"),
    [
        (("--since", "2024-12-10", "--until", "2024-12-10"), ["TR-1"]),
        (("--since", "2024-12-10T09:00:01Z"), ["TR-2"]),
        (("--until", "2024-12-12T09:00:00Z"), ["TR-1", "TR-2"]),
        (("--since", "yesterday"), []),
    ],
)
def test_search_keeps_a_window(rove: "Rove", window: tuple[str, ...], ids: list[str]) -> None:
    """Both ends of the window belong to it, and a day is the whole day."""
    found = json.loads(rove("sources", "search", "tracker", "keys", *window, "--json").out)

    assert [item["ref"]["id"] for item in found["items"]] == ids


@pytest.mark.usefixtures("tracking")
def test_search_asks_for_the_fields(rove: "Rove", tracker: "Tracker") -> None:
    """A field that the kind has is passed on; finding nothing is no error, and is said."""
    outcome = rove("sources", "search", "tracker", "none", "--field", "ticket_title")

    assert (outcome.code, outcome.out) == (0, "")
    assert "nothing found in tracker; it reads: TR" in outcome.err
    assert tracker.asked == ["GET /tickets?q=none&fields=ticket_title&page=1"]


@pytest.mark.usefixtures("tracking")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("keys", "--field", "colour"), "It has: ticket_title"),
        (("keys", "--since", "soon"), "'soon' is not a valid time"),
        (("keys", "--since", "today", "--until", "2d"), "is before"),
        (("keys", "--limit", "0"), "limit 0"),
        ((" ",), "nothing to search for"),
    ],
)
def test_search_refuses(
    rove: "Rove", tracker: "Tracker", options: tuple[str, ...], said: str
) -> None:
    """What cannot be asked is refused before anybody is asked, and what could be is said."""
    outcome = rove("sources", "search", "tracker", *options)

    assert (outcome.code, tracker.asked) == (2, [])
    assert said in outcome.err


@pytest.mark.usefixtures("tracking")
def test_search_keeps_what_came_before_an_error(rove: "Rove") -> None:
    """A search that breaks off prints what came, says what broke, and ends as a partial one."""
    outcome = rove("sources", "search", "tracker", "torn")

    assert (outcome.code, outcome.out.split()[2]) == (5, "TR-1")
    assert "ROVE-NET-004" in outcome.err


@pytest.mark.usefixtures("tracking")
def test_filters_hold_here_too(rove: "Rove", install_plugin: "Callable[..., None]") -> None:
    """What a plugin drops is not shown, and what it redacts is shown redacted."""
    install_plugin("discreet", text=FILTER)

    assert rove("sources", "search", "tracker", "keys").out.split()[2:] == [
        "TR-2",
        "Ann",
        "REDACTED",
    ]
    assert rove("sources", "item", "tracker", "TR-1").code == 3


@pytest.mark.usefixtures("tracking")
def test_attached_files_follow_an_item(
    rove: "Rove", tracker: "Tracker", install_plugin: "Callable[..., None]"
) -> None:
    """``--attachments`` reads each file by its name, and says which one cannot be read."""
    install_plugin("attaching", text=ATTACHED)
    log = {"id": "TR-1/file/a.log", "title": "a.log", "changed": "2024-12-10T09:00:00Z"}
    tracker.replies["/tickets/TR-1/file/a.log"] = (200, "application/json", json.dumps(log))

    item = json.loads(rove("sources", "item", "tracker", "TR-1", "--attachments", "--json").out)

    assert [part["content"] for part in item["thread"]] == ["About a.log."]
    assert ["gone.log" in gap for gap in item["facts"]["incomplete"]] == [True]
    assert "a.log" not in rove("sources", "item", "tracker", "TR-1").out


@pytest.mark.usefixtures("tracking")
def test_an_account_that_is_not_in_use(rove: "Rove") -> None:
    """Only accounts in use are searched."""
    outcome = rove("sources", "search", "jira", "keys")

    assert outcome.code == 7
    assert "there are: tracker" in outcome.err


@pytest.mark.usefixtures("tracking")
def test_an_account_that_cannot_be_connected(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> None:
    """An account in use that cannot be connected is told with the reason."""
    monkeypatch.setenv("ROVE_LOAD_PLUGINS", "notes")

    outcome = rove("sources", "search", "tracker", "keys")

    assert outcome.code == 7
    assert "no installed plugin provides the source 'tracker'" in outcome.err


@pytest.mark.usefixtures("tracking")
@pytest.mark.parametrize("written", ["TR-1", "tr-1", "see TR-1"])
def test_an_item_is_read(rove: "Rove", written: str) -> None:
    """An item is found by its id, in small letters too, and by whatever names it alone."""
    lines = rove("sources", "item", "tracker", written).out.splitlines()

    assert lines[:2] == ["TR-1: Keys", "Ann, 2024-12-10 09:00 UTC"]
    assert lines[-1] == "> About Keys."


@pytest.mark.usefixtures("tracking")
def test_an_item_of_a_kind(rove: "Rove") -> None:
    """With ``--kind`` the id is taken as it is, though no text would be recognised as it."""
    assert "XX-9" in rove("sources", "item", "tracker", "XX-9", "--kind", "ticket").err


@pytest.mark.usefixtures("tracking")
@pytest.mark.parametrize("written", ["TR-999", "XX-1"])
def test_an_unknown_item(rove: "Rove", written: str) -> None:
    """What the vendor does not have, or does not show, is told with who one is."""
    outcome = rove("sources", "item", "tracker", written)

    assert outcome.code == 3
    assert f"tracker: {written} is not found, or not visible to Robin Doe" in outcome.err


@pytest.mark.usefixtures("tracking")
def test_references_are_recognised(rove: "Rove", tracker: "Tracker") -> None:
    """The references in a text are listed without asking anybody."""
    outcome = rove("sources", "recognise", "As TR-7 says, use UTF-8", "--account", "tracker")

    assert outcome.out == f"tracker  ticket  TR-7  {tracker.url}/TR-7\n"
    assert tracker.asked == []


@pytest.mark.usefixtures("tracking")
def test_a_test_says_who_one_is(rove: "Rove", tracker: "Tracker") -> None:
    """A test asks the vendor who one is and says what can be read."""
    assert rove("sources", "test", "tracker").out == "tracker: you are Robin Doe\n  can read TR\n"
    assert tracker.asked == ["GET /me"]


@pytest.mark.usefixtures("tracking")
def test_a_test_learns_new_projects(rove: "Rove", tracker: "Tracker") -> None:
    """What a test learns of an account is remembered: tickets of a new project are known."""
    tracker.replies["/me"] = (200, "application/json", '{"name": "R", "projects": ["TR", "NEW"]}')
    rove("sources", "test", "tracker")

    assert "NEW-1" in rove("sources", "recognise", "see NEW-1").out


@pytest.mark.usefixtures("tracking")
def test_an_account_that_is_not_in_use_can_be_tested(
    rove: "Rove", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To test an account sends no word of a ticket: it need not be in use."""
    monkeypatch.chdir(tmp_path)

    assert rove("sources", "test", "tracker").code == 0


@pytest.mark.usefixtures("tracking")
@pytest.mark.parametrize("command", [("test",), ("search", "keys"), ("item", "TR-1")])
def test_a_refused_login(
    rove: "Rove", monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """Whoever is refused is told where a new token is made, and where the refused one stands."""
    monkeypatch.setenv("ROVE_TRACKER_TOKEN", "wrong")
    word, *rest = command

    outcome = rove("sources", word, "tracker", *rest)

    assert outcome.code == 4
    assert "Make a new one at https://tracker.example/tokens" in outcome.err
    assert "set ROVE_TRACKER_TOKEN" in outcome.err


@pytest.mark.usefixtures("empty")
def test_a_wrong_token_when_adding(rove: "Rove", tracker: "Tracker") -> None:
    """A token that is refused is told with the page where tokens are made, for that account."""
    outcome = rove(
        *("--add-source", "tracker", "--account", "tracker:b", "--base-url", tracker.url),
        *("--token-stdin",),
        typed="wrong\n",
    )

    assert outcome.code == 4
    assert (
        "https://tracker.example/tokens, then: rove --add-source tracker --account tracker:b"
        in (outcome.err)
    )


@pytest.mark.parametrize(
    "reply",
    [
        (200, "text/html", "<html>Welcome</html>"),
        (404, "text/html", "<html>Nothing here</html>"),
        (405, "text/plain", "no"),
        (200, "application/json", "{}"),
        (200, "text/plain", "hello"),
    ],
    ids=["page", "no page", "no method", "other JSON", "text"],
)
@pytest.mark.usefixtures("empty")
def test_an_address_of_somebody_else(
    rove: "Rove", tracker: "Tracker", reply: tuple[int, str, str]
) -> None:
    """Where something else answers than the vendor, that is said, and nothing is remembered."""
    tracker.replies["/me"] = reply

    outcome = rove(
        "--add-source", "tracker", "--base-url", tracker.url, "--token-stdin", typed="CANARY-key\n"
    )

    assert outcome.code == 7
    assert f"{tracker.url} does not look like a Tracker site" in outcome.err
    assert "--base-url https://YOURS" in outcome.err
    assert "no account is connected yet" in rove("sources", "list").out


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("written", ["195539477", '"195539477"'])
def test_a_text_of_digits_stays_a_text(rove: "Rove", tracker: "Tracker", written: str) -> None:
    """Numbers of workspaces are common, and no number in a file of settings."""
    added = rove(
        *("--add-source", "tracker", "--base-url", tracker.url, "--token-stdin"),
        *("--set", f"workspace={written}"),
        typed="CANARY-key\n",
    )

    assert added.code == 0, added.err


def test_a_folder_that_is_not_there(rove: "Rove") -> None:
    """A folder of notes that was mistyped is told at once, and not remembered."""
    outcome = rove("--add-source", "notes", "--set", "folder=nots")

    assert outcome.code == 7
    assert "nots" in outcome.err
    assert "no account is connected yet" in rove("sources", "list").out


def test_a_folder_that_is_there(rove: "Rove", empty: Path) -> None:
    """A folder is nobody: it says what can be read."""
    (empty / "notes").mkdir()

    head, reads = rove("--add-source", "notes").out.splitlines()

    assert head == "notes: connected"
    assert str(empty / "notes") in reads


@pytest.mark.usefixtures("tracking")
def test_what_a_vendor_writes_moves_no_cursor(rove: "Rove", tracker: "Tracker") -> None:
    """Nothing that a vendor sends reaches a terminal as a command to it."""
    title = '"title": "A\\u001b[31m\\u009b1mB\\rC\\u202e"'
    tracker.replies["/tickets/TR-1"] = (
        *(200, "application/json"),
        f'{{"id": "TR-1", {title}, "changed": "2024-12-10T09:00:00Z"}}',
    )

    out = rove("sources", "item", "tracker", "TR-1").out

    assert [char for char in out if not char.isprintable() and char != "\n"] == []


@pytest.mark.usefixtures("tracking")
def test_a_login_is_in_no_file_of_the_project(rove: "Rove", empty: Path) -> None:
    """What the commands leave in a project has no token in it."""
    rove("sources", "search", "tracker", "keys")

    files = [path.read_bytes() for path in empty.rglob("*") if path.is_file()]

    assert files
    assert not [data for data in files if b"Bearer CANARY-key" in data]


def test_identities_are_of_the_moment(rove: "Rove", tracking: Path, tracker: "Tracker") -> None:  # noqa: ARG001  # it is there
    """The record has who one was when the account was last tested."""
    tracker.replies["/me"] = (200, "application/json", '{"name": "Renamed", "projects": []}')
    rove("sources", "test", "tracker")

    assert "Renamed" in rove("sources", "list").out
