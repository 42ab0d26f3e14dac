"""Other encodings of a secret: escaped, percent-encoded, base64, split over lines."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Self

from rove_core.safety.lazy_pattern import lazy_pattern

_ESCAPE: Final = lazy_pattern(
    r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrt!-/:-@\[-`{-~])|&(?:quot|amp|lt|gt|#34|#39|#x27);"
)
_PERCENT: Final = lazy_pattern("%[0-9A-Fa-f]{2}")
#: Fewer characters of base64 hold no secret.
LEAST_ENCODED: Final = 32
_BASE64: Final = lazy_pattern(
    rf"[A-Za-z0-9+/_-]{{{LEAST_ENCODED},}}(?:(?:\r?\n|\\n)[ \t]*[A-Za-z0-9+/_-]{{16,}})*={{0,2}}"
)
#: Between two parts of a text that was broken at the end of a line, quoted or not.
_BREAK: Final = lazy_pattern(
    r"[\"'=\\]?[ \t]*+[+.]?[ \t]*+\\?(?:\r?\n|\\n)[\s>|*#\"'+.]*(?=[\w+/.~=-]{4})", re.ASCII
)
_PRINTABLE: Final = lazy_pattern(rb"[\t\n\r -~]*")
#: No line with a secret is shorter.
_SHORTEST: Final = 16
_STANDARD: Final = str.maketrans("-_", "+/")
_NAMED: Final = {
    r"\n": "\n",
    r"\r": "\r",
    r"\t": "\t",
    "&quot;": '"',
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
}


class UndisguisedText(NamedTuple):
    """A text as it reads without its disguise, and where each part of it comes from.

    Attributes:
        text: What it reads.
        starts: Where each part of ``text`` begins, in order.
        origins: Where the same part begins in the text that it is a view of.
    """

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]

    @classmethod
    def of(
        cls,
        text: str,
        disguise: re.Pattern[str],
        plain: Callable[[str], str],
        part: tuple[int, int],
    ) -> Self:
        """Return a part of a text with each disguised character decoded."""
        parts: list[str] = []
        done, end = part
        starts, origins, length = [0], [done], 0
        for found in disguise.finditer(text, done, end):
            shown = plain(found[0])
            parts += (text[done : found.start()], shown)
            length += found.start() - done
            starts += (length, length + len(shown))
            origins += (found.start(), found.end())
            length, done = length + len(shown), found.end()
        return cls("".join((*parts, text[done:end])), tuple(starts), tuple(origins))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original span of a part of the view."""
        return self._origin(start), self._origin(end - 1, after=True)

    def _origin(self, position: int, *, after: bool = False) -> int:
        part = bisect_right(self.starts, position) - 1
        if part % 2:  # Every other part was disguised; it is taken as a whole.
            return self.origins[part + after]
        return self.origins[part] + position - self.starts[part] + after


def views(text: str) -> Iterator[UndisguisedText]:
    """Yield the lines with escapes of JSON, Markdown, HTML or addresses, without these."""
    if "\\" in text or "&" in text:
        yield from _lines(text, _ESCAPE, _unescape)
    if "%" in text:
        yield from _lines(text, _PERCENT, lambda code: chr(int(code[1:], 16)))


def _lines(
    text: str, disguise: re.Pattern[str], plain: Callable[[str], str]
) -> Iterator[UndisguisedText]:
    end = 0
    for found in disguise.finditer(text):
        if found.start() < end:
            continue
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end()) % (len(text) + 1)
        if end - start >= _SHORTEST:
            yield UndisguisedText.of(text, disguise, plain, (start, end))


def unbroken(text: str, start: int, end: int, most: int) -> UndisguisedText | None:
    """Return what begins with a word broken at the end of a line, with the word whole."""
    if not _BREAK.match(text, end):
        return None
    return UndisguisedText.of(text, _BREAK, lambda _: "", (start, min(start + most, len(text))))


def encoded(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the decoded base64 parts of a text, with their spans."""
    for found in _BASE64.finditer(text):
        if plain := _decode(found[0]):
            yield plain, *found.span()


def _decode(run: str) -> str:
    packed = "".join(run.replace("\\n", "").split()).rstrip("=").translate(_STANDARD)
    if len(packed) % 4 == 1:
        packed = packed[:-1]
    from base64 import b64decode  # noqa: PLC0415  # most texts have none

    data = b64decode(packed + "=" * (-len(packed) % 4))
    return data.decode("ascii") if _PRINTABLE.fullmatch(data) else ""


def _unescape(escape: str) -> str:
    if escape in _NAMED:
        return _NAMED[escape]
    if escape[1] in "ux":
        return chr(int(escape[2:], 16))  # noqa: FURB166  # base 0 would refuse the letters
    return "'" if escape[0] == "&" else escape[1]
