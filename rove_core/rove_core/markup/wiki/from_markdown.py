"""Convert Markdown to Jira's wiki markup, without losing a word."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from rove_core.markup.markdown_reader import markdown_parser
from rove_core.markup.wiki.inline_writer import LINE, escaped_wiki, inline_wiki

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

#: What would open a line as something other than words.
_SIGNS: Final = re.compile(r"^([ \t]*)([*#-]+)(?=[ \t]|$)")
_DOT: Final = re.compile(r"^([ \t]*(?:h[1-6]|bq))\.(?=[ \t])")
_LANGUAGE: Final = re.compile(r"[\w+#.-]+")


@frozen
class _WikiWriter:
    """Writes the blocks of a text.

    Attributes:
        is_quoted: Whether they stand in a quote, which holds no other one.
        signs: The marks of the lists that they stand in.
    """

    is_quoted: bool = False
    signs: str = ""

    def blocks(self, nodes: "Iterable[SyntaxTreeNode]") -> Iterator[str]:
        """Yield blocks, none of them empty."""
        for node in nodes:
            yield from filter(str.strip, _BLOCKS.get(node.type, _flatten)(self, node))

    def item(self, node: "SyntaxTreeNode") -> Iterator[str]:
        """Yield an item of a list: its words in one line, then the blocks below them."""
        below = [*node.children]
        words = []
        while below and below[0].type == "paragraph":
            words.append(_escape_line_starts(inline_wiki(below.pop(0), line=f" {LINE} ")))
        if text := f" {LINE} {LINE} ".join(filter(str.strip, words)):
            yield f"{self.signs} {text}"
        yield from self.blocks(below)


def _paragraph(_: _WikiWriter, node: "SyntaxTreeNode") -> Iterator[str]:
    yield _escape_line_starts(inline_wiki(node))


def _heading(_: _WikiWriter, node: "SyntaxTreeNode") -> Iterator[str]:
    if words := inline_wiki(node, line=" ").strip():
        yield f"h{node.tag[1]}. {words}"


def _code(writer: _WikiWriter, node: "SyntaxTreeNode") -> Iterator[str]:
    """Yield a code macro whose markers do not occur in the code, else plain lines."""
    code = node.content.removesuffix("\n")
    language = node.info.split()[0] if node.info.strip() else ""
    named = f":{language}" if _LANGUAGE.fullmatch(language) else ""
    if writer.is_quoted and "{quote" in code:
        yield _plain_lines(code)
    elif "{code" not in code:
        yield f"{{code{named}}}\n{code}\n{{code}}"
    elif "{noformat" not in code:
        yield f"{{noformat}}\n{code}\n{{noformat}}"
    else:
        yield _plain_lines(code)


def _quote(writer: _WikiWriter, node: "SyntaxTreeNode") -> Iterator[str]:
    if writer.is_quoted:
        for child in node.children:
            if child.type == "paragraph":
                yield f"bq. {inline_wiki(child, line=f' {LINE} ')}"
            else:
                yield from writer.blocks([child])
    elif inside := "\n\n".join(_WikiWriter(is_quoted=True).blocks(node.children)):
        yield f"{{quote}}{inside}{{quote}}"


def _list(writer: _WikiWriter, node: "SyntaxTreeNode") -> Iterator[str]:
    sign = "*" if node.type == "bullet_list" else "#"
    inner = evolve(writer, signs=f"{writer.signs}{sign}")
    yield "\n".join(block for item in node.children for block in inner.item(item))


def _rule(*_: object) -> Iterator[str]:
    yield "----"


def _table(_: _WikiWriter, node: "SyntaxTreeNode") -> Iterator[str]:
    rows = []
    for row in (row for part in node.children for row in part.children):
        cells = [inline_wiki(cell, line=" ").strip() or " " for cell in row.children]
        border = "||" if row.children[0].type == "th" else "|"
        if border == "|" or any(map(str.strip, cells)):
            rows.append(f"{border}{border.join(cells)}{border}")
    yield "\n".join(rows)


def _flatten(writer: _WikiWriter, node: "SyntaxTreeNode") -> Iterator[str]:
    """Yield the content of a block that has no equivalent."""
    if node.children:
        yield from writer.blocks(node.children)
    elif node.content:
        yield _plain_lines(node.content)


_BLOCKS: Final[Mapping[str, "Callable[[_WikiWriter, SyntaxTreeNode], Iterator[str]]"]] = {
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


def markdown_to_wiki(text: str) -> str:
    """Return a text in Markdown as wiki markup.

    What is nested deeper than a program can follow becomes lines of text.

    Args:
        text: The text; raw HTML in it is text like any other.
    """
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415  # only who writes to Jira needs it

    try:
        nodes = SyntaxTreeNode(markdown_parser().parse(text)).children
        return "\n\n".join(_WikiWriter().blocks(nodes))
    except RecursionError:
        return _plain_lines(text)


def _plain_lines(text: str) -> str:
    """Return lines of a text as paragraphs' lines, without the empty ones."""
    return "\n".join(
        _escape_line_starts(escaped_wiki(line)) for line in text.splitlines() if line.strip()
    )


def _escape_line_starts(words: str) -> str:
    """Return lines that open no list, heading or quote."""
    return "\n".join(_DOT.sub(r"\1&#46;", _SIGNS.sub(_spelt, line)) for line in words.split("\n"))


def _spelt(found: re.Match[str]) -> str:
    return found[1] + "".join(f"&#{ord(sign)};" for sign in found[2])
