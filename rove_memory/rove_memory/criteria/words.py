"""Plain words of a Markdown line, and a normal form for comparing texts."""

import re
import unicodedata
from typing import Final

_CODE: Final = re.compile(r"(`+)(?P<code>.+?)(?<!`)\1(?!`)")
_LINK: Final = re.compile(r"!?\[(?P<label>[^\[\]]*)\]\((?P<url>[^()\s]*)(?:\s+\"[^\"]*\")?\)")
_EMPHASIS: Final = re.compile(
    r"(?<!\\)(\*\*\*|\*\*|__|~~)(?=\S)(.+?)(?<=[^\s\\])\1|(?<![\w*\\])([*_])(?=[^\s*_])(.+?)(?<=[^\s\\])\3(?![\w*])"
)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_STRUCK: Final = re.compile(r"~~(?=\S).+(?<=\S)~~[.\s]*")
_WORD: Final = re.compile(r"\w+")


def plain(text: str) -> str:
    """Return a Markdown line without emphasis, links and escapes; code keeps its backticks."""
    parts: list[str] = []
    at = 0
    for found in _CODE.finditer(text):
        parts += [_without_marks(text[at : found.start()]), f"`{found['code'].strip()}`"]
        at = found.end()
    return _without_emphasis("".join([*parts, _without_marks(text[at:])]))


def is_struck(text: str) -> bool:
    """Return whether a whole line is struck through."""
    return bool(_STRUCK.fullmatch(text.strip()))


def compared(text: str) -> str:
    """Return a text for comparison: only its words, in lower case."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _without_marks(text: str) -> str:
    return _LINK.sub(_as_words, text)


def _as_words(found: re.Match[str]) -> str:
    label, url = found["label"], found["url"]
    return f"{label} ({url})" if label and url and label != url else label or url


def _without_emphasis(text: str) -> str:
    """Remove emphasis, then escapes outside code."""
    before = None
    while before != text:
        before = text
        text = _EMPHASIS.sub(lambda found: found[2] or found[4], text)
    pieces: list[str] = []
    at = 0
    for found in _CODE.finditer(text):
        pieces += [_ESCAPE.sub(r"\1", text[at : found.start()]), found[0]]
        at = found.end()
    return "".join([*pieces, _ESCAPE.sub(r"\1", text[at:])]).strip()
