"""The one way in for text from outside: what others wrote becomes harmless Markdown here."""

import re
import unicodedata
from typing import Final

#: Controls, bidirectional overrides, zero-width and tag characters: none of them says anything.
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)
_IMAGE: Final = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK: Final = re.compile(r"\[([^\]]*)\]\(([^)\s]*)[^)]*\)")
_DEFINITION: Final = re.compile(r"^(\s*)\[([^\]]+)\]:", re.MULTILINE)
_STRUCTURE: Final = re.compile(r"^(\s*)(#{1,6}\s|[-=_*]{3,}\s*$|`{3,}|~{3,}|>|\|)", re.MULTILINE)
_TAG: Final = re.compile(r"<(?=[a-zA-Z/!?])")


def clean(text: str) -> str:
    """Return the text without characters that cannot be seen."""
    unified = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _INVISIBLE.sub("", unified)


def one_line(text: str) -> str:
    """Return the text as a single line that opens no heading, link, table or tag."""
    flat = " ".join(clean(text).split())
    return _TAG.sub("&lt;", re.sub(r"([\[\]|`*_\\])", r"\\\1", flat))


def prose(text: str) -> str:
    """Return the text as paragraphs that cannot become structure, links or images."""
    told = _IMAGE.sub(r"[image: \1]", clean(text))
    told = _LINK.sub(r"\1 (\2)", told)
    told = _DEFINITION.sub(r"\1\\[\2]:", told)
    told = _STRUCTURE.sub(r"\1\\\2", told)
    return _TAG.sub("&lt;", told).strip()


def quote(text: str) -> str:
    """Return the text as a Markdown quote."""
    return "\n".join(f"> {line}".rstrip() for line in prose(text).split("\n"))
