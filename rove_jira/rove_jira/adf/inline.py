"""What stands within a line: words with their marks, people, dates, links."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from attrs import frozen

from rove_jira.adf.marks import MARKS, marks_of
from rove_jira.adf.nodes import Node, attribute, attributes, is_block, kind, said, walk

#: What would begin a block of code, at the begin of a line of words.
_FENCE: Final = re.compile(r"^([ \t]*)(?=`{3,}[^`\n]*$|~{3,})", re.MULTILINE)
_CARDS: Final = frozenset({"inlineCard", "blockCard", "embedCard"})
_ENDS_SENTENCE: Final = ".,;:!?)"


@frozen
class _Piece:
    """A bit of a line.

    Attributes:
        text: The words.
        marks: How they are marked: the mark, and what tells it from others of its kind.
        apart: Whether it needs space around it.
    """

    text: str
    marks: Mapping[str, str]
    apart: bool = False


@frozen
class Inline:
    """Writes what stands within lines.

    Attributes:
        people: The names of who may be mentioned, by their account ids.
        files: The names of attached files, by their ids.
    """

    people: Mapping[str, str]
    files: Mapping[str, str]

    def line(self, nodes: Iterable[Node]) -> str:
        """Return nodes as words of one paragraph, and all that is in them."""
        pieces = _spaced(self._pieces(nodes))
        marks = [mark for mark in MARKS if any(mark[0] in piece.marks for piece in pieces)]
        words = _marked(pieces, marks)
        if "```" in words or "~~~" in words:
            words = _FENCE.sub(r"\1\\", words)
        return words.strip()

    def words(self, node: Node) -> str:
        """Return what a node says by itself, without what is in it."""
        if say := _SAYS.get(kind(node)):
            return say(node)
        match kind(node):
            case "mention":
                return self._mention(node)
            case "media" | "mediaInline":
                return self._file(node)
            case name if name in _CARDS:
                return _card(node)
        return said(node)

    def _pieces(self, nodes: Iterable[Node]) -> Iterator[_Piece]:
        for node in walk(nodes):
            words = self.words(node)
            # What should be a block and is none is kept from what stands before it.
            apart = kind(node) in _CARDS or is_block(node)
            if words or apart:
                yield _Piece(words, marks_of(node), apart)

    def _mention(self, node: Node) -> str:
        known = self.people.get(attribute(node, "id"))
        name = attribute(node, "text") or known or attribute(node, "id")
        return f"@{name.removeprefix('@')}" if name else ""

    def _file(self, node: Node) -> str:
        url = attribute(node, "url")
        name = attribute(node, "alt") or self.files.get(attribute(node, "id"), "")
        if url:
            return f"[image: {name}] {url}" if name else url
        return f"[attachment: {name}]" if name else "[attachment]"


def _spaced(pieces: Iterable[_Piece]) -> list[_Piece]:
    """Return pieces with space around those that would be read as one with their neighbours."""
    found: list[_Piece] = []
    for piece in pieces:
        before = found[-1] if found else None
        glued = before and before.text and not before.text[-1].isspace() and piece.text
        if before and glued and not piece.text[0].isspace():
            ends = piece.text[0] in _ENDS_SENTENCE
            if piece.apart or (before.apart and not ends):
                found.append(_Piece(" ", {}))
        if piece.text:
            found.append(piece)
    return found


def _marked(
    pieces: Sequence[_Piece], marks: Sequence[tuple[str, Callable[[str, str], str]]]
) -> str:
    """Return pieces with their marks around them, the first of the marks outermost."""
    if not marks:
        return "".join(piece.text for piece in pieces)
    (name, wrap), *others = marks
    text = ""
    for value, group in groupby(pieces, lambda piece: piece.marks.get(name)):
        inside = _marked([*group], others)
        text += inside if value is None else wrap(inside, value)
    return text


def _text(node: Node) -> str:
    words = node.get("text")
    return words if isinstance(words, str) else ""


def _date(node: Node) -> str:
    written = attribute(node, "timestamp")
    with suppress(ValueError, OverflowError, OSError):
        return f"{datetime.fromtimestamp(float(written) / 1000, UTC):%Y-%m-%d}"
    return written


def _status(node: Node) -> str:
    words = attribute(node, "text")
    return f"**{words}**" if words.strip() else ""


def _card(node: Node) -> str:
    """Return where a card leads, and how that page is called if the card itself knows."""
    data = attributes(node).get("data")
    known: Node = {"attrs": data} if isinstance(data, Mapping) else {}
    told = (attribute(known, "name"), attribute(node, "url") or attribute(known, "url"))
    return " ".join(filter(None, told))


_SAYS: Final[Mapping[str, Callable[[Node], str]]] = {
    "text": _text,
    "hardBreak": lambda _: "\n",
    "date": _date,
    "status": _status,
    "emoji": lambda node: attribute(node, "text") or attribute(node, "shortName"),
}
