"""One line of the table."""

from attrs import frozen


@frozen
class Line:
    """Something that was measured.

    Attributes:
        what: What it is.
        measured: How much it is.
        most: How much it may be; None when nobody says.
        least: How much it has to be; None when nobody says.
    """

    what: str
    measured: float
    most: float | None = None
    least: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether it is more than it may be, or less than it has to be."""
        is_more = self.most is not None and self.measured > self.most
        return is_more or (self.least is not None and self.measured < self.least)

    def __str__(self) -> str:
        bound = self.least if self.most is None else self.most
        limit = "" if bound is None else f"{bound:10.3f}"
        word = f"  {'over' if self.most is not None else 'under'}" if self.is_over else ""
        return f"{self.what:56}{self.measured:10.3f}{limit}{word}"
