"""What stands above a note, between two lines of dashes: its title, its date, who was there."""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

#: Keys in small letters; what is not a list is one line of text.
FrontMatter: TypeAlias = Mapping[str, str | list[str]]

_FENCED: Final = re.compile(
    r"\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE | re.DOTALL
)
_KEY: Final = re.compile(r"([^\W\d_][\w -]{0,40}):(?:[ \t]+(.*))?")
_ITEM: Final = re.compile(r"[ \t]*-[ \t]+(.*)")
_NOTHING: Final = re.compile(r"[ \t]*(?:#|$)")
_MORE: Final = re.compile(r"[ \t]+(\S.*)")


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Return what stands above a note, and the note; all is the note if it is not written so.

    It is read as far as people write it by hand: names with texts, and with lists of texts.
    """
    fenced = _FENCED.match(text)
    read = _read(fenced[1]) if fenced else None
    return (read, text[fenced.end() :]) if fenced and read else ({}, text)


def _read(block: str) -> FrontMatter | None:
    found: dict[str, str | list[str]] = {}
    key = ""
    lines = (line for line in block.splitlines() if not _NOTHING.match(line))
    for line in lines:
        if named := _KEY.fullmatch(line):
            key = named[1].lower()
            found[key] = _value((named[2] or "").strip())
        elif key and (item := _ITEM.fullmatch(line)):
            found[key] = [*_listed(found[key]), _plain(item[1])]
        elif key and (more := _MORE.fullmatch(line)):
            found[key] = " ".join([*_listed(found[key]), more[1]])
        else:
            return None
    return found


def _value(text: str) -> str | list[str]:
    if text.startswith("[") and text.endswith("]"):
        return [_plain(each) for each in text[1:-1].split(",") if each.strip()]
    return _plain(text)


def _listed(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value] if value else []


def _plain(text: str) -> str:
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text
