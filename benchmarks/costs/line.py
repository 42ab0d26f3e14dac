"""One line of the table."""

from attrs import frozen


@frozen
class Line:
    """Something that was measured.

    Attributes:
        what: What it is.
        measured: How much it is.
        most: How much it may be; None when nobody says.
    """

    what: str
    measured: float
    most: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether it is more than it may be."""
        return self.most is not None and self.measured > self.most

    def __str__(self) -> str:
        limit = "" if self.most is None else f"{self.most:10.3f}"
        word = "  over" if self.is_over else ""
        return f"{self.what:56}{self.measured:10.3f}{limit}{word}"
