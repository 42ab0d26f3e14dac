"""Values in tables: beside the cell that names them, or in the column below it.

Tables of Markdown, of Jira's wiki markup and of HTML, tables drawn with lines or aligned with
spaces, and files of values between commas, semicolons or tabs.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

#: Where a cell's text begins and ends.
Span: TypeAlias = tuple[int, int]

_BARS: Final = re.compile(r"(?<!\\)\|{1,2}|[│┃║¦]")
_TABS: Final = re.compile(r"\t")
_SEMICOLONS: Final = re.compile(r";")
_COMMAS: Final = re.compile(r",")
_GAPS: Final = re.compile(r" {2,}")
#: A line between the head of a table and its rows.
_RULE: Final = re.compile(r"[\s|:+=─━═┼╪├┤│┃╞╡-]*")
#: What names a column where nothing but its commas makes a line the head of a table.
_PLAIN_NAME: Final = re.compile(r"[\"']?\w[\w .-]{0,29}[\"']?")
_ROW: Final = re.compile(r"<tr\b[^>]*>(.*?)(?=</tr|<tr\b|</table|$)", re.DOTALL | re.IGNORECASE)
_CELL: Final = re.compile(
    r"<(?:td|th|dt|dd)\b[^>]*>(.*?)(?=</(?:td|th|dt|dd)|<(?:td|th|dt|dd)\b|$)",
    re.DOTALL | re.IGNORECASE,
)
_TAG: Final = re.compile(r"<[^<>]{1,200}>")
#: What a cell holds beside a value: marks around it, a user's name before it, a remark behind it.
_VALUE: Final = re.compile(
    r"(?:[*_`\"'“„«]|</?[a-z][^<>]{0,40}>)*(?:[\w.@+-]{2,40}\s?[/:]\s?)??"
    r"(?P<value>[!-~\u00a1-\u024f]{5,200}?)"
    r"(?:[*_`\"'”“»]|</?[a-z][^<>]{0,40}>|\\$)*(?:\s*[(,].*)?",
    re.DOTALL,
)
_LONGEST_NAME: Final = 60
_MOST_ROWS: Final = 200
_MOST_HTML: Final = 4000


def values_of(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield what may be the values of a name in a table: one beside it, or those below it.

    Args:
        text: The text.
        start: Where a word of the name begins.
        end: Where it ends.
    """
    line = _line_at(text, start)
    if "<" in text[end : end + _LONGEST_NAME] and _in_html(text, start):
        yield from _html_values(text, start)
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
    if is_drawn and not _is_head(text, line, separator):
        return
    for row in _rows_below(text, line, separator):
        if index < len(row) and (is_drawn or len(row) == len(cells)):
            yield from _value(text, row[index])


def _rows_below(text: str, line: Span, separator: re.Pattern[str]) -> Iterator[Sequence[Span]]:
    for _ in range(_MOST_ROWS):
        if line[1] >= len(text):
            return
        line = _line_at(text, line[1] + 1)
        if _RULE.fullmatch(text, *line):
            if line[0] == line[1]:
                return
            continue
        row = _cells(text, line, separator)
        if len(row) < 2:
            return
        yield row


def _is_head(text: str, line: Span, separator: re.Pattern[str]) -> bool:
    """Return whether no row of the table stands above a line."""
    if not line[0]:
        return True
    above = _line_at(text, line[0] - 1)
    return bool(_RULE.fullmatch(text, *above)) or len(_cells(text, above, separator)) < 2


def _cells(text: str, line: Span, separator: re.Pattern[str]) -> Sequence[Span]:
    """Return the cells of a line, an empty one before its first bar too."""
    cells: list[Span] = []
    start = line[0]
    for found in separator.finditer(text, *line):
        cells.append(_stripped(text, start, found.start()))
        start = found.end()
    return [*cells, _stripped(text, start, line[1])]


def _html_values(text: str, place: int) -> Iterator[Span]:
    top = max(text.rfind("<table", 0, place), text.rfind("<TABLE", 0, place), place - _MOST_HTML, 0)
    limit = place + _MOST_HTML
    rows = [
        [cell.span(1) for cell in _CELL.finditer(text, *row.span(1))]
        for row in _ROW.finditer(text, top, limit)
    ] or [[cell.span(1) for cell in _CELL.finditer(text, top, limit)]]
    for number, row in enumerate(rows):
        index = next((n for n, cell in enumerate(row) if cell[0] <= place < cell[1]), -1)
        if index < 0:
            continue
        if index + 1 < len(row):
            yield from _value(text, _stripped(text, *row[index + 1]))
        for below in rows[1:_MOST_ROWS] if not number else ():
            if index < len(below):
                yield from _value(text, _stripped(text, *below[index]))


def _in_html(text: str, place: int) -> bool:
    opened = text.rfind("<", max(0, place - _LONGEST_NAME), place)
    tag = _TAG.match(text, opened) if opened >= 0 else None
    return tag is not None and tag.end() <= place


def _value(text: str, cell: Span) -> Iterator[Span]:
    if found := _VALUE.fullmatch(text, *cell):
        yield found.span("value")


def _line_at(text: str, place: int) -> Span:
    end = text.find("\n", place)
    return text.rfind("\n", 0, place) + 1, len(text) if end < 0 else end


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
