"""Nodes of a document tree, read tolerantly."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from rove_core.wire.json_types import JSON

Node: TypeAlias = Mapping[str, JSON]

#: What stands on lines of its own.
_BLOCK: Final = frozenset(
    {
        "blockCard",
        "blockTaskItem",
        "blockquote",
        "bodiedExtension",
        "bodiedSyncBlock",
        "bulletList",
        "caption",
        "codeBlock",
        "decisionItem",
        "decisionList",
        "doc",
        "embedCard",
        "expand",
        "extension",
        "heading",
        "layoutColumn",
        "layoutSection",
        "listItem",
        "media",
        "mediaGroup",
        "mediaSingle",
        "nestedExpand",
        "orderedList",
        "panel",
        "paragraph",
        "rule",
        "syncBlock",
        "table",
        "tableCell",
        "tableHeader",
        "tableRow",
        "taskItem",
        "taskList",
    }
)
#: Where a node that has no text of its own may hold words.
_SAYING: Final = ("title", "text", "alt", "name", "label", "url")


def kind(node: Node) -> str:
    """Return the type of a node; empty if it has none."""
    named = node.get("type")
    return named if isinstance(named, str) else ""


def attribute(node: Node, name: str) -> str:
    """Return an attribute that is a text or a number; empty when there is none."""
    value = attributes(node).get(name)
    return str(value) if isinstance(value, str | int | float) else ""


def attributes(node: Node) -> Mapping[str, JSON]:
    """Return all attributes of a node."""
    found = node.get("attrs")
    return found if isinstance(found, dict) else {}


def number(node: Node, name: str, *, most: int, default: int = 1) -> int:
    """Return an attribute that is a whole number from 0 to the most that makes sense."""
    value = attributes(node).get(name)
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most
    return int(value) if isinstance(value, int | float) and fits else default


def children(node: Node) -> Sequence[Node]:
    """Return a node's children; its own text if the kind has no children."""
    own = node.get("text") if kind(node) != "text" else None
    return [*nodes(own), *nodes(node.get("content"))]


def nodes(value: JSON) -> Sequence[Node]:
    """Return a value as nodes: texts count as nodes, lists are flattened."""
    if value is None:  # Most nodes are words and hold nothing.
        return ()
    found: list[Node] = []
    waiting: list[JSON] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            found.append(each)
        elif isinstance(each, str):
            found.append({"type": "text", "text": each})
        elif isinstance(each, list):
            waiting += each[::-1]
    return found


def attribute_words(node: Node) -> str:
    """Return the words in the attributes of an unknown node."""
    words = (attributes(node).get(name) for name in _SAYING)
    return " ".join(dict.fromkeys(word for word in words if isinstance(word, str) and word))


def is_block(node: Node) -> bool:
    """Return whether a node is a block; an unknown kind is if one of its parts is."""
    if kind(node) in _BLOCK:
        return True
    parts = children(node)  # Words have none.
    return bool(parts) and any(kind(part) in _BLOCK for part in walk(parts))


def walk(within: Iterable[Node]) -> Iterator[Node]:
    """Yield nodes and all that is in them, in the order of reading, however deep it is."""
    waiting = [*within][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += children(node)[::-1]
