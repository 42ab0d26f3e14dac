"""Which lines of a file are to be shown, for one of its chunks or declarations."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from rove_code.model import Chunk, Declaration, Place
from rove_code.packing.runs import Run, Runs, count, first_of, union
from rove_code.packing.sheet import Sheet

#: How many lines above and below a line of interest are shown with it.
_AROUND: Final = 4

#: Of a signature, or a comment, that is longer than this just the first lines are shown.
_SHORT: Final = 12

#: A line of more characters is no header: a machine wrote it.
_WIDE: Final = 300


def lines_of(place: Place) -> Run:
    """Return the lines of a place."""
    return place.first, place.last


def whole(sheet: Sheet, chunk: Chunk) -> Runs:
    """Return all lines of a chunk."""
    return (sheet.trimmed(lines_of(chunk.place)),)


def headers(sheet: Sheet, lines: Run) -> Runs:
    """Return the signatures of all that the lines stand in, the outermost first."""
    signatures = (first_lines(each.signature) for each in sheet.parsed.around(*lines))
    return tuple(run for run in signatures if sheet.length(run) <= _WIDE)


def signature(declaration: Declaration) -> Runs:
    """Return the comment above a declaration, or below its name, and all lines before its body."""
    doc = (first_lines(declaration.doc),) if declaration.doc else ()
    return (*doc, first_lines(declaration.signature))


def first_lines(place: Place) -> Run:
    """Return the lines of a place that should be short, or its first ones if it is not."""
    return place.first, min(place.last, place.first + _SHORT - 1)


def parts(sheet: Sheet, chunk: Chunk, weights: Sequence[float], most: int) -> Runs:
    """Return what of a chunk has most to do with the question, after its signature.

    Args:
        sheet: The file.
        chunk: Which of its chunks.
        weights: How much each of the chunk's lines has to do with the question.
        most: How many lines it may be.
    """
    (run,) = whole(sheet, chunk)
    kept = first_of(_signatures(sheet, chunk, run), most)
    smooth = _smooth(weights)
    for index in sorted(range(len(smooth)), key=lambda each: (-smooth[each], each)):
        line = run[0] + index
        around = (max(run[0], line - _AROUND), min(run[1], line + _AROUND))
        wider = union((*kept, around))
        if count(wider) > most:
            return union((*kept, *first_of((around,), most - count(kept))))
        kept = wider
    return kept


def _signatures(sheet: Sheet, chunk: Chunk, run: Run) -> Runs:
    """Return the signatures of what the chunk declares; its first line if it declares nothing."""
    declared = (sheet.parsed.declarations[number] for number in chunk.declarations)
    lines = [lines for each in declared for lines in signature(each)]
    return union(lines) or ((run[0], run[0]),)


def _smooth(weights: Sequence[float]) -> list[float]:
    """Return for each line what it and those around it have to do with the question."""
    sums = list(accumulate(weights, initial=0.0))
    last = len(weights)
    return [
        sums[min(last, index + _AROUND + 1)] - sums[max(0, index - _AROUND)]
        for index in range(last)
    ]
