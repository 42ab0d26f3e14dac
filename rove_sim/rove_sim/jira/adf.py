"""Convert Markdown to Atlassian document trees as its editor does."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from rove_core import JSON
from rove_sim import ids
from rove_sim.jira.inline import Mentions, inline

_FENCE = re.compile(r"(`{3,}|~{3,})\s*([\w+#.-]*)\s*")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,9}[.)])\s+(.*)")
_TASK = re.compile(r"\[([ xX])\]\s+(.*)")
_RULE = re.compile(r"\s*([-*_])(\s*\1){2,}\s*")
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)\s*")
_TABLE_LINE = re.compile(r"\s*\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?\s*)?")


def document(text: str, mentions: Mentions) -> dict[str, JSON]:
    """Return the document of a Markdown text."""
    return {"type": "doc", "version": 1, "content": _Blocks(text.split("\n"), mentions).read()}


class _Blocks:
    """Reads lines into block nodes."""

    def __init__(self, lines: Sequence[str], mentions: Mentions) -> None:
        self._lines = list(lines)
        self._mentions = mentions
        self._at = 0

    def read(self) -> list[JSON]:
        nodes: list[JSON] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.strip():
                self._at += 1
                continue
            nodes.append(self._block(line))
        return nodes

    def _block(self, line: str) -> JSON:  # noqa: PLR0911  # one for each kind of block
        if match := _FENCE.fullmatch(line):
            return self._code(match[1], match[2])
        if _RULE.fullmatch(line):
            self._at += 1
            return {"type": "rule"}
        if match := _HEADING.fullmatch(line):
            self._at += 1
            return _node("heading", self._runs(match[2]), {"level": len(match[1])})
        if line.startswith(">"):
            return self._quote()
        if match := _ITEM.fullmatch(line):
            return self._list(match)
        if match := _IMAGE.fullmatch(line):
            self._at += 1
            return _media(match[2], match[1])
        if self._starts_table():
            return self._table()
        return self._paragraph()

    def _code(self, fence: str, language: str) -> JSON:
        self._at += 1
        inside = self._take(lambda line: not line.rstrip().startswith(fence))
        self._at += 1
        text: JSON = {"type": "text", "text": "\n".join(inside)}
        attrs: JSON = {"language": language} if language else {}
        return _node("codeBlock", [text] if any(inside) else [], attrs)

    def _quote(self) -> JSON:
        inside = self._take(lambda line: line.startswith(">"))
        lines = [line[1:].removeprefix(" ") for line in inside]
        return _node("blockquote", _Blocks(lines, self._mentions).read() or [_node("paragraph")])

    def _list(self, first: re.Match[str]) -> JSON:
        if _TASK.fullmatch(first[3]):
            return self._tasks()
        indent, ordered = len(first[1]), first[2][-1] in ".)"
        items: list[JSON] = []
        while match := self._item(indent, ordered=ordered):
            self._at += 1
            inner = len(match[0]) - len(match[3])
            more = self._take(partial(_belongs, indent=inner))
            lines = [match[3], *(line[inner:] for line in more)]
            items.append(_node("listItem", _Blocks(lines, self._mentions).read()))
        start: JSON = {"order": int(first[2][:-1])} if ordered else {}
        return _node("orderedList" if ordered else "bulletList", items, start)

    def _tasks(self) -> JSON:
        items: list[JSON] = []
        while self._at < len(self._lines):
            match = _ITEM.fullmatch(self._lines[self._at])
            task = match and _TASK.fullmatch(match[3])
            if not task:
                break
            self._at += 1
            state = "TODO" if task[1] == " " else "DONE"
            attrs: JSON = {"localId": ids.uuid(task[2]), "state": state}
            items.append(_node("taskItem", self._runs(task[2]), attrs))
        return _node("taskList", items, {"localId": ids.uuid("".join(map(str, items)))})

    def _item(self, indent: int, *, ordered: bool) -> re.Match[str] | None:
        line = self._lines[self._at] if self._at < len(self._lines) else ""
        match = _ITEM.fullmatch(line)
        same = match and len(match[1]) == indent and (match[2][-1] in ".)") == ordered
        return match if same else None

    def _starts_table(self) -> bool:
        following = self._lines[self._at + 1 : self._at + 2]
        return "|" in self._lines[self._at] and bool(
            following and _TABLE_LINE.fullmatch(following[0])
        )

    def _table(self) -> JSON:
        head, _, *rows = self._take(lambda line: "|" in line)
        cells = [self._row(head, "tableHeader"), *(self._row(row, "tableCell") for row in rows)]
        return _node("table", cells, {"isNumberColumnEnabled": False, "layout": "default"})

    def _row(self, line: str, kind: str) -> JSON:
        inside = line.strip().removeprefix("|").removesuffix("|")
        texts = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inside)]
        cells: list[JSON] = [
            _node(kind, [_node("paragraph", self._runs(text))], {}) for text in texts
        ]
        return _node("tableRow", cells)

    def _paragraph(self) -> JSON:
        lines = [self._lines[self._at]]
        self._at += 1
        while self._at < len(self._lines) and not self._interrupts(self._lines[self._at]):
            lines.append(self._lines[self._at])
            self._at += 1
        return _node("paragraph", self._runs("\n".join(lines).strip()))

    def _interrupts(self, line: str) -> bool:
        starts = (_FENCE, _HEADING, _ITEM, _RULE, _IMAGE)
        return (
            not line.strip()
            or line.startswith(">")
            or any(start.fullmatch(line) for start in starts)
            or self._starts_table()
        )

    def _take(self, goes_on: Callable[[str], bool]) -> list[str]:
        begin = self._at
        while self._at < len(self._lines) and goes_on(self._lines[self._at]):
            self._at += 1
        return self._lines[begin : self._at]

    def _runs(self, text: str) -> list[JSON]:
        return list(inline(text, self._mentions))


def _belongs(line: str, indent: int) -> bool:
    """Return whether a line continues the list item that starts at a column."""
    return bool(line.strip()) and len(line) - len(line.lstrip()) >= min(indent, 2)


def _node(kind: str, content: Sequence[JSON] = (), attrs: JSON = None) -> dict[str, JSON]:
    node: dict[str, JSON] = {"type": kind}
    if attrs is not None:
        node["attrs"] = attrs
    if content or kind != "paragraph":
        node["content"] = list(content)
    return node


def _media(file: str, alt: str) -> JSON:
    attrs: JSON = {"type": "file", "id": ids.uuid(file), "collection": "", "alt": alt or file}
    return _node("mediaSingle", [{"type": "media", "attrs": attrs}], {"layout": "center"})
