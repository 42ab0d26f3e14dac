"""Atlassian's document tree as Markdown: every word of it, whatever node it stands in."""

from collections.abc import Iterator, Mapping, Sequence

from rove_core import JSON

_BLOCKS = frozenset({"paragraph", "heading", "listItem", "codeBlock", "tableRow", "blockquote"})


def to_markdown(node: JSON) -> str:
    """Return the text of a document, its blocks as paragraphs."""
    text = "".join(_text(node))
    return "\n\n".join(filter(None, (part.strip() for part in text.split("\n\n"))))


def _text(node: JSON) -> Iterator[str]:
    if isinstance(node, str):
        yield node
        return
    if not isinstance(node, Mapping):
        return
    if isinstance(text := node.get("text"), str):
        yield text
    if node.get("type") == "hardBreak":
        yield "\n"
    attributes = node.get("attrs")
    if node.get("type") == "mention" and isinstance(attributes, Mapping):
        yield str(attributes.get("text", ""))
    content = node.get("content")
    if isinstance(content, Sequence):
        for child in content:
            yield from _text(child)
    if node.get("type") in _BLOCKS:
        yield "\n\n"
