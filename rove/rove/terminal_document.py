"""Render a document for a terminal: wrapped, coloured, with linked citations."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rove.markdown import (
    Block,
    BlockQuote,
    CodeBlock,
    Heading,
    HorizontalRule,
    ListBlock,
    MarkdownLink,
    MarkdownTable,
    Paragraph,
    StyledText,
    parse,
    plain,
    spans,
)
from rove_core.terminal.screen import columns_of, link, styled
from rove_core.terminal.tables import columns

#: Longer lines are hard to read.
_WIDEST: Final = 96
_NARROWEST: Final = 20
_STYLES: Final[Mapping[str, str]] = {
    "strong": "bold",
    "em": "italic",
    "code": "cyan",
    "strike": "dim",
}
_WORDS: Final = re.compile(r"\s+|\S+")
_BAR: Final = "│ "


def rendered(text: str, columns: int) -> str:
    """Return a document as lines for a terminal.

    Args:
        text: Its Markdown.
        columns: How wide the terminal is.
    """
    markdown = parse(text)
    width = max(min(columns, _WIDEST), _NARROWEST)
    lines = _TerminalLines(markdown.references).blocks(markdown.blocks, width)
    return "\n".join(line.rstrip() for line in lines).strip("\n")


class _TerminalLines:
    def __init__(self, references: Mapping[str, MarkdownLink]) -> None:
        self._references = references

    def blocks(self, blocks: Sequence[Block], width: int) -> Iterator[str]:
        for number, block in enumerate(blocks):
            if number:
                yield ""
            yield from self._block(block, max(width, _NARROWEST))

    def _block(self, block: Block, width: int) -> Iterator[str]:
        match block:
            case Heading():
                yield from self._heading(block, width)
            case Paragraph():
                yield from self._wrap(block.text, width)
            case BlockQuote():
                bar = styled(_BAR.strip(), "dim") + " "
                yield from (bar + line for line in self.blocks(block.blocks, width - 2))
            case CodeBlock():
                for line in _visible_lines(block.text):
                    yield f"    {styled(line, 'cyan')}"
            case MarkdownTable():
                rows = [list(map(plain, row)) for row in (block.head, *block.rows)]
                head, *others = columns(rows, shrink=range(len(block.head)), room=width) or [""]
                yield styled(head, "bold")
                yield from others
            case ListBlock():
                yield from self._list(block, width)
            case HorizontalRule():
                yield styled("─" * width, "dim")

    def _heading(self, heading: Heading, width: int) -> Iterator[str]:
        style = ("bold", "underline") if heading.level == 1 else ("bold", "magenta")
        for line in self._wrap(heading.text, width, plain_style=True):
            yield styled(line, *style)

    def _list(self, block: ListBlock, width: int) -> Iterator[str]:
        for number, (done, inner) in enumerate(block.items, block.start or 0):
            sign = "•" if block.start is None else f"{number}."
            if done is not None:
                sign = "☑" if done else "☐"
            lines = self.blocks(inner, width - len(sign) - 1)
            for at, line in enumerate(lines):
                yield f"{sign if at == 0 else ' ' * len(sign)} {line}"

    def _wrap(self, text: str, width: int, *, plain_style: bool = False) -> Iterator[str]:
        line, used = "", 0
        for shown, wide in self._words(text, plain_style=plain_style):
            if used and used + 1 + wide > width:
                yield line
                line, used = "", 0
            line += f" {shown}" if used else shown
            used += wide + bool(used)
        if used:
            yield line

    def _words(self, text: str, *, plain_style: bool) -> Iterator[tuple[str, int]]:
        """Yield each word with its width; within a word the style may change, but no line ends."""
        word, wide = "", 0
        for span in spans(text, self._references):
            shown = _citation_link(span) if span.citation else span.text
            for part in _WORDS.findall(_visible(shown)):
                if not part.isspace():
                    word += part if plain_style else _style(part, span)
                    wide += columns_of(part)
                    continue
                if wide:
                    yield word, wide
                word, wide = "", 0
        if wide:
            yield word, wide


def _style(word: str, span: StyledText) -> str:
    names = [_STYLES[style] for style in sorted(span.styles)]
    shown = styled(word, *names, *(["blue"] if span.link else []))
    return link(shown, span.link.url) if span.link else shown


def _citation_link(span: StyledText) -> str:
    return f"[{span.citation}]"


def _visible(text: str) -> str:
    return "".join(c for c in text if c.isprintable() or c.isspace())


def _visible_lines(text: str) -> Iterable[str]:
    return ("".join(filter(str.isprintable, line.expandtabs(4))) for line in text.split("\n"))
