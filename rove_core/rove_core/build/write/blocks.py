"""Split a document into the smallest blocks that a person would edit."""

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from attrs import define, field, frozen

Kind: TypeAlias = Literal["blank", "code", "definition", "heading", "item", "quote", "row", "text"]

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_RAW: Final = re.compile(r" {0,3}<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))", re.IGNORECASE)
_HEADING: Final = re.compile(r"#{1,6}(?=\s|$)")
_RULE: Final = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_UNDERLINE: Final = re.compile(r"(?:=+|-+)\s*$")
_ITEM: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?=\s|$)")
_TITLE: Final = r"(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))[ \t]*"
_DEFINITION: Final = re.compile(
    rf"\[(?:[^\[\]\\]|\\.)+\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)(?:[ \t]+{_TITLE})?[ \t]*$"
)
_TABLE_RULE: Final = re.compile(r"\|?(?=[^-]*-)[ \t:|-]+$")
_FRONT: Final = re.compile(
    r"\ufeff?(?:---[ \t]*(?:\r\n|\n)(?=[^\s-]).*?^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\Z))?",
    re.DOTALL | re.MULTILINE,
)
#: Kinds that have no blank line between two of the same kind.
TIGHT: Final = frozenset({"definition", "item", "row"})
#: Kinds that a following line of words continues.
_OF_WORDS: Final = frozenset({"item", "text"})
#: Kinds that a definition may follow without a blank line; after others it is mere words.
_CLOSED: Final = frozenset({"blank", "code", "definition", "heading"})


@frozen
class DocumentPiece:
    """A part of a document.

    Attributes:
        words: Its text, in one or more lines.
        gap: The line endings and blank lines after it.
        kind: Its kind.
        is_open: Whether it runs on to the end, whatever follows: code that is never closed.
    """

    words: str
    gap: str = ""
    kind: Kind = "text"
    is_open: bool = False

    def __str__(self) -> str:
        """Return the piece as it appears in the document."""
        return self.words + self.gap


def cut(text: str) -> list[DocumentPiece]:
    """Return the pieces of a document in order."""
    cutter = _PieceCutter()
    for line in _LINE.findall(text):
        cutter.add(line)
    return list(cutter.pieces())


def front_of(text: str) -> str:
    """Return what must stay at the beginning of a document: a byte order mark, front matter."""
    return found[0] if (found := _FRONT.match(text)) else ""


def level(piece: DocumentPiece) -> int:
    """Return the level of a heading: 1 for the title; 0 if the piece is not a heading."""
    found = _HEADING.match(piece.words) if piece.kind == "heading" else None
    return len(found[0]) if found else 0


@define
class _PieceCutter:
    """Cuts a document into pieces, line by line."""

    _done: list[tuple[Kind, list[str]]] = field(factory=list)
    _kind: Kind = "blank"
    _after_blank: bool = True
    _close: re.Pattern[str] | None = None

    def add(self, line: str) -> None:
        words = line.rstrip("\r\n")
        kind = None
        if self._close:
            self._close = None if self._close.search(words) else self._close
        elif line.strip():
            kind = self._opened_kind(words)
        if kind or not self._done:
            self._kind = kind or "blank"
            self._done.append((self._kind, []))
        self._done[-1][1].append(line)
        self._after_blank = not line.strip() and not self._close

    def pieces(self) -> Iterator[DocumentPiece]:
        for number, (kind, lines) in enumerate(self._done, 1):
            whole = "".join(lines)
            words = whole.rstrip(" \t\r\n")
            is_open = self._close is not None and number == len(self._done)
            yield DocumentPiece(words, whole[len(words) :], kind, is_open)

    def _opened_kind(self, line: str) -> Kind | None:
        """Return the kind of block that a line opens; None if it continues the previous one."""
        if closed := _closing_pattern(line):
            self._close = None if closed.search(line, 4) else closed
            return "code"
        if _HEADING.match(line):
            return "heading"
        if self._is_underline(line):
            return None
        if _RULE.match(line):
            return "heading"
        if line[0] == ">":
            return None if self._kind == "quote" and not self._after_blank else "quote"
        return self._opened_by_words(line)

    def _opened_by_words(self, line: str) -> Kind | None:
        if _ITEM.match(line):
            return "item"
        if line[0] == "|":
            return None if self._is_table_rule(line) else "row"
        if _DEFINITION.match(line) and (self._after_blank or self._kind in _CLOSED):
            return "definition"
        if self._is_continued_by(line):
            return None
        return None if self._kind in _OF_WORDS and not self._after_blank else "text"

    def _is_underline(self, line: str) -> bool:
        return self._kind == "text" and not self._after_blank and bool(_UNDERLINE.match(line))

    def _is_table_rule(self, line: str) -> bool:
        below_a_row = self._kind == "row" and not self._after_blank
        return below_a_row and len(self._done[-1][1]) == 1 and bool(_TABLE_RULE.match(line))

    def _is_continued_by(self, line: str) -> bool:
        if self._kind == "definition" and not self._after_blank:
            return bool(re.fullmatch(_TITLE, line.strip()))
        return self._kind == "item" and line[0] in " \t"


def _closing_pattern(line: str) -> re.Pattern[str] | None:
    """Return the pattern that ends the code or HTML block that a line opens."""
    if fence := _FENCE.match(line):
        return re.compile(rf"^ {{0,3}}{re.escape(fence[1])}{fence[1][0]}*[ \t]*$")
    if raw := _RAW.match(line):
        return re.compile("-->" if raw[1] else f"</{raw[2]}", re.IGNORECASE)
    return None
