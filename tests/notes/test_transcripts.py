import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core import ContextItem, Facts, ItemRef, Query
from rove_notes.source import NotesSource
from rove_notes.transcript import Transcript, read_transcript

Write = Callable[..., Path]

VTT = """WEBVTT - Design

NOTE Recorded by a machine.

STYLE
::cue { color: red }

1
00:00:04.000 --> 00:00:09.500 align:start
<v Ruth Adeyemi>Recording is <i>on</i>.

00:00:10.000 --> 00:00:19.000
<v.loud Ruth Adeyemi>Ticket is TB-123.</v>

01:00:20.200 --> 01:00:27.800
<v Mike Torres>PyJWT &amp; python-jose.
Which one?
<v Ruth Adeyemi>Both.
"""
SRT = """1
00:00:02,000 --> 00:00:08,000
Ruth Adeyemi: Go or no-go?

2
00:00:08,500 --> 00:00:17,000
{\\an8}Lena Fischer: Globex is calm.

3
00:00:17,500 --> 00:00:24,000
Initech is not.

4
00:00:24,500 --> 00:00:36,000
Ruth Adeyemi: Go: on Wednesday.
"""


def _said(transcript: Transcript) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in transcript.turns]


def test_webvtt_has_voices() -> None:
    """What one voice says cue after cue is one turn; markup and placement are no words."""
    assert _said(read_transcript(VTT)) == [
        ("Ruth Adeyemi", "Recording is on. Ticket is TB-123."),
        ("Mike Torres", "PyJWT & python-jose. Which one?"),
        ("Ruth Adeyemi", "Both."),
    ]


def test_what_was_not_said_is_kept_apart() -> None:
    """Title and notes are about the meeting; style sheets are nothing."""
    assert read_transcript(VTT).about == "- Design Recorded by a machine."


def test_subrip_has_names_before_the_words() -> None:
    """Where most cues begin with a name, one without goes on with the last speaker."""
    assert _said(read_transcript(SRT)) == [
        ("Ruth Adeyemi", "Go or no-go?"),
        ("Lena Fischer", "Globex is calm. Initech is not."),
        ("Ruth Adeyemi", "Go: on Wednesday."),
    ]


def test_offsets_are_those_of_the_first_words() -> None:
    """A turn begins when its speaker does, even after days."""
    long = read_transcript("100:00:01.5 --> 100:00:02\nAnn: One.\n\n100:00:03 -->\nAnn: Two.")

    assert [turn.at for turn in long.turns] == [timedelta(hours=100, seconds=1.5)]


def test_one_colon_makes_no_speaker() -> None:
    """In a transcript without names each cue stands alone, as nobody's."""
    text = SRT.replace("Ruth Adeyemi: ", "").replace("Lena Fischer: ", "")

    assert {turn.speaker for turn in read_transcript(text).turns} == {""}
    assert len(read_transcript(text).turns) == 4


@pytest.mark.anyio
async def test_a_turn_is_a_message(notes: NotesSource, write: Write) -> None:
    """It has its speaker, its offset, and the time of day it was said at."""
    write("2024-12-17-design.vtt", VTT)
    item = await notes.rove_item_detail(
        ItemRef(account="notes", kind="note", id="notes/2024-12-17-design.vtt")
    )

    assert (item.title, len(item.thread)) == ("2024-12-17-design", 3)
    assert item.thread[1] == ContextItem(
        ref=ItemRef(account="notes", kind="message", id=f"{item.ref.id}#2", url=item.ref.url),
        source="notes",
        role="talk",
        title="2024-12-17-design, 1:00:20",
        content="PyJWT & python-jose. Which one?",
        timestamp=datetime(2024, 12, 17, 1, 0, 20, 200_000, tzinfo=UTC),
        author="Mike Torres",
        facts=Facts(on=item.ref.id, offset=3620),
    )


@pytest.mark.anyio
@pytest.mark.parametrize("text", ["pyjwt", "mike pyjwt", "tb-123", "recorded"])
async def test_transcripts_are_searched(notes: NotesSource, write: Write, text: str) -> None:
    """By what was said, by who said it, and by what is noted."""
    write("design.vtt", VTT)
    query = Query(account="notes", text=text, fields=("note_content",))

    assert [item.ref.id async for item in notes.rove_search(query)] == ["notes/design.vtt"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", []),
        ("WEBVTT", []),
        ("00:01.000 --> 00:02.000\nhours are left out", ["hours are left out"]),
        ("00:01 --> never\nits end is broken", ["never its end is broken"]),
        ("00:00:01,5 --> 00:00:02,5\none\n\ntwo", ["one two"]),
        (
            "1\n00:00:01,000 --> 00:00:02,000\none\n2\n00:00:03,000 --> 00:00:04,000\ntwo",
            ["one", "two"],
        ),
        (
            "00:01.000 --> 00:02.000\r\n<v Ann>one\r\n\r\nintro\r\n00:03.000 --> 00:04.000\r\ntwo",
            ["one", "two"],
        ),
        ("00:01.000 --> 00:02.000\na <v b --> c", ["a <v b --> c"]),
        ("00:01.000 --> 00:02.000\na <b and c> --> d <v Ann", ["a <b and c> --> d <v Ann"]),
        ("00:01.000 --> 00:02.000\n<c.x><00:01.5>so</c> List<String>", ["so List<String>"]),
        ("999:59:59.999 --> 00:00.000\nlate", ["late"]),
    ],
)
def test_what_is_broken_is_read_as_far_as_it_goes(text: str, said: list[str]) -> None:
    """A file that was cut, joined or written by hand still says what it says."""
    assert [turn.text for turn in read_transcript(text).turns] == said


def test_a_name_of_a_cue_that_has_a_meaning_is_kept() -> None:
    """Nobody said it, but somebody wrote it."""
    text = "WEBVTT\n\nIntroduction\n00:01.000 --> 00:02.000\nHello."

    assert read_transcript(text).about == "Introduction"


WORDS = st.text("abcdefghijü", min_size=1, max_size=5)
#: What stands between words, right or wrong.
STRUCTURE = st.sampled_from(
    ["0:01.000 --> 0:02.000", "00:00:01,000 --> 00:00:02,000", "0:5 -->", "-->", "", "NOTE", "7"]
)
FORMS = st.sampled_from(
    ["{}", "<v Ann>{}", "<v Ann>{}</v>", "<i>{}", "Ann: {}", "{} <v", "x --> {}"]
)


@st.composite
def transcripts(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Return a transcript, whole or broken, and all the words that people wrote in it."""
    words = [f"w{number}{word}" for number, word in enumerate(draw(st.lists(WORDS, max_size=30)))]
    lines = [draw(st.sampled_from(["WEBVTT", "\ufeffWEBVTT", "", "1"]))]
    for word in words:
        lines += [*draw(st.lists(STRUCTURE, max_size=3)), draw(FORMS).format(word)]
    return draw(st.sampled_from(["\n", "\r\n", "\n\n"])).join(lines), words


@given(transcripts())
def test_no_word_is_lost_or_doubled(given_: tuple[str, list[str]]) -> None:
    """Every word of a transcript is there exactly once, however broken the file is."""
    text, words = given_
    read = read_transcript(text)
    told = " ".join([read.about, *(f"{turn.speaker} {turn.text}" for turn in read.turns)])

    assert [word for word in words if len(re.findall(rf"\b{word}\b", told)) != 1] == []


@given(st.text())
def test_any_text_is_a_transcript(text: str) -> None:
    """Nothing is raised, whatever the file holds."""
    assert read_transcript(text) is not None
