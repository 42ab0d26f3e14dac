"""ADF blocks: paragraphs, lists, code, panels and their containers."""

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from attrs import frozen

from rove_core.markup.adf.inline import AdfInline
from rove_core.markup.adf.nodes import Node, attribute, children, is_block, kind, number, walk
from rove_core.markup.adf.tables import Cell, points, table
from rove_core.markup.markdown_writer import below_mark, fenced, heading, quoted
from rove_core.safety.text import escape_markdown

#: What is deeper is written as one paragraph: nobody reads a list in a list in a list so often.
_DEEPEST: Final = 30
_MOST_NUMBER: Final = 999_999_999
_LANGUAGE: Final = re.compile(r"[^\w+#.-]")
_ITEM: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)]) ")
_PANELS: Final = {
    "info": "Info",
    "note": "Note",
    "tip": "Tip",
    "warning": "Warning",
    "error": "Error",
    "success": "Success",
}
_LISTS: Final = frozenset({"bulletList", "decisionList", "orderedList", "taskList"})
_ITEMS: Final = frozenset({"blockTaskItem", "decisionItem", "listItem", "taskItem"})
_CELLS: Final = frozenset({"tableCell", "tableHeader"})
#: What stands for a node that says nothing by itself.
_SIGNS: Final = {"rule": "---", "syncBlock": "[synced block]"}


@frozen
class AdfBlocks:
    """Writes blocks; all that they say within lines, another one writes.

    Attributes:
        inline: Who does.
    """

    inline: AdfInline

    def flow(self, nodes: Sequence[Node], depth: int = 0) -> list[str]:
        """Return nodes as Markdown blocks; inline nodes become paragraphs."""
        if depth > _DEEPEST:
            return [*filter(None, [self.inline.line(nodes)])]
        found: list[str] = []
        for are_blocks, group in groupby(nodes, is_block):
            if are_blocks:
                for node in group:
                    found += self._block(node, depth + 1)
            else:
                found.append(self.inline.line(group))
        return [block for block in found if block]

    def _block(self, node: Node, depth: int) -> list[str]:
        write: Callable[[Node, int], list[str]] = self._any
        match kind(node):
            case "blockquote":
                write = self._quote
            case "bulletList" | "decisionList" | "taskList":
                write = self._bullets
            case "codeBlock":
                write = self._code
            case "expand" | "nestedExpand":
                write = self._expand
            case "heading":
                write = self._heading
            case "orderedList":
                write = self._numbers
            case "panel":
                write = self._panel
            case "table":
                write = self._table
        return write(node, depth)

    def _any(self, node: Node, depth: int) -> list[str]:
        """Return a node of any kind: its own text and its children."""
        own = self.inline.marked(node) or _SIGNS.get(kind(node), "")
        return [*filter(None, [own]), *self.flow(children(node), depth)]

    def _heading(self, node: Node, depth: int) -> list[str]:
        level = number(node, "level", most=6) or 1
        inside = self.flow(children(node), depth)
        if not inside:
            return []
        return [heading(inside[0], level), *inside[1:]]

    def _code(self, node: Node, depth: int) -> list[str]:  # noqa: ARG002  # as the others
        code = "".join(self.inline.plain(part) for part in walk(children(node)))
        language = _LANGUAGE.sub("", attribute(node, "language"))
        return [fenced(code, language)]

    def _quote(self, node: Node, depth: int) -> list[str]:
        return quoted(self.flow(children(node), depth))

    def _panel(self, node: Node, depth: int) -> list[str]:
        own = escape_markdown(attribute(node, "panelIconText"), before="*", after="*")
        label = _PANELS.get(attribute(node, "panelType"), own)
        inside = self.flow(children(node), depth)
        if label and inside and kind(children(node)[0]) == "paragraph":
            return quoted([f"**{label}:** {inside[0]}", *inside[1:]])
        return quoted([*([f"**{label}:**"] if label else []), *inside])

    def _expand(self, node: Node, depth: int) -> list[str]:
        title = escape_markdown(attribute(node, "title").strip(), before="*", after="*")
        return [*([f"**{title}**"] if title else []), *self.flow(children(node), depth)]

    def _bullets(self, node: Node, depth: int) -> list[str]:
        items = children(node)
        return self._list(items, [_mark(item) for item in items], depth)

    def _numbers(self, node: Node, depth: int) -> list[str]:
        items = children(node)
        first = number(node, "order", most=_MOST_NUMBER)
        return self._list(items, [f"{first + at}. " for at in range(len(items))], depth)

    def _list(self, items: Sequence[Node], marks: Sequence[str], depth: int) -> list[str]:
        written: list[str] = []
        for item, mark in zip(items, marks, strict=True):
            if kind(item) in _LISTS and written:  # It belongs to the item before it.
                inside = "\n".join(self.flow([item], depth))
                written[-1] += below_mark(f"\n{inside}", mark)
            elif kind(item) in _ITEMS:
                written.append(_item(mark, self._any(item, depth)))
            else:
                written.append(_item(mark, self.flow([item], depth)))
        loose = any("\n\n" in item for item in written)
        return [*filter(None, [("\n\n" if loose else "\n").join(written)])]

    def _table(self, node: Node, depth: int) -> list[str]:
        rows = [self._row(row, depth) for row in children(node)]
        return table([row for row in rows if row])

    def _row(self, row: Node, depth: int) -> list[Cell]:
        cells = children(row) if kind(row) == "tableRow" else [row]
        return [self._cell(cell, depth) for cell in cells]

    def _cell(self, cell: Node, depth: int) -> Cell:
        is_cell = kind(cell) in _CELLS
        inside = children(cell) if is_cell else [cell]
        plain = all(map(_fits_a_line, inside))
        blocks: list[str] = []
        for are_lists, group in groupby(inside, lambda part: kind(part) in _LISTS):
            written = self.flow([*group], depth)
            blocks += map(points, written) if are_lists and plain else written
        return Cell(
            blocks=tuple(blocks),
            heads=kind(cell) == "tableHeader",
            plain=plain,
            columns=number(cell, "colspan", most=50) or 1,
            rows=number(cell, "rowspan", most=500) or 1,
        )


def _fits_a_line(node: Node) -> bool:
    """Return whether a node is a paragraph, or a list of nothing but paragraphs."""
    if kind(node) in {*_LISTS, *_ITEMS}:
        return all(map(_fits_a_line, children(node)))
    return kind(node) == "paragraph" or not is_block(node)


def _mark(item: Node) -> str:
    """Return the marker of a list item."""
    match kind(item):
        case "taskItem" | "blockTaskItem":
            return "- [x] " if attribute(item, "state") == "DONE" else "- [ ] "
        case "decisionItem":
            return "- **Decision:** "
    return "- "


def _item(mark: str, blocks: Sequence[str]) -> str:
    """Return a list item with its continuation lines indented."""
    text = mark
    for block in blocks:
        between = "\n" if _ITEM.match(block) else "\n\n"
        text += block if text == mark else between + block
    return below_mark(text, mark).rstrip()
