"""A folder's files are found by their text, and cited by page or line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.folder import formats

from rove_core import Account, ContextItem, ItemNotFound, ItemRef, Query, WrongSetting
from rove_core.testing import VirtualClock
from rove_folder.settings import FolderSourceSettings
from rove_folder.source import FolderSource
from rove_folder.text_index import TextIndex

pytestmark = pytest.mark.anyio

Write = Callable[..., Path]
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def source(tmp_path: Path, folder: Path) -> FolderSource:
    """Return the source of that folder, in a project."""
    (tmp_path / "project").mkdir()
    account = Account(
        name="folder",
        kind="folder",
        settings=FolderSourceSettings(folder=str(folder)),
        base_url=(tmp_path / "project").as_uri(),
    )
    return FolderSource(account, VirtualClock())


async def _found(source: FolderSource, text: str) -> list[ContextItem]:
    return [item async for item in source.rove_search(Query(account="folder", text=text))]


async def test_a_page_is_cited(source: FolderSource, write: Write, folder: Path) -> None:
    """What stands in a PDF document is found with its page, and can be read again by that id."""
    write("contract.pdf", formats.pdf(["Parties and dates", "The penalty is nine percent"]))
    (item,) = await _found(source, "penalty percent")

    assert (item.ref.id, item.title) == ("linked/contract.pdf#page=2", "contract.pdf, page 2")
    assert item.url == f"{(folder / 'contract.pdf').as_uri()}#page=2"
    assert "nine percent" in item.content
    assert (await source.rove_item_detail(item.ref)).content == item.content


async def test_a_line_is_cited(source: FolderSource, write: Write) -> None:
    """What stands far down in a text is found with the line that it begins on."""
    lines = [f"Line {number} about nothing in particular." for number in range(1, 200)]
    write("notes.md", "\n".join([*lines, "", "The penalty is nine percent."]))
    (item,) = await _found(source, "penalty")
    line = int(item.ref.id.rpartition("#L")[2])
    detail = await source.rove_item_detail(item.ref)

    assert 170 < line <= 201
    assert detail.content == item.content


async def test_a_file_is_found_by_its_name(source: FolderSource, write: Write) -> None:
    """The beginnings of words in a path find a file, whatever it says; each file is one item."""
    write("Offers/Acme-2026.md", "The price is nine. Acme agrees.")
    write("capital.md", "About apples.")

    for words in ("offer 2026", "acme", "ACME agrees"):
        found = await _found(source, words)
        assert [each.ref.id for each in found] == ["linked/Offers/Acme-2026.md"], words
    assert await _found(source, "pital") == []


async def test_the_index_follows_the_folder(
    source: FolderSource, write: Write, tmp_path: Path
) -> None:
    """What changed is found, what is gone is not, and a lost index is made again."""
    path = write("a.md", "About apples.")
    write("b.md", "About bananas.")
    assert len(await _found(source, "apples")) == 1
    write("a.md", "About cherries.", day=3)
    assert (await _found(source, "apples"), len(await _found(source, "cherries"))) == ([], 1)
    path.unlink()
    assert await _found(source, "cherries") == []
    for each in (tmp_path / "project" / ".rove" / "state" / "folder").iterdir():
        each.unlink()
    assert len(await _found(source, "bananas")) == 1


async def test_the_index_holds_no_secret(
    source: FolderSource, write: Write, tmp_path: Path
) -> None:
    """Secrets are taken out before they are stored, and files of secrets are never read."""
    write("a.md", f"Deploy with {TOKEN} on Friday.")
    write(".env", "CANARY=sings")
    write("credentials.json", '{"canary": "sings"}')
    (item,) = await _found(source, "deploy")
    stored = b"".join(
        each.read_bytes()
        for each in TextIndex.of(tmp_path / "project").database.path.parent.iterdir()
    )

    assert TOKEN not in item.content
    assert TOKEN.encode() not in stored
    assert b"sings" not in stored
    assert await _found(source, "sings") == []


@pytest.mark.parametrize(
    "identifier",
    ["linked/../secret.md", "linked//a.md", "other/a.md", "linked/.env", "linked/a.md#L99"],
)
async def test_other_ids_are_no_items(source: FolderSource, write: Write, identifier: str) -> None:
    """An id names a file of the folder, and a page or line that is there, or nothing."""
    write("a.md")
    write(".env")
    with pytest.raises(ItemNotFound):
        await source.rove_item_detail(ItemRef(account="folder", kind="file", id=identifier))


async def test_a_setting_names_a_folder_like_a_link_does(
    source: FolderSource, tmp_path: Path, folder: Path
) -> None:
    """A system folder is refused, and so is one in the project that leads out of it."""
    project = tmp_path / "project"
    (project / "docs").symlink_to(folder)
    for named in ("/", "/etc", "~", "docs", "missing"):
        settings = FolderSourceSettings(folder=named)
        account = Account(
            name="folder", kind="folder", settings=settings, base_url=project.as_uri()
        )

        with pytest.raises(WrongSetting):
            await FolderSource(account, VirtualClock()).rove_identity()
    assert (await source.rove_identity()).name == folder.name
