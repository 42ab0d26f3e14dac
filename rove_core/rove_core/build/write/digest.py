"""Digest of a text's words, stable under Markdown formatting."""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from html import unescape
from itertools import groupby
from typing import Final

_QUOTED: Final = re.compile(r"[ \t]*(?:>[ \t]?)*")
_FENCE: Final = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)")
_RULE: Final = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}")
_TABLE_RULE: Final = re.compile(r"\|(?=[^-]*-)[ \t:|-]+")
_CELL: Final = re.compile(r"[ \t]*\\?\|[ \t]*")
_BULLET: Final = re.compile(r"(?:[-*+]|(\d{1,9})[.)])(?=[ \t])")
_CODE: Final = re.compile(r"((?<!`)(`+)(?!`).+?(?<!`)\2(?!`))", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
#: Not between spaces or within a word, where these characters are not emphasis.
_EMPHASIS: Final = re.compile(r"(?<![^\W_])[*_]+(?=[^\s*_])|(?<=[^\s*_])[*_]+(?![^\W_])")


@lru_cache(maxsize=4_096)
def digest(text: str) -> str:
    """Return a fingerprint of the words of a piece of Markdown.

    White space, quote marks, emphasis, escapes, and the style of bullets, rules and tables do not
    count; code counts as it is, except for white space.
    """
    words = " ".join(" ".join(_parts(text)).split())
    return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _parts(text: str) -> Iterator[str]:
    for is_code, lines in groupby(_lines(text), key=lambda line: line[0]):
        together = "\n".join(line for _, line in lines)
        yield together if is_code else _inline(together)


def _lines(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the lines, each with whether it is code."""
    fence = ""
    for quoted in text.strip("\ufeff").splitlines():
        line = _QUOTED.sub("", quoted, count=1).strip()
        if fence:
            if line.startswith(fence) and not line.strip(fence[0]):
                fence, line = "", "```"
            yield True, line
        elif opened := _FENCE.match(line):
            fence = opened[1]
            yield True, f"```{opened[2]}"
        elif not _TABLE_RULE.fullmatch(line):
            yield False, _line(line)


def _line(line: str) -> str:
    if _RULE.fullmatch(line):
        return "---"
    line = _CELL.sub(" | ", line)
    if bullet := _BULLET.match(line):
        return ("1." if bullet[1] else "-") + line[bullet.end() :]
    return line.removesuffix("\\")


def _inline(text: str) -> str:
    parts = iter(_CODE.split(text))
    pieces = [_plain_text(next(parts))]
    for code in parts:
        next(parts)  # the ticks alone
        pieces += code, _plain_text(next(parts))
    return "".join(pieces)


def _plain_text(text: str) -> str:
    # Twice: a formatter may write what stood for an entity as that entity.
    return _EMPHASIS.sub("", unescape(unescape(_ESCAPE.sub(r"\1", text))))
