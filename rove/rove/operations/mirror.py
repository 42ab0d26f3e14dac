"""Mirrors: local copies of accounts, so that builds need not query vendors."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove.operations.mirror_status import MirrorStatus, MirrorStatuses, status_of
from rove_core.errors import ConsentNeeded, UnknownAccount, WrongCall
from rove_core.mirror.mirror import Mirror, owner_of
from rove_core.mirror.scope import MirrorScope, proposed
from rove_core.operations import Failure, Operation
from rove_core.project.settings import parse_duration
from rove_core.store.document_items import cited_ids
from rove_core.terminal.tables import page

if TYPE_CHECKING:
    from rove_core.listing import Container
    from rove_core.project.local import LocalProject
    from rove_core.project.project import Project

_MEGABYTE: Final = 1_000_000
_ALL: Final = "all"


@frozen(kw_only=True)
class DroppedMirrors:
    """The mirrors that were removed.

    Attributes:
        accounts: The accounts whose mirrors were removed.
        bytes: How much room they took.
    """

    accounts: tuple[str, ...]
    bytes: int


async def mirror_start(  # noqa: PLR0913  # each is a word of its own
    rove: "Project",
    *,
    account: Annotated[str, "An account that this project uses, or its kind."],
    container: Annotated[
        tuple[str, ...], "A project, repository or channel to copy; may be given again."
    ] = (),
    keep: Annotated[
        str | None, "How far back to copy, and how long to keep it: 365d or all."
    ] = None,
    budget: Annotated[int | None, "How many megabytes it may take."] = None,
    yes: Annotated[bool, "Accept the vendor's terms about copies."] = False,
) -> MirrorStatuses:
    """Copy an account's content to this machine, and keep the copy up to date.

    Without containers it copies what this project's documents cite. The server goes on copying in
    the background; builds use the copy as soon as it is whole.
    """
    meant = rove.account(account)
    mirror, kind = rove.mirror(meant.name), rove.plugins.kind(meant.kind)
    _check_can_be_copied(rove, meant.name, has_login=bool(kind.logins))
    if kind.mirror_terms and not yes and mirror.state() is None:
        raise ConsentNeeded(
            f"Copying {meant.name} needs your consent.",
            notice=kind.mirror_terms,
            question="Copy it to this machine?",
            hint=f"If you agree, run: rove mirror start {meant.name} --yes",
        )
    scope, containers = await _scope_meant(rove, mirror, container, keep, budget)
    with mirror.writing() as writer:
        writer.choose(scope, containers, owner=owner_of(meant), now=rove.clock.now())
    return await _update(rove, [meant.name], for_person=True)


async def mirror_update(
    rove: "Project",
    *,
    account: Annotated[str | None, "An account or a kind; default: all."] = None,
    background: Annotated[bool, "Take at most half of each limit."] = False,
) -> MirrorStatuses:
    """Bring mirrors up to date, as far as the vendors' limits allow now."""
    names = [rove.account(account).name] if account else rove.accounts.names
    return await _update(rove, names, for_person=not background)


async def mirror_stop(
    rove: "LocalProject",
    *,
    account: Annotated[str, "An account that this project uses, or its kind."],
) -> MirrorStatuses:
    """Stop using and updating a mirror; the copy stays."""
    mirror = _existing_mirror(rove, account)
    with mirror.writing() as writer:
        writer.set_running(running=False)
    return MirrorStatuses(mirrors=(status_of(rove, mirror),))


async def mirror_drop(
    rove: "LocalProject",
    *,
    account: Annotated[str, "An account, its kind, or 'all'."],
) -> DroppedMirrors:
    """Delete a mirror; quotes in documents stay."""
    mirrors = [
        mirror
        for name in rove.settings.sources.use
        if (mirror := Mirror.of(rove.places, name)).has_files
    ]
    chosen = mirrors if account.lower() == _ALL else [_existing_mirror(rove, account)]
    dropped = {each.account: each.drop() for each in chosen}
    return DroppedMirrors(accounts=tuple(dropped), bytes=sum(dropped.values()))


async def readable_containers(rove: "Project", account: str) -> "Sequence[Container]":
    """Return what can be copied of an account.

    Raises:
        WrongCall: Its source cannot list anything.
    """
    if not rove.accounts.can(account, "rove_containers"):
        raise WrongCall(
            f"{account} cannot be copied: its source cannot list its content",
            hint="Builds keep asking it as before.",
        )
    return await rove.accounts.containers(account)


