"""Sections that plugins add to a document."""

import re
from collections.abc import Iterator
from typing import Final

from rove_core.build.write.blocks import cut
from rove_core.build.write.digest import digest
from rove_core.build.write.lines import line
from rove_core.build.write.merge import KeyedBlock
from rove_core.items import Section
from rove_core.safety.text import clean, prose, quote
from rove_core.safety.text.blocks import Code, blocks

_QUOTE: Final = re.compile(r"^>.*(?:\n>.*)*", re.MULTILINE)
_QUOTE_MARK: Final = re.compile(r"^> ?", re.MULTILINE)
_HEADING: Final = re.compile(r"^[ \t]{0,3}(#{1,6})[ \t]+(.*\S)[ \t]*$", re.MULTILINE)


def section_blocks(section: Section) -> Iterator[KeyedBlock]:
    """Yield the blocks of a section, its headings one level below its title or deeper."""
    name = line(section.heading, 80)
    yield KeyedBlock(f"section:{name}", f"## {name}")
    for text in _parts(clean(section.content)):
        for piece in cut(text):
            if piece.words:
                yield KeyedBlock(f"section:{name}:{digest(piece.words)}", piece.words)


def _parts(content: str) -> Iterator[str]:
    """Yield Markdown that cannot become more than headings, paragraphs, lists, quotes and code."""
    for part in blocks(content):
        if isinstance(part, Code):
            yield prose(str(part))
            continue
        at = 0
        for heading in _HEADING.finditer(part):
            yield from _paragraphs(part[at : heading.start()])
            yield f"{'#' * min(6, len(heading[1]) + 2)} {line(heading[2].rstrip('# '), 120)}"
            at = heading.end()
        yield from _paragraphs(part[at:])


def _paragraphs(text: str) -> Iterator[str]:
    at = 0
    for found in _QUOTE.finditer(text):
        yield prose(text[at : found.start()])
        yield quote(_QUOTE_MARK.sub("", found[0]))
        at = found.end()
    yield prose(text[at:])
