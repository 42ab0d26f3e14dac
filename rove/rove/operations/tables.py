"""Lists for people: one line for each thing, one column for each fact."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest


def columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a line for each row, its cells aligned; what vendors wrote moves no cursor there."""
    cells = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip_longest(*cells, fillvalue="")]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in cells
    ]


def visible(cell: str) -> str:
    """Return a text as one line that moves no cursor."""
    return "".join(filter(str.isprintable, " ".join(cell.split())))
