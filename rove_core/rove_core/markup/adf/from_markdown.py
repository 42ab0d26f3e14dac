"""Convert Markdown to Atlassian document trees, without losing a word."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from rove_core.json_reader import objects
from rove_core.markup.markdown_reader import markdown_parser
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

_Node: TypeAlias = dict[str, JSON]

#: What may stand in a list's item, and in a quote; of other blocks the words are kept.
_IN_ITEM: Final = frozenset({"paragraph", "bulletList", "orderedList", "codeBlock"})
_IN_QUOTE: Final = _IN_ITEM
_MARKS: Final = {"strong": "strong", "em": "em", "s": "strike"}


def markdown_to_adf(text: str) -> JSON:
    """Return a text in Markdown as a document.

    What is nested deeper than a program can follow becomes lines of text.

    Args:
        text: The text; raw HTML in it is text like any other.
    """
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415  # only who writes to Jira needs it

    try:
        content = [*_blocks(SyntaxTreeNode(markdown_parser().parse(text)).children)]
    except RecursionError:
        lines = filter(str.strip, text.splitlines())
        content = [_block("paragraph", [{"type": "text", "text": line}]) for line in lines]
    return {"type": "doc", "version": 1, "content": content}


def _blocks(nodes: "Iterable[SyntaxTreeNode]") -> Iterator[_Node]:
    for node in nodes:
        yield from _BLOCKS.get(node.type, _flatten)(node)


def _paragraph(node: "SyntaxTreeNode") -> Iterator[_Node]:
    yield _block("paragraph", _inline(node))


def _heading(node: "SyntaxTreeNode") -> Iterator[_Node]:
    yield _block("heading", _inline(node), level=int(node.tag[1]))


def _code(node: "SyntaxTreeNode") -> Iterator[_Node]:
    language = node.info.split()[0] if node.info.strip() else ""
    text = node.content.removesuffix("\n")
    words: list[_Node] = [{"type": "text", "text": text}] if text else []
    yield _block("codeBlock", words, **({"language": language} if language else {}))


def _quote(node: "SyntaxTreeNode") -> Iterator[_Node]:
    yield _block("blockquote", _fit_blocks(_blocks(node.children), _IN_QUOTE))


def _list(node: "SyntaxTreeNode") -> Iterator[_Node]:
    items = [_block("listItem", _item(each)) for each in node.children]
    if node.type == "bullet_list":
        yield _block("bulletList", items)
    else:
        yield _block("orderedList", items, order=int(node.attrs.get("start", 1)))


def _item(node: "SyntaxTreeNode") -> list[_Node]:
    """Return the content of a list item; it starts with a paragraph or code."""
    found = _fit_blocks(_blocks(node.children), _IN_ITEM)
    begins = found[:1] and found[0]["type"] in ("paragraph", "codeBlock")
    return found if begins else [_block("paragraph", []), *found]


def _rule(_: "SyntaxTreeNode") -> Iterator[_Node]:
    yield {"type": "rule"}


def _table(node: "SyntaxTreeNode") -> Iterator[_Node]:
    rows = [row for part in node.children for row in part.children]
    yield _block("table", [_block("tableRow", map(_cell, row.children)) for row in rows])


def _cell(node: "SyntaxTreeNode") -> _Node:
    kind = "tableHeader" if node.type == "th" else "tableCell"
    return _block(kind, [_block("paragraph", _inline(node))])


def _flatten(node: "SyntaxTreeNode") -> Iterator[_Node]:
    """Yield the content of a block that has no equivalent."""
    if node.children:
        yield from _blocks(node.children)
    elif node.content:
        yield _block("paragraph", [{"type": "text", "text": node.content}])


_BLOCKS: Final[Mapping[str, "Callable[[SyntaxTreeNode], Iterator[_Node]]"]] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "fence": _code,
    "code_block": _code,
    "blockquote": _quote,
    "bullet_list": _list,
    "ordered_list": _list,
    "hr": _rule,
    "table": _table,
}


def _fit_blocks(blocks: Iterable[_Node], allowed: frozenset[str]) -> list[_Node]:
    """Return blocks that may be nested here; others are reduced to their words."""
    found: list[_Node] = []
    for block in blocks:
        if block["type"] in allowed:
            found.append(block)
        elif block["type"] != "rule":
            found += _paragraphs(block)
    return found


def _paragraphs(block: JSON) -> Iterator[_Node]:
    """Yield the lines of words in a block, each as a paragraph."""
    inner = [*objects(block, "content")]
    if any(each.get("type") in ("text", "hardBreak") for each in inner):
        yield _block("paragraph", [dict(each) for each in inner])
        return
    for each in inner:
        yield from _paragraphs(each)


def _block(kind: str, content: Iterable[_Node], **attrs: JSON) -> _Node:
    block: _Node = {"type": kind, "content": [*content]}
    return {**block, "attrs": attrs} if attrs else block


def _inline(node: "SyntaxTreeNode") -> list[_Node]:
    inner = node.children[0].children if node.children else []
    return [*_join_texts(_words(inner, ()))]


def _words(nodes: "Iterable[SyntaxTreeNode]", marks: Sequence[_Node]) -> Iterator[_Node]:
    for node in nodes:
        match node.type:
            case "text":
                yield _text(node.content, marks)
            case "softbreak":
                yield _text(" ", marks)
            case "hardbreak":
                yield {"type": "hardBreak"}
            case "code_inline":
                # Code bears no other mark but that of a link.
                links = [mark for mark in marks if mark["type"] == "link"]
                yield _text(node.content, [*links, {"type": "code"}])
            case "link":
                link: _Node = {"type": "link", "attrs": {"href": str(node.attrs["href"])}}
                yield from _words(node.children, [*marks, link])
            case "image":
                source = str(node.attrs["src"])
                link = {"type": "link", "attrs": {"href": source}}
                yield _text(node.content or source, [*marks, link])
            case kind if kind in _MARKS:
                yield from _words(node.children, [*marks, {"type": _MARKS[kind]}])
            case _:
                yield _text(node.content, marks)


def _text(text: str, marks: Sequence[_Node]) -> _Node:
    node: _Node = {"type": "text", "text": text}
    if not marks:
        return node
    single = {str(mark["type"]): mark for mark in marks}
    return {**node, "marks": [*single.values()]}


def _join_texts(nodes: Iterable[_Node]) -> Iterator[_Node]:
    """Yield texts without the empty ones, and neighbours with the same marks as one."""
    last: _Node | None = None
    for node in nodes:
        if node["type"] == "text" and not node["text"]:
            continue
        is_text = node["type"] == "text"
        if last is not None and is_text and last.get("marks") == node.get("marks"):
            last = {**last, "text": f"{last['text']}{node['text']}"}
            continue
        if last is not None:
            yield last
        last = node if is_text else None
        if not is_text:
            yield node
    if last is not None:
        yield last
