"""Values in tables: beside the cell that names them, or in the column below it.

Tables of Markdown, of Jira's wiki markup and of HTML, tables drawn with lines or aligned with
spaces, and files of values between commas, semicolons or tabs.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from rove_core.safety.lazy_pattern import lazy_pattern

#: Where a cell's text begins and ends.
Span: TypeAlias = tuple[int, int]

_BARS: Final = lazy_pattern(r"(?<!\\)\|{1,2}|[│┃║¦]")
_TABS: Final = lazy_pattern(r"\t")
_SEMICOLONS: Final = lazy_pattern(r";")
_COMMAS: Final = lazy_pattern(r",")
_GAPS: Final = lazy_pattern(r" {2,}")
#: A line between the head of a table and its rows.
_RULE: Final = lazy_pattern(r"[\s|:+=─━═┼╪├┤│┃╞╡-]*")
#: What names a column where nothing but its commas makes a line the head of a table.
_PLAIN_NAME: Final = lazy_pattern(r"[\"']?\w[\w .-]{0,29}[\"']?")
_ROW: Final = lazy_pattern(r"<tr\b[^>]*>(.*?)(?=</tr|<tr\b|</table|$)", re.DOTALL | re.IGNORECASE)
_CELL: Final = lazy_pattern(
    r"<(?:td|th|dt|dd)\b[^>]*>(.*?)(?=</(?:td|th|dt|dd)|<(?:td|th|dt|dd)\b|$)",
    re.DOTALL | re.IGNORECASE,
)
_TAG: Final = lazy_pattern(r"<[^<>]{1,200}>")
#: What a cell holds beside a value: marks around it, a user's name before it, a remark behind it.
_VALUE: Final = lazy_pattern(
    r"(?:[*_`\"'“„«]|</?[a-z][^<>]{0,40}>)*(?:[\w.@+-]{2,40}\s?[/:]\s?)??"
    r"(?P<value>[!-~\u00a1-\u024f]{5,200}?)"
    r"(?:[*_`\"'”“»]|</?[a-z][^<>]{0,40}>|\\$)*(?:\s*[(,].*)?",
    re.DOTALL,
)
_LONGEST_NAME: Final = 60
_MOST_ROWS: Final = 200
#: A longer line is no row of a table; to look at each would take long where a name is repeated.
_LONGEST_LINE: Final = 2000
_MOST_HTML: Final = 4000


class _HtmlPart(NamedTuple):
    """The rows in a part of a text.

    Attributes:
        rows: Their cells.
        heads: Which of them are the first of a table.
        cells: All cells, in order.
        starts: Where each of them begins.
        places: The row and the column of each.
    """

    rows: Sequence[Sequence[Span]]
    heads: AbstractSet[int]
    cells: Sequence[Span]
    starts: Sequence[int]
    places: Sequence[tuple[int, int]]


def values_of(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield what may be the values of a name in a table: one beside it, or those below it.

    Args:
        text: The text.
        start: Where a word of the name begins.
        end: Where it ends.
    """
    if "<" in text[end : end + _LONGEST_NAME] and _in_html(text, start):
        yield from _html_values(text, start)
        return
    if (line := _line_at(text, start)) is None:
        return
    for separator in (_BARS, _TABS, _SEMICOLONS, _COMMAS, _GAPS):
        cells = _cells(text, line, separator)
        if len(cells) > 1:
            yield from _beside_and_below(text, line, cells, start, separator)
            return


def _beside_and_below(
    text: str, line: Span, cells: Sequence[Span], place: int, separator: re.Pattern[str]
) -> Iterator[Span]:
    index = next((n for n, cell in enumerate(cells) if cell[0] <= place < cell[1]), -1)
    if index < 0 or cells[index][1] - cells[index][0] > _LONGEST_NAME:
        return
    is_drawn = separator is _BARS
    if is_drawn and index + 1 < len(cells):
        yield from _value(text, cells[index + 1])
    if not is_drawn and not all(_PLAIN_NAME.fullmatch(text, *cell) for cell in cells):
        return
    if not _is_head(text, line, separator, columns=0 if is_drawn else len(cells)):
        return
    for row in _rows_below(text, line, separator):
        if not is_drawn and len(row) != len(cells):
            return
        if index < len(row):
            yield from _value(text, row[index])


