"""Split lines without structure, or with too much of it, into windows."""

from collections.abc import Iterator
from typing import Final

from rove_code.parsing.lines import Lines


def windows(lines: Lines, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Return the first and last line of each part, cut at blank lines if possible."""
    while last - first + 1 > _LONGEST:
        end = _end(lines, first)
        yield first, end
        first = end + 1
    yield first, last


def _end(lines: Lines, first: int) -> int:
    goal = first + _GOAL - 1
    for away in range(_SLACK + 1):
        for line in (goal - away, goal + away):
            if lines.is_blank(line):
                return line
    return goal


_GOAL: Final = 40
_SLACK: Final = 10
_LONGEST: Final = _GOAL + _SLACK
