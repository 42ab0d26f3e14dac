"""Parse a note: Markdown, plain text or a meeting transcript."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final

from attrs import frozen

from rove_core import JSON, Facts, ItemStatus, NamedValue, escape_markdown
from rove_notes.dates import day_of_minutes, day_of_path, time_of
from rove_notes.folder import NoteFile
from rove_notes.front_matter import FrontMatter, split_front_matter
from rove_notes.transcript import Transcript, Utterance, read_transcript

_TRANSCRIPTS: Final = (".vtt", ".srt")
_FENCED: Final = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"^#{1,6}[ \t]+(\S.{0,199})", re.MULTILINE)
_CUT: Final = "(Only the first megabyte of this file was read.)"


@frozen(kw_only=True)
class Note:
    """A parsed note.

    Attributes:
        title: As its front matter says, else its first heading, else its file's name.
        text: The words, without what stands above them in a front matter.
        at: When it is from: as its front matter says, else its path, its top, or the file itself.
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
        at=_time_of_note(file, above, text, spoken),
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


def _time_of_note(
    file: NoteFile, above: FrontMatter, text: str, spoken: Transcript | None
) -> datetime:
    """Return when a note is from; the file's own time only if nothing else says it."""
    *folders, _ = file.id.split("/")[1:]
    return (
        time_of(_line(above, "date"))
        or day_of_path(file.name, folders)
        or day_of_minutes(spoken.about if spoken else text)
        or file.changed
    )


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
