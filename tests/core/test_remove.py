"""Removing a document."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.operations.remove import REMOVE, remove
from rove_core.errors import DocumentNotFound, UnsafePlace, WrongCall
from rove_core.project.layout import ProjectPaths
from rove_core.store.documents import DocumentRecord, list_documents
from rove_core.store.items import read_items

if TYPE_CHECKING:
    from tests.core.conftest import Shelf


def files(folder: Path) -> list[Path]:
    """Return the document's file and what is remembered of it, as far as they are there."""
    places = ProjectPaths.at(folder)
    return [*places.context.glob("*"), *places.bases.rglob("*.json")]


@pytest.mark.anyio
@pytest.mark.usefixtures("shelved")
async def test_nothing_is_left(shelf: "Shelf", tmp_path: Path) -> None:
    """The file, its record, the items that nothing else uses and what was remembered are gone."""
    async with shelf.opened(tmp_path) as project:
        removed = await remove(project, ticket="B-1")
        records = await project.store.read(list_documents)
        items = await project.store.read(read_items, [shelf.ref(name) for name in shelf.books])

    assert (records, items, files(tmp_path)) == ((), (), [])
    assert REMOVE.show is not None
    assert REMOVE.show(removed) == f"{tmp_path}/.context/B-1_keys.md is removed"


@pytest.mark.anyio
async def test_what_people_wrote_is_not_removed(
    shelf: "Shelf", shelved: DocumentRecord, tmp_path: Path
) -> None:
    """One line of a person's own is enough to be asked again, and nothing is touched."""
    path = tmp_path / ".context" / shelved.filename
    path.write_text(f"{path.read_text('utf-8')}\nAsk Mike first.\n", "utf-8")
    before = files(tmp_path)

    async with shelf.opened(tmp_path) as project:
        with pytest.raises(WrongCall, match="somebody has written into") as error:
            await remove(project, ticket="B-1")
        records = await project.store.read(list_documents)

    assert error.value.hint == "Remove it all the same with: rove remove --yes B-1"
    assert (records, files(tmp_path)) == ((shelved,), before)


@pytest.mark.anyio
async def test_yes_removes_it_all_the_same(
    shelf: "Shelf", shelved: DocumentRecord, tmp_path: Path
) -> None:
    """Whoever says so means it."""
    (tmp_path / ".context" / shelved.filename).write_text("Mine.\n", "utf-8")

    async with shelf.opened(tmp_path) as project:
        await remove(project, ticket="B-1", yes=True)

    assert files(tmp_path) == []


@pytest.mark.anyio
@pytest.mark.usefixtures("shelved")
async def test_without_a_base_everything_may_be_somebodys(shelf: "Shelf", tmp_path: Path) -> None:
    """Where nothing is remembered nobody can tell whose words they are."""
    for base in ProjectPaths.at(tmp_path).bases.rglob("*.json"):
        base.unlink()

    async with shelf.opened(tmp_path) as project:
        with pytest.raises(WrongCall):
            await remove(project, ticket="B-1")


@pytest.mark.anyio
async def test_a_file_that_is_gone_already(
    shelf: "Shelf", shelved: DocumentRecord, tmp_path: Path
) -> None:
    """What is left of a document without its file can be removed."""
    (tmp_path / ".context" / shelved.filename).unlink()

    async with shelf.opened(tmp_path) as project:
        await remove(project, ticket="B-1")

    assert files(tmp_path) == []


@pytest.mark.anyio
async def test_a_link_is_removed_alone(
    shelf: "Shelf", shelved: DocumentRecord, tmp_path: Path
) -> None:
    """Where somebody put a link in the file's place, it is not read, and what it leads to stays."""
    path = tmp_path / ".context" / shelved.filename
    target = tmp_path / "elsewhere.md"
    path.rename(target)
    path.symlink_to(target)

    async with shelf.opened(tmp_path) as project:
        with pytest.raises(UnsafePlace):
            await remove(project, ticket="B-1")
        await remove(project, ticket="B-1", yes=True)

    assert target.exists()
    assert not path.is_symlink()


@pytest.mark.anyio
async def test_no_document(shelf: "Shelf", tmp_path: Path) -> None:
    """What is not there cannot be removed."""
    async with shelf.opened(tmp_path) as project:
        with pytest.raises(DocumentNotFound):
            await remove(project, ticket="B-9")
