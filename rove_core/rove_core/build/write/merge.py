"""Merge on refresh: change only the blocks that are exactly as Rove wrote them."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

import attrs
from attrs import frozen

from rove_core.build.write.blocks import TIGHT, DocumentPiece, cut, level
from rove_core.build.write.digest import digest

#: Key prefixes of a quote, and of the line that attributes it.
QUOTE: Final = "quote:"
BY: Final = "by:"
#: Key prefix of a definition, which is never held: a citation without it leads nowhere.
LINK: Final = "link:"


@frozen
class KeyedBlock:
    """A block that Rove writes.

    Attributes:
        key: Its key, stable between builds.
        text: Its Markdown.
    """

    key: str
    text: str


@frozen
class BlockRecord:
    """The saved record of a block.

    Attributes:
        digest: The digest of its words as Rove last wrote them.
        held: Whether a person has taken it over by editing or removing it.
    """

    digest: str
    held: bool = False


@frozen
class PlacedPiece:
    """A piece of the document.

    Attributes:
        piece: The piece itself.
        key: The key of Rove's block; None for what a person wrote.
        at: Its position in the file; None if it is new.
    """

    piece: DocumentPiece
    key: str | None = None
    at: int | None = None


@frozen
class _NewBlocks:
    """New blocks and their positions.

    Attributes:
        leading: New blocks that go before the first existing one.
        first: The key of that existing block.
        above: The new headings above each existing block, by key.
        behind: The new blocks that follow each existing block, by key.
    """

    leading: Sequence[PlacedPiece]
    first: str | None
    above: Mapping[str, Sequence[PlacedPiece]]
    behind: Mapping[str | None, Sequence[PlacedPiece]]


def find_owners(
    blocks: Mapping[str, BlockRecord], file: Sequence[DocumentPiece]
) -> tuple[PlacedPiece, ...]:
    """Return the pieces of a file, each with the key of Rove's unchanged block, if it is one."""
    found = [digest(piece.words) if piece.words else "" for piece in file]
    live = [key for key, block in blocks.items() if not block.held]
    owners: dict[int, str] = {}
    matcher = SequenceMatcher(None, [blocks[key].digest for key in live], found, autojunk=False)
    for first, at, size in matcher.get_matching_blocks():
        owners |= {at + step: live[first + step] for step in range(size)}
    owned = set(owners.values())
    moved: defaultdict[str, deque[str]] = defaultdict(deque)
    for key in sorted(blocks, key=lambda key: blocks[key].held):
        if key not in owned:
            moved[blocks[key].digest].append(key)
    for at, value in enumerate(found):
        if at not in owners and moved[value]:
            owners[at] = moved[value].popleft()
    return tuple(PlacedPiece(piece, owners.get(at), at) for at, piece in enumerate(file))


def taken_over(
    blocks: Mapping[str, BlockRecord], file: Iterable[PlacedPiece]
) -> dict[str, BlockRecord]:
    """Return the blocks that Rove must not write, because people changed or removed them."""
    there = {placed.key for placed in file}
    return {
        key: BlockRecord(block.digest, held=True)
        for key, block in blocks.items()
        if key not in there and not _is_link(key)
    }


def has_moved(blocks: Mapping[str, BlockRecord], file: Sequence[PlacedPiece]) -> bool:
    """Return whether a file differs from what Rove left, ignoring its definitions."""
    there = [placed.key for placed in file if not _is_link(placed.key)]
    return there != [key for key in blocks if not _is_link(key)]


