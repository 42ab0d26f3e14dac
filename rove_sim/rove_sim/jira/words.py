"""Text of a document tree: plain for search, HTML on request."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape

from rove_core import JSON

_TAGS = {
    "paragraph": "p",
    "bulletList": "ul",
    "orderedList": "ol",
    "listItem": "li",
    "taskList": "ul",
    "taskItem": "li",
    "blockquote": "blockquote",
    "codeBlock": "pre",
    "table": "table",
    "tableRow": "tr",
    "tableHeader": "th",
    "tableCell": "td",
    "panel": "div",
}
_MARKS = {"strong": "b", "em": "em", "strike": "del", "code": "tt", "underline": "ins"}


def plain(node: JSON) -> str:
    """Return the words of a document, a line for each block."""
    return "".join(_plain(node)).strip()


def html(node: JSON) -> str:
    """Return a document as Jira shows it to those who ask for rendered fields."""
    if not isinstance(node, Mapping):
        return ""
    if node.get("type") == "text":
        return _marked(node)
    inside = "".join(html(child) for child in _children(node))
    return _tagged(str(node.get("type")), node, inside) or inside or escape(_node_text(node))


def _tagged(kind: str, node: Mapping[str, JSON], inside: str) -> str:
    if kind in ("hardBreak", "rule"):
        return "<br/>" if kind == "hardBreak" else "<hr/>"
    tag = f"h{_attrs(node).get('level', 1)}" if kind == "heading" else _TAGS.get(kind, "")
    return f"<{tag}>{inside}</{tag}>" if tag else ""


def _plain(node: JSON) -> Iterator[str]:
    if not isinstance(node, Mapping):
        return
    yield _node_text(node)
    children = _children(node)
    for child in children:
        yield from _plain(child)
    if node.get("type") in _TAGS or node.get("type") == "heading":
        yield "\n"


def _node_text(node: Mapping[str, JSON]) -> str:
    """Return the text of a node itself."""
    attrs = _attrs(node)
    match node.get("type"):
        case "text":
            return str(node.get("text", ""))
        case "hardBreak":
            return "\n"
        case "date":
            milliseconds = int(str(attrs.get("timestamp", "0")))
            return datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()
        case _:
            named = (attrs.get(name) for name in ("text", "url", "alt", "title"))
            return next((str(value) for value in named if value), "")


def _marked(node: Mapping[str, JSON]) -> str:
    text = escape(str(node.get("text", "")))
    marks = node.get("marks")
    for mark in marks if isinstance(marks, Sequence) and not isinstance(marks, str) else ():
        if not isinstance(mark, Mapping):
            continue
        kind = str(mark.get("type"))
        if kind == "link":
            text = f'<a href="{escape(str(_attrs(mark).get("href", "")))}">{text}</a>'
        elif kind in _MARKS:
            text = f"<{_MARKS[kind]}>{text}</{_MARKS[kind]}>"
    return text


def _attrs(node: Mapping[str, JSON]) -> Mapping[str, JSON]:
    attrs = node.get("attrs")
    return attrs if isinstance(attrs, Mapping) else {}


def _children(node: Mapping[str, JSON]) -> Sequence[JSON]:
    content = node.get("content")
    return content if isinstance(content, list | tuple) else ()
