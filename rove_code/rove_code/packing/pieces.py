"""Pieces of chunks: the lines that are shown together, or not at all."""

from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from rove_code.model import Declaration, ScoredChunk
from rove_code.packing.line_ranges import lines_of, whole
from rove_code.packing.runs import Run
from rove_code.packing.sheet import Sheet

#: Gives how well a text fits the question, with the names that it declares.
PassageScore = Callable[[str, Sequence[str]], float]


@frozen
class Piece:
    """One declaration of a chunk, or all of the chunk.

    Attributes:
        scored: The chunk.
        lines: The lines of the piece, without empty ones at either end.
        share: Its score among the chunk's pieces, as a share of the best one's.
        size: Its length in characters.
    """

    scored: ScoredChunk
    lines: Run
    share: float
    size: int

    @property
    def file(self) -> tuple[int, int]:
        """The numbers of its repository and its file."""
        return self.scored.repository, self.scored.file


def pieces(scored: ScoredChunk, sheet: Sheet, passage_score: PassageScore) -> list[Piece]:
    """Return the pieces of a chunk, in the order of the file.

    A chunk groups small neighbours because together they can be found. Often the question is about
    only one of them.
    """
    chunk = sheet.parsed.chunks[scored.chunk]
    everything = whole_chunk(scored, sheet)
    run = everything.lines
    declared = [sheet.parsed.declarations[number] for number in chunk.declarations]
    innermost = _innermost(declared, run)
    if len(innermost) <= 1:
        return [everything]
    runs = [each for each in _split(run, innermost, sheet) if _has_content(each, sheet)]
    found = [passage_score("".join(sheet.lines(each)), _names(declared, each)) for each in runs]
    most = max(found) or 1.0
    return [
        Piece(scored, each, value / most, sheet.length(each))
        for each, value in zip(runs, found, strict=True)
    ]


def _names(declared: Sequence[Declaration], run: Run) -> list[str]:
    """Return the names that are declared in lines."""
    return [
        each.name for each in declared if run[0] <= each.place.first and each.place.last <= run[1]
    ]


def whole_chunk(scored: ScoredChunk, sheet: Sheet) -> Piece:
    """Return all of a chunk as one piece."""
    (run,) = whole(sheet, sheet.parsed.chunks[scored.chunk])
    return Piece(scored, run, 1.0, sheet.length(run))


def _innermost(declared: Sequence[Declaration], run: Run) -> list[Run]:
    """Return the lines of the declarations in a run that contain no others."""
    inside = {lines_of(each.place) for each in declared}
    inside = {(first, last) for first, last in inside if run[0] <= first and last <= run[1]}
    return sorted(each for each in inside if not any(_contains(each, one) for one in inside))


def _contains(outer: Run, inner: Run) -> bool:
    return outer != inner and outer[0] <= inner[0] and inner[1] <= outer[1]


def _split(run: Run, declarations: Sequence[Run], sheet: Sheet) -> Iterator[Run]:
    """Yield the lines of each declaration, and the lines between them."""
    at = run[0]
    for first, last in declarations:
        if last < at:
            continue
        if first > at:
            yield sheet.trimmed((at, first - 1))
        yield sheet.trimmed((max(first, at), last))
        at = last + 1
    if at <= run[1]:
        yield sheet.trimmed((at, run[1]))


def _has_content(run: Run, sheet: Sheet) -> bool:
    """Return whether lines hold more than brackets."""
    return any(any(map(str.isalnum, line)) for line in sheet.lines(run))