def merge(
    blocks: Mapping[str, BlockRecord],
    file: Sequence[PlacedPiece],
    new: Sequence[KeyedBlock],
    *,
    is_moved: bool = False,
    end: str = "\n",
) -> list[PlacedPiece]:
    """Return the pieces of the refreshed document.

    Args:
        blocks: The saved records of the document's blocks.
        file: The document as it is, with the owner of each piece.
        new: All blocks that Rove wants to write, in order.
        is_moved: Whether a person chose the order of the file; otherwise it follows the new blocks.
        end: The line ending of this document.
    """
    never = taken_over(blocks, file)
    target = {block.key: _place(block, end) for block in new if block.key not in never}
    spine = file if is_moved else _in_order(file, list(target))
    there = {placed.key for placed in spine if placed.key}
    written = _without_bare_headings(list(target.values()), there)
    remaining = list(_refresh_blocks(spine, target, never))
    additions = _new_blocks(written, {placed.key for placed in remaining})
    last = max((placed.at for placed in file if placed.at is not None), default=None)
    return _space_out(list(_insert(remaining, additions)), end, last)


def remember(pieces: Iterable[PlacedPiece]) -> dict[str, BlockRecord]:
    """Return the records of all blocks as they are written."""
    return {placed.key: BlockRecord(digest(placed.piece.words)) for placed in pieces if placed.key}


def _is_link(key: str | None) -> bool:
    return key is not None and key.startswith(LINK)


def _place(block: KeyedBlock, end: str) -> PlacedPiece:
    words = block.text.replace("\n", end)
    return PlacedPiece(DocumentPiece(words, end * 2, cut(block.text)[0].kind), block.key)


def _in_order(file: Sequence[PlacedPiece], keys: Sequence[str]) -> Sequence[PlacedPiece]:
    """Return the file's pieces in the order of the new document."""
    order = {key: number for number, key in enumerate(keys)}
    positions = [
        order[placed.key] for placed in file if placed.key in order and not _is_link(placed.key)
    ]
    if positions == sorted(positions):
        return file
    ordered = sorted(file, key=lambda placed: order.get(placed.key or "", len(order)))
    return [attrs.evolve(placed, at=None) for placed in ordered]


def _refresh_blocks(
    file: Sequence[PlacedPiece], target: Mapping[str, PlacedPiece], never: Mapping[str, BlockRecord]
) -> Iterator[PlacedPiece]:
    """Yield the pieces of the file that stay, with Rove's own updated."""
    leaning = _needed_by_people(file, target, never)
    for number, placed in enumerate(file):
        new = target.get(placed.key) if placed.key else None
        if new is None:
            if placed.key is None or number in leaning:
                yield placed
        elif digest(new.piece.words) == digest(placed.piece.words):
            yield placed
        else:
            yield attrs.evolve(placed, piece=attrs.evolve(new.piece, gap=placed.piece.gap))


def _needed_by_people(
    file: Sequence[PlacedPiece], target: Mapping[str, PlacedPiece], never: Mapping[str, BlockRecord]
) -> set[int]:
    """Return the positions of outdated blocks that stay because people's text depends on them.

    These are headings above their words, and attributions of quotes that they have changed.
    """
    found: set[int] = set()
    below: PlacedPiece | None = None
    for number, placed in reversed(list(enumerate(file))):
        if placed.key and placed.key not in target:
            above = file[number - 1] if number else None
            if not (_heads(placed, below) or _is_stray_byline(placed, above, never)):
                continue
            found.add(number)
        below = placed
    return found


def _heads(placed: PlacedPiece, below: PlacedPiece | None) -> bool:
    depth = level(placed.piece)
    if not depth or below is None:
        return False
    return level(below.piece) > depth or (below.key is None and below.piece.kind != "heading")


def _is_stray_byline(
    placed: PlacedPiece, above: PlacedPiece | None, never: Mapping[str, BlockRecord]
) -> bool:
    key = placed.key or ""
    is_theirs = above is not None and above.key is None
    return is_theirs and key.startswith(BY) and f"{QUOTE}{key.removeprefix(BY)}" in never


