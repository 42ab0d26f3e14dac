"""ADF inline nodes: marked text, people, dates, links."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from attrs import frozen

from rove_core.markup.adf.marks import MARKS, marks_of
from rove_core.markup.adf.nodes import (
    Node,
    attribute,
    attribute_words,
    attributes,
    is_block,
    kind,
    walk,
)
from rove_core.safety.text import escape_markdown

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
class AdfInline:
    """Converts inline nodes.

    Attributes:
        people: The names of who may be mentioned, by their account ids.
        files: The names of attached files, by their ids.
    """

    people: Mapping[str, str]
    files: Mapping[str, str]

    def line(self, nodes: Iterable[Node]) -> str:
        """Return nodes as words of one paragraph, and all that is in them."""
        pieces = _space_out(self._pieces(nodes))
        marks = [mark for mark in MARKS if any(mark[0] in piece.marks for piece in pieces)]
        return _apply_marks(pieces, marks).strip()

    def marked(self, node: Node) -> str:
        """Return a node's own text with its marks."""
        words, marks = self.words(node), marks_of(node)
        wraps = [(name, wrap) for name, wrap in MARKS if name in marks]
        return _apply_marks([_Piece(words, marks)], wraps).strip() if words else ""

    def plain(self, node: Node) -> str:
        """Return a node's own text as plain text, without its children's."""
        match kind(node):
            case "mention":
                person = self.people.get(attribute(node, "id"))
                name = attribute(node, "text") or person or attribute(node, "id")
                return f"@{name.removeprefix('@')}" if name else ""
            case "media" | "mediaInline":
                return self._file(node, str)
            case name if name in _CARDS:
                return _card(node, str)
        say = _SAYS.get(kind(node))
        return say(node) if say else attribute_words(node)

    def words(self, node: Node, before: str = "\n", after: str = "\n") -> str:
        """Return a node's own text as Markdown, without its children's.

        Args:
            node: The node.
            before: The character before it.
            after: The character behind it; anything but the end of a line if it is unknown.
        """
        plain, marks = self.plain(node), marks_of(node)
        if "code" in marks or not plain:
            return plain
        if any(marks.get(name) or (name in marks and name != "link") for name, _ in MARKS):
            before = after = "*"
        match kind(node):
            case "media" | "mediaInline":
                return self._file(node, _escape)
            case name if name in _CARDS:
                return _card(node, lambda name: escape_markdown(name, before=before, after="*"))
            case "status":
                return f"**{_escape(plain)}**" if plain.strip() else ""
            case _:
                return escape_markdown(plain, before=before, after=after)

    def _pieces(self, nodes: Iterable[Node]) -> Iterator[_Piece]:
        before = "\n"
        every = [*walk(nodes)]
        for at, node in enumerate(every, 1):
            words = self.words(node, before, "*" if at < len(every) else "\n")
            # What should be a block and is none is kept from what stands before it.
            apart = kind(node) in _CARDS or is_block(node)
            if words or apart:
                yield _Piece(words, marks_of(node), apart)
            if words.strip(" \t"):
                before = "\n" if words[-1] == "\n" else "*"  # It may be marked.

    def _file(self, node: Node, show: Callable[[str], str]) -> str:
        """Return a file's name, and its URL if it is external."""
        url = attribute(node, "url")
        name = show(attribute(node, "alt") or self.files.get(attribute(node, "id"), ""))
        if url:
            return f"[image: {name}] {url}" if name else url
        return f"[attachment: {name}]" if name else "[attachment]"


def _space_out(pieces: Iterable[_Piece]) -> list[_Piece]:
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


def _apply_marks(
    pieces: Sequence[_Piece], marks: Sequence[tuple[str, Callable[[str, str], str]]]
) -> str:
    """Return pieces with their marks around them, the first of the marks outermost."""
    if not marks:
        return "".join(piece.text for piece in pieces)
    (name, wrap), *others = marks
    text = ""
    for value, group in groupby(pieces, lambda piece: piece.marks.get(name)):
        inside = _apply_marks([*group], others)
        text += inside if value is None else wrap(inside, value)
    return text


def _escape(words: str) -> str:
    """Return words as Markdown that can be placed between others."""
    return escape_markdown(words, before="*", after="*")


def _text(node: Node) -> str:
    words = node.get("text")
    return words if isinstance(words, str) else ""


def _date(node: Node) -> str:
    written = attribute(node, "timestamp")
    with suppress(ValueError, OverflowError, OSError):
        return f"{datetime.fromtimestamp(float(written) / 1000, UTC):%Y-%m-%d}"
    return written


def _card(node: Node, show: Callable[[str], str]) -> str:
    """Return the title of a card's page, if known, and its address."""
    data = attributes(node).get("data")
    page: Node = {"attrs": data} if isinstance(data, Mapping) else {}
    url = attribute(node, "url") or attribute(page, "url")
    return " ".join(filter(None, (show(attribute(page, "name")), url)))


_SAYS: Final[Mapping[str, Callable[[Node], str]]] = {
    "text": _text,
    "hardBreak": lambda _: "\n",
    "date": _date,
    "status": lambda node: attribute(node, "text"),
    "emoji": lambda node: attribute(node, "text") or attribute(node, "shortName"),
}
