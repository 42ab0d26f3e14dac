"""Convert trackers' HTML to Markdown, without losing a visible word."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from rove_core.markup.elements import Element, parse_html
from rove_core.markup.markdown_writer import below_mark, fenced, heading, quoted, table_row, ticked
from rove_core.safety.text import escape_markdown

_SPACES: Final = re.compile(r"[ \t\r\n\f]+")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_ITEM: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)]) ")
_LANGUAGE: Final = re.compile(r"\blang(?:uage)?-([\w+#.-]+)")
_MARKS: Final = {
    "b": "**",
    "strong": "**",
    "em": "*",
    "i": "*",
    "del": "~~",
    "s": "~~",
    "strike": "~~",
}
_CODE: Final = frozenset({"code", "kbd", "samp", "tt"})
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_LISTS: Final = frozenset({"ol", "ul"})
#: Elements on lines of their own.
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details"}
    | {"div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr"}
    | {"li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td"}
    | {"tfoot", "th", "thead", "tr", "ul", *_HEADINGS}
)


def html_to_markdown(text: str) -> str:
    """Return HTML as Markdown.

    Args:
        text: The HTML, whole or in part, well-formed or not.
    """
    return "\n\n".join(_flow(parse_html(text).children))


def _flow(children: Iterable[Element | str]) -> list[str]:
    """Return an element's content as Markdown blocks."""
    found: list[str] = []
    open_lines = False  # Whether the last block is lines that another line may follow.
    for are_blocks, group in groupby(children, _is_block):
        if not are_blocks:
            words = _line(group)
            found += [words] if words else []
            open_lines = False
            continue
        for element in group:
            if not isinstance(element, Element):  # Text is never a block.
                continue
            written = _block(element)
            if (
                element.tag == "div"
                and len(written) == 1
                and not any(_is_block(c) for c in element.children)
            ):
                if open_lines:
                    found[-1] += f"\n{written[0]}"
                else:
                    found += written
                open_lines = True
            else:
                found += written
                open_lines = False
    return found


def _is_block(child: Element | str) -> bool:
    if isinstance(child, str):
        return False
    return child.tag in _BLOCKS or any(map(_is_block, child.children))


def _block(element: Element) -> list[str]:  # noqa: PLR0911  # one for each kind
    tag = element.tag
    if tag in _HEADINGS:
        words = _line(element.children)
        return [heading(words, _HEADINGS[tag])] if words else []
    if tag in _LISTS:
        return [*filter(None, [_list(element)])]
    match tag:
        case "hr":
            return ["---"]
        case "pre":
            found = _LANGUAGE.search(" ".join(each.get("class", "") for each in _classes(element)))
            return [fenced(element.text().strip("\n"), found[1] if found else "")]
        case "blockquote":
            return quoted(_flow(element.children))
        case "table":
            return [*filter(None, [_table(element)])]
        case "dt" | "summary" | "caption":
            words = _line(element.children)
            return [f"**{words}**"] if words else []
    return _flow(element.children)


def _classes(element: Element) -> Iterator[dict[str, str]]:
    yield dict(element.attributes)
    for child in element.elements():
        yield dict(child.attributes)


def _list(element: Element) -> str:
    """Return a list; stray content belongs to the item before it."""
    written: list[str] = []
    number = (
        int(element.attributes.get("start", "1"))
        if element.attributes.get("start", "1").isdecimal()
        else 1
    )
    for child in element.children:
        if isinstance(child, str) and not child.strip():
            continue
        mark = f"{number + len(written)}. " if element.tag == "ol" else "- "
        if isinstance(child, Element) and child.tag == "li":
            written.append(below_mark(mark + _item(child), mark))
        elif inside := "\n".join(_flow([child])):
            if not written:
                written.append(mark.rstrip())
            written[-1] += below_mark(f"\n{inside}", mark)
    return "\n".join(written)


def _item(element: Element) -> str:
    text = ""
    for block in _flow(element.children):
        between = "\n" if _ITEM.match(block) else "\n\n"
        text += between + block if text else block
    return text


def _table(element: Element) -> str:
    rows = [*_rows(element)]
    if not rows:
        return ""
    heads = all(cell.tag == "th" for cell in rows[0])
    texts = [[_cell(cell) for cell in row] for row in rows]
    width = max(map(len, texts))
    head, *body = texts if heads else [[], *texts]
    return "\n".join(table_row(row, width) for row in (head, ["---"] * width, *body))


def _rows(element: Element) -> Iterator[list[Element]]:
    for child in element.elements():
        if child.tag == "tr":
            cells = [cell for cell in child.elements() if cell.tag in ("td", "th")]
            if cells:
                yield cells
        elif child.tag != "table":
            yield from _rows(child)


def _cell(cell: Element) -> str:
    return " · ".join(" ".join(block.split("\n")) for block in _flow(cell.children)).replace(
        "|", "\\|"
    )


def _line(children: Iterable[Element | str]) -> str:
    """Return inline content with its marks."""
    text = "".join(_pieces(children, ""))
    lines = (line.strip(" ") for line in text.split("\n"))
    return "\n".join(lines).strip("\n")


def _pieces(children: Iterable[Element | str], tail: str) -> Iterator[str]:
    for child in children:
        if isinstance(child, str):
            words = _SPACES.sub(" ", child.replace("\xa0", " "))
            if not tail or tail.endswith("\n"):
                words = words.lstrip(" ")
            before = "\n" if tail in ("", "\n") else "*"
            piece = escape_markdown(words, before=before, after="*")
        else:
            piece = _inline(child, tail)
        tail = (tail + piece)[-1:] or tail
        yield piece


def _inline(element: Element, tail: str) -> str:
    """Return an element within a line: a picture, a box, or its words with their marks."""
    match element.tag:
        case "br":
            return "\n"
        case "img":
            name = escape_markdown(element.attributes.get("alt", ""), before="*", after="*")
            return f"[image: {name}]" if name else "[image]"
        case "input" if element.attributes.get("type") == "checkbox":
            return "[x]" if "checked" in element.attributes else "[ ]"
    inside = "".join(_pieces(element.children, tail))
    words = inside.strip(" \n")
    return inside.replace(words, _apply_marks(element, words), 1) if words else inside


def _apply_marks(element: Element, words: str) -> str:
    if element.tag in _CODE:
        return ticked(" ".join(element.text().split()))
    if element.tag == "a":
        url = element.attributes.get("href", "").strip()
        is_redundant = not url or url.startswith("#") or url == element.text().strip()
        return words if is_redundant else f"{words} ({url})"
    mark = _MARKS.get(element.tag, "")
    # A tilde may stand alone before words, but not beside another one.
    escape = "\\" if mark == "~~" and words.startswith("~") else ""
    return f"{mark}{escape}{words}{mark}"