def _without_bare_headings(new: Sequence[PlacedPiece], there: set[str]) -> list[PlacedPiece]:
    """Return the new pieces without headings that would have nothing below them."""
    pieces: list[PlacedPiece] = []
    for placed in reversed(new):
        depth = level(placed.piece)
        below = pieces[-1].piece if pieces else None
        has_words = below is not None and (below.kind != "heading" or level(below) > depth)
        if not depth or has_words or placed.key in there:
            pieces.append(placed)
    return pieces[::-1]


def _new_blocks(new: Sequence[PlacedPiece], there: set[str | None]) -> _NewBlocks:
    """Return the new pieces by their place: after the nearest existing predecessor.

    A heading stays with what it heads, wherever a person has put that.
    """
    behind: defaultdict[str | None, list[PlacedPiece]] = defaultdict(list)
    above: dict[str, list[PlacedPiece]] = {}
    anchor, first = None, None
    for placed in new:
        if placed.key in there and placed.key:
            above[placed.key] = _pop_headings(behind[anchor])
            anchor = placed.key
            first = first or anchor
        else:
            behind[anchor].append(placed)
    return _NewBlocks(behind.pop(None, []), first, above, behind)


def _pop_headings(pieces: list[PlacedPiece]) -> list[PlacedPiece]:
    """Remove trailing headings."""
    found: list[PlacedPiece] = []
    while pieces and level(pieces[-1].piece):
        found.insert(0, pieces.pop())
    return found


def _insert(remaining: Sequence[PlacedPiece], additions: _NewBlocks) -> Iterator[PlacedPiece]:
    """Yield the document with the new pieces in their places.

    New pieces that follow a block also follow what people have written below that block.
    """
    waiting: Sequence[PlacedPiece] = ()
    leading = additions.leading
    for number, placed in enumerate(remaining):
        if waiting and not _goes_on(placed, waiting, remaining[number - 1]):
            yield from waiting
            waiting = ()
        if placed.piece.is_open or (placed.key and placed.key == additions.first):
            yield from leading
            leading = ()
        yield from additions.above.get(placed.key or "", ())
        yield placed
        if placed.key:
            waiting = [*waiting, *additions.behind.get(placed.key, ())]
    yield from waiting
    yield from leading


def _goes_on(placed: PlacedPiece, new: Sequence[PlacedPiece], before: PlacedPiece) -> bool:
    """Return whether a piece continues the one before, so that new pieces follow both.

    What people wrote does, and so does the attribution of a quote, unless the quote is new.
    """
    if placed.key or placed.piece.is_open:
        key = placed.key or ""
        quote = f"{QUOTE}{key.removeprefix(BY)}"
        return key.startswith(BY) and all(each.key != quote for each in new)
    kind = new[0].piece.kind
    if kind in TIGHT and before.piece.kind == kind:
        return placed.piece.kind == kind and not _has_blank(before.piece.gap)
    return placed.piece.kind != "heading"


def _space_out(placed: Sequence[PlacedPiece], end: str, last: int | None) -> list[PlacedPiece]:
    """Return the pieces with blank lines between those that were not adjacent before."""
    gaps = [each.piece.gap for each in placed]
    for number, (one, other) in enumerate(pairwise(placed)):
        if one.at is not None and other.at == one.at + 1:
            continue
        if _are_tight(one, other):
            if other.at is None:
                gaps[number + 1] = gaps[number]
            gaps[number] = end
        else:
            gaps[number] += end * max(0, 2 - len(gaps[number].splitlines()))
    if placed and (last is None or placed[-1].at != last):
        gaps[-1] = end
    return [
        attrs.evolve(each, piece=attrs.evolve(each.piece, gap=gap))
        for each, gap in zip(placed, gaps, strict=True)
    ]


def _are_tight(one: PlacedPiece, other: PlacedPiece) -> bool:
    kind = one.piece.kind
    alike = kind in TIGHT and other.piece.kind == kind
    return alike and (other.key is not None or not _has_blank(one.piece.gap))


def _has_blank(gap: str) -> bool:
    return len(gap.splitlines()) > 1
