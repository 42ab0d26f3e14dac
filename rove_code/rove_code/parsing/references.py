"""Turn query captures into references, and find file names in texts."""

import re
import string
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from rove_code.model import Chunk, NameReference
from rove_code.parsing.captures import Captures
from rove_code.parsing.declarations import one_line
from rove_code.parsing.languages import suffixes
from rove_code.parsing.lines import Lines


def references_of(
    found: Captures, lines: Lines, chunks: Sequence[Chunk], *, language: str
) -> Iterator[NameReference]:
    """Return the names that a file refers to, in order, once per chunk."""
    ends = [chunk.place.start for chunk in chunks[1:]]
    seen: set[tuple[int, str, str]] = set()
    for start, name, kind in sorted((*_named(found, lines.text), *_links(lines.text, language))):
        chunk = bisect_right(ends, start)
        if (chunk, name, kind) not in seen:
            seen.add((chunk, name, kind))
            yield NameReference(name, kind, lines.number(start), chunk)


def _named(found: Captures, text: str) -> Iterator[tuple[int, str, str]]:
    for start, end, kind in found.references:
        name = text[start:end] if kind in _PLAIN else one_line(text, (start, end))
        if kind == "import" and name[:1] != ".":
            name = name.rstrip("/").rpartition("/")[2]
        yield start, name, "link" if name[:1] == "." else kind
    for definition in found.definitions:
        for (start, end), _ in definition.bases:
            last = _LAST.search(_ARGUMENTS.sub("", text[start:end]))
            if last:
                yield start, last[0], "type"


def _links(text: str, language: str) -> Iterator[tuple[int, str, str]]:
    for match in _TAIL.finditer(text):
        before = text[max(0, match.start() - _LONGEST_PATH) : match.start()]
        folder = before[len(before.rstrip(_PATH)) :]
        if folder and folder[0] != "/":
            yield match.start() - len(folder), folder + match[0], "link"
    if language in _MARKUP:
        for pattern in (_FILE, _TARGET):
            yield from ((match.start(1), match[1], "link") for match in pattern.finditer(text))


#: Kinds whose names are single words, in any language.
_PLAIN: Final = frozenset({"call", "type", "name"})
_ARGUMENTS: Final = re.compile(r"[<(\[].*", re.DOTALL)
_LAST: Final = re.compile(r"\w+\W*$")
_MARKUP: Final = frozenset({"markdown", "restructuredtext", "text", "html", "yaml", "toml", "json"})
_SUFFIX: Final = rf"\.(?:{'|'.join(sorted(suffixes(), key=len, reverse=True))})(?![\w/-])"
_TAIL: Final = re.compile(rf"/[\w.@+-]*\w{_SUFFIX}", re.ASCII)
_FILE: Final = re.compile(rf"(?<![\w/.@:+-])(\w[\w.@+-]*{_SUFFIX})", re.ASCII)
_TARGET: Final = re.compile(r"\]\(<?(?![a-z]+:|#)([^)\s#?>]+)")
_PATH: Final = f"{string.ascii_letters}{string.digits}_.@+-/"
_LONGEST_PATH: Final = 200
