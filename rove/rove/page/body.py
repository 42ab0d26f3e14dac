"""The body of a document as HTML, with author and date beside each quote."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
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
    plain,
    spans,
)
from rove.page.elements import Child, Html, anchor, element, join, visible

#: How a paragraph begins that says whose the quote above it is.
_BYLINE: Final = re.compile(r"—[ \t]+\*(?P<who>.*)\*", re.DOTALL)
_DAY: Final = re.compile(r"(?P<day>[A-Z][a-z]{2} \d{1,2}, \d{4})")
_MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # noqa: SIM905  # a list of quotes hides them
_SLUG: Final = re.compile(r"[^a-z0-9]+")
#: The heading of the page comes before those of the document.
_TOP: Final = 2
_LOWEST: Final = 6


class Body:
    """Turns blocks into HTML.

    Attributes:
        headings: The headings so far, with their ids: the page's contents.
    """

    def __init__(self, references: Mapping[str, MarkdownLink]) -> None:
        self.headings: list[tuple[int, str, str]] = []
        self._references = references
        self._ids: set[str] = set()

    def html(self, blocks: Sequence[Block]) -> Html:
        """Return blocks as HTML, a quote together with its byline."""
        parts: list[Child] = []
        at = 0
        while at < len(blocks):
            block, behind = blocks[at], blocks[at + 1] if at + 1 < len(blocks) else None
            if isinstance(block, BlockQuote) and (who := byline(behind)):
                parts.append(self._figure(block, who))
                at += 2
                continue
            parts.append(self._block(block))
            at += 1
        return join(parts)

    def words(self, text: str) -> Html:
        """Return the words of a paragraph."""
        return join(self._span(span) for span in spans(text, self._references))

    def sources(self) -> Html:
        """Return the list of cited sources."""
        numbered = [(name, to) for name, to in self._references.items() if name.isdecimal()]
        items = [
            element("li", f"[{name}] ", anchor(to.title or to.url, to.url)) for name, to in numbered
        ]
        return element("ul", items, class_="sources") if items else Html("")

    def _figure(self, quote: BlockQuote, who: str) -> Html:
        """Return a quote with its author beside it."""
        caption = element("figcaption", dated(who))
        return element("figure", caption, element("blockquote", self.html(quote.blocks)))

    def _block(self, block: Block) -> Html:  # noqa: PLR0911  # one for each kind of block
        match block:
            case Heading():
                return self._heading(block)
            case Paragraph():
                return element("p", self.words(block.text))
            case BlockQuote():
                return element("blockquote", self.html(block.blocks))
            case CodeBlock():
                code = element("code", block.text)
                # Without a mouse, people scroll the element that has the focus.
                return element("pre", code, tabindex="0", role="group", aria_label="Code")
            case MarkdownTable():
                return self._table(block)
            case HorizontalRule():
                return element("hr")
            case ListBlock():
                return self._list(block)

    def _heading(self, heading: Heading) -> Html:
        words = " ".join(visible(plain(heading.text)).split())
        if not words:
            return Html("")
        base = _SLUG.sub("-", words.lower()).strip("-")[:40] or "part"
        candidates = (base, *(f"{base}-{number}" for number in range(2, len(self._ids) + 3)))
        name = next(each for each in candidates if each not in self._ids)
        self._ids.add(name)
        # Who goes through a page by its headings takes a level that is skipped for a missing one.
        above = self.headings[-1][0] if self.headings else _TOP
        level = min(max(heading.level, _TOP), above + 1, _LOWEST)
        self.headings.append((level, name, words))
        return element(f"h{level}", self.words(heading.text), id=f"s-{name}")

    def _table(self, table: MarkdownTable) -> Html:
        head = element("tr", map(self._column, table.head))
        width = len(table.head)
        rows = [
            element("tr", [element("td", self.words(cell)) for cell in _fill_row(row, width)])
            for row in table.rows
        ]
        whole = element("table", element("thead", head), element("tbody", rows))
        return element("div", whole, class_="wide", tabindex="0", role="group", aria_label="Table")

    def _column(self, head: str) -> Html:
        # A screen reader would announce a column head without words for each cell below it.
        if not visible(plain(head)).strip():
            return element("td")
        return element("th", self.words(head), scope="col")

    def _list(self, block: ListBlock) -> Html:
        items = (self._item(done, inner) for done, inner in block.items)
        if block.start is None:
            return element("ul", items)
        return element("ol", items, start=block.start if block.start != 1 else None)

    def _item(self, done: bool | None, blocks: Sequence[Block]) -> Html:  # noqa: FBT001  # a task's state
        task = None
        if done is not None:
            sign = element("span", "☑ " if done else "☐ ", aria_hidden="true")
            task = join([sign, element("span", "done: " if done else "to do: ", class_="unseen")])
        if len(blocks) == 1 and isinstance(blocks[0], Paragraph):
            return element("li", task, self.words(blocks[0].text))
        return element("li", task, self.html(blocks))

    def _span(self, span: StyledText) -> Html:
        words = join([span.text])
        names = {"code": "code", "strong": "strong", "em": "em", "strike": "s"}
        for style in ("code", "em", "strong", "strike"):
            if style in span.styles:
                words = element(names[style], words)
        if span.link is None:
            return words
        if span.citation:
            label = f"Source {span.citation}: {span.link.title or span.link.url}"
            cited = anchor(f"[{span.citation}]", span.link.url, title=label, aria_label=label)
            return element("sup", cited, class_="cite")
        return anchor(words, span.link.url, title=span.link.title or None)


def byline(block: Block | None) -> str:
    """Return the author named above a quote; empty if none is."""
    if not isinstance(block, Paragraph):
        return ""
    found = _BYLINE.fullmatch(block.text.strip())
    return plain(found["who"]) if found else ""


def dated(who: str) -> Html:
    """Return a byline with its day as a time that machines read too."""
    parts: list[Child] = []
    at = 0
    for found in _DAY.finditer(who):
        iso = iso_day(found["day"])
        if iso:
            parts += [who[at : found.start()], element("time", found["day"], datetime=iso)]
            at = found.end()
    return join([*parts, who[at:]])


def iso_day(day: str) -> str:
    """Return ``2024-12-15`` for ``Dec 15, 2024``; empty for anything else."""
    found = _DAY.fullmatch(day)
    if not found or day[:3] not in _MONTHS:
        return ""
    month, number, year = day.replace(",", "").split()
    return f"{year}-{_MONTHS.index(month) + 1:02}-{int(number):02}"


def last_day(who: str) -> str:
    """Return the day that a byline names last, as ``2024-12-15``; empty if it names none."""
    days = [iso for found in _DAY.findall(who) if (iso := iso_day(found))]
    return days[-1] if days else ""


def _fill_row(row: Iterable[str], width: int) -> Iterator[str]:
    cells = iter(row)
    for _, cell in zip(range(width), _endless(cells), strict=False):
        yield cell


def _endless(cells: Iterator[str]) -> Iterator[str]:
    yield from cells
    for _ in count():
        yield ""
