"""Asana's rich text: a small XML vocabulary, validated as Asana does on writing."""

from typing import Final
from xml.etree import ElementTree as ET

from rove_sim.asana.refusals import invalid

_INLINE: Final = frozenset({"a", "code", "em", "s", "strong", "u"})
_ALLOWED: Final = _INLINE | {"blockquote", "h1", "h2", "hr", "li", "ol", "pre", "ul"}
#: Elements that stand on lines of their own.
_BLOCKS: Final = _ALLOWED - _INLINE
#: What may stand in an element, where that is not everything inline.
_INSIDE: Final = {
    "body": _ALLOWED - {"li"},
    "ul": frozenset({"li"}),
    "ol": frozenset({"li"}),
    "li": _INLINE | {"ol", "ul"},
    "pre": frozenset[str](),
    "hr": frozenset[str](),
}
_ATTRIBUTES: Final = {"a": frozenset({"href", "data-asana-gid", "data-asana-type"})}


def inner(html: str, name: str) -> str:
    """Return the content of a written text's body.

    Args:
        html: The text, as it came.
        name: The name of its parameter, for the message.

    Raises:
        RefusedError: Asana does not take it.
    """
    try:
        root = ET.fromstring(html)  # noqa: S314  # whoever talks to the simulator is a test
    except ET.ParseError as error:
        raise invalid(f"xml_parsing_error: {name}: {error}") from None
    if root.tag != "body":
        raise invalid(f"{name}: XML is invalid: the root must be a body")
    _check(root, name)
    return html.removeprefix("<body>").removesuffix("</body>")


def plain(notes: str) -> str:
    """Return the words of a text, as Asana shows them where there is no rich text."""
    try:
        root = ET.fromstring(f"<body>{notes}</body>")  # noqa: S314  # as above
    except ET.ParseError:
        return notes
    return "".join(_words(root)).strip("\n")


def _words(element: ET.Element) -> list[str]:
    found = [element.text or ""]
    for child in element:
        between = ["\n"] if child.tag in _BLOCKS else []
        found += [*between, *_words(child), *between, child.tail or ""]
    return found


def _check(element: ET.Element, name: str) -> None:
    allowed = _INSIDE.get(element.tag, _INLINE)
    if element.tag in {"h1", "h2", "li"} and "\n" in "".join(element.itertext()):
        raise invalid(f"{name}: XML is invalid: no line break in {element.tag}")
    for child in element:
        if child.tag not in allowed:
            raise invalid(f"{name}: XML is invalid: {child.tag} is not allowed in {element.tag}")
        if set(child.attrib) - _ATTRIBUTES.get(child.tag, frozenset()):
            raise invalid(f"{name}: XML is invalid: attributes of {child.tag}")
        _check(child, name)
