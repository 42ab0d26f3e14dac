"""Asana's rich text: a small XML vocabulary where line breaks count."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

from rove_core import html_to_markdown, markdown_to_html

_TAG: Final = re.compile(r"(<[^<>]*>)")
#: An address that a mention of a person has, and nobody follows.
_PERSON: Final = re.compile(r'<a\b[^<>]*data-asana-type="user"[^<>]*>')
#: What XML cannot hold.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKS: Final = {"strong": "strong", "em": "em", "s": "s", "code": "code"}
_SAFE: Final = ("http://", "https://", "mailto:")
_END: Final = "</body>"
_BLANKS: Final = re.compile(r"\s*\n\s*")


def rich_text_to_markdown(html: str) -> str:
    """Return a rich text as Markdown; no visible word of it is lost.

    Args:
        html: The text, as Asana sends it.
    """
    return html_to_markdown("".join(_with_breaks(html)))


def markdown_to_rich_text(markdown: str) -> str:
    """Return Markdown as rich text that Asana takes; no word of it is lost.

    Args:
        markdown: The text; raw HTML in it is text like any other.
    """
    html = _NO_XML.sub("", markdown_to_html(_NO_XML.sub("", markdown)))
    try:
        root = ET.fromstring(f"<body>{html}</body>")  # noqa: S314  # our own text
        words = "".join(_blocks(root))
    except (ET.ParseError, RecursionError):
        words = escape(_NO_XML.sub("", markdown))
    return f"<body>{words.strip()}</body>"


def with_mark(html: str, mark: str) -> str:
    """Return a rich text with a mark at its end."""
    return f"{html.removesuffix(_END)}{mark}{_END}"


def _with_breaks(html: str) -> Iterator[str]:
    """Yield the parts of a text with an element for each line break."""
    code = 0
    for part in _TAG.split(html):
        if part.startswith("<"):
            code += part.startswith("<pre") - part.startswith("</pre")
            yield "<a>" if _PERSON.fullmatch(part) else part
        else:
            yield part if code > 0 else part.replace("\n", "<br>")


def _blocks(parent: ET.Element) -> Iterator[str]:
    """Yield an element's blocks, with blank lines between paragraphs."""
    last = ""
    for child in parent:
        written = _block(child)
        if last and not (last.endswith(">") or written.startswith("<")):
            yield "\n\n"
        elif last:
            yield "\n"
        yield written
        last = written


def _block(element: ET.Element) -> str:
    written = _BLOCKS.get(element.tag)
    return written(element) if written else _inline(element).strip()


def _heading(element: ET.Element) -> str:
    tag = "h1" if element.tag == "h1" else "h2"
    return f"<{tag}>{_line(element)}</{tag}>"


def _code(element: ET.Element) -> str:
    return f"<pre>{escape(''.join(element.itertext()).removesuffix(chr(10)))}</pre>"


def _quote(element: ET.Element) -> str:
    return f"<blockquote>{chr(10).join(_lines(element))}</blockquote>"


def _table(element: ET.Element) -> str:
    rows = (" | ".join(_line(cell) for cell in row) for row in element.iter("tr"))
    return "\n".join(rows)


def _list(element: ET.Element) -> str:
    """Return a list; one that begins with another number is lines with their numbers."""
    start = element.get("start", "1")
    if start != "1":
        return "\n".join(f"{n}. {_line(item)}" for n, item in enumerate(element, int(start)))
    items = (f"<li>{_item(item)}</li>" for item in element)
    return f"<{element.tag}>{''.join(items)}</{element.tag}>"


def _item(item: ET.Element) -> str:
    """Return a list item: its words on one line, then nested lists."""
    lists = [child for child in item if child.tag in ("ul", "ol")]
    words = [escape(item.text or "")]
    for child in item:
        if child not in lists:
            is_text = child.tag in _MARKS or child.tag in ("a", "br", "img")
            words.append(_mark(child) if is_text else f" {_line(child)} ")
        words.append(escape(child.tail or ""))
    line = _BLANKS.sub(" ", "".join(words)).strip()
    return line + "".join(_list(each) for each in lists)


def _lines(element: ET.Element) -> Iterator[str]:
    """Yield the lines of blocks in a place for inline content."""
    for child in element:
        match child.tag:
            case "ul" | "ol":
                yield from (f"- {_line(item)}" for item in child)
            case "blockquote":
                yield from _lines(child)
            case "table":
                yield from _block(child).split("\n")
            case "hr":
                yield "---"
            case _:
                yield _inline(child).strip()


_BLOCKS: Final[Mapping[str, Callable[[ET.Element], str]]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
    "ul": _list,
    "ol": _list,
    "pre": _code,
    "blockquote": _quote,
    "table": _table,
    "hr": lambda _: "<hr/>",
}


def _line(element: ET.Element) -> str:
    """Return all words of an element on one line."""
    return _BLANKS.sub(" ", _inline(element)).strip()


def _inline(element: ET.Element) -> str:
    return "".join(_pieces(element))


def _pieces(element: ET.Element) -> Iterable[str]:
    yield escape(element.text or "")
    for child in element:
        yield _mark(child)
        yield escape(child.tail or "")


def _mark(element: ET.Element) -> str:
    match element.tag:
        case "br":
            return ""  # the line break behind it is one
        case "img":
            source = element.get("src", "")
            return _link(source, escape(element.get("alt", "")) or escape(source))
        case "a":
            return _link(element.get("href", ""), _inline(element))
        case tag if tag in _MARKS:
            return f"<{tag}>{_inline(element)}</{tag}>"
        case "p" | "li" | "td" | "th":
            return _inline(element)
    return f"{_inline(element)}\n"


def _link(url: str, words: str) -> str:
    return f"<a href={quoteattr(url)}>{words}</a>" if url.startswith(_SAFE) else words
