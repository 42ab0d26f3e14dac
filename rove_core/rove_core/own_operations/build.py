"""Building the documents of tickets."""

from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove_core.builds import Built
from rove_core.errors import RoveError
from rove_core.operations import Failure, Operation

if TYPE_CHECKING:
    from rove_core.project import Project

#: Of several tickets' exit codes, the first of these that occurs is everyone's.
_WORST_FIRST: Final = (7, 6, 4, 1, 3, 5, 0)
_PARTIAL: Final = 5


@frozen(kw_only=True)
class FailedTicket:
    """A ticket whose document could not be built.

    Attributes:
        ticket: Its id.
        error: Why.
        exit_code: What the command line ends with for it.
    """

    ticket: str
    error: Failure
    exit_code: int


@frozen(kw_only=True)
class BuildResults:
    """What became of the tickets.

    Attributes:
        built: Those that have a document now.
        failed: Those that have none.
    """

    built: tuple[Built, ...]
    failed: tuple[FailedTicket, ...]

    @property
    def exit_code(self) -> int:
        """What the command line ends with."""
        codes = {each.exit_code for each in self.failed}
        codes |= {_PARTIAL if each.failures else 0 for each in self.built}
        return next((code for code in _WORST_FIRST if code in codes), 1)


async def build(
    rove: "Project",
    *,
    tickets: Annotated[tuple[str, ...], "The tickets' ids."],
    source: Annotated[str | None, "The account that has them, or its kind."] = None,
) -> BuildResults:
    """Build or refresh the documents of tickets."""
    built: list[Built] = []
    failed: list[FailedTicket] = []
    for ticket in dict.fromkeys(_each(tickets)):
        try:
            built.append(await rove.build(ticket, source=source or ""))
        except RoveError as error:
            failed.append(
                FailedTicket(ticket=ticket, error=Failure.of(error), exit_code=error.exit_code)
            )
    return BuildResults(built=tuple(built), failed=tuple(failed))


def _each(tickets: tuple[str, ...]) -> list[str]:
    """Return the ids; several may stand in one word, with commas between them."""
    return [ticket for word in tickets for part in word.split(",") if (ticket := part.strip())]


BUILD = Operation(
    build,
    changes=True,
    show=lambda results: "\n".join(str(each.document.path) for each in results.built),
)
