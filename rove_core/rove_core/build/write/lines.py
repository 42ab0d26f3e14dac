"""Render names, days and attributions within a line."""

import re
from collections.abc import Collection
from datetime import UTC, datetime
from html import unescape
from typing import Final

from rove_core._item_words import Role
from rove_core.items import ContextItem, ItemRef
from rove_core.safety.text import clean, one_line

#: English, whatever the locale.
_MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # noqa: SIM905  # a list of quotes hides them
_LONGEST: Final = 200
#: Quotation marks, and what they become within a quotation.
_INNER: Final = str.maketrans(
    {"\u201c": "\u2018", "\u201d": "\u2019", "\u201e": "\u201a", "\u201f": "\u2018"}
)
#: What Markdown would take for the end of a heading and not show.
_CLOSING: Final = re.compile(r"(?:(?<=\s)|^)#+$")
_POINT: Final = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
#: Markdown that is written differently from how it reads: code, escapes, emphasis.
_MARKUP: Final = re.compile(
    r"(?P<ticks>`+)(?P<code>[^`](?:.*?[^`])?)(?P=ticks)(?!`)|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<entity>&(?:#\w{1,8}|[A-Za-z]\w{1,31});)"
    r"|(?<![\w*])\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}(?![\w*])",
    re.DOTALL,
)
_LONGEST_FILE_NAME: Final = 80
#: None of these characters is special within a code span.
_FILE_NAME: Final = re.compile(rf"[\w./:+@~-]{{1,{_LONGEST_FILE_NAME}}}", re.ASCII)
_OPENED: Final[frozenset[Role]] = frozenset({"change", "ticket"})


def line(text: str, longest: int = _LONGEST, *, hosts: Collection[str] = ()) -> str:
    """Return the beginning of an untrusted text as inert words of a line.

    Args:
        text: The text.
        longest: Maximum characters of it that are shown.
        hosts: Hosts that links may point to; all other URLs are made inert.
    """
    words = " ".join(clean(text[: 4 * longest]).split())
    cut = len(words) > longest or len(text) > 4 * longest
    shown = one_line(f"{_at_word_end(words[:longest])}…" if cut else words, hosts=hosts)
    return _CLOSING.sub(r"\\\g<0>", shown.replace("~~", r"\~\~"))


def _at_word_end(beginning: str) -> str:
    """Return the beginning of a text without the word at its end, which may be cut off."""
    words, _, last = beginning.rpartition(" ")
    is_short = len(last) < len(beginning) // 3  # Some scripts have no spaces.
    return (words if words and is_short else beginning[:-1]).rstrip()


def quotation(text: str, longest: int = _LONGEST, *, hosts: Collection[str] = ()) -> str:
    """Return the beginning of an untrusted text in quotation marks that it cannot close.

    Its own marks become those of an inner quotation. Otherwise its author could close the
    quotation and go on in Rove's name: cite, attribute, and say what replaces what.
    """
    return f"“{line(text, longest, hosts=hosts).translate(_INNER)}”"


def unmarked(text: str) -> str:
    """Return a Markdown sentence as plain text, for use within a line."""
    return _MARKUP.sub(_words, _POINT.sub("", text))


def _words(found: re.Match[str]) -> str:
    if found["entity"]:
        return unescape(found["entity"])
    return found["code"] or found["escaped"] or ""


def file_name(name: str) -> str:
    """Return a file name for use within a line, as code if its characters allow.

    In prose its underscores would be escaped, so that nobody could copy it.
    """
    return f"`{name}`" if _FILE_NAME.fullmatch(name) else line(name, _LONGEST_FILE_NAME)


def day(when: datetime) -> str:
    """Return a date in English, whatever the locale."""
    when = when.astimezone(UTC)
    return f"{_MONTHS[when.month - 1]} {when.day}, {when.year}"


def date_of(item: ContextItem) -> str:
    """Return the day an item was written or, if unknown, last changed."""
    return day(item.facts.created or item.timestamp)


def attribution(part: ContextItem, whole: ContextItem) -> str:
    """Return the author, place and date of a statement.

    Args:
        part: The message or comment itself, or the whole item.
        whole: The item it belongs to.
    """
    return f"{line(_author_of(part, whole))}, {date_of(part)}"


def brief_attribution(part: ContextItem, whole: ContextItem, ticket: ItemRef) -> str:
    """Return the author and date of a statement, and its place if that is not the ticket itself.

    Args:
        part: The message or comment itself, or the whole item.
        whole: The item it belongs to.
        ticket: The ticket of the document; the citation beside this leads to the exact place.
    """
    author = _shorten(part.author)
    if not author or part.role not in {"comment", "review"}:
        return attribution(part, whole)
    where = f" on {_place(part)}" if whole.ref != ticket and _place(part) else ""
    return f"{line(f'{author}{where}')}, {date_of(part)}"


def place(part: ContextItem, whole: ContextItem) -> str:
    """Return the author and place of a repeated statement: ``Mike Torres in #auth``."""
    return line(_author_of(part, whole), 100)


def state(item: ContextItem) -> str:
    """Return the status of a ticket or a pull request, as its source names it."""
    status = item.facts.status
    return line(status.name, 40) if status and item.role in _OPENED else ""


def _author_of(part: ContextItem, whole: ContextItem) -> str:
    facts = part.facts
    author = _shorten(part.author) or "unknown"
    if where := _where_said(part, whole):
        return f"{author}{where}"
    if (on := _place(part)) and part.role in {"comment", "review"}:
        what = "Change" if facts.history else "Answer" if facts.answer else part.role.title()
        return f"{what} on {on} by {author}"
    if part.role == "commit":
        return f"Committed by {author}"
    if part.role in _OPENED and facts.created:
        return f"Opened by {author}"
    return _shorten(part.author) or _title_of(whole) or author


def _where_said(part: ContextItem, whole: ContextItem) -> str:
    """Return the place of talk, or of a turn in a recording; empty for all else."""
    facts, is_talk = part.facts, part.role == "talk"
    if is_talk and (channel := _shorten(facts.channel).removeprefix("#")):
        return f" in #{channel}"
    if facts.offset is not None:
        return f" in {_shorten(whole.title)} at {_offset(facts.offset)}"
    return f", {_shorten(facts.short_name)}" if is_talk and facts.short_name else ""


def _place(part: ContextItem) -> str:
    """Return the subject of a comment or review, with the line of code."""
    facts = part.facts
    line = f":{facts.line}" if facts.line is not None else ""
    return " ".join(
        filter(None, (_shorten(facts.on), _shorten(f"{facts.path}{line}" * bool(facts.path))))
    )


def _offset(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _title_of(whole: ContextItem) -> str:
    title = _shorten(whole.title)
    return f"Code in {title}" if title and whole.role == "code" else title


def _shorten(value: str) -> str:
    return value[:80].strip()
