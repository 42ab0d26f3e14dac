"""Blocks of a document: headings, quotes, lists, tables, code.

It reads what Rove writes, and shows all else as the words that stand there: HTML is words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final, NamedTuple, TypeAlias

from rove.markdown.inline import MarkdownLink, unescaped

_HEADING: Final = re.compile(r"(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_RULE: Final = re.compile(r"[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_FENCE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([^`]*)")
_QUOTE: Final = re.compile(r" {0,3}> ?")
_ITEM: Final = re.compile(r"(?P<indent>[ \t]*)(?P<sign>[-*+]|\d{1,9}[.)])[ \t]+(?P<text>\S.*)")
_TABLE_RULE: Final = re.compile(r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*")
_CELLS: Final = re.compile(r"(?<!\\)\|")
_TASK: Final = re.compile(r"\[(?P<sign>[ xX])\][ \t]+(?P<text>.*)", re.DOTALL)
_DEFINITION: Final = re.compile(
    r"\[(?P<name>[^\[\]\n]{1,50})\]: (?P<url>\S{1,2000})(?: \"(?P<title>[^\n]*)\")?[ \t]*"
)
#: Quotes within quotes beyond this are words.
_DEEPEST: Final = 12


class Heading(NamedTuple):
    """A heading."""

    level: int
    text: str


class Paragraph(NamedTuple):
    """A paragraph."""

    text: str


class BlockQuote(NamedTuple):
    """A quote."""

    blocks: "tuple[Block, ...]"


class ListBlock(NamedTuple):
    """A list; an item may be a task that is done or not."""

    items: "tuple[tuple[bool | None, tuple[Block, ...]], ...]"
    start: int | None


class CodeBlock(NamedTuple):
    """A code block."""

    text: str
    language: str


class MarkdownTable(NamedTuple):
    """A table."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class HorizontalRule(NamedTuple):
    """A rule between two parts."""


Block: TypeAlias = (
    Heading | Paragraph | BlockQuote | ListBlock | CodeBlock | MarkdownTable | HorizontalRule
)


class Markdown(NamedTuple):
    """A document.

    Attributes:
        blocks: Its blocks.
        references: Where its citations lead, by their names in small letters.
    """

    blocks: tuple[Block, ...]
    references: Mapping[str, MarkdownLink]


def parse(text: str) -> Markdown:
    """Return a document as its blocks."""
    lines = text.replace("\r\n", "\n").split("\n")
    references: dict[str, MarkdownLink] = {}
    body = []
    for line in lines:
        if found := _DEFINITION.fullmatch(line):
            link = MarkdownLink(found["url"], unescaped(found["title"] or ""))
            references.setdefault(found["name"].casefold(), link)
        else:
            body.append(line)
    return Markdown(tuple(_blocks(body, 0)), references)


def _blocks(lines: Sequence[str], depth: int) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
            continue
        block, taken = _block(lines, at, depth)
        yield block
        at += taken


def _block(  # noqa: PLR0911  # one for each kind of block
    lines: Sequence[str], at: int, depth: int
) -> tuple[Block, int]:
    """Return the block that begins at a line, and how many lines it has."""
    line = lines[at]
    if heading := _HEADING.fullmatch(line):
        return Heading(len(heading[1]), heading[2]), 1
    if _RULE.fullmatch(line):
        return HorizontalRule(), 1
    if fence := _FENCE.fullmatch(line):
        return _code(lines, at, fence)
    if _QUOTE.match(line) and depth < _DEEPEST:
        quoted = list(takewhile(_QUOTE.match, lines[at:]))
        inner = [_QUOTE.sub("", each, count=1) for each in quoted]
        return BlockQuote(tuple(_blocks(inner, depth + 1))), len(quoted)
    if _is_table(lines, at):
        return _table(lines, at)
    if _ITEM.fullmatch(line) and depth < _DEEPEST:
        return _list(lines, at, depth)
    taken = 1
    while at + taken < len(lines) and not _ends_paragraph(lines, at + taken):
        taken += 1
    return Paragraph("\n".join(each.strip() for each in lines[at : at + taken])), taken


def _ends_paragraph(lines: Sequence[str], at: int) -> bool:
    line = lines[at]
    return (
        not line.strip()
        or bool(_HEADING.fullmatch(line) or _FENCE.fullmatch(line) or _QUOTE.match(line))
        or bool(_ITEM.fullmatch(line) or _RULE.fullmatch(line))
        or _is_table(lines, at)
    )


def _code(lines: Sequence[str], at: int, fence: re.Match[str]) -> tuple[Block, int]:
    close = re.compile(rf"[ \t]*{re.escape(fence[1])}{re.escape(fence[1][0])}*[ \t]*")
    end = at + 1
    while end < len(lines) and not close.fullmatch(lines[end]):
        end += 1
    return CodeBlock("\n".join(lines[at + 1 : end]), fence[2].strip()), end + 1 - at


def _is_table(lines: Sequence[str], at: int) -> bool:
    return (
        lines[at].lstrip().startswith("|")
        and at + 1 < len(lines)
        and bool(_TABLE_RULE.fullmatch(lines[at + 1]))
    )


def _table(lines: Sequence[str], at: int) -> tuple[Block, int]:
    rows = list(takewhile(lambda line: line.lstrip().startswith("|"), lines[at:]))
    head, _, *body = map(_cells, rows)
    return MarkdownTable(head, tuple(body)), len(rows)


def _cells(line: str) -> tuple[str, ...]:
    cells = _CELLS.split(line.strip())[1:]
    if cells and not cells[-1].strip():
        cells.pop()
    return tuple(cell.strip() for cell in cells)


def _list(lines: Sequence[str], at: int, depth: int) -> tuple[Block, int]:
    first = _ITEM.fullmatch(lines[at])
    if first is None:
        raise ValueError(f"{lines[at]!r} begins no list")
    indent = len(first["indent"].expandtabs(4))
    items: list[list[str]] = []
    end = at
    while end < len(lines):
        item = _ITEM.fullmatch(lines[end])
        if item and len(item["indent"].expandtabs(4)) <= indent + 1:
            items.append([item["text"]])
        elif _continues(lines, end, indent):
            items[-1].append(lines[end].expandtabs(4)[indent + 2 :])
        else:
            break
        end += 1
    start = int(first["sign"][:-1]) if first["sign"][:-1].isdecimal() else None
    return ListBlock(tuple(_item(item, depth) for item in items), start), end - at


def _continues(lines: Sequence[str], at: int, indent: int) -> bool:
    """Return whether a line continues the list item above it."""
    line = lines[at].expandtabs(4)
    if line.strip():
        return len(line) - len(line.lstrip()) > indent
    following = (lines[number] for number in range(at + 1, len(lines)))
    behind = next(filter(str.strip, following), "").expandtabs(4)
    return bool(behind) and (
        len(behind) - len(behind.lstrip()) > indent or _ITEM.fullmatch(behind) is not None
    )


def _item(lines: list[str], depth: int) -> tuple[bool | None, tuple[Block, ...]]:
    task = _TASK.fullmatch(lines[0])
    if task:
        lines = [task["text"], *lines[1:]]
    return (task["sign"] != " " if task else None), tuple(_blocks(lines, depth + 1))
