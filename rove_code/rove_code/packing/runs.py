"""Sets of lines as sorted runs of first and last line."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

#: The first and the last of lines that follow each other.
Run: TypeAlias = tuple[int, int]
Runs: TypeAlias = tuple[Run, ...]


def union(runs: Iterable[Run]) -> Runs:
    """Return all lines of the runs, which may come in any order and overlap."""
    result: list[Run] = []
    for first, last in sorted(runs):
        if result and first <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(last, result[-1][1]))
        elif first <= last:
            result.append((first, last))
    return tuple(result)


def within(runs: Runs, first: int, last: int) -> Runs:
    """Return those of the lines that lie between these two, which count."""
    cut = ((max(first, start), min(last, end)) for start, end in runs)
    return tuple((start, end) for start, end in cut if start <= end)


def gaps(runs: Runs) -> Iterator[Run]:
    """Yield the gaps between the runs."""
    for (_, before), (after, _) in pairwise(runs):
        yield before + 1, after - 1


def count(runs: Runs) -> int:
    """Return how many lines they are."""
    return sum(last - first + 1 for first, last in runs)


def first_of(runs: Runs, most: int) -> Runs:
    """Return the first of the lines, so many of them."""
    result: list[Run] = []
    for first, last in runs:
        if most > 0:
            result.append((first, min(last, first + most - 1)))
            most -= last - first + 1
    return tuple(result)
