"""A tree of HTML elements, parsed tolerantly and with bounded depth."""

from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Final

from attrs import define, field

#: Deeper elements become siblings: nobody writes so deep, and readers of the tree recurse.
_DEEPEST: Final = 60
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img"}
    | {"input", "link", "meta", "param", "source", "track", "wbr"}
)
#: Elements whose text is not for readers.
_HIDDEN: Final = frozenset({"head", "noscript", "script", "style", "template", "title"})
_LISTS: Final = frozenset({"ol", "ul"})
#: The open elements that a start tag ends, as browsers do, and where they stop looking.
_ENDS: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    "li": (frozenset({"li"}), _LISTS),
    "tr": (frozenset({"tr", "td", "th"}), frozenset({"table"})),
    "td": (frozenset({"td", "th"}), frozenset({"table", "tr"})),
    "th": (frozenset({"td", "th"}), frozenset({"table", "tr"})),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl"})),
}
_ENDS_PARAGRAPH: Final = frozenset(
    {"blockquote", "div", "dl", "hr", "ol", "p", "pre", "table", "ul"}
    | {f"h{level}" for level in range(1, 7)}
)


@define(eq=False)
class Element:
    """An element with its children.

    Attributes:
        tag: Its name, lower case.
        attributes: Its attributes; without a value they are empty.
        children: Its elements and texts, in order.
    """

    tag: str
    attributes: Mapping[str, str] = field(factory=dict)
    children: list["Element | str"] = field(factory=list)

    def elements(self) -> Iterator["Element"]:
        """Yield the elements directly in it."""
        return (child for child in self.children if isinstance(child, Element))

    def text(self) -> str:
        """Return all text of the element, including line breaks."""
        if self.tag == "br":
            return "\n"
        return "".join(one if isinstance(one, str) else one.text() for one in self.children)


def parse_html(text: str) -> Element:
    """Return the elements of an HTML text below one root, without scripts, styles and comments."""
    builder = _Builder()
    builder.feed(text)
    builder.close()
    return builder.root


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("body")
        self._open = [self.root]
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        if self._hidden:
            return
        if tag in _ENDS:
            self._end_open(*_ENDS[tag])
        elif tag in _ENDS_PARAGRAPH:
            self._end_open(frozenset({"p"}), _ENDS_PARAGRAPH - {"p"})
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
            return
        for at in range(len(self._open) - 1, 0, -1):
            if self._open[at].tag == tag:
                del self._open[at:]
                return

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._open[-1].children.append(data)

    def _end_open(self, ended: frozenset[str], within: frozenset[str]) -> None:
        """Close the outermost open element of these names within its container."""
        last = 0
        for at in range(len(self._open) - 1, 0, -1):
            if self._open[at].tag in within:
                break
            if self._open[at].tag in ended:
                last = at
        if last:
            del self._open[last:]
