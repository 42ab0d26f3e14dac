"""Parse a note: Markdown, plain text or a meeting transcript."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from attrs import frozen

from rove_core import JSON, Facts, ItemStatus, NamedValue, escape_markdown
from rove_notes.folder import NoteFile
from rove_notes.front_matter import FrontMatter, split_front_matter
from rove_notes.transcript import Transcript, Utterance, read_transcript

_TRANSCRIPTS: Final = (".vtt", ".srt")
_FENCED: Final = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"^#{1,6}[ \t]+(\S.{0,199})", re.MULTILINE)
_CUT: Final = "(Only the first megabyte of this file was read.)"
_DAY: Final = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?!\d)")


@frozen(kw_only=True)
class Note:
    """A parsed note.

    Attributes:
        title: As its front matter says, else its first heading, else its file's name.
        text: The words, without what stands above them in a front matter.
        at: When it is from: as its front matter says, else its file's name, else the file itself.
        turns: Who said what, in a transcript.
        above: What else stands in its front matter.
    """

    title: str
    text: str
    at: datetime
    turns: Sequence[Utterance] = ()
    above: Mapping[str, JSON]


def read_note(file: NoteFile) -> Note:
    """Return the note in a file."""
    above, text = split_front_matter(_decode(file))
    spoken = read_transcript(text) if file.suffix in _TRANSCRIPTS else None
    return Note(
        title=_line(above, "title") or _first_heading(file, text) or file.name,
        text="\n\n".join(filter(None, (_text_as_markdown(file, text, spoken), _CUT * file.cut))),
        at=_time(_line(above, "date")) or _time(file.name) or file.changed,
        turns=spoken.turns if spoken else (),
        above=_further(above),
    )


def _text_as_markdown(file: NoteFile, text: str, spoken: Transcript | None) -> str:
    """Return the text of a note outside its turns, as Markdown."""
    if spoken:
        return escape_markdown(spoken.about)
    return text if file.suffix == ".md" else escape_markdown(text)


def _decode(file: NoteFile) -> str:
    if file.data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return _decoded_as("utf-16", file, errors="replace")
    with suppress(UnicodeDecodeError):
        return _decoded_as("utf-8-sig", file, errors="strict")
    return _decoded_as("cp1252", file, errors="replace")


def _decoded_as(encoding: str, file: NoteFile, *, errors: str) -> str:
    """Return a file's text; half a letter at its end is left out where the file was cut."""
    return getincrementaldecoder(encoding)(errors).decode(file.data, final=not file.cut)


def _first_heading(file: NoteFile, text: str) -> str:
    """Return the first heading of Markdown; code has no headings."""
    heading = _HEADING.search(_FENCED.sub("", text)) if file.suffix == ".md" else None
    return heading[1].rstrip("# \t\r") if heading else ""


def _time(text: str) -> datetime | None:
    """Return the time, or the day, with which a text begins; without a zone it is UTC."""
    day = _DAY.match(text)
    for written in (text, day[0]) if day else ():
        with suppress(ValueError, OverflowError):
            time = datetime.fromisoformat(written)
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    return None


def _line(above: FrontMatter, key: str) -> str:
    value = above.get(key, "")
    return value if isinstance(value, str) else ", ".join(value)


def facts_of(above: Mapping[str, JSON]) -> Facts:
    """Return the facts in a front matter: status, labels and further fields."""
    fields = {key: _values(value) for key, value in above.items()}
    status, labels = fields.pop("status", ()), (*fields.pop("labels", ()), *fields.pop("tags", ()))
    return Facts(
        status=ItemStatus(name=", ".join(status)) if status else None,
        labels=labels,
        fields=tuple(NamedValue(name=key, value=", ".join(each)) for key, each in fields.items()),
    )


def _values(value: JSON) -> tuple[str, ...]:
    several = value if isinstance(value, list | tuple) else [value]
    return tuple(str(each) for each in several if each is not None)


def _further(above: FrontMatter) -> Mapping[str, JSON]:
    facts: dict[str, JSON] = {
        key: value for key, value in above.items() if key not in {"title", "date"}
    }
    if isinstance(who := facts.get("attendees"), str):
        facts["attendees"] = [name.strip() for name in who.split(",") if name.strip()]
    return facts
