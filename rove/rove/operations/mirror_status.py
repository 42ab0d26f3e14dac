"""Content, size and age of mirrors."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from attrs import frozen

from rove.ages import age_text
from rove.manifest import kind_of
from rove_core.errors import RoveError
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.state import count_items, oldest_item
from rove_core.operations import PARTIAL, Failure, Operation, Outcome
from rove_core.terminal.tables import columns

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject

MirrorCondition = Literal["none", "copying", "current", "stopped", "damaged"]

_MEGABYTE: Final = 1_000_000


@frozen(kw_only=True)
class MirrorStatus:
    """The mirror of an account.

    Attributes:
        account: The account.
        state: ``none`` if nothing is copied; ``copying`` until the first copy is whole;
            ``current`` while it is kept up to date; ``stopped``; ``damaged`` if it cannot be read.
        containers: What is copied.
        items: How many items it has.
        bytes: How much room it takes.
        budget: How much room it may take.
        oldest: When its oldest item changed last.
        updated_at: When its data became possibly incomplete.
        age: How many seconds ago that is.
        keep: For how many days items are kept; 0 for always.
        unlisted: What the account has and its mirror lacks, in a few words.
        problems: Why the last update of each container failed, if it did: ``Tracker: ...``.
    """

    account: str
    state: MirrorCondition
    containers: tuple[str, ...] = ()
    items: int = 0
    bytes: int = 0
    budget: int = 0
    oldest: datetime | None = None
    updated_at: datetime | None = None
    age: int | None = None
    keep: int = 0
    unlisted: str = ""
    problems: tuple[str, ...] = ()


@frozen(kw_only=True)
class MirrorStatuses(Outcome):
    """The mirrors of a project's accounts, and the failed updates.

    Attributes:
        mirrors: One for each account.
        failed: Why accounts could not be copied to the end just now.
    """

    mirrors: tuple[MirrorStatus, ...]
    failed: tuple[Failure, ...] = ()

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return PARTIAL if self.failed else 0

    @property
    def failures(self) -> Sequence[Failure]:
        """Why accounts could not be copied to the end."""
        return self.failed

    def show(self) -> str:
        """Return a line for each mirror, and what to do about empty ones."""
        lines = [*columns(map(_row, self.mirrors)), *map(_hint, filter(_is_empty, self.mirrors))]
        lines += [
            f"{each.account}: {problem}" for each in self.mirrors for problem in each.problems
        ]
        return "\n".join(lines) or "no source is connected in this project"


async def mirror_status(rove: "LocalProject") -> MirrorStatuses:
    """Show each account's mirror: content, size and age."""
    mirrors = [Mirror.of(rove.places, name) for name in rove.settings.sources.use]
    statuses, failed = list[MirrorStatus](), list[Failure]()
    for mirror in mirrors:
        try:
            statuses.append(status_of(rove, mirror))
        except RoveError as error:
            failed.append(Failure.of(error))
            statuses.append(
                MirrorStatus(account=mirror.account, state="damaged", bytes=mirror.size)
            )
    return MirrorStatuses(mirrors=tuple(statuses), failed=tuple(failed))


def status_of(rove: "LocalProject", mirror: Mirror) -> MirrorStatus:
    """Return the status of a mirror, whether there is one or not."""
    state = mirror.state()
    if state is None:
        return MirrorStatus(account=mirror.account, state="none")
    with mirror.reading() as db:
        items, oldest = count_items(db), oldest_item(db)
    at, now = state.updated_at, rove.clock.now()
    kind = kind_of(rove, mirror.account.partition(":")[0])
    condition: MirrorCondition = "stopped" if not state.running else "current" if at else "copying"
    return MirrorStatus(
        account=mirror.account,
        state=condition,
        containers=tuple(each.title or each.name for each in state.containers),
        items=items,
        bytes=mirror.size,
        budget=state.scope.budget,
        oldest=oldest,
        updated_at=at,
        age=max(0, int((now - at).total_seconds())) if at else None,
        keep=state.scope.keep.days if state.scope.keep else 0,
        unlisted=kind.uncopied if kind else "",
        problems=tuple(
            f"{each.title or each.name}: {each.failure}"
            for each in state.containers
            if each.failure
        ),
    )


def _row(status: MirrorStatus) -> Sequence[str]:
    if status.state == "none":
        return (status.account, "no mirror", "", "", "", "")
    if status.state == "damaged":
        return (status.account, "damaged", "", f"{status.bytes / _MEGABYTE:.1f} MB", "", "")
    return (
        status.account,
        status.state,
        f"{status.items} items" + (f" of {status.keep} days" if status.keep else ""),
        f"{status.bytes / _MEGABYTE:.1f} of {status.budget / _MEGABYTE:.0f} MB",
        f"{age_text(status.age)} old" if status.age is not None else "first copy under way",
        ", ".join(status.containers) + (f", without {status.unlisted}" if status.unlisted else ""),
    )


def _is_empty(status: MirrorStatus) -> bool:
    return status.state == "current" and not status.items and status.keep > 0


def _hint(status: MirrorStatus) -> str:
    return (
        f"Nothing in {status.account} changed in the last {status.keep} days, so its copy is empty."
        f" To copy older items, too: rove mirror scope {status.account} --keep all"
    )


STATUS = Operation(mirror_status, command="mirror status", offline=True)
