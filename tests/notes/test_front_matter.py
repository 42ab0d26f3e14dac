from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rove_core import ContextItem, Facts, ItemRef, ItemStatus, NamedValue, Query
from rove_notes.source import NotesSource

pytestmark = pytest.mark.anyio

Write = Callable[..., Path]
CHANGED = datetime(2024, 12, 1, tzinfo=UTC)


async def _read(notes: NotesSource, name: str = "a.md") -> ContextItem:
    return await notes.rove_item_detail(ItemRef(account="notes", kind="note", id=f"notes/{name}"))


async def test_front_matter_is_read_and_not_shown(notes: NotesSource, write: Write) -> None:
    """Title, date and attendees are what they say; the text begins below."""
    write(
        "a.md",
        '---\ntitle: "Go or no-go: the pilot"\ndate: 2025-01-13\n'
        "attendees: [Ann Lee, 'Ben Fox']\nstatus: final\n---\n\n# Other\n",
    )
    item = await _read(notes)

    assert item.title == "Go or no-go: the pilot"
    assert item.timestamp == datetime(2025, 1, 13, tzinfo=UTC)
    assert item.metadata == {"attendees": ["Ann Lee", "Ben Fox"], "status": "final"}
    assert item.facts == Facts(
        status=ItemStatus(name="final"),
        fields=(NamedValue(name="attendees", value="Ann Lee, Ben Fox"),),
    )
    assert item.content == "\n# Other\n"


@pytest.mark.parametrize(
    "written",
    [
        "attendees: Ann, Ben",
        "attendees: [Ann, Ben]",
        "attendees:\n- Ann\n- Ben",
        "Attendees:\n  # who was there\n  - 'Ann'\n  - Ben",
        "attendees:\r\n  - Ann\r\n  - Ben",
    ],
)
async def test_attendees_are_a_list(notes: NotesSource, write: Write, written: str) -> None:
    """However somebody writes them."""
    write("a.md", f"---\n{written}\n---\n")

    assert (await _read(notes)).metadata == {"attendees": ["Ann", "Ben"]}


async def test_what_it_says_can_be_found(notes: NotesSource, write: Write) -> None:
    """Words above the text are words too."""
    write("a.md", "---\nsummary: We chose\n  OAuth2\nattendees: Ann\n---\nText.")
    found = [
        item.ref.id
        for text in ("chose oauth2", "ann text")
        async for item in notes.rove_search(Query(account="notes", text=text))
    ]

    assert found == ["notes/a.md"] * 2


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA line, and another one.\n\n---\n",
        "---\ntitle: never ends\n",
        "Text\n---\ntitle: below\n---\n",
        "---\n---\n",
    ],
)
async def test_two_lines_of_dashes_are_no_front_matter(
    notes: NotesSource, write: Write, text: str
) -> None:
    """What is not written like one stays in the text, to the last letter."""
    write("a.md", text)

    assert (await _read(notes)).content == text


@pytest.mark.parametrize(
    ("name", "date", "at"),
    [
        ("2024-12-15-kick-off.md", "2025-01-13", datetime(2025, 1, 13, tzinfo=UTC)),
        ("2024-12-15-kick-off.md", "", datetime(2024, 12, 15, tzinfo=UTC)),
        ("2024-12-15-kick-off.md", "some day", datetime(2024, 12, 15, tzinfo=UTC)),
        ("2024-12-15.md", "2025-02-30", datetime(2024, 12, 15, tzinfo=UTC)),
        ("2024-13-15-kick-off.md", "", CHANGED),
        ("2024-12-151.md", "", CHANGED),
        ("kick-off-2024-12-15.md", "", datetime(2024, 12, 15, tzinfo=UTC)),
        ("kick-off 2024-12-15 to 2024-12-17.md", "", CHANGED),
        ("20241215_kick-off.md", "", datetime(2024, 12, 15, tzinfo=UTC)),
        ("2024-12-15/kick-off.md", "", datetime(2024, 12, 15, tzinfo=UTC)),
        ("2024-12-15/2024-12-16/kick-off.md", "", datetime(2024, 12, 16, tzinfo=UTC)),
        ("a.md", "2025-01-13 14:00:00 +0100", datetime(2025, 1, 13, 13, tzinfo=UTC)),
        ("a.md", "2025-01-13T14:00:00+01:00", datetime(2025, 1, 13, 13, tzinfo=UTC)),
        ("a.md", "2025-01-13 14:00", datetime(2025, 1, 13, 14, tzinfo=UTC)),
        ("a.md", "2025-01-13 at noon", datetime(2025, 1, 13, tzinfo=UTC)),
    ],
)
async def test_when_a_note_is_from(
    notes: NotesSource, write: Write, name: str, date: str, at: datetime
) -> None:
    """Its front matter says it, else its name, its folder, or the file itself."""
    write(name, f"---\nkind: meeting\ndate: {date}\n---\nOAuth2")
    query = Query(account="notes", text="oauth2", since=at, until=at)

    assert (await _read(notes, name)).timestamp == at
    assert len([item async for item in notes.rove_search(query)]) == 1


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("# Minutes, 15 December 2024\n\nOAuth2", datetime(2024, 12, 15, tzinfo=UTC)),
        ("Weekly\n\n**Date:** Dec 15th, 2024\nOAuth2", datetime(2024, 12, 15, tzinfo=UTC)),
        ("# Weekly of 2024-12-01\n- Date: 2024-12-15\n", datetime(2024, 12, 15, tzinfo=UTC)),
        ("# Weekly\n\nDate: 30 February 2024\n", CHANGED),
        ("# Weekly\n\nTokens expire on 15 December 2024.\n", CHANGED),
    ],
)
async def test_minutes_say_when_they_are_from(
    notes: NotesSource, write: Write, text: str, at: datetime
) -> None:
    """A day in a date line or in the first heading counts; one in a sentence does not."""
    write("a.md", text)

    assert (await _read(notes)).timestamp == at
