"""Plain tables."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Cell: TypeAlias = str | int | float


def show(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Print a table whose first column is a name."""
    table = [list(columns), *([_told(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for first, *others in table:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        print("  ".join([first.ljust(widths[0]), *cells]).rstrip(), flush=True)
    print()


def _told(cell: Cell) -> str:
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
