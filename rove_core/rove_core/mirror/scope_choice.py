"""The choice of what a mirror copies, and how far back."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from shlex import quote
from typing import TYPE_CHECKING, Final

from attrs import evolve

from rove_core.errors import Locked, WrongCall
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.scope import MirrorScope, is_in
from rove_core.mirror.state import count_of_each
from rove_core.project.settings import parse_duration
from rove_core.terminal.tables import counted

if TYPE_CHECKING:
    from rove_core.listing import Container
    from rove_core.mirror.copied_containers import CopiedContainer
    from rove_core.mirror.state import MirrorState
    from rove_core.project.project import Project

_MEGABYTE: Final = 1_000_000
_ALL: Final = "all"


def check_can_be_copied(rove: "Project", account: str) -> None:
    """Check that an account is elsewhere, and that its source can list it.

    Raises:
        WrongCall: It needs no copy, or there can be none.
    """
    if not rove.plugins.kind(rove.account(account).kind).logins:
        raise WrongCall(
            f"{account} is already on this machine; it needs no copy",
            hint="See what can be copied: rove mirror status",
        )
    if not rove.accounts.can(account, "rove_list"):
        raise WrongCall(
            f"{account} cannot be copied: its source cannot list its content",
            hint="Builds keep asking it as before.",
        )


async def readable_containers(rove: "Project", account: str) -> "Sequence[Container]":
    """Return what can be copied of an account.

    Raises:
        WrongCall: It needs no copy, or there can be none.
    """
    check_can_be_copied(rove, account)
    return await rove.accounts.containers(account)


def known_containers(state: "MirrorState") -> "Sequence[Container]":
    """Return the containers of a mirror's scope as they were last named."""
    from rove_core.listing import Container  # noqa: PLC0415  # a status needs none

    return [
        Container(name=each.name, title=each.title, private=each.private)
        for each in state.containers
    ]


def named_containers(
    containers: "Sequence[Container]", names: Sequence[str], account: str
) -> "Sequence[Container]":
    """Return the containers that a person means by their names or titles."""
    return [_container_named(containers, name, account) for name in names]


def find_container(
    containers: "Sequence[Container]", name: str, account: str
) -> "Container | None":
    """Return the container with a name, else the only one with such a title; None if there is none.

    Raises:
        WrongCall: There are several.
    """
    needle = name.lower().removeprefix("#")
    exact = {each.name: each for each in containers if each.name == name}
    named = {each.name: each for each in containers if each.name.lower() == needle}
    titled = {each.name: each for each in containers if _plain(each.title) == needle}
    found = exact or named or titled
    if len(found) > 1:
        raise WrongCall(
            f"{account} has more than one {name!r}: {', '.join(sorted(found))}",
            hint=f"Give the name of the one you mean; see them: rove mirror scope {account}",
        )
    return next(iter(found.values()), None)


async def meant_containers(
    rove: "Project", account: str, readable: "Sequence[Container]", names: Sequence[str]
) -> "Sequence[Container]":
    """Return the containers that a person means, also those that the vendor does not list.

    Of some vendors the account can read more than it lists, such as repositories that no setting
    names: these are requested by their names.

    Args:
        rove: The project.
        account: The account.
        readable: The containers that the vendor lists.
        names: Their names or titles, as a person writes them.
    """
    others: Sequence[Container] = ()
    unknown = [each for each in names if find_container(readable, each, account) is None]
    if unknown and rove.accounts.can(account, "rove_readable"):
        others = (await rove.accounts.readable(account, unknown)).containers
    return named_containers([*readable, *others], names, account)


def cited_private(containers: "Sequence[Container]", cited: Iterable[str]) -> "Sequence[Container]":
    """Return the private containers that documents cite."""
    ids = [*cited]
    private = [each for each in containers if each.private]
    return [each for each in private if any(is_in(name, each.name) for name in ids)]


def private_notes(account: str, containers: "Sequence[Container]") -> Iterator[str]:
    """Yield what to say of private containers that documents cite and that are not copied."""
    if containers:
        titles = [each.title or each.name for each in containers]
        yield (
            f"Documents cite private containers of {account} that are not copied:"
            f" {', '.join(titles)}. To copy one:"
            f" rove mirror scope {account} --add {quote(titles[0])}"
        )


def unreadable_notes(account: str, containers: "Sequence[Container]") -> Iterator[str]:
    """Yield what to say of containers that another login copied and that this one cannot read."""
    if containers:
        titles = ", ".join(each.title or each.name for each in containers)
        yield f"This login to {account} cannot read {titles}, so that was removed from the copy."


def coverage_notes(mirror: Mirror, containers: str) -> Iterator[str]:
    """Yield what to say of a mirror that covers only a part of its account.

    Args:
        mirror: The mirror.
        containers: What the account's containers are called.
    """
    state = mirror.state()
    if state and (coverage := state.coverage(containers)):
        account = mirror.account
        begin = "Once it is whole, builds" if state.is_first_copy else "Builds"
        yield (
            f"The copy of {account} is of {coverage}. {begin} search nothing else of {account}."
            f" To copy more: rove mirror scope {account}"
        )


