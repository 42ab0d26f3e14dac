"""Convert Jira's wiki markup to Markdown, without losing a word."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from itertools import groupby
from string import punctuation
from typing import Final

from attrs import frozen

from rove_core.markup.markdown_writer import fenced, heading, quoted, table_row, ticked
from rove_core.markup.wiki.signs import ADDRESS, ENTITY
from rove_core.safety.text import escape_markdown

_NOBODY: Final[Mapping[str, str]] = {}
#: What takes several lines: code, quotes and panels, with what stands between their two marks.
_BLOCK: Final = re.compile(
    r"(?<!\\)\{(?P<kind>code|noformat|quote|panel|info|note|tip|warning)(?::(?P<told>[^{}\n]*))?\}"
    r"(?P<inside>.*?)\{(?P=kind)\}",
    re.DOTALL,
)
_HEADING: Final = re.compile(r"[ \t]*h([1-6])\.[ \t]+(.*)")
_QUOTED: Final = re.compile(r"[ \t]*bq\.[ \t]+(.*)")
_ITEM: Final = re.compile(r"[ \t]*([*#-]+)[ \t]+(?=\S)(.*)")
_ROW: Final = re.compile(r"[ \t]*\|.*")
_RULE: Final = re.compile(r"[ \t]*-{4,}[ \t]*")
_KINDS: Final = {
    "heading": _HEADING,
    "quoted": _QUOTED,
    "rule": _RULE,
    "item": _ITEM,
    "row": _ROW,
}
_CELL: Final = re.compile(r"\|\|?")
#: What holds no border of a cell.
_WITHIN: Final = re.compile(r"\{\{.*?\}\}|\\[^\n]|\[(?:\\[^\n]|[^\[\]\\\n])*\]|![^!\s|][^!\n]*!")
_PANELS: Final = ("info", "note", "tip", "warning")
_TITLE: Final = re.compile(r"(?:^|\|)title=([^|]*)")
_SIGNS: Final = r"[-*_^~+?{}\[\]!|\\]"
#: A backslash ends code where just two braces follow, and takes the sign behind it else.
_ENDS_CODE: Final = r"\\(?=\}\}(?!\}))"
_INLINE: Final = re.compile(
    r"\\\\[ \t]*\n?(?P<line>)"
    rf"|\\(?P<plain>{_SIGNS})"
    rf"|\{{\{{(?P<code>(?:{_ENDS_CODE}|(?!{_ENDS_CODE})\\{_SIGNS}|\\(?!{_SIGNS})|[^\\\n])+?)\}}\}}"
    r"|\[~(?:accountid:)?(?P<who>[^\[\]|\n]+)\]"
    r"|\[\^(?P<file>[^\[\]|\n]+)\]"
    r"|\[(?:(?P<label>(?:\\[^\n]|[^\[\]|\\\n])+)\|)?"
    r"(?P<url>(?:https?://|ftp://|mailto:)[^\[\]|\s]+)(?:\|[^\[\]\n]*)?\]"
    r"|(?<![\w!])!(?P<image>[^!|\s][^!|\n]*?)(?:\|[^!\n]*)?!(?![\w!])"
    r"|\{(?:color|anchor)(?::[^{}\n]*)?\}(?P<nothing>)"
    r"|\{(?P<sign>[*_+-])\}(?P<braced>[^\n]+?)\{(?P=sign)\}"
    r"|(?<![\w*])\*(?P<strong>(?![\s*])(?:\\[^\n]|[^*\\\n])+(?<!\s))\*(?![\w*])"
    r"|(?<![\w_])_(?P<em>(?![\s_])(?:\\[^\n]|[^_\\\n])+(?<!\s))_(?![\w_])"
    r"|(?<![\w-])-(?P<strike>(?![\s-])(?:\\[^\n]|[^\\\n-])+(?<!\s))-(?![\w-])"
    r"|(?<![\w+])\+(?P<inserted>(?![\s+])(?:\\[^\n]|[^+\\\n])+(?<!\s))\+(?![\w+])"
    rf"|(?P<entity>{ENTITY})"
    rf"|(?P<address>{ADDRESS})"
)
_ESCAPED: Final = re.compile(rf"\\(?P<plain>{_SIGNS})|(?P<entity>{ENTITY})")
_MARKS: Final = {"strong": "**", "em": "*", "strike": "~~", "inserted": ""}
_BRACED: Final = {"*": "strong", "_": "em", "-": "strike", "+": "inserted"}


@frozen
class _Wiki:
    """Writes wiki markup as Markdown.

    Attributes:
        people: The names of who may be mentioned, by how Jira names them.
    """

    people: Mapping[str, str]

    def blocks(self, text: str) -> Iterator[str]:
        """Yield a text's blocks."""
        at = 0
        for found in _BLOCK.finditer(text):
            yield from self._lines(text[at : found.start()])
            yield from self._block(found)
            at = found.end()
        yield from self._lines(text[at:])

    def _block(self, found: re.Match[str]) -> Iterator[str]:
        kind, options, inside = found["kind"], found["told"] or "", found["inside"]
        if kind in ("code", "noformat"):
            yield fenced(inside.strip("\n"), options.partition("|")[0] if kind == "code" else "")
            return
        title = _TITLE.search(options)
        named = kind.capitalize() if kind in _PANELS else ""
        label = ": ".join(filter(None, (named, self._line(title[1]) if title else "")))
        blocks = [*([f"**{label}**"] if label else []), *self.blocks(inside)]
        yield from quoted(blocks)

    def _lines(self, text: str) -> Iterator[str]:
        """Yield the blocks that single lines make: headings, lists, tables, paragraphs."""
        for kind, group in groupby(text.split("\n"), key=self._kind):
            lines = [*group]
            match kind:
                case "heading":
                    yield from self._headings(lines)
                case "quoted":
                    yield from self._quotes(lines)
                case "rule":
                    yield "---"
                case "item":
                    yield self._list(lines)
                case "row":
                    yield self._table(lines)
                case "words":
                    yield self._line("\n".join(lines)).strip()

    def _kind(self, line: str) -> str:
        """Return the kind of a line; empty for a blank one."""
        named = (name for name, kind in _KINDS.items() if kind.fullmatch(line))
        return next(named, "words" if line.strip() else "")

    def _headings(self, lines: Sequence[str]) -> Iterator[str]:
        for found in filter(None, map(_HEADING.fullmatch, lines)):
            if words := self._line(found[2]).strip():
                yield heading(words, int(found[1]))

    def _quotes(self, lines: Sequence[str]) -> Iterator[str]:
        for found in filter(None, map(_QUOTED.fullmatch, lines)):
            yield f"> {self._line(found[1]).strip()}"

    def _list(self, lines: Sequence[str]) -> str:
        counts: dict[str, int] = {}
        #: The lists that are open: how deep their marks are, and how far their items go in.
        above: list[tuple[int, int]] = []
        written = []
        for found in filter(None, map(_ITEM.fullmatch, lines)):
            signs, depth = found[1], len(found[1])
            counts = {each: count for each, count in counts.items() if signs.startswith(each)}
            counts[signs] = counts.get(signs, 0) + 1
            mark = f"{counts[signs]}." if signs[-1] == "#" else "-"
            above = [each for each in above if each[0] < depth]
            indent = sum(width for _, width in above)
            above.append((depth, max(3, len(mark) + 1)))
            below = f"\n{' ' * (indent + len(mark) + 1)}"
            words = self._line(found[2]).strip().replace("\n", below)
            written += f"{' ' * indent}{mark} {words}".split("\n")
        return "\n".join(line.rstrip() and line for line in written)

    def _table(self, lines: Sequence[str]) -> str:
        rows = [_cells(line) for line in lines]
        has_head = lines[0].lstrip().startswith("||")
        shown = [
            [" ".join(self._line(cell).split("\n")).strip().replace("|", "\\|") for cell in row]
            for row in rows
        ]
        width = max(map(len, shown))
        head, *body = shown if has_head else [[], *shown]
        return "\n".join(table_row(row, width) for row in (head, ["---"] * width, *body))

    def _line(self, text: str) -> str:
        """Return the words of a line with their marks."""
        words, at = "", 0
        for found in _INLINE.finditer(text):
            before = "\n" if not words or words.endswith("\n") else "*"
            words += escape_markdown(text[at : found.start()], before=before, after="*")
            words += self._part(found, words.rpartition("\n")[2])
            at = found.end()
        before = "\n" if not words or words.endswith("\n") else "*"
        return words + escape_markdown(text[at:], before=before)

    def _part(self, found: re.Match[str], line: str) -> str:  # noqa: PLR0911  # one for each kind
        """Return a marked part as Markdown, given the text before it."""
        kind = found.lastgroup or ""
        words = found[kind] or ""
        match kind:
            case "line":
                return "\n"
            case "plain":
                is_opening = words in "-+" and not line.strip(" \\+-")
                return f"\\{words}" if is_opening else _escape(words)
            case "entity":
                return _character(words)
            case "code":
                return ticked(_ESCAPED.sub(_typed_text, words))
            case "who":
                return f"@{_escape(self.people.get(words, words))}"
            case "file" | "image":
                if "://" in words:
                    return f"[image] {words}"
                return f"[{'image' if kind == 'image' else 'attachment'}: {_escape(words)}]"
            case "url":
                label = found["label"]
                return f"{self._line(label)} ({words})" if label else words
            case "address" | "nothing":
                return words
        mark = _MARKS[_BRACED[found["sign"]] if kind == "braced" else kind]
        return f"{mark}{self._line(words)}{mark}"


def wiki_to_markdown(text: str, *, people: Mapping[str, str] = _NOBODY) -> str:
    """Return wiki markup as Markdown.

    Args:
        text: The markup.
        people: The names of who may be mentioned, by how Jira names them.
    """
    return "\n\n".join(filter(None, _Wiki(people).blocks(text.replace("\r\n", "\n"))))


def _cells(line: str) -> list[str]:
    """Return the cells of a row; a border within a link or code is none."""
    hidden = _WITHIN.sub(lambda found: found[0].replace("|", "\x00"), line.strip())
    cells = [cell.replace("\x00", "|") for cell in _CELL.split(hidden)]
    return cells[1:-1] if not cells[-1].strip() else cells[1:]


def _typed_text(found: re.Match[str]) -> str:
    return found["plain"] or " ".join(unescape(found["entity"]).splitlines())


def _character(entity: str) -> str:
    """Return the character of an entity, escaped so that it has no effect."""
    words = " ".join(unescape(entity).splitlines())
    if words == entity:
        return _escape(words)
    return f"\\{words}" if words in punctuation else words


def _escape(words: str) -> str:
    return escape_markdown(words, before="*", after="*")
