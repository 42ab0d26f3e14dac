"""Parse meeting transcripts (WebVTT and SubRip): who said what, and when.

Machines write them and people cut them: whatever is no structure is somebody's words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from html import unescape
from typing import Final

from attrs import evolve, field, frozen

_TIME: Final = r"(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?"
_TIMING: Final = re.compile(rf"\s*({_TIME})\s*-->(?:\s*{_TIME})?(.*)")
#: Where a cue is shown: ``align:start``, ``X1:40``.
_PLACEMENT: Final = re.compile(r"[\w-]+:\S+")
#: What machines call a cue, on the line before its time: a number, a UUID.
_MACHINE_NAME: Final = re.compile(r"\d+|[0-9a-f]{8}-[0-9a-f]{4}-\S+", re.IGNORECASE)
_HEADER: Final = re.compile(r"\s*WEBVTT(?=\s|$)")
_NOTE: Final = re.compile(r"NOTE(?=\s|$)")
#: ``<v Ann Lee>``: who speaks from here on.
_VOICE: Final = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>\n]+)(?<!--)>")
_MARKUP: Final = re.compile(
    r"</?(?:b|i|u|c|ruby|rt)(?:\.[^\s<>]*)?>"
    r"|</?(?:v|lang|font)(?:[. \t][^<>\n]*)?(?<!--)>"
    r"|<[\d:.]+>"
)
#: ``{\an8}``: where and how SubRip shows a cue. WebVTT has none: there somebody said it.
_OVERRIDE: Final = re.compile(r"\{\\[a-zA-Z1-4]{1,5}[\d(&][^{}\s]*\}")
#: ``Ann Lee: ``, where a cue begins.
_PREFIX: Final = re.compile(r"([^\W\d_][^:<>]{0,50}?): (?=\S)")


@frozen
class Utterance:
    """One speaker's turn.

    Attributes:
        at: How long after the beginning.
        speaker: Who said it; empty when nobody knows.
        text: The words, on one line.
    """

    at: timedelta
    speaker: str
    text: str


@frozen
class Transcript:
    """A parsed transcript.

    Attributes:
        about: What was not said: the title, notes, names of cues.
        turns: What was said, in its order.
    """

    about: str
    turns: Sequence[Utterance]


def read_transcript(text: str) -> Transcript:
    """Return the content of a transcript, without losing a word."""
    reader = _TranscriptReader()
    said = text if _HEADER.match(text) else _OVERRIDE.sub("", text)
    lines = "\n".join(_HEADER.sub("", said, count=1).splitlines())
    for block in re.split(r"\n(?:[ \t]*\n)+", lines):
        reader.read(block.split("\n"))
    utterances = [words for cue in reader.cues for words in _utterances(cue)]
    return Transcript(
        _plain_text("\n".join(reader.about)), list(_turns(_split_speaker(utterances)))
    )


@frozen
class _Cue:
    at: timedelta
    lines: list[str] = field(factory=list)


@frozen
class _TranscriptReader:
    """Separates spoken lines from the rest."""

    about: list[str] = field(factory=list)
    cues: list[_Cue] = field(factory=list)

    def read(self, block: Sequence[str]) -> None:
        """Read a block between blank lines: cues, a note or a style sheet."""
        if block[0].strip() in {"STYLE", "REGION"} and not self.cues:
            return
        noted = _NOTE.match(block[0])
        words = self.cues[-1].lines if self.cues and not noted else self.about
        for line, below in zip(block, [*block[1:], ""], strict=True):
            if timing := _TIMING.fullmatch(line):
                words = self._begin(timing)
            elif _TIMING.fullmatch(below) and self._names_a_cue(line, first=line is block[0]):
                continue
            else:
                words.append(_NOTE.sub("", line, count=1) if noted else line)

    def _begin(self, timing: re.Match[str]) -> list[str]:
        """Begin a cue, and return text beside its time that is not placement."""
        words = [word for word in timing[2].split() if not _PLACEMENT.fullmatch(word)]
        self.cues.append(_Cue(_offset(timing[1]), words))
        return words

    def _names_a_cue(self, line: str, *, first: bool) -> bool:
        """Return whether a line before a time is a cue's name; meaningful ones are kept."""
        if not first:
            return line.strip() == str(len(self.cues) + 1)
        if not _MACHINE_NAME.fullmatch(line.strip()):
            self.about.append(line)
        return True


def _offset(time: str) -> timedelta:
    seconds, _, fraction = time.replace(",", ".").partition(".")
    parts = [0, 0, *map(int, seconds.split(":"))][-3:]
    hours, minutes, whole = parts
    return timedelta(
        hours=hours, minutes=minutes, seconds=whole, milliseconds=int(fraction.ljust(3, "0"))
    )


def _utterances(cue: _Cue) -> Iterator[Utterance]:
    """Yield what each voice says in a cue."""
    nobody, *voices = _VOICE.split("\n".join(cue.lines))
    for speaker, words in [("", nobody), *zip(voices[::2], voices[1::2], strict=True)]:
        if text := _plain_text(words):
            yield Utterance(cue.at, _plain_text(speaker), text)


def _split_speaker(utterances: Sequence[Utterance]) -> Iterator[Utterance]:
    """Split the speaker's name from a cue.

    They do where most of them do: one "Decision: we ship" alone is nobody's name.
    """
    found = [None if each.speaker else _PREFIX.match(each.text) for each in utterances]
    unnamed = [each for each in utterances if not each.speaker]
    named = len([each for each in found if each])
    begin_with_names = named > 1 and named * 2 >= len(unnamed)
    speaker = ""
    for each, prefix in zip(utterances, found, strict=True):
        if not begin_with_names or each.speaker:
            yield each
            continue
        speaker = prefix[1] if prefix else speaker
        yield Utterance(each.at, speaker, each.text[prefix.end() :] if prefix else each.text)


def _turns(utterances: Iterable[Utterance]) -> Iterator[Utterance]:
    """Join consecutive cues of one speaker; cues without a speaker stay separate."""
    turn: Utterance | None = None
    for each in utterances:
        if turn and turn.speaker and turn.speaker == each.speaker:
            turn = evolve(turn, text=f"{turn.text} {each.text}")
            continue
        if turn:
            yield turn
        turn = each
    if turn:
        yield turn


def _plain_text(text: str) -> str:
    return " ".join(unescape(_MARKUP.sub("", text)).split())
