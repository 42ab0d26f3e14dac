"""Lists for people: one line for each thing, one column for each fact."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rove_core.safety.active import inactive


def columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a line for each row, its cells aligned; what vendors wrote has no effect there."""
    cells = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip_longest(*cells, fillvalue="")]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in cells
    ]


def page(lines: Iterable[str]) -> str:
    """Return lines as one text that has no effect on a terminal or an agent."""
    return "\n".join(inactive("".join(filter(str.isprintable, line))) for line in lines)


def visible(cell: str) -> str:
    """Return a text as one line that moves no cursor and has no effect on an agent."""
    return inactive("".join(filter(str.isprintable, " ".join(cell.split()))))
