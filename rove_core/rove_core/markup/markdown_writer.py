"""Markdown fences, quotes, table rows and list items, shared by all converters."""

import re
from collections.abc import Sequence
from typing import Final

#: What Markdown would take for the end of a heading.
_CLOSING: Final = re.compile(r"(?<=[ \t])#+[ \t]*$")
_LANGUAGE: Final = re.compile(r"[\w+#.-]+")


def heading(words: str, level: int) -> str:
    """Return a heading on one line; number signs at its end stay part of it."""
    line = " ".join(words.splitlines())
    return f"{'#' * level} {_CLOSING.sub(lambda found: chr(92) + found[0], line)}"


def fenced(code: str, language: str = "") -> str:
    """Return code in a fence longer than any in it."""
    longest = max(map(len, re.findall("`+", code)), default=2)
    fence = "`" * max(3, longest + 1)
    named = language if _LANGUAGE.fullmatch(language) else ""
    return f"{fence}{named}\n{code}\n{fence}"


def ticked(code: str) -> str:
    """Return inline code with long enough backticks."""
    ticks = "`" * (1 + max(map(len, re.findall("`+", code)), default=0))
    space = " " if "`" in (code[0], code[-1]) else ""
    return f"{ticks}{space}{code}{space}{ticks}"


def quoted(blocks: Sequence[str]) -> list[str]:
    """Return blocks as one block quote; nothing for none."""
    text = "\n\n".join(blocks)
    return ["\n".join(f"> {line}".rstrip() for line in text.split("\n"))] if text else []


def below_mark(text: str, mark: str) -> str:
    """Return text with all lines but the first indented below what follows a list mark."""
    indent = " " * (len(mark) if mark[0].isdigit() else 2)
    first, *others = text.split("\n")
    return "\n".join([first, *(f"{indent}{line}" if line else "" for line in others)])


def table_row(cells: Sequence[str], width: int) -> str:
    """Return a row of a table, filled up to a number of cells."""
    return f"| {' | '.join([*cells, *[''] * (width - len(cells))])} |"
