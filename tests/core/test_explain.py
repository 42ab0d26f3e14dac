"""Why a document says what it says."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rove.operations.explain import EXPLAIN
from rove_core.errors import DocumentNotFound, WrongCall
from rove_core.operations import finish
from rove_core.project.explain import Explanation, SaidToo, explain
from rove_core.project.local import LocalProject


def explained(folder: Path, ticket: str = "B-1") -> Explanation:
    """Explain a document of a folder."""
    return finish(explain(LocalProject.at(folder), ticket=ticket))


@pytest.mark.usefixtures("shelved")
def test_what_was_left_out_is_there_too(tmp_path: Path) -> None:
    """All that was found is told, the best first, with what became of it."""
    items = explained(tmp_path).items

    assert [(item.id, item.kept, item.tokens) for item in items] == [
        ("B-2", True, 12),
        ("B-3", False, 0),
    ]


@pytest.mark.usefixtures("shelved")
def test_each_item_says_why_and_where(tmp_path: Path) -> None:
    """An item tells where it is, how deep it lay, how much it matters, and why."""
    first, second = explained(tmp_path).items

    assert (first.account, first.kind, first.url, first.title) == (
        "shelf",
        "book",
        "https://shelf.example/B-2",
        "Book B-2",
    )
    assert (first.hop, first.score, first.reason) == (1, 0.9123, "names B-1")
    assert first.merged == (SaidToo(id="B-4", url="https://shelf.example/B-4"),)
    assert (second.hop, second.reason) == (2, "says: keys")


@pytest.mark.usefixtures("shelved")
def test_what_was_asked_is_told(tmp_path: Path) -> None:
    """The words that each account was asked for are told."""
    assert explained(tmp_path).asked == {"shelf": ("B-1", "keys")}


@pytest.mark.usefixtures("shelved")
def test_what_is_held_back_is_told(tmp_path: Path) -> None:
    """What Rove does not write any more is told by its key."""
    assert explained(tmp_path).held_back == ("quote:7",)


@pytest.mark.usefixtures("shelved")
def test_a_lost_base_holds_nothing_back(tmp_path: Path) -> None:
    """Where nothing is remembered nothing is held back."""
    for base in LocalProject.at(tmp_path).places.bases.rglob("*.json"):
        base.unlink()

    assert explained(tmp_path).held_back == ()


@pytest.mark.usefixtures("shelved")
def test_people_see_a_table(tmp_path: Path) -> None:
    """A mark says what is quoted; below stands what was asked, and what is held back."""
    assert EXPLAIN.show is not None

    shown = EXPLAIN.show(explained(tmp_path)).splitlines()

    assert shown == [
        "*  0.91  shelf  B-2  12 tokens  Book B-2  names B-1",
        "-  0.20  shelf  B-3             Book B-3  says: keys",
        "",
        "1 of 2 are quoted (*)",
        "shelf was asked for: B-1; keys",
        "kept out because somebody changed it: quote:7",
    ]


@pytest.mark.usefixtures("shelved")
def test_by_title(tmp_path: Path) -> None:
    """A document is meant by its title as well."""
    assert explained(tmp_path, "book b-1") == explained(tmp_path)


def test_no_document(tmp_path: Path) -> None:
    """Without a document there is nothing to explain, and the next command is named."""
    with pytest.raises(DocumentNotFound) as error:
        explained(tmp_path, "rotate keys")

    assert error.value.hint == "Build it with: rove --ticket 'rotate keys'"


def test_the_operation_checks_its_arguments(tmp_path: Path) -> None:
    """A ticket must be named."""
    with pytest.raises(WrongCall, match="ticket: missing"):
        finish(EXPLAIN.run(LocalProject.at(tmp_path), {}))


@pytest.mark.usefixtures("shelved")
def test_lost_items_are_not_said_to_be_none(tmp_path: Path) -> None:
    """Where the index has lost the items, the message says so, and how to get them again."""
    with closing(sqlite3.connect(tmp_path / ".rove" / "index.db")) as db, db:
        db.execute("DELETE FROM items")

    with pytest.raises(DocumentNotFound) as error:
        explained(tmp_path)

    assert "nothing is stored any more" in error.value.message
    assert error.value.hint == "Build it again with: rove --ticket B-1"
