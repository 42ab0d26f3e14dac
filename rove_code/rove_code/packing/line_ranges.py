"""Line ranges to show for a chunk or declaration."""

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
    """Return the signatures of the declarations that enclose lines, outermost first."""
    signatures = (first_lines(each.signature) for each in sheet.parsed.around(*lines))
    return tuple(run for run in signatures if sheet.length(run) <= _WIDE)


def signature(declaration: Declaration) -> Runs:
    """Return the comment above a declaration, or below its name, and all lines before its body."""
    doc = (first_lines(declaration.doc),) if declaration.doc else ()
    return (*doc, first_lines(declaration.signature))


def first_lines(place: Place) -> Run:
    """Return the lines of a place that should be short, or its first ones if it is not."""
    return place.first, min(place.last, place.first + _SHORT - 1)


def parts(sheet: Sheet, run: Run, weights: Sequence[float], most: int) -> Runs:
    """Return the most relevant parts of some lines, after the signatures in them.

    Args:
        sheet: The file.
        run: The lines: those of a declaration, or of several small ones.
        weights: How much each of the lines has to do with the question.
        most: How many lines it may be.
    """
    runs = _signatures(sheet, run, weights, most)
    smooth = _smooth(weights)
    for index in sorted(range(len(smooth)), key=lambda each: (-smooth[each], each)):
        line = run[0] + index
        around = (max(run[0], line - _AROUND), min(run[1], line + _AROUND))
        wider = union((*runs, around))
        if count(wider) > most:
            return union((*runs, *first_of((around,), most - count(runs))))
        runs = wider
    return runs


def _signatures(sheet: Sheet, run: Run, weights: Sequence[float], most: int) -> Runs:
    """Return the signatures of the declarations in some lines, most relevant first.

    If none is declared there, the first line is returned.
    """

    def worth(declaration: Declaration) -> float:
        first, last = lines_of(declaration.place)
        return sum(weights[max(0, first - run[0]) : max(0, last + 1 - run[0])])

    declared = [each for each in sheet.parsed.declarations if run[0] <= each.place.first <= run[1]]
    if not declared:
        return first_of(((run[0], run[0]),), most)
    runs: Runs = ()
    for each in sorted(declared, key=worth, reverse=True):
        wider = union((*runs, *signature(each)))
        if count(wider) > most:
            return union((*runs, *first_of(signature(each), most - count(runs))))
        runs = wider
    return runs


def _smooth(weights: Sequence[float]) -> list[float]:
    """Return the smoothed relevance of each line."""
    sums = list(accumulate(weights, initial=0.0))
    last = len(weights)
    return [
        sums[min(last, index + _AROUND + 1)] - sums[max(0, index - _AROUND)]
        for index in range(last)
    ]
