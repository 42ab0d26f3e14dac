"""A result that says itself how it is shown, and what failed in it."""

from collections.abc import Sequence

from attrs import frozen

from rove_core import PARTIAL, Failure, Outcome


@frozen(kw_only=True)
class Links(Outcome):
    """The links of a text, checked.

    Attributes:
        working: Those that lead somewhere.
        broken: Why the others do not.
    """

    working: tuple[str, ...]
    broken: tuple[Failure, ...] = ()

    def show(self) -> str:
        """Return a line for each link."""
        return "\n".join(self.working)

    @property
    def exit_code(self) -> int:
        """Return 5 if a link is broken."""
        return PARTIAL if self.broken else 0

    @property
    def failures(self) -> Sequence[Failure]:
        """Return why links are broken."""
        return self.broken
