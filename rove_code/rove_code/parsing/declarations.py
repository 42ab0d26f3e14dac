"""Turn query captures into declarations: nested, documented, in order."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, field

from rove_code.model import Base, Declaration, Place, TypeRelation
from rove_code.parsing.captures import Captures, Definition, Span
from rove_code.parsing.lines import Lines
from rove_code.parsing.sections import sections


@define(eq=False)
class DeclarationNode:
    """A declaration among others.

    Attributes:
        number: Its number in the file.
        declaration: It.
        members: What is declared in it.
    """

    number: int
    declaration: Declaration
    members: "list[DeclarationNode]" = field(factory=list)

    @property
    def first(self) -> int:
        """The line that it begins in."""
        return self.declaration.place.first

    @property
    def last(self) -> int:
        """The line that it ends in."""
        return self.declaration.place.last

    def all(self) -> "Iterator[DeclarationNode]":
        """Return it and whatever is declared in it, in the order of the text."""
        yield self
        for member in self.members:
            yield from member.all()


def declare(found: Captures, lines: Lines) -> list[DeclarationNode]:
    """Return the declarations of a file, nested as members."""
    above = _Above(found, lines)
    roots: list[DeclarationNode] = []
    open_: list[tuple[DeclarationNode, Span]] = []
    number = 0
    for definition in sorted(sections(found.definitions, len(lines.text)), key=_order):
        while open_ and _is_over(open_[-1][1], definition.span):
            open_.pop()
        if open_ and not _takes(open_, definition, lines):
            continue
        parents = [node.declaration for node, _ in open_]
        node = DeclarationNode(number, _declaration(definition, parents, above))
        number += 1
        (open_[-1][0].members if open_ else roots).append(node)
        open_.append((node, definition.span))
    return roots


def _order(definition: Definition) -> tuple[int, int, int]:
    return definition.span[0], -definition.span[1], definition.name[0]


def _is_over(span: Span, following: Span) -> bool:
    """Return whether what follows is no part of it; one statement may declare several things."""
    return span[1] <= following[0] or span == following


def _takes(open_: Sequence[tuple[DeclarationNode, Span]], member: Definition, lines: Lines) -> bool:
    """Return whether a nested declaration counts as a member."""
    node, span = open_[-1]
    if len(open_) >= _DEEPEST or member.span[1] > span[1]:
        return False
    if node.declaration.kind not in _CODE:
        return node.declaration.kind not in _CLOSED
    length = node.declaration.place.last - node.declaration.place.first + 1
    return length > _LONG_FUNCTION and lines.is_indent(member.span[0])


def _declaration(
    definition: Definition, parents: Sequence[Declaration], above: "_Above"
) -> Declaration:
    lines = above.lines
    start, doc = above.look(definition)
    containers = (parents[-1].containers, (parents[-1].name,)) if parents else ((), ())
    owner = (one_line(lines.text, definition.container),) if definition.container else ()
    is_member = bool(owner) or (bool(parents) and parents[-1].kind in _TYPES)
    return Declaration(
        one_line(lines.text, definition.name),
        "method" if definition.kind == "function" and is_member else definition.kind,
        (*containers[0], *containers[1], *owner),
        lines.place(start, definition.span[1]),
        _signature(definition, lines),
        lines.place(*doc) if doc else None,
        tuple(_base(lines.text, span, how) for span, how in definition.bases),
    )


def one_line(text: str, span: Span) -> str:
    """Return a name as one line without quotes."""
    name = " ".join(text[span[0] : min(span[1], span[0] + _LONGEST_NAME)].split())
    return name.strip("\"'`<>\\") or name


def _base(text: str, span: Span, how: str) -> Base:
    name = one_line(text, span)
    return Base(_ARGUMENTS.split(name, maxsplit=1)[0].strip() or name, TypeRelation(how))


def _signature(definition: Definition, lines: Lines) -> Place:
    """Return the lines before the body, which may begin within the last of them."""
    start, end = definition.span
    last = lines.number(max(start, min(definition.body, end - 1)))
    first = lines.number(start)
    if definition.body < end and lines.is_indent(definition.body):
        last -= 1
        while last > first and lines.is_blank(last):
            last -= 1
    end = min(end, lines.end(max(first, last)))
    return lines.place(start, max(end, definition.name[1]))


class _Above:
    """Comments and attributes on the lines before a declaration."""

    def __init__(self, found: Captures, lines: Lines) -> None:
        self.lines = lines
        self._comments = self._by_last_line(found.comments)
        self._attributes = self._by_last_line(found.attributes)

    def look(self, definition: Definition) -> tuple[int, Span | None]:
        """Return where a declaration really begins, and the comment that documents it."""
        start = definition.span[0]
        doc = definition.doc
        if not self.lines.is_indent(start):
            return start, doc
        line = self.lines.number(start) - 1
        while span := self._comments.get(line) or self._attributes.get(line):
            if line in self._comments and definition.doc is None:
                doc = (span[0], doc[1] if doc else span[1])
            start = span[0]
            line = self.lines.number(start) - 1
        return start, doc

    def _by_last_line(self, spans: Sequence[Span]) -> dict[int, Span]:
        number = self.lines.number
        return {
            number(max(start, end - 1)): (start, end - (self.lines.text[end - 1 : end] == "\n"))
            for start, end in spans
            if self.lines.is_indent(start)
        }


#: Kinds whose insides are steps and not members, unless they are very long.
_CODE: Final = frozenset({"function", "method", "constructor", "constant", "macro"})
#: Kinds that have no members of their own.
_CLOSED: Final = frozenset({"rule", "type"})
#: Kinds whose functions are methods.
_TYPES: Final = frozenset(
    {"class", "enum", "extension", "impl", "interface", "object", "record", "struct", "trait"}
)
_LONG_FUNCTION: Final = 100
_DEEPEST: Final = 8
_LONGEST_NAME: Final = 200
_ARGUMENTS: Final = re.compile(r"[<(\[]")
