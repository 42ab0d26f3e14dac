"""What is new, changed or gone in a folder of notes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rove_core import Container, ListScope
from rove_notes.source import NotesSource

pytestmark = pytest.mark.anyio

Write = Callable[..., Path]


async def listed(
    notes: NotesSource, cursor: str = "", *containers: str, limit: int = 1000
) -> tuple[list[str], str]:
    """Return what is listed, what is gone with a minus before it, and where that ended."""
    scope = ListScope(account="notes", cursor=cursor, containers=containers, limit=limit)
    told = []
    async for change in notes.rove_list(scope):
        told += [change.item.ref.id.partition("/")[2]] if change.item else []
        told += [f"-{change.gone.id.partition('/')[2]}"] if change.gone else []
        cursor = change.cursor or cursor
    return told, cursor


async def test_the_newest_comes_first(notes: NotesSource, write: Write) -> None:
    """All notes are listed as they are read one by one."""
    write("a.md", day=1)
    write("b.md", day=3)
    write("c/d.md", day=2)

    assert (await listed(notes))[0] == ["b.md", "c/d.md", "a.md"]


async def test_the_next_listing_brings_what_changed(
    notes: NotesSource, write: Write, folder: Path
) -> None:
    """A note that is new, changed or gone, and no other."""
    for name in ("a.md", "b.md", "c.md"):
        write(name)
    _, cursor = await listed(notes)
    write("b.md", "Other words.", day=2)
    (folder / "c.md").unlink()
    write("d.md", day=1)
    told, cursor = await listed(notes, cursor)

    assert told == ["-c.md", "b.md", "d.md"]
    assert (await listed(notes, cursor))[0] == []


async def test_a_listing_goes_on_where_it_stopped(notes: NotesSource, write: Write) -> None:
    """Nothing comes twice, and nothing is left out."""
    for day in range(1, 6):
        write(f"{day}.md", day=day)
    first, cursor = await listed(notes, limit=2)
    second, cursor = await listed(notes, cursor, limit=2)
    third, cursor = await listed(notes, cursor, limit=2)

    assert (first, second, third) == (["5.md", "4.md"], ["3.md", "2.md"], ["1.md"])


async def test_one_folder_of_it(notes: NotesSource, write: Write) -> None:
    """The folders right below it are containers of their own."""
    write("a.md")
    write("meetings/b.md")

    assert await notes.rove_containers() == [
        Container(name="notes"),
        Container(name="notes/meetings"),
    ]
    assert (await listed(notes, "", "notes/meetings"))[0] == ["meetings/b.md"]


@pytest.mark.parametrize("cursor", ["{", "[]", '{"notes/a.md": 7}'])
async def test_an_unknown_cursor_begins_anew(notes: NotesSource, write: Write, cursor: str) -> None:
    """It may be of another version."""
    write("a.md")

    assert (await listed(notes, cursor))[0] == ["a.md"]
