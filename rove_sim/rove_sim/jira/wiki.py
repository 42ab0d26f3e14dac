"""Convert document trees to Jira's wiki markup, as Data Center stores it."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from rove_core import JSON

_MARKS: Final = {"strong": "*", "em": "_", "strike": "-", "underline": "+"}
_ENTITY: Final = re.compile(r"&(?=#?\w{1,31};)")
_SIGN: Final = re.compile(r"[*_{}\[\]|\\+^~-](?=\S)")


def wiki(node: JSON, lists: str = "") -> str:  # noqa: C901, PLR0911  # one for each kind
    """Return a node as wiki markup.

    Args:
        node: The node.
        lists: The marks of the lists that it stands in.
    """
    if not isinstance(node, Mapping):
        return ""
    inside = "".join(wiki(each, lists) for each in _children(node))
    attrs = node.get("attrs")
    attrs = attrs if isinstance(attrs, Mapping) else {}
    match node.get("type"):
        case "text":
            return _text(node)
        case "hardBreak":
            return "\n"
        case "paragraph":
            return f"{inside}\n\n" if not lists else inside
        case "heading":
            return f"h{attrs.get('level', 1)}. {inside}\n\n"
        case "codeBlock":
            code = "".join(str(each.get("text", "")) for each in _nodes(node))
            return f"{{code:{attrs.get('language') or 'text'}}}\n{code}\n{{code}}\n\n"
        case "blockquote":
            return f"{{quote}}{inside.strip()}{{quote}}\n\n"
        case "panel":
            return f"{{panel}}{inside.strip()}{{panel}}\n\n"
        case "rule":
            return "----\n"
        case "bulletList" | "taskList" | "orderedList" as kind:
            mark = "#" if kind == "orderedList" else "*"
            items = "\n".join(_item(each, lists + mark) for each in _nodes(node))
            return f"\n{items}" if lists else f"{items}\n\n"
        case "table":
            return "\n".join(wiki(each, "-") for each in _nodes(node)) + "\n\n"
        case "tableRow":
            cells = [*_nodes(node)]
            sign = "||" if all(each.get("type") == "tableHeader" for each in cells) else "|"
            return sign + sign.join(wiki(each, "-") for each in cells) + sign
    return inside or _node_text(str(node.get("type")), attrs)


def _item(node: Mapping[str, JSON], lists: str) -> str:
    return f"{lists} " + "".join(wiki(each, lists) for each in _children(node))


def _node_text(kind: str, attrs: Mapping[str, JSON]) -> str:
    match kind:
        case "mention":
            return f"[~{attrs.get('id')}]"
        case "media" | "mediaInline":
            return f"[^{attrs.get('alt')}]"
        case "inlineCard" | "blockCard":
            return f"[{attrs.get('url')}]"
        case "date":
            seconds = int(str(attrs.get("timestamp", "0"))) / 1000
            return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    return str(attrs.get("text") or attrs.get("title") or "")


def _text(node: Mapping[str, JSON]) -> str:
    words = str(node.get("text", ""))
    marks = node.get("marks")
    found = [each for each in marks if isinstance(each, Mapping)] if isinstance(marks, list) else []
    kinds = {str(each.get("type")): each for each in found}
    if "code" in kinds:
        return f"{{{{{_typed(words)}}}}}"
    text = words if "://" in words else _typed(words)
    for kind, sign in _MARKS.items():
        if kind in kinds:
            text = f"{sign}{text}{sign}"
    if "link" in kinds and isinstance(attrs := kinds["link"].get("attrs"), Mapping):
        text = f"[{text}|{attrs.get('href')}]"
    return text


def _typed(words: str) -> str:
    """Return text that renders as typed, including entity names."""
    return _SIGN.sub(r"\\\g<0>", _ENTITY.sub("&amp;", words))


def _children(node: Mapping[str, JSON]) -> Sequence[JSON]:
    content = node.get("content")
    return content if isinstance(content, list | tuple) else ()


def _nodes(node: Mapping[str, JSON]) -> Sequence[Mapping[str, JSON]]:
    return [each for each in _children(node) if isinstance(each, Mapping)]
