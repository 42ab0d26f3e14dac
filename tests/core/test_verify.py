"""What a document cites, read again."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.operations.verify import Verification, verify
from rove_core.errors import DocumentNotFound, ItemNotFound, RateLimited, Unavailable
from rove_core.events import Event
from rove_core.store.documents import DocumentRecord

if TYPE_CHECKING:
    from tests.core.conftest import Shelf

pytestmark = pytest.mark.usefixtures("shelved")


async def verified(shelf: "Shelf", folder: Path, *accounts: str) -> Verification:
    """Verify the document about the first book."""
    async with shelf.opened(folder, *accounts) as project:
        return await verify(project, ticket="B-1")


async def states(shelf: "Shelf", folder: Path) -> list[tuple[str, str, str]]:
    """Return the id, the state and the note of each thing that is cited."""
    return [(each.id, each.state, each.note) for each in (await verified(shelf, folder)).items]


@pytest.mark.anyio
async def test_all_is_as_it_was(shelf: "Shelf", tmp_path: Path) -> None:
    """The ticket and what is quoted are read again; what was left out is not."""
    told = await verified(shelf, tmp_path)

    assert [(each.id, each.state) for each in told.items] == [("B-1", "fresh"), ("B-2", "fresh")]
    assert (told.dangling, told.uncited, told.exit_code) == ((), (), 0)


@pytest.mark.anyio
async def test_what_was_edited(shelf: "Shelf", tmp_path: Path) -> None:
    """Another text is a change."""
    shelf.books["B-2"] = "Keys are rotated weekly."

    assert (await states(shelf, tmp_path))[1] == ("B-2", "changed", "another text")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("said", "note"),
    [
        (["Quarterly is enough.", "No, monthly."], "1 below it new"),
        (["Monthly!"], "1 below it edited"),
        ([], "1 below it gone"),
    ],
)
async def test_what_is_said_below(
    shelf: "Shelf", tmp_path: Path, said: list[str], note: str
) -> None:
    """A discussion that went on, or was edited, is a change."""
    shelf.discussions["B-2"] = said

    assert (await states(shelf, tmp_path))[1] == ("B-2", "changed", note)


@pytest.mark.anyio
async def test_what_is_gone(shelf: "Shelf", tmp_path: Path) -> None:
    """What is no longer at its source is told, and that is worth an exit code."""
    shelf.troubles["B-2"] = ItemNotFound("no book B-2")

    told = await verified(shelf, tmp_path)

    assert (told.items[1].state, told.exit_code) == ("gone", 5)


@pytest.mark.anyio
async def test_what_cannot_be_read(shelf: "Shelf", tmp_path: Path) -> None:
    """A source that fails says nothing of its items."""
    shelf.troubles["B-2"] = RateLimited("the library is closed until 14:05")

    told = await verified(shelf, tmp_path)

    assert told.items[1].state == "unread"
    assert told.items[1].note == "the library is closed until 14:05"
    assert told.exit_code == 5


@pytest.mark.anyio
async def test_each_item_has_its_own_reason(shelf: "Shelf", tmp_path: Path) -> None:
    """An error often names the address of its item, which must not stand beside another."""
    for book in ("B-1", "B-2"):
        shelf.troubles[book] = Unavailable(f"/books/{book} does not answer")

    assert await states(shelf, tmp_path) == [
        ("B-1", "unread", "/books/B-1 does not answer"),
        ("B-2", "unread", "/books/B-2 does not answer"),
    ]


@pytest.mark.anyio
async def test_a_limit_that_is_lifted_soon_is_waited_for(shelf: "Shelf", tmp_path: Path) -> None:
    """A build just before may have used up what a vendor allows in a minute; a person is told."""
    told: list[tuple[str, str, str]] = []
    async with shelf.opened(tmp_path) as project:

        def lift(event: Event) -> None:
            told.append((event.stage, event.account, event.note))
            shelf.troubles.clear()

        project.tasks.on_event = lift
        lifted = project.clock.now() + timedelta(seconds=59)
        shelf.troubles["B-2"] = RateLimited("not so fast", retry_at=lifted)
        found = await verify(project, ticket="B-1")

        assert project.clock.now() >= lifted
    assert [each.state for each in found.items] == ["fresh", "fresh"]
    assert told == [("waiting", "shelf", f"until {lifted:%H:%M:%S} UTC, as it asks")]


@pytest.mark.anyio
@pytest.mark.parametrize("seconds", [30, 121])
async def test_a_limit_that_stays_is_told(shelf: "Shelf", tmp_path: Path, seconds: int) -> None:
    """Nobody waits for it longer than two minutes."""
    async with shelf.opened(tmp_path) as project:
        began = project.clock.now()
        lifted = began + timedelta(seconds=seconds)
        shelf.troubles["B-2"] = RateLimited("not so fast", retry_at=lifted)
        found = await verify(project, ticket="B-1")

        assert project.clock.now() - began <= timedelta(minutes=3)
    assert (found.items[1].state, found.items[1].note) == ("unread", "not so fast")


@pytest.mark.anyio
async def test_an_account_that_is_not_used_any_more(shelf: "Shelf", tmp_path: Path) -> None:
    """What was read with another account cannot be read again."""
    told = await verified(shelf, tmp_path, "shelf:other")

    assert {(each.state, each.note) for each in told.items} == {
        ("unread", "shelf is not in use here")
    }


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("text", "dangling", "uncited"),
    [
        ("As said [3], and [ 4 ].", (3, 4), ()),
        ("[9]: https://shelf.example/B-9", (), (9,)),
        ("`rows[3]` and ``a[4]``\n\n```\nrows[5]\n\n[6]: x\n```", (), ()),
        (r"Not \[7\], nor [x](https://shelf.example/8).", (), ()),
    ],
)
async def test_citations(  # noqa: PLR0913  # two fixtures, and a case of three words
    shelf: "Shelf",
    shelved: DocumentRecord,
    tmp_path: Path,
    *,
    text: str,
    dangling: tuple[int, ...],
    uncited: tuple[int, ...],
) -> None:
    """A number without a definition is told, and one that nobody cites; code cites nothing."""
    path = tmp_path / ".context" / shelved.filename
    path.write_text(f"{path.read_text('utf-8')}\n{text}\n", "utf-8")

    told = await verified(shelf, tmp_path)

    assert (told.dangling, told.uncited) == (dangling, uncited)


@pytest.mark.anyio
async def test_nothing_is_written(shelf: "Shelf", shelved: DocumentRecord, tmp_path: Path) -> None:
    """The document stays as it is, whatever has changed."""
    path = tmp_path / ".context" / shelved.filename
    before = path.read_bytes()
    shelf.books["B-2"] = "Keys are rotated weekly."

    await verified(shelf, tmp_path)

    assert before == path.read_bytes()


@pytest.mark.anyio
async def test_a_file_that_is_gone(shelf: "Shelf", shelved: DocumentRecord, tmp_path: Path) -> None:
    """Without the file there is nothing to verify, and the next command is named."""
    (tmp_path / ".context" / shelved.filename).unlink()

    with pytest.raises(DocumentNotFound) as error:
        await verified(shelf, tmp_path)

    assert error.value.hint == "Build it again with: rove --ticket B-1"


@pytest.mark.anyio
async def test_lost_items_are_no_success(shelf: "Shelf", tmp_path: Path) -> None:
    """Where the index has lost the items, nothing can be verified, and the message says so."""
    with closing(sqlite3.connect(tmp_path / ".rove" / "index.db")) as db, db:
        db.execute("DELETE FROM items")

    with pytest.raises(DocumentNotFound, match="nothing is stored any more"):
        await verified(shelf, tmp_path)


@pytest.mark.anyio
async def test_people_see_a_list(shelf: "Shelf", tmp_path: Path) -> None:
    """Each thing has a line, and below stands how many are unchanged."""
    shelf.books["B-2"] = "Keys are rotated weekly."
    path = next((tmp_path / ".context").iterdir())
    path.write_text(path.read_text("utf-8").replace("[2]\n", "[5]\n"), "utf-8")

    assert (await verified(shelf, tmp_path)).show().splitlines() == [
        "fresh    shelf  B-1                Book B-1",
        "changed  shelf  B-2  another text  Book B-2",
        "",
        "1 of 2 are unchanged",
        "cited but not defined: [5]",
        "defined but not cited: [2]",
    ]
