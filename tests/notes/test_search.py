from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rove_core import Query, WrongSetting
from rove_notes.source import NotesSource

pytestmark = pytest.mark.anyio

Write = Callable[..., Path]
Find = Callable[..., Awaitable[list[str]]]


@pytest.fixture
def find(notes: NotesSource) -> Find:
    """Return what searches and gives the ids of what was found."""

    async def find(text: str, **options: object) -> list[str]:
        query = Query(account="notes", text=text, **options)  # type: ignore[arg-type]  # as given
        return [item.ref.id async for item in notes.rove_search(query)]

    return find


@pytest.fixture
def no_folder(folder: Path) -> None:
    """Take the folder away."""
    folder.rmdir()


async def test_all_words_must_occur(find: Find, write: Write) -> None:
    """A note with one of two words is no answer."""
    write("both.md", "We chose OAuth2 for the pilot.")
    write("one.md", "The pilot starts in January.")

    assert await find("pilot oauth2") == ["notes/both.md"]


async def test_words_match_from_their_beginning(find: Find, write: Write) -> None:
    """A word may go on, but it does not begin inside of another."""
    write("start.txt", "Tokens rotate.")
    write("inside.txt", "Subtoken.")

    assert await find("token") == ["notes/start.txt"]


async def test_an_id_matches_whole(find: Find, write: Write) -> None:
    """TB-12 is not TB-123."""
    write("long.md", "About TB-123.")
    write("short.md", "About TB-12.")

    assert await find("TB-12") == ["notes/short.md"]


async def test_a_file_name_counts(find: Find, write: Write) -> None:
    """A note is found by what it is called."""
    write("tickets/TB-9.md", "Nothing decided.")

    assert await find("tb-9") == ["notes/tickets/TB-9.md"]


async def test_the_folder_name_does_not_count(find: Find, write: Write) -> None:
    """All notes lie in the folder; that says nothing of any."""
    write("a.md", "Nothing decided.")

    assert await find("notes") == []


async def test_newest_come_first(find: Find, write: Write) -> None:
    """The order is that of the last change."""
    write("old.md", day=1)
    write("new.md", day=3)
    write("middle.md", day=2)

    assert await find("oauth2") == ["notes/new.md", "notes/middle.md", "notes/old.md"]


async def test_a_limit_is_kept(find: Find, write: Write) -> None:
    """No more notes come than are enough."""
    for day in range(1, 5):
        write(f"{day}.md", day=day)

    assert await find("oauth2", limit=2) == ["notes/4.md", "notes/3.md"]


async def test_a_window_is_kept(find: Find, write: Write) -> None:
    """Notes changed before or after the window stay out; its ends belong to it."""
    for day in range(1, 5):
        write(f"{day}.md", day=day)

    found = await find(
        "oauth2",
        since=datetime(2024, 12, 2, tzinfo=UTC),
        until=datetime(2024, 12, 3, tzinfo=UTC),
    )

    assert found == ["notes/3.md", "notes/2.md"]


async def test_a_field_can_be_named(find: Find, write: Write) -> None:
    """A search in titles does not look into the text."""
    write("a.md", "# Tokens\n\nRotate.")
    write("b.md", "# Vault\n\nTokens.")

    assert await find("tokens", fields=("note_title",)) == ["notes/a.md"]


@pytest.mark.parametrize("text", ["", "  ", "?!", "\n"])
async def test_no_words_find_nothing(find: Find, write: Write, text: str) -> None:
    """A search for nothing is no search for all."""
    write("a.md")

    assert await find(text) == []


@pytest.mark.usefixtures("no_folder")
async def test_a_missing_folder_is_a_wrong_setting(find: Find) -> None:
    """A folder that is not there is named, for somebody mistyped it."""
    with pytest.raises(WrongSetting, match=r"no folder /.+/notes"):
        await find("oauth2")


async def test_identity_says_what_is_read(notes: NotesSource, folder: Path, write: Write) -> None:
    """The test of the connection counts the notes."""
    write("a.md")
    write("below/b.txt")

    assert (await notes.rove_identity()).reads == (f"2 notes in {folder}",)
