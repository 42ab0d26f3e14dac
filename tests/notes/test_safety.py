"""What is never read, whatever lies in the folder or stands in a reference."""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core import ItemNotFound, ItemRef, Query
from rove_notes.folder import MOST_BYTES, NotesFolder
from rove_notes.source import NotesSource

pytestmark = pytest.mark.anyio

Write = Callable[..., Path]


@pytest.fixture
def linked(folder: Path, write: Write) -> None:
    """Let the folder be a link to another one."""
    write("own.md")
    real = folder.rename(folder.parent / "real")
    folder.symlink_to(real)


async def _all(notes: NotesSource) -> list[str]:
    query = Query(account="notes", text="oauth2")
    return [item.ref.id async for item in notes.rove_search(query)]


@pytest.mark.parametrize(
    "name",
    [".hidden.md", ".obsidian/plugin.md", "a/.git/b.md", "code.py", "README", "a.mdx", "n\n.md"],
)
async def test_only_plain_notes_are_read(notes: NotesSource, write: Write, name: str) -> None:
    """Hidden files, other kinds of files and names that no line can hold stay out."""
    write(name)

    assert await _all(notes) == []
    with pytest.raises(ItemNotFound):
        await notes.rove_item_detail(ItemRef(account="notes", kind="note", id=f"notes/{name}"))


@pytest.mark.parametrize("letter", ["x", "ü", "€"])
async def test_of_a_huge_file_the_beginning_is_read(
    notes: NotesSource, write: Write, letter: str
) -> None:
    """A dump costs no more than a note, no letter is cut in two, and the note says so."""
    write("most.md", "oauth2".ljust(MOST_BYTES))
    write("huge.md", "oauth2 " + letter * MOST_BYTES + " secret")
    most = await notes.rove_item_detail(ItemRef(account="notes", kind="note", id="notes/most.md"))
    huge = await notes.rove_item_detail(ItemRef(account="notes", kind="note", id="notes/huge.md"))

    assert len(most.content) == MOST_BYTES
    assert huge.content.endswith(f"{letter}\n\n(Only the first megabyte of this file was read.)")
    assert await _all(notes) == ["notes/most.md", "notes/huge.md"]


async def test_links_are_not_followed(notes: NotesSource, folder: Path, write: Write) -> None:
    """Neither a linked file nor a linked folder points outside the folder of notes."""
    outside = folder.parent / "outside"
    outside.mkdir()
    outside.joinpath("secret.md").write_text("oauth2", "utf-8")
    folder.joinpath("file.md").symlink_to(outside / "secret.md")
    folder.joinpath("below").symlink_to(outside)
    folder.joinpath("circle.md").symlink_to(folder / "circle.md")
    write("own.md")

    assert await _all(notes) == ["notes/own.md"]
    for name in ("file.md", "below/secret.md", "circle.md"):
        with pytest.raises(ItemNotFound):
            await notes.rove_item_detail(ItemRef(account="notes", kind="note", id=f"notes/{name}"))


@pytest.mark.usefixtures("linked")
async def test_the_folder_itself_may_be_a_link(notes: NotesSource) -> None:
    """Who names a link as the folder means what it leads to."""
    assert await _all(notes) == ["notes/own.md"]
    assert (
        await notes.rove_item_detail(ItemRef(account="notes", kind="note", id="notes/own.md"))
    ).content


@given(
    st.sampled_from(["file", "folder", "pipe", "gone", "folder for file"]),
    st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=3),
)
def test_what_is_swapped_after_it_was_listed_is_not_read(how: str, folders: list[str]) -> None:
    """A file or a folder that becomes a link between listing and reading leads nowhere."""
    with TemporaryDirectory() as place:
        outside, inside = Path(place, "outside"), Path(place, "notes")
        for root, text in ((outside, "secret"), (inside, "open")):
            root.joinpath(*folders).mkdir(parents=True)
            root.joinpath(*folders, "n.md").write_text(text, "utf-8")
        folder = NotesFolder(inside)
        (name,) = folder.ids()

        _swap(inside.joinpath(*folders, "n.md"), outside.joinpath(*folders, "n.md"), how)

        with pytest.raises(ItemNotFound):
            folder.read(name)


def _swap(note: Path, secret: Path, how: str) -> None:
    note.unlink()
    match how:
        case "file":
            note.symlink_to(secret)
        case "folder":
            note.parent.rmdir()
            note.parent.symlink_to(secret.parent)
        case "pipe":
            os.mkfifo(note)
        case "folder for file":
            note.mkdir()


def test_reading_leaves_no_file_open(folder: Path, write: Write) -> None:
    """However it ends, what was opened is closed."""
    write("a/b.md")
    folder.joinpath("link.md").symlink_to(folder / "a/b.md")
    before = len([*Path("/dev/fd").iterdir()])

    NotesFolder(folder).read("notes/a/b.md")
    for name in ("notes/a/gone.md", "notes/link.md", "notes/gone/b.md"):
        with pytest.raises(ItemNotFound):
            NotesFolder(folder).read(name)

    assert len([*Path("/dev/fd").iterdir()]) == before


async def test_a_pipe_is_no_note(notes: NotesSource, folder: Path) -> None:
    """What is not a regular file is not opened: a pipe would wait for ever."""
    os.mkfifo(folder / "pipe.md")

    assert await _all(notes) == []
    with pytest.raises(ItemNotFound):
        await notes.rove_item_detail(ItemRef(account="notes", kind="note", id="notes/pipe.md"))


async def test_what_may_not_be_read_costs_nothing_else(notes: NotesSource, write: Write) -> None:
    """One note without permission does not hide the others."""
    write("closed.md").chmod(0)
    write("open.md")

    assert "notes/open.md" in await _all(notes)


@pytest.mark.parametrize(
    "name",
    [
        "notes/../outside.md",
        "notes/./a.md",
        "notes//a.md",
        "notes/a/../a.md",
        "../outside.md",
        "other/a.md",
        "a.md",
        "notes/",
        "notes",
        "",
        "notes/gone.md",
        "notes/a.md\0",
        "notes/a.md/",
        "/etc/passwd",
    ],
)
async def test_no_id_leads_outside(notes: NotesSource, write: Write, name: str) -> None:
    """An id that is not exactly a note's is not found, whatever file it could mean."""
    write("a.md")
    write("../outside.md")

    with pytest.raises(ItemNotFound):
        await notes.rove_item_detail(ItemRef(account="notes", kind="note", id=name))
