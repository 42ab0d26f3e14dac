"""ADF text marks: strong, strike, code, link."""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias
from urllib.parse import quote

from rove_core.markup.adf.nodes import Node, attribute, kind, nodes
from rove_core.markup.markdown_writer import ticked

#: Puts a mark around words; what tells the mark from others of its kind is given too.
Wrap: TypeAlias = Callable[[str, str], str]

_AS_IT_IS: Final = "%/:=&?~#+!$,;'@*[]"
#: Brackets, but for those that are escaped and those in code.
_BRACKET: Final = re.compile(r"\\.|(`+).+?(?<!`)\1(?!`)|(?P<bracket>[\[\]])", re.DOTALL)


def marks_of(node: Node) -> Mapping[str, str]:
    """Return the node's marks that Markdown has, with their attributes."""
    found = nodes(node.get("marks"))
    return {kind(mark): _VALUES.get(kind(mark), _unmarked)(mark) for mark in found}


def _unmarked(_: Node) -> str:
    return ""


#: What tells a mark from others of its kind.
_VALUES: Final[Mapping[str, Callable[[Node], str]]] = {
    "link": lambda mark: attribute(mark, "href"),
    "subsup": lambda mark: attribute(mark, "type"),
}


def _wrap_with(sign: str) -> Wrap:
    """Return what puts a sign before the first and after the last letter of words."""

    def wrap(words: str, _: str) -> str:
        inside = words.strip()
        if not inside:
            return words
        before, after = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
        return f"{before}{sign}{inside}{sign}{after}"

    return wrap


def _code(words: str, _: str) -> str:
    """Return words as inline code, with long enough backticks."""
    if not words.strip():
        return words
    return ticked(" ".join(words.splitlines()))


def _link(words: str, href: str) -> str:
    """Return words as a link; a bare address stays as it is."""
    url = quote(href.strip(), safe=_AS_IT_IS, errors="replace")
    inside = words.strip()
    if not url or inside in {"", url, href.strip()}:
        return words
    escaped = _BRACKET.sub(lambda found: "\\" * bool(found["bracket"]) + found[0], inside)
    return words.replace(inside, f"[{escaped}]({url})", 1)


def _super_or_subscript(words: str, way: str) -> str:
    """Return superscript or subscript, so that 10 to the 6 is not read as 106."""
    return f"{'^' if way == 'sup' else '_'}{words}" if words.strip() else words


#: The marks of which Markdown can say something, the outermost first.
MARKS: Final[tuple[tuple[str, Wrap], ...]] = (
    ("link", _link),
    ("strike", _wrap_with("~~")),
    ("strong", _wrap_with("**")),
    ("em", _wrap_with("*")),
    ("subsup", _super_or_subscript),
    ("code", _code),
)
