"""Remove Rove's data: of this project, or of this user."""

from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove.operations.removal import Removal
from rove_core.errors import ConsentNeeded
from rove_core.operations import Operation, Outcome
from rove_core.terminal.tables import page, sentences

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject


@frozen(kw_only=True)
class PurgeResult(Outcome):
    """The removed and the remaining files.

    Attributes:
        removed: What is gone, one line each.
        stays: What stays, one line each.
        notes: What could not be done.
        complete: Whether nothing is left on this machine that was to be removed.
    """

    removed: tuple[str, ...]
    stays: tuple[str, ...]
    notes: tuple[str, ...]
    complete: bool

    @property
    def exit_code(self) -> int:
        """The exit code: 1 if something is left on this machine."""
        return int(not self.complete)

    def show(self) -> str:
        """Return it for people."""
        return _show(self)


async def purge(
    rove: "LocalProject",
    *,
    documents: Annotated[bool, "Also remove the documents."] = False,
    all: Annotated[  # noqa: A002  # what the option is called
        bool, "Also remove your accounts, logins, trust and limits, and the memory of all projects."
    ] = False,
    yes: Annotated[bool, "Do not ask for confirmation."] = False,
) -> PurgeResult:
    """Remove what Rove keeps for this project.

    Documents, accounts and logins stay unless you ask for their removal. Logins are revoked at
    their vendors where the vendor allows that.
    """
    removal = Removal(rove, documents=documents, of_user=all)
    gone, stays = tuple(removal.goes()), tuple(removal.stays())
    if gone and not yes:
        raise ConsentNeeded(
            "removing this needs your confirmation",
            notice=page(_lines("to be removed:", gone, stays)),
            question="Remove it?",
            hint="To remove it, run the same command with: --yes",
        )
    undone = [each async for each in removal.carry_out()]
    return PurgeResult(
        removed=gone,
        stays=stays,
        notes=tuple(each.text for each in undone),
        complete=not any(each.is_left for each in undone),
    )


def _lines(head: str, gone: tuple[str, ...], stays: tuple[str, ...]) -> list[str]:
    lines = [head, *(f"  {line}" for line in gone)] if gone else ["nothing to remove"]
    if stays:
        lines += ["this stays:", *(f"  {line}" for line in stays)]
    return lines


def _show(purged: PurgeResult) -> str:
    lines = _lines("removed:", purged.removed, purged.stays)
    return sentences([*lines, *(f"note: {note}" for note in purged.notes)])


PURGE = Operation(purge, changes=True, terminal_only=True, command="purge", project="closed")
