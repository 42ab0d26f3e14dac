from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rove_core import Account, ContextItem, ItemRef
from rove_notes.settings import NotesSettings
from rove_notes.source import NotesSource

pytestmark = pytest.mark.anyio

Write = Callable[..., Path]


async def _read(notes: NotesSource, name: str) -> ContextItem:
    return await notes.rove_item_detail(ItemRef(account="notes", kind="note", id=f"notes/{name}"))


async def test_a_note_is_a_whole_item(notes: NotesSource, folder: Path, write: Write) -> None:
    """Text, time and place arrive as they are."""
    write("meetings/kick off.md", "# Kick-off\n\nOAuth2 it is.\n", day=15)
    url = f"file://{folder}/meetings/kick%20off.md"

    expected = ContextItem(
        ref=ItemRef(account="notes", kind="note", id="notes/meetings/kick off.md", url=url),
        source="notes",
        role="page",
        title="Kick-off",
        content="# Kick-off\n\nOAuth2 it is.\n",
        timestamp=datetime(2024, 12, 15, tzinfo=UTC),
    )

    assert await _read(notes, "meetings/kick off.md") == expected


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("a.md", "Intro\n\n## First ##\n\n# Second", "First"),
        ("a.md", "```\n# a comment\n```\n# Heading", "Heading"),
        ("a.md", "#hashtag and no heading", "a"),
        ("a.md", "", "a"),
        ("A.MD", "# Heading\r\n", "Heading"),
        ("2024-12-15 kick-off.txt", "# of tokens: 3", "2024-12-15 kick-off"),
    ],
)
async def test_the_title(
    notes: NotesSource, write: Write, name: str, text: str, title: str
) -> None:
    """The title is Markdown's first heading, else the file's name."""
    write(name, text)

    assert (await _read(notes, name)).title == title


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Schlüssel €".encode(), "Schlüssel €"),
        ("Schlüssel €".encode("utf-8-sig"), "Schlüssel €"),
        ("Schlüssel €".encode("utf-16"), "Schlüssel €"),
        (b"\xfe\xff" + "Schlüssel €".encode("utf-16-be"), "Schlüssel €"),
        ("Schlüssel €".encode("cp1252"), "Schlüssel €"),
        (b"\x81 is no letter, \xfc is", "\ufffd is no letter, ü is"),
        (b"\xff\xfea\0b", "a\ufffd"),
    ],
)
async def test_any_encoding_is_read(
    notes: NotesSource, write: Write, data: bytes, text: str
) -> None:
    """What is no UTF is what old Windows writes; what is nothing at all is replaced."""
    write("a.txt", data)

    assert (await _read(notes, "a.txt")).content == text


async def test_a_byte_order_mark_is_no_text(notes: NotesSource, write: Write) -> None:
    """What Windows writes before the first letter does not hide a heading."""
    write("windows.md", "# Heading".encode("utf-8-sig"))

    assert (await _read(notes, "windows.md")).title == "Heading"


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("See notes/x.md.", ["notes/x.md"]),
        ("[x](notes/a/x-1_b.md) and ./notes/y.txt", ["notes/a/x-1_b.md", "notes/y.txt"]),
        ("notes/x.md notes/x.md", ["notes/x.md"]),
        ("notes/my own note.md", ["notes/my own note.md"]),
        ("docs/notes/x.md and https://nowhere.invalid/notes/x.md", []),
        ("x.md, README.md, footnotes/x.md", []),
        ("notes/x.mdx notes/x.md.bak notes/x.md/y notes/x.md-old notes/x", []),
        ("notes/../x.md notes/.x.md notes//x.md", []),
        ("notes are in the file x.md", []),
    ],
)
def test_recognises_paths(notes: NotesSource, text: str, ids: list[str]) -> None:
    """A path from the folder's own name on is a note's; any other path is not."""
    assert [ref.id for ref in notes.rove_recognise(text, None)] == ids


def test_recognising_reads_nothing(notes: NotesSource, folder: Path) -> None:
    """Whether the note is there is asked later, by who wants to read it."""
    folder.rmdir()

    assert [ref.id for ref in notes.rove_recognise("notes/x.md", None)] == ["notes/x.md"]


async def test_a_relative_folder_is_where_rove_was_started(
    monkeypatch: pytest.MonkeyPatch, folder: Path, write: Write
) -> None:
    """The folder stays the same when the process goes elsewhere later."""
    write("a.md")
    monkeypatch.chdir(folder.parent)
    notes = NotesSource(Account(name="notes", kind="notes", settings=NotesSettings()))

    monkeypatch.chdir("/")

    assert (await _read(notes, "a.md")).title == "a"
