"""What stands in a line: names, days, and who said something where."""

import re
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from rove_core.build.gather.candidates import created
from rove_core.items import ContextItem
from rove_core.safety.text import clean, one_line
from rove_core.wire.json_types import JSON

#: English, whatever the locale.
_MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # noqa: SIM905  # a list of quotes hides them
_LONGEST: Final = 200
#: What would be taken for the end of a heading, and not be shown.
_CLOSING: Final = re.compile(r"(?:(?<=\s)|^)#+$")
_OPENED: Final = frozenset({"issue", "pr", "ticket"})


def line(text: str, longest: int = _LONGEST, *, hosts: Collection[str] = ()) -> str:
    """Return the beginning of somebody else's text as words of a line.

    Args:
        text: Their text.
        longest: How many characters of it are shown.
        hosts: Where addresses may lead; all others are written so that nothing follows them.
    """
    words = " ".join(clean(text[: 4 * longest]).split())
    cut = len(words) > longest or len(text) > 4 * longest
    shown = one_line(f"{words[: longest - 1].rstrip()}…" if cut else words, hosts=hosts)
    return _CLOSING.sub(r"\\\g<0>", shown.replace("~~", r"\~\~"))


def day(when: datetime) -> str:
    """Write a day as English does, whatever the locale."""
    when = when.astimezone(UTC)
    return f"{_MONTHS[when.month - 1]} {when.day}, {when.year}"


def said_on(item: ContextItem) -> str:
    """Return the day an item was written, as far as its source tells; else of its last change."""
    return day(created(item) or item.timestamp)


def attribution(part: ContextItem, whole: ContextItem) -> str:
    """Return who said something, where and when.

    Args:
        part: What was said.
        whole: The item it belongs to.
    """
    return f"{line(_who(part, whole))}, {said_on(part)}"


def place(part: ContextItem, whole: ContextItem) -> str:
    """Return who said the same elsewhere: ``Mike Torres in #auth``."""
    return line(_who(part, whole), 100)


def state(item: ContextItem) -> str:
    """Return how far a ticket or a pull request is, as its source calls it."""
    known = item.metadata.get("state") or item.metadata.get("status")
    return line(known, 40) if isinstance(known, str) and item.item_type in _OPENED else ""


def _who(part: ContextItem, whole: ContextItem) -> str:
    known = part.metadata
    author = _cut(part.author) or "unknown"
    on = _cut(known.get("on"))
    channel = _cut(known.get("channel")).removeprefix("#")
    if channel and part.item_type in {"message", "thread"}:
        return f"{author} in #{channel}"
    if offset := _cut(known.get("offset")):
        return f"{author} in {_cut(whole.title)} at {offset}"
    if on and part.item_type in {"change", "comment", "review"}:
        return f"{part.item_type.title()} on {on} by {author}"
    if part.item_type == "commit":
        return f"Committed by {author}"
    if part.item_type in _OPENED and created(part):
        return f"Opened by {author}"
    return _cut(part.author) or _titled(whole) or author


def _titled(whole: ContextItem) -> str:
    title = _cut(whole.title)
    return f"Code in {title}" if title and whole.item_type == "code" else title


def _cut(value: JSON) -> str:
    return value[:80].strip() if isinstance(value, str) else ""