def named_containers(
    readable: "Sequence[Container]", names: Sequence[str], account: str
) -> "Sequence[Container]":
    """Return the containers that a person means by their names or titles."""
    return [_container_named(readable, name, account) for name in names]


def retention(keep: str | None, before: timedelta | None) -> timedelta | None:
    """Return how long items are kept: as given, else as before; None for ever."""
    if keep is None:
        return before
    if keep.lower() == _ALL:
        return None
    try:
        return parse_duration(keep)
    except ValueError as error:
        raise WrongCall(f"keep: {error}, and not 'all'") from error


async def _scope_meant(
    rove: "Project", mirror: Mirror, names: Sequence[str], keep: str | None, budget: int | None
) -> "tuple[MirrorScope, Sequence[Container]]":
    """Return the scope: as given, as chosen before, or as proposed from citations."""
    readable = await readable_containers(rove, mirror.account)
    before = state.scope if (state := mirror.state()) else MirrorScope()
    chosen = named_containers(readable, names, mirror.account)
    if not chosen:
        chosen = [each for each in readable if each.name in before.containers]
    if not chosen:
        cited = await rove.store.read(cited_ids, mirror.account)
        chosen = proposed(readable, cited)
    if not chosen:
        raise WrongCall(
            f"Choose what to copy of {mirror.account}: it has {len(readable)} containers, and no "
            "document cites any.",
            hint=f"See them with: rove mirror scope {mirror.account}",
        )
    scope = MirrorScope(
        containers=tuple(each.name for each in chosen),
        keep=retention(keep, before.keep),
        budget=budget * _MEGABYTE if budget else before.budget,
    )
    return scope, chosen


async def _update(rove: "Project", accounts: Sequence[str], *, for_person: bool) -> MirrorStatuses:
    from rove_core.mirror.update import FOR_A_PERSON, IN_BACKGROUND  # noqa: PLC0415  # slow to import

    limits = FOR_A_PERSON if for_person else IN_BACKGROUND
    statuses: list[MirrorStatus] = []
    failed: list[Failure] = []
    for name in accounts:
        mirror = rove.mirror(name)
        if mirror.exists:
            done = await rove.update_mirror(name, limits)
            failed += [Failure.of(done.failure)] if done.failure else []
        statuses.append(status_of(rove, mirror))
    return MirrorStatuses(mirrors=tuple(statuses), failed=tuple(failed))


def _existing_mirror(rove: "LocalProject", text: str) -> Mirror:
    """Return the mirror that a person means."""
    used = rove.settings.sources.use
    candidates = [
        name
        for name in used
        if text.lower() in {name, name.partition(":")[0]} and Mirror.of(rove.places, name).has_files
    ]
    exact = [name for name in candidates if name == text.lower()]
    if len(exact or candidates) != 1:
        raise UnknownAccount(
            f"There is no mirror of {text}."
            if not candidates
            else f"{text} could be {', '.join(candidates)}.",
            hint="See them with: rove mirror status",
        )
    return Mirror.of(rove.places, (exact or candidates)[0])


def _check_can_be_copied(rove: "Project", account: str, *, has_login: bool) -> None:
    if not has_login:
        raise WrongCall(
            f"{account} is already on this machine; it needs no copy",
            hint="See what can be copied: rove mirror status",
        )
    if not rove.accounts.can(account, "rove_list"):
        raise WrongCall(
            f"{account} cannot be copied: its source cannot list its content",
            hint="Builds keep asking it as before.",
        )


def _container_named(readable: "Sequence[Container]", name: str, account: str) -> "Container":
    needle = name.lower().removeprefix("#")
    for each in readable:
        if needle in {each.name.lower(), each.title.lower().removeprefix("#")}:
            return each
    raise WrongCall(
        f"{account} has no {name!r}, or may not read it",
        hint=f"See what it has: rove mirror scope {account}",
    )


def _dropped_lines(dropped: DroppedMirrors) -> Iterator[str]:
    yield f"removed {', '.join(dropped.accounts) or 'nothing'}: {dropped.bytes / _MEGABYTE:.1f} MB"


def _show_dropped(dropped: DroppedMirrors) -> str:
    return page(_dropped_lines(dropped))


START = Operation(
    mirror_start, command="mirror start", changes=True, terminal_only=True, for_people=("yes",)
)
UPDATE = Operation(mirror_update, command="mirror update", changes=True)
STOP = Operation(
    mirror_stop, command="mirror stop", changes=True, terminal_only=True, project="closed"
)
DROP = Operation(
    mirror_drop,
    command="mirror drop",
    changes=True,
    terminal_only=True,
    project="closed",
    show=_show_dropped,
)
