"""ADF tables: as Markdown tables where each cell is one line, else as lists."""

import re
from collections.abc import Sequence
from typing import Final

from attrs import frozen

#: The mark of a point in a list.
_POINT: Final = re.compile(r"^[ ]*([-*+]|\d{1,9}[.)]) +", re.MULTILINE)


@frozen(kw_only=True)
class Cell:
    """One cell.

    Attributes:
        blocks: What is in it, as Markdown.
        heads: Whether it is the head of its row or column.
        plain: Whether it holds nothing but paragraphs and lists of them.
        columns: How many columns it takes.
        rows: How many rows it takes.
    """

    blocks: tuple[str, ...]
    heads: bool
    plain: bool
    columns: int
    rows: int


def table(rows: Sequence[Sequence[Cell]]) -> list[str]:
    """Return a table as Markdown blocks, with each word exactly once."""
    if not rows:
        return []
    if all(cell.plain for row in rows for cell in row):
        return [_lines(rows)]
    return ["\n\n".join(map(_row_as_list, rows))]


def points(block: str) -> str:
    """Return a list as points of one line."""
    return _POINT.sub(lambda found: "• " if found[1] in "-*+" else f"{found[1]} ", block)


def _lines(rows: Sequence[Sequence[Cell]]) -> str:
    has_head = all(cell.heads for cell in rows[0])
    lines = _grid(rows, has_head=has_head)
    width = max(map(len, lines))
    head, *body = lines if has_head else [[], *lines]
    return "\n".join(
        _line([*cells, *[""] * (width - len(cells))]) for cells in (head, ["---"] * width, *body)
    )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _grid(rows: Sequence[Sequence[Cell]], *, has_head: bool) -> list[list[str]]:
    """Return a table's texts by row and column; cells covered by a wide one are empty."""
    covered: dict[int, int] = {}
    lines = []
    for at, row in enumerate(rows):
        line: list[str] = []
        for cell in row:
            line += _covered_cells(covered, len(line))
            covered |= dict.fromkeys(range(len(line), len(line) + cell.columns), cell.rows)
            line += [_text(cell, bold=cell.heads and not (has_head and at == 0))]
            line += [""] * (cell.columns - 1)
        covered = {column: left - 1 for column, left in covered.items() if left > 1}
        lines.append(line)
    return lines


def _covered_cells(covered: dict[int, int], column: int) -> list[str]:
    """Return empty texts for the columns that a cell further up still covers."""
    first = column
    while covered.get(column):
        column += 1
    return [""] * (column - first)


def _text(cell: Cell, *, bold: bool) -> str:
    text = " · ".join(" ".join(block.split("\n")) for block in cell.blocks)
    text = text.replace("|", "\\|")
    return _strong(text) if bold else text


def _strong(text: str) -> str:
    """Return a header cell's text, without marking strong text twice."""
    return f"**{text}**" if text and "**" not in text else text


def _row_as_list(row: Sequence[Cell]) -> str:
    """Return a row as an item of a list, and its cells as a list in it."""
    lines = [line for cell in row for line in _cell(cell)]
    return "\n".join(["- " + lines[0], *(f"  {line}".rstrip() for line in lines[1:])])


def _cell(cell: Cell) -> list[str]:
    text = "\n\n".join(cell.blocks)
    if cell.heads and cell.plain:
        text = _strong(text)
    first, *others = text.split("\n")
    return [f"- {first}".rstrip(), *(f"  {line}".rstrip() for line in others)]
