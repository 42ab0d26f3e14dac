"""A ticket's description at a terminal: Markdown tables as columns."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from rove_core import columns, wrapped

#: More than any line needs.
_UNLIMITED: Final = 1_000_000
_FENCE: Final = re.compile(r"\s*(```|~~~)")
#: The line below a table's head.
_RULE: Final = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_BETWEEN: Final = re.compile(r"(?<!\\)\|")


def description_lines(text: str, *, room: int | None = None) -> Iterator[str]:
    """Yield the lines of a description; its tables are columns, or a list where they are too wide.

    Args:
        text: The description, in Markdown.
        room: How wide the lines may be; as wide as the terminal unless given.
    """
    lines, at, is_code = text.splitlines(), 0, False
    while at < len(lines):
        is_code ^= bool(_FENCE.match(lines[at]))
        size = 0 if is_code else _table_size(lines[at:])
        if size:
            head, _, *rows = lines[at : at + size]
            yield from _table(_cells(head), [_cells(row) for row in rows], room)
        else:
            yield lines[at]
        at += max(1, size)


def _table_size(lines: Sequence[str]) -> int:
    """Return the number of lines of the table that begins here; 0 if none does."""
    if len(lines) < 2 or "|" not in lines[0] or "|" not in lines[1]:
        return 0
    if not _RULE.fullmatch(lines[1]) or len(_cells(lines[0])) != len(_cells(lines[1])):
        return 0
    return next((at for at, line in enumerate(lines) if "|" not in line), len(lines))


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.strip().replace("\\|", "|") for cell in _BETWEEN.split(inner)]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], room: int | None) -> Iterator[str]:
    lines = columns([head, *rows], room=_UNLIMITED)
    if all(len(wrapped(line, room)) == 1 for line in lines):
        yield from lines
        return
    for row in rows:
        for name, cell in zip_longest(head, row, fillvalue=""):
            yield from wrapped(f"{name}: {cell}" if name else cell, room)
        yield ""
