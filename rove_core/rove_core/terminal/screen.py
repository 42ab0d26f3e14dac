"""Terminal capabilities: width, colours and links."""

import os
import sys
from collections.abc import Mapping
from typing import Final, TextIO

from rove_core.safety.lazy_pattern import lazy_pattern

#: How wide a terminal is that does not say so.
_USUAL_WIDTH: Final = 80
#: SGR codes by name; the terminal's own palette decides what they look like.
_STYLES: Final[Mapping[str, str]] = {
    "bold": "1",
    "dim": "2",
    "italic": "3",
    "underline": "4",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}
#: Colours that usual palettes make hard to read on a light background, and on a dark one.
_ON_LIGHT: Final[Mapping[str, str]] = {
    **_STYLES,
    "yellow": "31",
    "green": "34",
    "cyan": "34",
}
_ON_DARK: Final[Mapping[str, str]] = {**_STYLES, "blue": "36"}
#: The palette's colours that are light: light grey and white.
_LIGHT: Final = frozenset({"7", "15"})
#: The styles and links of this module.
ESCAPES: Final = lazy_pattern("(\x1b\\[[0-9;]*m|\x1b\\]8;;[^\x1b]*\x1b\\\\)")
#: East Asian widths of characters that take two columns.
_WIDE: Final = frozenset("WF")


class Preferences:
    """Global options of the command line.

    Attributes:
        color: ``auto``, ``always`` or ``never``.
        progress: Whether to print progress.
        notes: Whether to print notes beside the result.
        verbose: Whether to print the log on standard error.
    """

    color: str = "auto"
    progress: bool = True
    notes: bool = True
    verbose: bool = False


#: The preferences of this process, set from the command line.
PREFERENCES: Final = Preferences()


def has_color(stream: TextIO | None = None) -> bool:
    """Return whether to print colours and links on a stream, by default standard output."""
    if PREFERENCES.color != "auto":
        return PREFERENCES.color == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def is_terminal(stream: TextIO | None = None) -> bool:
    """Return whether a person looks at a stream, by default standard output."""
    try:
        return (stream or sys.stdout).isatty()
    except (AttributeError, ValueError):  # It is closed.
        return False


def width(stream: TextIO | None = None) -> int | None:
    """Return the columns of a stream's terminal, by default standard output's; None in a pipe."""
    stream = stream or sys.stdout
    if not is_terminal(stream):
        return None
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdecimal() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_WIDTH
    except (OSError, ValueError):
        return _USUAL_WIDTH


def styled(text: str, *names: str) -> str:
    """Return a text in a style, if the terminal shows any.

    Args:
        text: The text, without line breaks.
        names: What it is to look like: ``bold``, ``dim``, ``cyan`` ...
    """
    if not text or not names or not has_color():
        return text
    styles = _styles()
    codes = ";".join(styles[name] for name in names)
    return f"\x1b[{codes}m{text}\x1b[0m"


def _styles() -> Mapping[str, str]:
    """Return the codes for the terminal's background, if it says which it has."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    if not background.isdecimal():
        return _STYLES
    return _ON_LIGHT if background in _LIGHT else _ON_DARK


def link(text: str, url: str) -> str:
    """Return a text that leads to an address, where the terminal has links (OSC 8)."""
    if not has_color() or not _is_safe_link(url):
        return text
    return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"


def columns_of(text: str) -> int:
    """Return how many columns a text takes on the screen."""
    plain = ESCAPES.sub("", text) if "\x1b" in text else text
    if plain.isascii():
        return len(plain)
    from unicodedata import combining, east_asian_width  # noqa: PLC0415  # most text is ASCII

    return sum(1 + (east_asian_width(c) in _WIDE) for c in plain if not combining(c))


def shortened(text: str, most: int) -> str:
    """Return a text cut to a number of columns, with an ellipsis.

    It is cut between two words if that costs less than a third of it.
    """
    if columns_of(text) <= most:
        return text
    if most <= 1:
        return "…"[:most]
    end = 0
    while end < len(text) and columns_of(text[: end + 1]) < most:
        end += 1
    begin = text[:end]
    word = begin.rpartition(" ")[0]
    cut = word if len(word) * 3 > end * 2 and not text[end].isspace() else begin
    return f"{cut.rstrip(' ,;:')}…"


def _is_safe_link(url: str) -> bool:
    from urllib.parse import urlsplit  # noqa: PLC0415  # few commands print links

    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https", "file"} and url.isprintable() and " " not in url
