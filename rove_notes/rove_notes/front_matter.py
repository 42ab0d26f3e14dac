"""Front matter of a note: title, date, participants."""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from attrs import define

#: Keys in small letters; what is not a list is one line of text.
FrontMatter: TypeAlias = Mapping[str, str | list[str]]

_FENCED: Final = re.compile(
    r"\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE | re.DOTALL
)
#: What is longer is text between two rules: nobody writes so much above a note.
_LONGEST: Final = 10_000
_KEY: Final = re.compile(r"([^\W\d_][\w -]{0,40}):(?:[ \t]+(.*))?")
_ITEM: Final = re.compile(r"[ \t]*-[ \t]+(.*)")
_NOTHING: Final = re.compile(r"[ \t]*(?:#|$)")
_MORE: Final = re.compile(r"[ \t]+(\S.*)")


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Return the front matter and the note; without valid front matter, all is the note.

    It is read as far as people write it by hand: names with texts, and with lists of texts.
    """
    fenced = _FENCED.match(text)
    read = _read(fenced[1]) if fenced and len(fenced[1]) <= _LONGEST else None
    return (read, text[fenced.end() :]) if fenced and read else ({}, text)


def _read(block: str) -> FrontMatter | None:
    found: dict[str, _FrontValue] = {}
    value: _FrontValue | None = None
    lines = (line for line in block.splitlines() if not _NOTHING.match(line))
    for line in lines:
        if named := _KEY.fullmatch(line):
            value = found[named[1].lower()] = _value((named[2] or "").strip())
        elif value and (item := _ITEM.fullmatch(line)):
            value.parts.append(_plain_value(item[1]))
            value.is_list = True
        elif value and (more := _MORE.fullmatch(line)):
            value.parts.append(more[1])
            value.is_list = False
        else:
            return None
    return {key: each.value() for key, each in found.items()}


@define
class _FrontValue:
    """The value of a key, over one or more lines.

    Attributes:
        parts: Its lines, or the items of its list.
        is_list: Whether it is a list, as far as it was read.
    """

    parts: list[str]
    is_list: bool

    def value(self) -> str | list[str]:
        return self.parts if self.is_list else " ".join(self.parts)


def _value(text: str) -> _FrontValue:
    if text.startswith("[") and text.endswith("]"):
        parts = [_plain_value(each) for each in text[1:-1].split(",") if each.strip()]
        return _FrontValue(parts, is_list=True)
    return _FrontValue([each] if (each := _plain_value(text)) else [], is_list=False)


def _plain_value(text: str) -> str:
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text
