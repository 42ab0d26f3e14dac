"""Content, size and age of mirrors."""

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, Final, Literal

from attrs import evolve, frozen

from rove.ages import age_text
from rove.manifest import kind_of
from rove_core.errors import RoveError
from rove_core.mirror.mirror import (
    Mirror,
    finish_drops,
    other_login_note,
    owner_of,
    unknown_login_note,
)
from rove_core.mirror.state import count_items, oldest_item
from rove_core.operations import PARTIAL, Failure, Operation, Outcome
from rove_core.project.server_state import server_state
from rove_core.safety.active import inactive
from rove_core.terminal.tables import columns, counted, sentences

if TYPE_CHECKING:
    from rove_core.mirror.state import MirrorState
    from rove_core.project.local import LocalProject

MirrorCondition = Literal[
    "none",
    "copying",
    "current",
    "stopped",
    "empty",
    "damaged",
    "other login",
    "unknown login",
    "not connected",
]

_MEGABYTE: Final = 1_000_000
_UNSERVED: Final = (
    "No server is running, so nothing goes on copying {accounts}."
    " Go on: rove mirror update; or leave it to one: rove server start"
)
_REMOVED: Final = (
    "{account} was removed or renamed, and this project's settings still name it. Connect it again:"
    " rove --add-source {account}; or let the settings forget it: rove sources remove {account}"
)


@frozen(kw_only=True)
class MirrorStatus:
    """The mirror of an account.

    Attributes:
        account: The account.
        state: ``none`` if nothing is copied; ``copying`` until the first copy is whole;
            ``current`` while it is kept up to date; ``stopped``; ``empty`` if the account may no
            longer read any of its containers; ``damaged`` if it cannot be read; ``other login`` if
            it was made with another one, so that nothing uses it; ``unknown login`` if the vendor
            was not asked yet whose login the environment holds; ``not connected`` if nothing is
            copied, because the account was removed and only this project's settings name it.
        containers: What is copied.
        incomplete: The containers that are still being copied, or whose older items are.
        items: How many items it has.
        bytes: How much room it takes.
        budget: How much room it may take.
        oldest: When its oldest item changed last.
        updated_at: When its data became possibly incomplete.
        age: How many seconds ago that is.
        keep: For how many days items are kept; 0 for always.
        unlisted: What the account has and its mirror lacks, in a few words.
        problems: Why the last update of containers failed: ``Tracker, Operations: ...``.
        cut_at: Items older than this were removed, because it reached its budget; None if none
            were.
        failed_at: When its last update failed; None if it did not.
        failure: Why it failed, and the next step.
        notes: What else a person should know, a sentence each.
    """

    account: str
    state: MirrorCondition
    containers: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()
    items: int = 0
    bytes: int = 0
    budget: int = 0
    oldest: datetime | None = None
    updated_at: datetime | None = None
    age: int | None = None
    keep: int = 0
    unlisted: str = ""
    problems: tuple[str, ...] = ()
    cut_at: datetime | None = None
    failed_at: datetime | None = None
    failure: str = ""
    notes: tuple[str, ...] = ()


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
        """Return a line for each mirror, and the notes on all of them."""
        notes = dict.fromkeys(note for each in self.mirrors for note in each.notes)
        problems = (
            f"{each.account}: {problem}" for each in self.mirrors for problem in each.problems
        )
        # They quote what containers are called elsewhere.
        said = (sentences([inactive(each)]) for each in (*notes, *problems))
        lines = [*columns(map(_row, self.mirrors)), *said]
        return "\n".join(lines) or "no source is connected in this project"


async def mirror_status(rove: "LocalProject") -> MirrorStatuses:
    """Show each account's mirror: content, size and age."""
    finish_drops(rove.places)
    mirrors = [Mirror.of(rove.places, name) for name in rove.settings.sources.use]
    is_served = server_state(rove.places.rove).running
    statuses, failed, unfinished = list[MirrorStatus](), list[Failure](), list[str]()
    for mirror in mirrors:
        try:
            statuses.append(status_of(rove, mirror))
            if not is_served and _is_unfinished(statuses[-1]):
                unfinished.append(mirror.account)
        except RoveError as error:
            failed.append(Failure.of(error))
            statuses.append(
                MirrorStatus(account=mirror.account, state="damaged", bytes=mirror.size)
            )
    if unfinished:
        note = _UNSERVED.format(accounts=", ".join(unfinished))
        statuses[-1] = evolve(statuses[-1], notes=(*statuses[-1].notes, note))
    return MirrorStatuses(mirrors=tuple(statuses), failed=tuple(failed))


def _is_unfinished(status: MirrorStatus) -> bool:
    return status.state in {"copying", "current"} and bool(status.incomplete)


