"""Parse a text and collect the captures of its language's query."""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import field, frozen

from rove_code.model import TypeRelation
from rove_code.parsing.grammars import Grammar
from rove_core.clock import SYSTEM, Clock

if TYPE_CHECKING:
    import tree_sitter

#: Part of a text, from one character to another.
Span: TypeAlias = tuple[int, int]
_Captured: TypeAlias = "dict[str, list[tree_sitter.Node]]"


@frozen
class Definition:
    """A declaration as captured by a query.

    Attributes:
        kind: What the query calls it.
        span: Where it stands, with what is wrapped around it (decorators, ``export``).
        name: Where its name stands.
        body: Where its body begins; its end if it has none.
        container: Where the name of what it belongs to stands, if it stands outside of that.
        bases: Where the types that it is built on are named, each with how.
        doc: Where the comment stands that is part of its body.
    """

    kind: str
    span: Span
    name: Span
    body: int
    container: Span | None = None
    bases: tuple[tuple[Span, str], ...] = ()
    doc: Span | None = None


@frozen
class Captures:
    """Captures of a tree-sitter query in a text.

    Attributes:
        definitions: Its declarations.
        comments: Its comments.
        attributes: What is said about a declaration before it, and is no part of it.
        heads: Imports, and whatever else a file begins with.
        references: What is named, with the kind of reference.
    """

    definitions: list[Definition] = field(factory=list)
    comments: list[Span] = field(factory=list)
    attributes: list[Span] = field(factory=list)
    heads: list[Span] = field(factory=list)
    references: list[tuple[int, int, str]] = field(factory=list)


def find(text: str, grammar: Grammar, clock: Clock) -> Captures | None:
    """Return the captures of a text; None if it is not in that language or takes too long."""
    import tree_sitter  # noqa: PLC0415  # who reads what was parsed before needs no parser

    tree = tree_of(text, grammar, clock)
    if tree is None:
        return None
    cursor = tree_sitter.QueryCursor(grammar.query)
    cursor.set_max_start_depth(_DEEPEST)
    return _sort(cursor.matches(tree.root_node))


def tree_of(text: str, grammar: Grammar, clock: Clock = SYSTEM) -> "tree_sitter.Tree | None":
    """Return the syntax tree of a text; None if it is not in that language or takes too long.

    The offsets of its nodes are those of the text's characters.
    """
    import tree_sitter  # noqa: PLC0415  # who reads what was parsed before needs no parser

    data = _bytes(text)
    stop = clock.monotonic() + _PATIENCE

    def is_late(_offset: int, _is_error: bool) -> bool:  # noqa: FBT001  # the parser calls it so
        return clock.monotonic() > stop

    def read(offset: int, _point: "tree_sitter.Point") -> bytes:
        return data[offset : offset + _PIECE]

    tree = _parse(tree_sitter.Parser(grammar.language), read, is_late)
    return None if tree is None or _is_broken(tree.root_node) else tree


def _parse(
    parser: "tree_sitter.Parser",
    read: "Callable[[int, tree_sitter.Point], bytes]",
    is_late: Callable[[int, bool], bool],
) -> "tree_sitter.Tree | None":
    try:
        return parser.parse(read, progress_callback=is_late)
    except ValueError:
        return None


def _bytes(text: str) -> bytes:
    """Write each character as one byte, so that the parser's offsets are those of the text."""
    if text.isascii() and "\0" not in text:
        return text.encode()
    return _OTHER.sub("x", _BLANK.sub(" ", text)).encode()


def _is_broken(root: "tree_sitter.Node") -> bool:
    """Return whether an unparsable part has so many parts that looking at them is slow."""
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if not node.has_error:
            continue
        if node.is_error and node.child_count > _WIDEST_ERROR:
            return True
        nodes.extend(node.children)
    return False


def _sort(matches: list[tuple[int, _Captured]]) -> Captures:
    alone: defaultdict[str, list[Span]] = defaultdict(list)
    references: list[tuple[int, int, str]] = []
    pairs: list[_Captured] = []
    defined: list[tuple[int, _Captured]] = []
    for pattern, captured in matches:
        if "name" in captured:
            defined.append((pattern, captured))
        elif "of" in captured or "wrapped" in captured:
            pairs.append(captured)
        else:
            for key, nodes in captured.items():
                if key.startswith(_REFERENCE):
                    kind = key[len(_REFERENCE) :]
                    references += [(node.start_byte, node.end_byte, kind) for node in nodes]
                else:
                    alone[key] += map(_span, nodes)
    definitions = _definitions(defined, _Around(pairs))
    return Captures(definitions, alone["comment"], alone["attribute"], alone["head"], references)


class _Around:
    """Properties that a query sets on nodes it captures elsewhere."""

    def __init__(self, pairs: list[_Captured]) -> None:
        self._wrappers: dict[int, tree_sitter.Node] = {}
        self._docs: dict[int, Span] = {}
        self._bases: defaultdict[int, set[tuple[Span, str]]] = defaultdict(set)
        for captured in pairs:
            self._take(captured)

    def span(self, node: "tree_sitter.Node") -> Span:
        """Return the span of a node, wrappers included."""
        outer = node
        while outer.id in self._wrappers:
            outer = self._wrappers[outer.id]
        return _span(outer)

    def bases(self, node: "tree_sitter.Node") -> tuple[tuple[Span, str], ...]:
        """Return the bases of a node, in order."""
        return tuple(sorted(self._bases.get(node.id, ())))

    def doc(self, node: "tree_sitter.Node") -> Span | None:
        """Return the comment in a node's body that documents it."""
        return self._docs.get(node.id)

    def _take(self, captured: _Captured) -> None:
        if "wrapped" in captured:
            self._wrappers[captured["wrapped"][0].id] = captured["wrapper"][0]
            return
        of = captured["of"][0].id
        for key, nodes in captured.items():
            if key == "docstring":
                self._docs[of] = _span(nodes[0])
            elif key in _RELATIONS:
                self._bases[of].update((_span(node), key) for node in nodes)


def _definitions(defined: list[tuple[int, _Captured]], around: _Around) -> list[Definition]:
    """Return the definitions; for each name the first pattern counts."""
    by_name: dict[int, Definition] = {}
    for _, captured in sorted(defined, key=lambda each: each[0]):
        name = captured["name"][0]
        if name.start_byte not in by_name:
            by_name[name.start_byte] = _definition(captured, around)
    return list(by_name.values())


def _definition(captured: "dict[str, list[tree_sitter.Node]]", around: _Around) -> Definition:
    kind = next(key for key in captured if key.startswith(_DEFINITION))
    node = captured[kind][0]
    span = around.span(node)
    body = captured.get("body")
    container = captured.get("container")
    return Definition(
        kind.removeprefix(_DEFINITION),
        span,
        _span(captured["name"][0]),
        body[0].start_byte if body else span[1],
        _span(container[0]) if container else None,
        around.bases(node),
        around.doc(node),
    )


def _span(node: "tree_sitter.Node") -> Span:
    return node.start_byte, node.end_byte


_DEFINITION: Final = "definition."
_REFERENCE: Final = "reference."
_RELATIONS: Final = frozenset(TypeRelation)
#: Seconds that a text may take; all but nonsense takes a hundredth of that.
_PATIENCE: Final = 3.0
_PIECE: Final = 65_536
#: What is nested deeper is not looked at: no one reads it, and looking gets slow.
_DEEPEST: Final = 400
_WIDEST_ERROR: Final = 4_000
_BLANK: Final = re.compile(r"\0|(?=[^\x00-\x7f])\s")
_OTHER: Final = re.compile(r"[^\x00-\x7f]")
