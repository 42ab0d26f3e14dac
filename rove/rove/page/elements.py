"""Build HTML from elements; everything that is not an element is escaped."""

from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Elements that have no end tag.
_SHAPES: Final = frozenset({"path", "rect"})
_VOID: Final = _SHAPES | {"hr", "meta"}
_SCHEMES: Final = frozenset({"http", "https", "file"})
#: As ``html.escape`` writes them; its module takes longer to import than a page to escape.
_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
)


#: Characters that an address may not have as they are; people paste them with what stands around.
_URL_ESCAPES: Final = str.maketrans({sign: f"%{ord(sign):02X}" for sign in '"<>[\\]^`{|}'})


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Child: TypeAlias = "str | Html | None"


def element(name: str, /, *children: "Child | Iterable[Child]", **attributes: object) -> Html:
    """Return an element.

    Args:
        name: Its name.
        children: What is in it; text is escaped.
        attributes: By name, with ``_`` for ``-`` and ``class_`` for ``class``; None leaves one out.
    """
    markup = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID and not children:
        return Html(f"<{name}{markup}{'/' if name in _SHAPES else ''}>")
    return Html(f"<{name}{markup}>{join(children)}</{name}>")


def join(children: "Iterable[Child | Iterable[Child]]") -> Html:
    """Return elements and texts one behind the other."""
    return Html("".join(map(_html, children)))


def anchor(text: Child, url: str, **attributes: object) -> Html:
    """Return a link, or only its text where the address leads nowhere that is safe.

    A link without words shows its address.
    """
    if not is_safe(url):
        return join([text])
    parts = urlsplit(url)
    head = len(parts.scheme) + len("://") + len(parts.netloc)  # An address of a host has brackets.
    href = f"{url[:head]}{url[head:].translate(_URL_ESCAPES)}"
    return element("a", text or url, href=href, rel="noreferrer noopener", **attributes)


def is_safe(url: str) -> bool:
    """Return whether an address may be followed from a page."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    is_plain = url.isprintable() and " " not in url and "\\" not in parts.netloc
    return parts.scheme in _SCHEMES and is_plain


def visible(text: str) -> str:
    """Return a text without its invisible characters, as a page shows it."""
    if text.isprintable():  # As most is, and looking at each character takes long.
        return text
    return "".join(c for c in text if c.isprintable() or c in "\n\t")


def _html(child: "Child | Iterable[Child]") -> str:
    if child is None:
        return ""
    if isinstance(child, Html):
        return child
    if isinstance(child, str):
        return _escape(child)
    return join(child)


def _escape(text: str) -> str:
    return visible(text).translate(_ESCAPES)
