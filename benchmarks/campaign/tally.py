"""What a part of the campaign did, and how much time it has."""

from attrs import define, field

from rove_core.clock import SYSTEM


class Deadline:
    """A moment after which nothing new is begun.

    Args:
        seconds: How far away it is.
    """

    def __init__(self, seconds: float) -> None:
        self._end = SYSTEM.monotonic() + seconds

    @property
    def passed(self) -> bool:
        """Whether it is over."""
        return SYSTEM.monotonic() >= self._end


@define
class Tally:
    """What was counted.

    Attributes:
        name: What was done, and how.
        counts: How often, by what.
        violations: What was wrong, each with what it takes to repeat it.
    """

    name: str
    counts: dict[str, int] = field(factory=dict)
    violations: list[str] = field(factory=list)
    started: float = field(factory=SYSTEM.monotonic)

    def add(self, what: str, number: int = 1) -> None:
        """Count."""
        self.counts[what] = self.counts.get(what, 0) + number

    def __str__(self) -> str:
        counts = ", ".join(f"{number} {what}" for what, number in self.counts.items())
        seconds = SYSTEM.monotonic() - self.started
        return f"{self.name}: {counts}, {len(self.violations)} violations, {seconds:.1f} s"