def choose_scope(  # noqa: PLR0913  # each is stored
    mirror: Mirror,
    before: "MirrorState | None",
    scope: MirrorScope,
    containers: "Sequence[Container]",
    *,
    owner: str,
    now: datetime,
    starts: bool = True,
    readable: int = 0,
) -> None:
    """Set a mirror's scope, unless another command has changed it meanwhile.

    Args:
        mirror: The mirror.
        before: Its state when the new scope was made from it; None if there was no mirror.
        scope: The new scope.
        containers: The containers of the new scope.
        owner: The owner of the copy.
        now: The time.
        starts: Whether the mirror is kept current and used from now on; else that stays as it is.
        readable: How many containers the account can read; 0 if that was not queried.

    Raises:
        Locked: Another command has; what it added would be deleted.
    """
    from rove_core.mirror.mirror_writer import ScopeChangedError  # noqa: PLC0415  # most only read

    try:
        with mirror.writing() as writer:
            evolve(writer, generation=before.generation if before else 0).choose(
                scope, containers, owner=owner, now=now, starts=starts, readable=readable
            )
    except ScopeChangedError:
        raise Locked(
            f"another command has just changed what is copied of {mirror.account}",
            hint="See what is copied, then try again: rove mirror status",
        ) from None


def changed_scope(
    before: MirrorScope,
    containers: "Sequence[Container]",
    keep: str | None,
    budget: int | None,
) -> MirrorScope:
    """Return a scope with other containers, and with the limits that a person gives.

    Args:
        before: The scope before.
        containers: What to copy.
        keep: How far back, as a person writes it; as before if None.
        budget: How many megabytes the mirror may take; as before if None.
    """
    if budget is not None and budget < 1:
        raise WrongCall(
            f"budget {budget}: expected 1 or more megabytes",
            hint="To delete a copy: rove mirror drop ACCOUNT",
        )
    return evolve(
        before,
        containers=tuple(each.name for each in containers),
        keep=_retention(keep, before.keep),
        budget=budget * _MEGABYTE if budget else before.budget,
    )


def check_keeps(
    mirror: Mirror,
    state: "MirrorState",
    scope: MirrorScope,
    containers: "Sequence[Container]",
) -> None:
    """Check that a new scope deletes nothing that is copied.

    Args:
        mirror: The mirror.
        state: Its state.
        scope: Its new scope.
        containers: The containers of that scope.

    Raises:
        WrongCall: It would; the hint says how to do that, or how to copy both.
    """
    account = mirror.account
    if gone := [each for each in state.containers if each.name not in scope.containers]:
        new = [each for each in containers if each.name not in state.scope.containers]
        adding = f"To copy both: {_scope_command(account, '--add', new)}; to" if new else "To"
        raise WrongCall(
            f"start deletes nothing, and these would leave the copy of {account}: "
            f"{_sizes(mirror, gone)}",
            hint=f"{adding} delete these: {_scope_command(account, '--remove', gone)}",
        )
    if state.scope.goes_further_back(scope) and scope.keep:
        raise WrongCall(
            f"start deletes nothing, and {account} has items that are older than {scope.keep.days} "
            "days or may get some",
            hint=f"To delete them: rove mirror scope {account} --keep {scope.keep.days}d",
        )
    if scope.budget < state.scope.budget:
        megabytes = scope.budget // _MEGABYTE
        raise WrongCall(
            f"start deletes nothing, and with {megabytes} MB instead of"
            f" {state.scope.budget // _MEGABYTE} MB the copy of {account} may lose items",
            hint=f"To lower its budget: rove mirror scope {account} --budget {megabytes}",
        )


def _retention(keep: str | None, before: timedelta | None) -> timedelta | None:
    """Return how long items are kept: as given, else as before; None for ever."""
    if keep is None:
        return before
    if keep.lower() == _ALL:
        return None
    try:
        duration = parse_duration(keep)
    except ValueError as error:
        raise WrongCall(f"keep: {error}, and not 'all'") from error
    if duration < timedelta(days=1):
        raise WrongCall(f"keep {keep}: expected 1d or more, or all")
    return duration


def _plain(title: str) -> str:
    return title.lower().removeprefix("#")


def _container_named(containers: "Sequence[Container]", name: str, account: str) -> "Container":
    if found := find_container(containers, name, account):
        return found
    raise WrongCall(
        f"{account} has no {name!r}, or may not read it",
        hint=f"See what it has: rove mirror scope {account}",
    )


def _sizes(mirror: Mirror, containers: "Sequence[CopiedContainer]") -> str:
    with mirror.reading() as db:
        counts = count_of_each(db)
    return ", ".join(
        f"{each.title or each.name} ({counted(counts.get(each.name, 0), 'item')})"
        for each in containers
    )


def _scope_command(
    account: str, option: str, containers: "Sequence[Container | CopiedContainer]"
) -> str:
    options = " ".join(f"{option} {quote(each.name)}" for each in containers)
    return f"rove mirror scope {account} {options}"
