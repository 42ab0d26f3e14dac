"""What the commands about a linked folder say when there is nothing to show."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rove_core import FileLock, ItemNotFound, Project, WrongCall, WrongSetting
from rove_folder.operations.agents import read_project_folder_file
from rove_folder.operations.folder import (
    folder_files,
    folder_read,
    folder_rescan,
    folder_scan,
)
from rove_folder.project_folder import ProjectFolder
from rove_folder.scan import scan
from rove_folder.storage import projects

pytestmark = pytest.mark.anyio

Write = Callable[..., Path]


@pytest.mark.usefixtures("linked")
async def test_a_file_without_text_is_an_error(rove: Project, write: Write) -> None:
    """Why there is no text is an error, and never looks like the text."""
    write("a.pdf", b"%PDF-1.4 broken")
    with pytest.raises(ItemNotFound, match=r"a\.pdf: Could not extract text"):
        await folder_read(rove, path="a.pdf")


async def test_a_name_may_be_copied_as_it_is_shown(
    rove: Project, linked: ProjectFolder, write: Write
) -> None:
    """A list shows names without what could be taken for something else; one fits a single file."""
    write("odd/new\nline <b>.md", "Text.")
    await scan(linked)

    assert (await folder_read(rove, path="/odd/new line (b).md")).content == "Text."


@pytest.mark.usefixtures("linked")
async def test_an_image_that_is_too_large_is_not_cut(rove: Project, write: Write) -> None:
    """Half an image is of no use."""
    write("a.png", b"\x89PNG\r\n\x1a\n".ljust((5 << 20) + 1, b"x"))
    with pytest.raises(ItemNotFound, match=r"a\.png: Image larger than 5 MB"):
        await folder_read(rove, path="a.png")


@pytest.mark.usefixtures("linked")
async def test_a_list_of_a_folder_that_is_gone(rove: Project, folder: Path) -> None:
    """What was in it is not listed as if it were there."""
    shutil.rmtree(folder)
    with pytest.raises(WrongSetting, match="Folder not found"):
        await folder_files(rove)


async def test_a_path_may_be_copied_from_the_list(
    rove: Project, linked: ProjectFolder, write: Write
) -> None:
    """The list spells paths with a slash at their front, and so may whoever reads a file."""
    write("a/b.md", "Text.")
    await scan(linked)

    assert "/a/b.md" in (await folder_files(rove)).show()
    assert (await folder_read(rove, path="/a/b.md")).content == "Text."


@pytest.mark.usefixtures("linked")
async def test_a_lost_folder_is_named(rove: Project, folder: Path) -> None:
    """A file of a folder that is gone is not missing: the folder is."""
    shutil.rmtree(folder)
    with pytest.raises(WrongSetting, match=f"^Folder not found: {folder}$"):
        await folder_read(rove, path="a.md")
    read = await read_project_folder_file(rove, relative_path="a.md")

    assert (read.content, read.error) == (f"Folder not found: {folder}", True)


async def test_the_daily_scan_reads_what_a_manifest_left(
    rove: Project, linked: ProjectFolder, write: Write
) -> None:
    """An agent's question brings the manifest up to date, but takes no scan's place."""
    write("a.md", "Text.")
    await scan(linked, limit=0)

    assert (await folder_rescan(rove)).read == 1
    assert (await folder_rescan(rove)).status == "not_due"


async def test_a_cancel_says_whether_a_scan_was_running(
    rove: Project, linked: ProjectFolder
) -> None:
    """Without a scan there is nothing to stop; both are no failures."""
    idle = await folder_scan(rove, cancel=True)
    with linked.database.writing() as db:
        projects.take_lease(db, linked.id, "somebody", linked.now)
    dead = await folder_scan(rove, cancel=True)
    with FileLock(linked.scan_lock):
        running = await folder_scan(rove, cancel=True)

    assert (idle.show(), idle.exit_code) == ("No scan is running.", 0)
    assert dead.show() == "No scan is running."
    assert (running.status, running.exit_code) == ("stopping", 0)


@pytest.mark.usefixtures("linked")
async def test_a_limit_is_at_least_one(rove: Project) -> None:
    """A limit below one is refused, with its value."""
    with pytest.raises(WrongCall, match="--limit -3"):
        await folder_files(rove, limit=-3)
