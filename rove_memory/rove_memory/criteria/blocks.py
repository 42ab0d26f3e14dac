"""The block tree of a description, independent of its markup.

Sources give Markdown; ``rove_core`` turns Jira's wiki markup, Atlassian's document trees and HTML
into it. So there is one reader, and one tree for the rules of :mod:`~rove_memory.criteria.rules`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from attrs import define, field

from rove_memory.criteria import gherkin
from rove_memory.criteria.words import is_struck, plain

Kind: TypeAlias = Literal[
    "root", "heading", "paragraph", "item", "code", "quote", "row", "scenario"
]

#: What ends a label: a colon, or the wide one of Chinese and Japanese.
COLONS: Final = (":", "\uff1a")
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\n(?:[^\n]*\n){0,60}?---[ \t]*(?:\n|\Z)")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")
_ITEM: Final = re.compile(r"([ \t]*)([-*+•‣◦▪]|\d{1,4}[.)]|\(\d{1,3}\))[ \t]+(?=\S)(.*)")
_BOX: Final = re.compile(
    r"(?:\\?\[(?P<box>[ xX✓✔✗-]?)\\?\]|(?P<glyph>[☐☑☒⬜✅✔✓❌])\ufe0f?"
    r"|\((?P<sign>/|x|!|\?|on|off)\))[ \t]+"
)
_RULE: Final = re.compile(r" {0,3}(?:-[ \t]*){3,}|[ \t]*(?:\*[ \t]*){3,}|[ \t]*(?:_[ \t]*){3,}")
_QUOTE: Final = re.compile(r" {0,3}> ?(.*)")
_ROW: Final = re.compile(r"[ \t]*\|.*")
_DIVIDER: Final = re.compile(r"[ \t|:-]+")
_CELL: Final = re.compile(r"(?<!\\)\|")
_BOLD: Final = re.compile(r"[ \t]*(\*\*|__)(?=\S)(?P<words>[^*_\n].{0,100}?)\1[ \t]*:?[ \t]*")
_COLON: Final = re.compile(r"[ \t]*[^\s|>`][^.\n|`]{0,80}:[ \t]*(?:\*\*|__)?[ \t]*")
_DONE: Final = frozenset("xX✓✔")
_DONE_GLYPHS: Final = frozenset("☑☒✅✔✓")


@define(eq=False)
class Block:
    """A block with its content; a heading contains what is below it.

    Attributes:
        kind: What it is.
        text: Its own words, without markup.
        line: Where it begins, in lines of the Markdown; the first is 1.
        level: How deep a heading is, or how far an item is indented.
        checked: Whether its box is ticked; None without a box.
        bold: Whether all its words are bold.
        struck: Whether all its words are struck through.
        children: What is in it.
    """

    kind: Kind
    text: str = ""
    line: int = field(default=1, kw_only=True)
    level: int = field(default=0, kw_only=True)
    checked: bool | None = field(default=None, kw_only=True)
    bold: bool = field(default=False, kw_only=True)
    struck: bool = field(default=False, kw_only=True)
    children: list["Block"] = field(factory=list, kw_only=True)

    @property
    def is_label(self) -> bool:
        """Whether it is a label: bold, or ending with a colon."""
        return (
            self.kind == "paragraph"
            and "\n" not in self.text
            and (self.bold or self.text.endswith(COLONS))
        )

    def walk(self) -> Iterator["Block"]:
        """Yield the block and all that is in it, in the order of reading."""
        yield self
        for child in self.children:
            yield from child.walk()


def read_blocks(markdown: str) -> Block:
    """Return a description as a tree of blocks."""
    text = markdown.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    text = _FRONT_MATTER.sub(_only_lines, text, count=1)
    text = _COMMENT.sub(_only_lines, text)
    return _nest(_Reader(text.split("\n"), first=1).blocks())


def _only_lines(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _nest(blocks: Sequence[Block]) -> Block:
    """Put what follows a heading into it, up to the next of its level."""
    root = Block("root")
    open_headings = [root]
    for block in blocks:
        if block.kind == "heading":
            while open_headings[-1].level >= block.level:
                open_headings.pop()
        open_headings[-1].children.append(block)
        if block.kind == "heading":
            open_headings.append(block)
    return root


class _Reader:
    """Reads lines into blocks; quotes and items have readers of their own."""

    def __init__(self, lines: Sequence[str], *, first: int) -> None:
        self._lines = lines
        self._first = first
        self._at = 0
        self._found: list[Block] = []
        self._items: list[Block] = []  # Open items, the outermost first.
        self._after_blank = True

    def blocks(self) -> list[Block]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.strip():
                self._at += 1
                self._after_blank = True
                continue
            self._block(line)
            self._after_blank = False
        return self._found

    def _block(self, line: str) -> None:
        if found := _FENCE.fullmatch(line):
            self._code(found)
        elif gherkin.begins(self._lines, self._at):
            self._scenario()
        elif found := _HEADING.fullmatch(line):
            self._items.clear()
            self._add(Block("heading", plain(found[2]), line=self._line(), level=len(found[1])))
            self._at += 1
        elif _RULE.fullmatch(line):
            self._items.clear()
            self._at += 1
        elif found := _ITEM.fullmatch(line):
            self._item(found)
        elif _QUOTE.fullmatch(line):
            self._quote()
        elif _ROW.fullmatch(line):
            self._rows()
        else:
            self._words(line)

    def _line(self) -> int:
        return self._first + self._at

    def _add(self, block: Block) -> None:
        (self._items[-1].children if self._items else self._found).append(block)

    def _code(self, opening: re.Match[str]) -> None:
        begin = self._at
        end = begin + 1
        mark = opening[1]
        while end < len(self._lines) and not _closes(self._lines[end], mark):
            end += 1
        indent = len(self._lines[begin]) - len(self._lines[begin].lstrip())
        self._leave_items(indent)
        code = "\n".join(self._lines[begin + 1 : end])
        self._add(Block("code", code, line=self._line()))
        self._at = min(end + 1, len(self._lines))

    def _scenario(self) -> None:
        scenario = gherkin.read_scenario(self._lines, self._at)
        self._items.clear()
        if not scenario.is_background:
            self._add(Block("scenario", scenario.text, line=self._line()))
        self._at = scenario.end

    def _item(self, found: re.Match[str]) -> None:
        indent, words = len(found[1]), found[3]
        while self._items and self._items[-1].level >= indent - (indent > 0):
            self._items.pop()
        checked = None
        if box := _BOX.match(words):
            words = words[box.end() :]
            checked = _is_ticked(box)
        item = Block(
            "item",
            plain(words),
            line=self._line(),
            level=indent,
            checked=checked,
            bold=bool(_BOLD.fullmatch(words)),
            struck=is_struck(words),
        )
        self._add(item)
        self._items.append(item)
        self._at += 1

    def _quote(self) -> None:
        begin, inside = self._at, []
        while self._at < len(self._lines) and (found := _QUOTE.fullmatch(self._lines[self._at])):
            inside.append(found[1])
            self._at += 1
        self._items.clear()
        inner = _nest(_Reader(inside, first=self._first + begin).blocks())
        self._add(Block("quote", line=self._first + begin, children=inner.children))

    def _rows(self) -> None:
        self._leave_items(len(self._lines[self._at]) - len(self._lines[self._at].lstrip()))
        rows: list[Block] = []
        heads = 0
        while self._at < len(self._lines) and _ROW.fullmatch(self._lines[self._at]):
            line = self._lines[self._at].strip()
            if _DIVIDER.fullmatch(line):
                heads = len(rows)
            else:
                cells = [plain(cell.replace("\\|", "|")) for cell in _CELL.split(line)]
                rows.append(Block("row", "\t".join(cells[1:]).strip("\t"), line=self._line()))
            self._at += 1
        for row in rows[heads:]:
            self._add(row)

    def _words(self, line: str) -> None:
        """Read a line of words: it goes on with an item or a paragraph, or begins one."""
        indent = len(line) - len(line.lstrip())
        last = self._items[-1] if self._items else None
        if last and not self._after_blank and not last.children and not _is_label(line):
            last.text = f"{last.text} {plain(line)}".strip()
            self._at += 1
            return
        self._leave_items(indent)
        blocks = self._items[-1].children if self._items else self._found
        goes_on = (
            not self._after_blank
            and bool(blocks)
            and blocks[-1].kind == "paragraph"
            and not blocks[-1].is_label
            and not _is_label(line)
        )
        if self._is_underlined() and not self._items:
            rule = self._lines[self._at + 1].strip()[0]
            self._add(Block("heading", plain(line), line=self._line(), level=1 + (rule == "-")))
            self._at += 2
            return
        if goes_on:
            blocks[-1].text += f"\n{plain(line)}"
            blocks[-1].bold = False
        else:
            blocks.append(
                Block(
                    "paragraph",
                    plain(line),
                    line=self._line(),
                    bold=bool(_BOLD.fullmatch(line)),
                    struck=is_struck(line),
                )
            )
        self._at += 1

    def _is_underlined(self) -> bool:
        after = self._lines[self._at + 1 : self._at + 2]
        return bool(after) and re.fullmatch(r" {0,3}(=+|-{3,})[ ]*", after[0]) is not None

    def _leave_items(self, indent: int) -> None:
        """Close the items that a line at this indent does not belong to."""
        while self._items and indent <= self._items[-1].level:
            self._items.pop()


def _is_label(line: str) -> bool:
    return bool(_BOLD.fullmatch(line) or _COLON.fullmatch(line))


def _is_ticked(box: re.Match[str]) -> bool:
    if box["box"] is not None:
        return box["box"] in _DONE and box["box"] != ""
    if box["glyph"]:
        return box["glyph"] in _DONE_GLYPHS
    return box["sign"] in ("/", "on")


def _closes(line: str, mark: str) -> bool:
    words = line.strip()
    return len(words) >= len(mark) and not words.strip(mark[0])
