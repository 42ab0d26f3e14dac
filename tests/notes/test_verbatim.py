"""Whatever stands in a note is read in the item and in the document as it stands there."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import pytest
from tests.literal_text import assert_verbatim, leaves, tried

from rove_core import ItemRef
from rove_notes.folder import NoteFile
from rove_notes.note import read_note
from rove_notes.source import NotesSource
from rove_notes.transcript import read_transcript

AT = datetime(2024, 12, 1, tzinfo=UTC)


def _note(name: str, text: str) -> NoteFile:
    return NoteFile(id=f"notes/{name}", data=text.encode(), changed=AT, cut=False)


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """Give what runs coroutines in one loop: to start one for each case takes most of the time."""
    with asyncio.Runner() as runner:
        yield runner


@tried(said=leaves(lines=True))
def test_a_plain_text(said: Sequence[str]) -> None:
    """It is no Markdown."""
    note = read_note(_note("a.txt", "\n\n".join(said)))

    assert_verbatim(note.text, said)


@tried(also=[{"said": ["write {\\a} and {\\an8} Ƣ0ƣ into it"]}], said=leaves())
def test_what_somebody_says_in_a_transcript(
    notes: NotesSource, write: Callable[..., Path], runner: asyncio.Runner, said: Sequence[str]
) -> None:
    """WebVTT escapes angle brackets and ampersands, and people speak no Markdown."""
    cues = [
        f"00:00:{at:02}.000 --> 00:00:{at + 1:02}.000\n<v Ann>{escape(words, quote=False)}</v>"
        for at, words in enumerate(said)
    ]
    write("a.vtt", "\n\n".join(["WEBVTT", *cues]))
    item = runner.run(
        notes.rove_item_detail(ItemRef(account="notes", kind="note", id="notes/a.vtt"))
    )

    assert_verbatim("\n\n".join(turn.content for turn in item.thread), said)


def test_braces_in_subrip() -> None:
    """A tag in braces has a value; without one, somebody said it."""
    read = read_transcript("1\n00:00:01 --> 00:00:02\n{\\an8}{\\i1}Use {\\a} {\\temp}{\\i0}.")

    assert [turn.text for turn in read.turns] == ["Use {\\a} {\\temp}."]
