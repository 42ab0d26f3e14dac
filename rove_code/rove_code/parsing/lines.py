"""Lines of a text, by number and by offset."""

from bisect import bisect_right
from itertools import accumulate

from rove_code.model import Place


class Lines:
    """Line offsets of a text; only a line feed ends a line.

    Attributes:
        text: All of it.
        count: How many lines it has.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = text.split("\n")
        if not self._lines[-1]:
            self._lines.pop()
        self.count = len(self._lines)
        # Each line's length and its line feed.
        self._starts = [0, *accumulate(map((1).__add__, map(len, self._lines)))]
        self._starts[-1] = len(text)
        self._last = max(self.count, 1)

    def number(self, offset: int) -> int:
        """Return the line number of an offset."""
        return bisect_right(self._starts, offset, 0, self._last)

    def start(self, number: int) -> int:
        """Return where a line begins."""
        return self._starts[number - 1]

    def is_blank(self, number: int) -> bool:
        """Return whether nothing can be seen in a line."""
        line = self._lines[number - 1]
        return not line or line.isspace()

    def is_indent(self, offset: int) -> bool:
        """Return whether nothing can be seen before an offset in its line."""
        before = self.text[self.start(self.number(offset)) : offset]
        return not before or before.isspace()

    def end(self, number: int) -> int:
        """Return where what can be seen in a line ends."""
        return self._starts[number - 1] + len(self._lines[number - 1].rstrip())

    def place(self, start: int, end: int) -> Place:
        """Return the place from one offset to another."""
        return Place(start, end, self.number(start), self.number(max(start, end - 1)))

    def whole(self, first: int, last: int) -> Place:
        """Return the place of whole lines."""
        return Place(self._starts[first - 1], self._starts[last], first, last)
