"""What a search term would bring in."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.core.test_mirror_builds import copied, in_project, wiki

from rove.operations.preview import Preview, preview
from rove_core import Project
from rove_core.errors import Unavailable, UnknownAccount, WrongCall

if TYPE_CHECKING:
    from tests.core.conftest import Shelf


async def previewed(shelf: "Shelf", folder: Path, words: str) -> Preview:
    """Preview words."""
    async with shelf.opened(folder) as project:
        return await preview(project, words=words)


@pytest.mark.anyio
async def test_what_comes_is_weighed(shelf: "Shelf", tmp_path: Path) -> None:
    """What the accounts find comes with why, and how much it matters beside the best."""
    shelf.books |= {"B-3": f"{'A long story of many rooms. ' * 20} The keys were lost."}

    told = await previewed(shelf, tmp_path, "keys")

    assert {each.id for each in told.items} == {"B-1", "B-2", "B-3"}
    assert [each.score for each in told.items] == sorted(
        (each.score for each in told.items), reverse=True
    )
    assert told.items[0].score == 1
    assert all(each.reason for each in told.items)
    assert (told.failed, told.exit_code) == ((), 0)


@pytest.mark.anyio
@pytest.mark.usefixtures("shelved")
async def test_what_is_in_a_document_already(shelf: "Shelf", tmp_path: Path) -> None:
    """Of each thing it is told which documents are about it or quote it, not which leave it out."""
    told = await previewed(shelf, tmp_path, "keys")

    assert {each.id: each.documents for each in told.items} == {
        "B-1": ("B-1",),
        "B-2": ("B-1",),
        "B-3": (),
    }


@pytest.mark.anyio
async def test_nothing_is_written(shelf: "Shelf", tmp_path: Path) -> None:
    """No document comes of it."""
    await previewed(shelf, tmp_path, "keys")

    assert not (tmp_path / ".context").exists()


@pytest.mark.anyio
async def test_an_account_that_fails(shelf: "Shelf", tmp_path: Path) -> None:
    """What came before is shown, and what went wrong is told."""
    shelf.troubles["keys"] = Unavailable("the library is closed")

    told = await previewed(shelf, tmp_path, "keys")

    assert len(told.items) == 2
    assert [(each.account, each.error.message) for each in told.failed] == [
        ("shelf", "the library is closed")
    ]
    assert told.exit_code == 5


@pytest.mark.anyio
async def test_without_words(shelf: "Shelf", tmp_path: Path) -> None:
    """Nothing to look for is a wrong call, and so is nothing to be wanted."""
    async with shelf.opened(tmp_path) as project:
        with pytest.raises(WrongCall, match="nothing to search for"):
            await preview(project, words="  ")
        with pytest.raises(WrongCall, match="limit 0"):
            await preview(project, words="keys", limit=0)


@pytest.mark.anyio
async def test_without_accounts(shelf: "Shelf", tmp_path: Path) -> None:
    """Without an account nobody can be asked, and the next command is named."""
    async with shelf.opened(tmp_path) as project:
        project.accounts.disconnect("shelf")
        with pytest.raises(UnknownAccount) as error:
            await preview(project, words="keys")

    assert "rove --add-source" in error.value.hint


@pytest.mark.anyio
@pytest.mark.usefixtures("shelved")
async def test_people_see_a_list(shelf: "Shelf", tmp_path: Path) -> None:
    """Each thing has a line: how relevant, where, when, and in which document it is."""
    told = await previewed(shelf, tmp_path, "rotated")

    assert told.show() == "1.00  shelf  book  B-2  2026-01-01  in B-1  Book B-2"


@pytest.mark.parametrize(("words", "finds"), [("wolverine", False), ("rotate the keys", True)])
def test_a_copy_brings_only_what_has_a_word(tmp_path: Path, words: str, *, finds: bool) -> None:
    """A build also looks at what is new in it."""

    async def work(project: Project) -> Preview:
        await copied(project)
        return await preview(project, words=words)

    assert bool(in_project(tmp_path, wiki(), work).items) == finds
