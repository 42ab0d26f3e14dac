"""A file during packing: which of its lines are chosen."""

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from typing import Final

from attrs import define

from rove_code.model import ModelFamily, ParsedFile, Place, ShownLines
from rove_code.packing.runs import Run, Runs, gaps, union, within
from rove_code.tags import AnswerElement, Caption, file_element

#: A gap of no more characters is shown: to say that something is left out costs as many.
_CHEAP: Final = 40


@define(slots=False)  # lines are found when they are first asked for
class Sheet:
    """A file with the lines shown so far.

    Attributes:
        path: How its path is written in the answer.
        text: All of it.
        parsed: What it is made of.
        shown: The lines that are shown.
        boosted: Those of them that were asked for by name.
        notes: What is said of it.
        size: How many characters of the answer it takes.
        family: The models that the answer is for.
    """

    path: str
    text: str
    parsed: ParsedFile
    shown: Runs = ()
    boosted: Runs = ()
    notes: tuple[str, ...] = ()
    size: int = 0
    family: ModelFamily = ModelFamily.CLAUDE

    @cached_property
    def _starts(self) -> list[int]:
        """Offsets of line starts, and the end."""
        # Each line's length and its line end.
        ends = [*accumulate(map((1).__add__, map(len, self.text.split("\n"))))]
        # After the last line comes no line end.
        ends[-1] -= 1
        return [0, *ends] if ends[-1] > (ends[-2] if len(ends) > 1 else 0) else [0, *ends[:-1]]

    @property
    def height(self) -> int:
        """Number of lines."""
        return len(self._starts) - 1

    def lines(self, run: Run) -> list[str]:
        """Return the lines unchanged."""
        return [self._line(line) for line in range(run[0], run[1] + 1)]

    def shows(self, run: Run) -> ShownLines:
        """Return the lines as they are shown."""
        start, end = self._starts[run[0] - 1], self._starts[run[1]]
        return ShownLines(Place(start, end, *run), self.text[start:end])

    def length(self, run: Run) -> int:
        """Return how many characters the lines have."""
        return self._starts[run[1]] - self._starts[run[0] - 1]

    def trimmed(self, run: Run) -> Run:
        """Return the lines without the empty ones at either end."""
        first, last = max(1, run[0]), min(run[1], self.height)
        while first < last and not self._line(first).strip():
            first += 1
        while first < last and not self._line(last).strip():
            last -= 1
        return first, last

    def with_runs(self, runs: Iterable[Run]) -> Runs:
        """Return the shown lines with further ones, and with gaps that cost nothing."""
        lines = within(union((*self.shown, *runs)), 1, self.height)
        return union((*lines, *(gap for gap in gaps(lines) if self.length(gap) <= _CHEAP)))

    def element(self, runs: Runs, notes: tuple[str, ...]) -> AnswerElement:
        """Return the answer element for these lines of the file."""
        caption = Caption(self.path, self.parsed.language, notes, family=self.family)
        shown = [self.shows(run) for run in runs]
        return file_element(caption, shown, goes_on=self.goes_on(runs))

    def goes_on(self, runs: Runs) -> bool:
        """Return whether the chunk of the last line continues."""
        last = runs[-1][1]
        place = self.parsed.chunks[self.chunk_at(last)].place
        return self.trimmed((place.first, place.last))[1] > last

    def chunk_at(self, line: int) -> int:
        """Return the number of the chunk that a line is in."""
        return bisect_right(self.parsed.chunks, line, key=lambda each: each.place.first) - 1

    def _line(self, line: int) -> str:
        return self.text[self._starts[line - 1] : self._starts[line]]