def status_of(rove: "LocalProject", mirror: Mirror, *notes: str) -> MirrorStatus:
    """Return the status of a mirror, whether there is one or not.

    Args:
        rove: The project.
        mirror: The mirror.
        notes: What else a person should know, a sentence each.
    """
    state = mirror.state()
    if state is None:
        if _is_removed(rove, mirror.account):
            notes = (*notes, _REMOVED.format(account=mirror.account))
            return MirrorStatus(account=mirror.account, state="not connected", notes=notes)
        return MirrorStatus(account=mirror.account, state="none", notes=notes)
    with mirror.reading() as db:
        items, oldest = count_items(db), oldest_item(db)
    at, now = state.updated_at, rove.clock.now()
    kind = kind_of(rove, mirror.account.partition(":")[0])
    status = MirrorStatus(
        account=mirror.account,
        state=_condition(state, _owner(rove, mirror.account)),
        containers=tuple(each.title or each.name for each in state.containers),
        incomplete=tuple(each.title or each.name for each in state.incomplete),
        items=items,
        bytes=mirror.size,
        budget=state.scope.budget,
        oldest=oldest,
        updated_at=at,
        age=max(0, int((now - at).total_seconds())) if at else None,
        keep=state.scope.keep.days if state.scope.keep else 0,
        unlisted=kind.uncopied if kind else "",
        problems=tuple(_problems(state)),
        cut_at=state.cut_at,
        failed_at=state.failure.at if state.failure else None,
        failure=_sentences(state.failure.message, state.failure.hint) if state.failure else "",
    )
    return evolve(status, notes=(*_notes(status, state), *notes))


def _problems(state: "MirrorState") -> Iterator[str]:
    """Yield each reason for which containers could not be updated, after their titles."""
    titles: dict[str, list[str]] = {}
    for each in state.containers:
        if each.failure:
            titles.setdefault(each.failure, []).append(each.title or each.name)
    for failure, names in titles.items():
        yield f"{', '.join(names)}: {failure.removeprefix(f'{names[0]}: ')}"


def _is_removed(rove: "LocalProject", account: str) -> bool:
    """Return whether an account needs a record and has none."""
    kind = kind_of(rove, account.partition(":")[0])
    return bool(kind and kind.logins) and account not in {
        each.name for each in rove.book.accounts()
    }


def _owner(rove: "LocalProject", account: str) -> str:
    """Return the owner that a mirror of an account must have; empty if the account is unknown."""
    owners = {each.name: owner_of(each) for each in rove.book.accounts()}
    return owners.get(account, "")


def _condition(state: "MirrorState", owner: str) -> MirrorCondition:
    if not state.running:
        return "stopped"
    used = state.logins.owner(owner, os.environ)
    if owner and used != state.owner:
        return "other login" if used else "unknown login"
    if not state.containers:
        return "empty"
    return "current" if state.updated_at else "copying"


def _row(status: MirrorStatus) -> Sequence[str]:
    if status.state in {"none", "not connected"}:
        return (status.account, status.state.replace("none", "no mirror"), "", "", "", "")
    if status.state == "damaged":
        return (status.account, "damaged", "", f"{status.bytes / _MEGABYTE:.1f} MB", "", "")
    without = f"without {status.unlisted}" if status.unlisted and status.containers else ""
    return (
        status.account,
        status.state,
        counted(status.items, "item") + (f" of {status.keep} days" if status.keep else ""),
        f"{status.bytes / _MEGABYTE:.1f} of {status.budget / _MEGABYTE:.0f} MB",
        _age(status),
        ", ".join(filter(None, [*map(partial(_container, status), status.containers), without])),
    )


def _container(status: MirrorStatus, title: str) -> str:
    is_copied = status.age is None or title not in status.incomplete
    return title if is_copied else f"{title} (being copied)"


def _age(status: MirrorStatus) -> str:
    if status.age is not None:
        return f"{age_text(status.age)} old"
    return "first copy not whole yet" if status.containers else ""


def _notes(status: MirrorStatus, state: "MirrorState") -> Iterator[str]:
    name = status.account
    if status.state == "other login":
        yield other_login_note(name)
    if status.state == "unknown login":
        yield unknown_login_note(name)
    if status.state == "current" and not status.items and status.keep > 0:
        yield (
            f"Nothing in {name} changed in the last {status.keep} days, so its copy is empty."
            f" To copy older items, too: rove mirror scope {name} --keep all"
        )
    if status.state == "current" and status.incomplete:
        yield (
            f"Still being copied for {name}: {', '.join(status.incomplete)}. Until then, builds"
            " search what is there, and ask for other items that a ticket names."
        )
    if status.cut_at:
        yield (
            f"The copy of {name} reached its budget of {status.budget / _MEGABYTE:.0f} MB, so items"
            f" from before {status.cut_at:%Y-%m-%d} were removed. To copy more:"
            f" rove mirror scope {name} --budget {2 * status.budget // _MEGABYTE}"
        )
    for each in state.lost:
        yield (
            f"{each.title or each.name} was removed from the copy of {name} on"
            f" {each.at:%Y-%m-%d}: the account may no longer read it. To copy it again once it may:"
            f" rove mirror scope {name} --add {quote(each.name)}"
        )
    for each in state.turned_private:
        if each.name in state.scope.containers:
            yield (
                f"{each.title or each.name} turned private by {each.at:%Y-%m-%d}, and is still"
                f" copied for {name}. To forget it: rove mirror scope {name} --remove"
                f" {quote(each.name)}"
            )
    if status.failed_at:
        yield (
            f"The last update of {name} failed at {status.failed_at:%Y-%m-%d %H:%M} UTC:"
            f" {status.failure}"
        )


def _sentences(*texts: str) -> str:
    """Return texts as sentences, one after the other."""
    return " ".join(each if each.endswith((".", "?")) else f"{each}." for each in texts if each)


STATUS = Operation(mirror_status, command="mirror status", offline=True)
