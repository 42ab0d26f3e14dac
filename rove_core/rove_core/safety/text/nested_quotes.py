"""Render headings and quotes inside a quote: bold, and one level deeper."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final, Literal, TypeAlias

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.text.blocks import OURS, escape_lines

_Kind: TypeAlias = Literal["heading", "quote", "words"]

#: What cannot be put in bold stays as it is escaped.
_HEADING: Final = lazy_pattern(rf"{OURS}#{{1,6}}[ \t]++([^*]*[^*\s\\])[ \t]*")
_QUOTE: Final = lazy_pattern(rf"{OURS}>[ \t]*")


def show_inner(text: str) -> str:
    """Return what :func:`escape_lines` gave with headings in bold, and quotes as quotes.

    In such a quote all is escaped: nothing can lead deeper.
    """
    if OURS not in text:
        return text
    parts = (_render(kind, lines) for kind, lines in groupby(text.split("\n"), key=_kind))
    return "\n\n".join(filter(None, parts))


def _kind(line: str) -> _Kind:
    if line.startswith(f"{OURS}>"):
        return "quote"
    return "heading" if _HEADING.fullmatch(line) else "words"


def _render(kind: _Kind, lines: Iterable[str]) -> str:
    match kind:
        case "heading":
            return "\n\n".join(_HEADING.sub(r"**\1**", line) for line in lines)
        case "quote":
            text = escape_lines("\n".join(_QUOTE.sub("", line, count=1) for line in lines))
            return "\n".join(f"> {line}".rstrip(" \t") for line in text.split("\n"))
        case "words":
            return "\n".join(lines).strip("\n")
