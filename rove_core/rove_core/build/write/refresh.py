"""Refresh a document around people's edits."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Final

import attrs
from attrs import frozen

from rove_core.build.compose.outline import Outline
from rove_core.build.requests import DocumentShape
from rove_core.build.write.base import DocumentBase, written_gone_items, written_topics
from rove_core.build.write.blocks import DocumentPiece, cut, front_of
from rove_core.build.write.citations import Citations, definitions, marks
from rove_core.build.write.merge import (
    KeyedBlock,
    PlacedPiece,
    find_owners,
    has_moved,
    merge,
    remember,
    taken_over,
)
from rove_core.build.write.renderer import DocumentRenderer
from rove_core.build.write.token_budget import shortened
from rove_core.build.write.token_count import tokens

MAX_TOKENS: Final = 8_000
_MOST_PASSES: Final = 3


@frozen(kw_only=True)
class WriteOptions:
    """Options for writing a document.

    Attributes:
        now: The current time.
        hosts: Hosts that links in quotes may point to.
        max_tokens: Token budget of Rove's own part; what people wrote does not count.
        fresh: Whether to write again what people have changed or removed.
        shape: What the document begins with.
    """

    now: datetime
    hosts: Collection[str] = ()
    max_tokens: int = MAX_TOKENS
    fresh: bool = False
    shape: DocumentShape = "decisions"


@frozen(kw_only=True)
class WrittenDocument:
    """A document ready to be written.

    Attributes:
        front: What must stay at the beginning: a byte order mark, front matter.
        pieces: All other pieces, each with its owner.
        base: The base to save with it.
        outline: The part of the outline that fitted.
        held_back: The keys of blocks that Rove leaves out because people changed or removed them.
        held_share: Their share of all blocks that Rove would write, from 0 to 1.
    """

    front: str
    pieces: Sequence[PlacedPiece]
    base: DocumentBase
    outline: Outline
    held_back: tuple[str, ...]
    held_share: float

    @property
    def text(self) -> str:
        """The full text of the document."""
        return self.front + "".join(str(placed.piece) for placed in self.pieces)

    @property
    def tokens(self) -> int:
        """Tokens of Rove's own part."""
        return sum(tokens(str(placed.piece)) for placed in self.pieces if placed.key)


def refresh(
    outline: Outline, text: str | None, base: DocumentBase | None, options: WriteOptions
) -> WrittenDocument:
    """Return the document to write.

    Args:
        outline: The content of the document.
        text: The text of the file, with invalid UTF-8 as surrogates; None if there is no file.
        base: The saved base of the file; None if it is lost.
        options: Limits, hosts and shape of the document.
    """
    text = text or ""
    page = _page(
        text, _adopt_equal(outline, text, options) if base is None else base, fresh=options.fresh
    )
    written = _fit_outline(page, outline, options)
    for _ in range(_MOST_PASSES):
        # Without Rove's lines around it, what people wrote may parse as something else.
        page = _page(written.text, written.base)
        if _words(page.file) == _words(written.pieces):
            break
        written = _fit_outline(page, written.outline, options)
    return written


@frozen
class _Page:
    """The current document, before the refresh."""

    front: str
    file: Sequence[PlacedPiece]
    base: DocumentBase
    end: str

    def written(self, outline: Outline, options: WriteOptions) -> WrittenDocument:
        theirs = [placed.piece for placed in self.file if placed.key is None]
        citations = Citations.after(self.base.references, theirs, _titles(outline))
        blocks = _blocks(outline, citations, options)
        pieces = self._merge(blocks, citations)
        never = taken_over(self.base.blocks, self.file)
        back = tuple(block.key for block in blocks if block.key in never)
        return WrittenDocument(
            front=self.front,
            pieces=pieces,
            base=DocumentBase(
                blocks={**remember(pieces), **never},
                references=tuple(citations.references[n] for n in sorted(citations.references)),
                topics=written_topics(outline),
                gone=written_gone_items(outline),
                is_moved=self.base.is_moved,
            ),
            outline=outline,
            held_back=back,
            held_share=len(back) / len(blocks),
        )

    def _merge(self, blocks: Sequence[KeyedBlock], citations: Citations) -> list[PlacedPiece]:
        """Return the document with the definitions of all its citations."""
        written = partial(
            merge, self.base.blocks, self.file, is_moved=self.base.is_moved, end=self.end
        )
        pieces = written(blocks)
        defined = definitions(placed.piece for placed in pieces if placed.key is None)
        cited = marks(placed.piece.words for placed in pieces) - defined.keys()
        links = list(citations.definitions(cited))
        if not links:
            blocks = [block for block in blocks if block.key != "heading:references"]
        return written([*blocks, *links])


def _page(text: str, base: DocumentBase, *, fresh: bool = False) -> _Page:
    """Return the current document with the owner of each block; an empty text is a new one."""
    front = front_of(text)
    pieces = cut(text[len(front) :]) if text.strip("\ufeff \t\r\n") else []
    records = base.blocks if pieces else {}
    file = find_owners(records, pieces)
    if fresh:
        never = taken_over(records, file)
        records = {key: block for key, block in records.items() if key not in never}
    is_windows = "\r\n" in text[: text.find("\n") + 1]
    end = "\r\n" if is_windows else "\n"
    moved = bool(pieces) and (base.is_moved or has_moved(base.blocks, file))
    return _Page(front, file, attrs.evolve(base, blocks=records, is_moved=moved), end)


def _fit_outline(page: _Page, outline: Outline, options: WriteOptions) -> WrittenDocument:
    """Return the document with as much of the outline as fits."""
    while True:
        written = page.written(outline, options)
        smaller = shortened(outline, written.tokens - options.max_tokens, options.hosts)
        if smaller is outline:
            return written
        outline = smaller


def _adopt_equal(outline: Outline, text: str, options: WriteOptions) -> DocumentBase:
    """Return a base from blocks of the file that equal the new ones."""
    if not text.strip():
        return DocumentBase()
    pieces = cut(text[len(front_of(text)) :])
    citations = Citations.adopting(pieces, _titles(outline))
    blocks = _blocks(outline, citations, options)
    links = citations.definitions(citations.references)
    records = remember(
        PlacedPiece(DocumentPiece(block.text), block.key) for block in (*blocks, *links)
    )
    file = find_owners(records, pieces)
    return DocumentBase(
        blocks={placed.key: records[placed.key] for placed in file if placed.key},
        is_moved=has_moved(records, file),
        references=tuple(citations.references[n] for n in sorted(citations.references)),
    )


def _blocks(outline: Outline, citations: Citations, options: WriteOptions) -> list[KeyedBlock]:
    renderer = DocumentRenderer(
        citations=citations,
        ticket=outline.ticket,
        hosts=options.hosts,
        gone=outline.gone,
        shape=options.shape,
    )
    return renderer.document(outline, options.now)


def _words(pieces: Sequence[PlacedPiece]) -> list[str]:
    return [placed.piece.words for placed in pieces]


def _titles(outline: Outline) -> dict[str, str]:
    return {row.account: row.title for row in outline.consulted}
