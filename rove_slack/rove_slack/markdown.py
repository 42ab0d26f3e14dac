"""Write Markdown with literal text kept literal and emphasis placed correctly."""

import re
from typing import Final

from rove_core import escape_markdown

_TICKS: Final = re.compile("`+")
_SCHEME: Final = re.compile(r"^(?:https?|ftp)://|^(?:mailto|tel):")
_MARKS: Final = {"strike": "~~", "italic": "*", "bold": "**"}


def styled(text: str, *styles: str) -> str:
    """Return Markdown in bold, italic or struck, line by line, without the space around it."""
    marks = [mark for style, mark in _MARKS.items() if style in styles]
    return "\n".join(_apply_marks(line, marks) for line in text.split("\n")) if marks else text


def within(text: str) -> str:
    """Return plain text as Markdown for use within a line."""
    return escape_markdown(text, before="*", after="*")


def code(text: str) -> str:
    """Return text as code within a line; of several lines each is code."""
    return "\n".join(_as_code(line) if line.strip() else line for line in text.split("\n"))


def fenced(text: str, language: str = "") -> str:
    """Return text as a code block with a fence that the text cannot close."""
    fence = "`" * max(3, _longest(text) + 1)
    return "\n".join((fence + language, text.strip("\n"), fence))


def link(url: str, label: str = "") -> str:
    """Return a link as its label and bare address; only the address if both are equal."""
    if not url or not label.strip():
        return url or label
    if _bare_url(label.replace("\\", "")) == _bare_url(url):
        return url if "//" in url else label
    return f"{label} ({url})"


def indented(text: str, first: str) -> str:
    """Return text behind a mark, its further lines below its first word."""
    return first + text.replace("\n", "\n" + " " * len(first))


def quoted(text: str) -> str:
    """Return text as a quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _bare_url(url: str) -> str:
    return _SCHEME.sub("", url.strip()).rstrip("/")


def _apply_marks(line: str, marks: list[str]) -> str:
    words = line.strip()
    if not words:
        return line
    start = line.index(words)
    before, after = line[:start], line[start + len(words) :]
    for mark in marks:
        words = f"{mark}{words}{mark}"
    return f"{before}{words}{after}"


def _as_code(line: str) -> str:
    fence = "`" * (_longest(line) + 1)
    space = " " if "`" in (line[0], line[-1]) else ""
    return f"{fence}{space}{line}{space}{fence}"


def _longest(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