def _rows_below(text: str, line: Span, separator: re.Pattern[str]) -> Iterator[Sequence[Span]]:
    for _ in range(_MOST_ROWS):
        below = _line_at(text, line[1] + 1) if line[1] < len(text) else None
        if below is None:
            return
        line = below
        if _RULE.fullmatch(text, *line):
            if line[0] == line[1]:
                return
            continue
        row = _cells(text, line, separator)
        if len(row) < 2:
            return
        yield row


def _is_head(text: str, line: Span, separator: re.Pattern[str], *, columns: int) -> bool:
    """Return whether no row of the table is above a line.

    Args:
        text: The text.
        line: The line.
        separator: What divides its cells.
        columns: How many cells each row has; 0 if that may differ.
    """
    above = _line_at(text, line[0] - 1) if line[0] else None
    if above is None or _RULE.fullmatch(text, *above):
        return True
    count = len(_cells(text, above, separator))
    return count < 2 or bool(columns and count != columns)


def _cells(text: str, line: Span, separator: re.Pattern[str]) -> Sequence[Span]:
    """Return the cells of a line, an empty one before its first bar too."""
    cells: list[Span] = []
    start = line[0]
    for found in separator.finditer(text, *line):
        cells.append(_stripped(text, start, found.start()))
        start = found.end()
    return [*cells, _stripped(text, start, line[1])]


def _html_values(text: str, place: int) -> Iterator[Span]:
    part = place // _MOST_HTML
    table = _html_part(text, max(0, part - 1) * _MOST_HTML, (part + 2) * _MOST_HTML)
    at = bisect_right(table.starts, place) - 1
    if at < 0 or table.cells[at][1] <= place:
        return
    number, index = table.places[at]
    row = table.rows[number]
    if index + 1 < len(row):
        yield from _value(text, _stripped(text, *row[index + 1]))
    if number not in table.heads:
        return
    for below in range(number + 1, min(number + _MOST_ROWS, len(table.rows))):
        if below in table.heads:
            return
        if index < len(table.rows[below]):
            yield from _value(text, _stripped(text, *table.rows[below][index]))


@lru_cache(maxsize=4)
def _html_part(text: str, top: int, limit: int) -> _HtmlPart:
    """Return the rows in a part of a text, which many names of a table share."""
    rows: list[Sequence[Span]] = []
    heads: set[int] = set()
    before = top
    for row in _ROW.finditer(text, top, limit):
        opened = max(text.rfind(tag, before, row.start()) for tag in ("<table", "<TABLE"))
        if opened >= 0 or (not rows and not top):
            heads.add(len(rows))
        rows.append([cell.span(1) for cell in _CELL.finditer(text, *row.span(1))])
        before = row.end()
    rows = rows or [[cell.span(1) for cell in _CELL.finditer(text, top, limit)]]
    places = [(n, index) for n, row in enumerate(rows) for index in range(len(row))]
    cells = [cell for row in rows for cell in row]
    return _HtmlPart(rows, heads, cells, [cell[0] for cell in cells], places)


def _in_html(text: str, place: int) -> bool:
    opened = text.rfind("<", max(0, place - _LONGEST_NAME), place)
    tag = _TAG.match(text, opened) if opened >= 0 else None
    return tag is not None and tag.end() <= place


def _value(text: str, cell: Span) -> Iterator[Span]:
    if found := _VALUE.fullmatch(text, *cell):
        yield found.span("value")


def _line_at(text: str, place: int) -> Span | None:
    """Return the line around a place; None for one that is too long for a table."""
    first, last = max(0, place - _LONGEST_LINE), min(len(text), place + _LONGEST_LINE)
    start, end = text.rfind("\n", first, place) + 1, text.find("\n", place, last)
    if (not start and first) or (end < 0 and last < len(text)):
        return None
    return start, last if end < 0 else end


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
