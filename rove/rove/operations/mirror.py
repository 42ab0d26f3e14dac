"""Mirrors: local copies of accounts, so that builds need not query vendors."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve, frozen

from rove.operations.index_texts import forget_texts
from rove.operations.mirror_progress import copying_server, update_failure, update_note
from rove.operations.mirror_status import MirrorStatus, MirrorStatuses, status_of
from rove.operations.source_remove import projects_naming
from rove_core.errors import ConsentNeeded, UnknownAccount, WrongCall
from rove_core.mirror.mirror import Mirror, mirrors_without
from rove_core.mirror.scope import MirrorScope, proposed, start_command
from rove_core.mirror.scope_choice import (
    changed_scope,
    check_can_be_copied,
    check_keeps,
    choose_scope,
    cited_private,
    coverage_notes,
    known_containers,
    meant_containers,
    private_notes,
    readable_containers,
    unreadable_notes,
)
from rove_core.operations import Failure, Operation
from rove_core.store.document_items import cited_ids
from rove_core.terminal.tables import sentences

if TYPE_CHECKING:
    from rove_core.listing import Container
    from rove_core.mirror.state import MirrorState
    from rove_core.project.local import LocalProject
    from rove_core.project.project import Project

_MEGABYTE: Final = 1_000_000
_ALL: Final = "all"
_SEE_THEM: Final = "See them with: rove mirror status"


@frozen(kw_only=True)
class DroppedMirrors:
    """The mirrors that were removed.

    Attributes:
        accounts: The accounts whose mirrors were removed.
        bytes: How much room they took.
        left: The accounts that this project does not use, whose mirrors stay.
        notes: What is left to do.
    """

    accounts: tuple[str, ...]
    bytes: int
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


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

    Without containers it goes on with those chosen before, else it copies all public ones if there
    are few, and of many those that this project's documents cite. Private containers are copied
    only if they are named. The server goes on copying in the background; builds use the copy as
    soon as it is whole.
    """
    meant = rove.account(account)
    mirror, kind = rove.mirror(meant.name), rove.plugins.kind(meant.kind)
    check_can_be_copied(rove, meant.name)
    state = mirror.state()
    if kind.mirror_terms and not yes and state is None:
        asked = evolve(changed_scope(MirrorScope(), (), keep, budget), containers=container)
        raise ConsentNeeded(
            f"Copying {meant.name} needs your consent.",
            notice=kind.mirror_terms,
            question="Copy it to this machine?",
            hint=f"If you agree, run: {start_command(meant.name, asked)} --yes",
        )
    owner = await rove.login_owner(meant.name)
    before = state if state and state.owner == owner else None
    choice = await _choice(rove, mirror, state, container, is_other=before is None)
    scope = changed_scope(state.scope if state else MirrorScope(), choice.containers, keep, budget)
    if before:
        check_keeps(mirror, before, scope, choice.containers)
    choose_scope(
        mirror,
        state,
        scope,
        choice.containers,
        owner=owner,
        now=rove.clock.now(),
        readable=choice.readable,
    )
    notes = chain(
        private_notes(meant.name, choice.private),
        unreadable_notes(meant.name, choice.unreadable),
        coverage_notes(mirror, kind.containers),  # read after the update
    )
    return await _update(rove, [meant.name], notes=notes, starts_server=True)


async def mirror_update(
    rove: "Project",
    *,
    account: Annotated[str | None, "An account or a kind; default: all."] = None,
    background: Annotated[bool, "Take at most half of each limit."] = False,
) -> MirrorStatuses:
    """Bring mirrors up to date, as far as the vendors' limits allow now."""
    names = [rove.account(account).name] if account else rove.accounts.names
    return await _update(rove, names, in_background=background)


async def mirror_stop(
    rove: "LocalProject",
    *,
    account: Annotated[str, "An account that this project uses, its kind, or 'all' of them."],
) -> MirrorStatuses:
    """Stop using and updating a mirror; the copy stays."""
    mirrors = _mirrors_used(rove)
    chosen = mirrors if account.lower() == _ALL else [_mirror_meant(rove, mirrors, account)]
    for mirror in chosen:
        with mirror.writing() as writer:
            writer.set_running(running=False)
    shown = chosen or [Mirror.of(rove.places, name) for name in rove.settings.sources.use]
    return MirrorStatuses(mirrors=tuple(status_of(rove, each) for each in shown))


async def mirror_drop(
    rove: "LocalProject",
    *,
    account: Annotated[str, "An account, its kind, or 'all' of this project and removed ones."],
) -> DroppedMirrors:
    """Delete a mirror and its texts in indexes; quotes in documents stay.

    'all' deletes the mirrors of this project's accounts, and those of accounts that were removed.
    """
    mirrors = [*_mirrors_used(rove), *_mirrors_left(rove)]
    chosen = mirrors if account.lower() == _ALL else [_mirror_meant(rove, mirrors, account)]
    # Before a mirror counts as missing, so that an interrupted drop can be repeated; and after, for
    # what builds have stored meanwhile: what they store later, they erase at their end.
    for each in chosen:
        forget_texts(rove.places, each.account)
        each.begin_drop()
    notes = [note for each in chosen for note in forget_texts(rove.places, each.account)]
    dropped = {each.account: each.drop() for each in chosen}
    rest = mirrors_without(rove.places, dropped) if account.lower() == _ALL else ()
    return DroppedMirrors(
        accounts=tuple(dropped),
        bytes=sum(dropped.values()),
        left=tuple(each.account for each in rest),
        notes=tuple(notes),
    )


@frozen
class _Choice:
    """What to copy.

    Attributes:
        containers: The containers to copy.
        private: The private ones that are not copied and that documents cite.
        readable: How many containers the account can read; 0 if that was not queried.
        unreadable: The containers chosen before with another login that this one cannot read.
    """

    containers: "Sequence[Container]"
    private: "Sequence[Container]" = ()
    readable: int = 0
    unreadable: "Sequence[Container]" = ()


async def _choice(
    rove: "Project",
    mirror: Mirror,
    state: "MirrorState | None",
    names: Sequence[str],
    *,
    is_other: bool,
) -> _Choice:
    """Return the containers as given, as chosen before, or as proposed from citations.

    What was chosen before needs no request, unless with another login.
    """
    before = known_containers(state) if state and not names else ()
    if before and not is_other:
        return _Choice(before)
    readable = await readable_containers(rove, mirror.account)
    if names:
        chosen = await meant_containers(rove, mirror.account, readable, names)
        return _Choice(chosen, readable=len({each.name for each in [*readable, *chosen]}))
    if before:
        chosen = [each for each in readable if each.name in {other.name for other in before}]
        left = [each for each in before if each.name not in {other.name for other in chosen}]
        if chosen:
            return _Choice(chosen, readable=len(readable), unreadable=left)
    cited = await rove.store.read(cited_ids, mirror.account)
    chosen = proposed(readable, cited)
    if not chosen:
        raise WrongCall(
            f"Choose what to copy of {mirror.account}: it has {len(readable)} containers, and no "
            "document cites a public one.",
            hint=f"See them with: rove mirror scope {mirror.account}",
        )
    return _Choice(chosen, cited_private(readable, cited), len(readable))


async def _update(
    rove: "Project",
    accounts: Sequence[str],
    *,
    in_background: bool = False,
    notes: Iterable[str] = (),
    starts_server: bool = False,
) -> MirrorStatuses:
    from rove_core.mirror.parallel_updates import (  # noqa: PLC0415  # slow to import
        scope_number_of,
        update_all,
    )
    from rove_core.mirror.update_limits import FOR_A_PERSON, IN_BACKGROUND  # noqa: PLC0415  # as above

    limits = IN_BACKGROUND if in_background else FOR_A_PERSON
    existing = [name for name in accounts if rove.mirror(name).exists]
    update = partial(rove.update_mirror, limits=limits)
    if in_background:
        updates = await update_all(
            accounts, update, lambda name: scope_number_of(rove.mirror(name))
        )
    else:
        updates = await update_all(existing, update)
    # The server starts after the update: before it, the two would be in each other's way.
    server = None if in_background else await copying_server(rove, existing, starts=starts_server)
    statuses, failed = list[MirrorStatus](), list[Failure]()
    for name in accounts:
        mirror, done = rove.mirror(name), updates.get(name)
        why = update_note(name, mirror.state(), done, server) if done and server else ""
        statuses.append(status_of(rove, mirror, *filter(None, [*notes, why])))
        if done and done.failure and not why:
            failed.append(update_failure(name, done.failure, server))
    return MirrorStatuses(mirrors=tuple(statuses), failed=tuple(failed))


def _mirrors_used(rove: "LocalProject") -> "Sequence[Mirror]":
    """Return the mirrors of this project's accounts."""
    mirrors = (Mirror.of(rove.places, name) for name in rove.settings.sources.use)
    return [each for each in mirrors if each.has_files]


def _mirrors_left(rove: "LocalProject") -> "Sequence[Mirror]":
    """Return the mirrors of accounts that were removed."""
    known = {*rove.settings.sources.use, *(each.name for each in rove.book.accounts())}
    mirrors = mirrors_without(rove.places, known)
    return [each for each in mirrors if not [*projects_naming(each.account, rove.places)]]


def _mirror_meant(rove: "LocalProject", mirrors: "Sequence[Mirror]", text: str) -> Mirror:
    """Return the mirror that a person means."""
    found = _named(mirrors, text)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(each.account for each in found)
        raise UnknownAccount(f"{text} could be {names}.", hint=_SEE_THEM)
    for other in _named(mirrors_without(rove.places, ()), text):
        users = [str(each) for each in projects_naming(other.account, rove.places)]
        raise UnknownAccount(
            f"This project does not use {other.account}, so its copy stays as it is.",
            hint=f"Run this in a project that uses it: {', '.join(users)}"
            if users
            else f"Use it here first: rove sources use {other.account}",
        )
    raise UnknownAccount(f"There is no mirror of {text}.", hint=_SEE_THEM)


def _named(mirrors: "Sequence[Mirror]", text: str) -> "Sequence[Mirror]":
    """Return the mirror of an account, else those of its kind."""
    name = text.lower()
    found = [each for each in mirrors if name in {each.account, each.account.split(":")[0]}]
    return [each for each in found if each.account == name] or found


def _dropped_lines(dropped: DroppedMirrors) -> Iterator[str]:
    names, left = ", ".join(dropped.accounts), ", ".join(dropped.left)
    megabytes = dropped.bytes / _MEGABYTE
    yield f"removed {names}: {megabytes:.1f} MB" if names else "there was no copy to remove"
    if left:
        yield (
            f"these stay, because this project does not use their accounts: {left}."
            " Remove each where it is used"
        )
    yield from (f"note: {note}" for note in dropped.notes)


def _show_dropped(dropped: DroppedMirrors) -> str:
    return sentences(_dropped_lines(dropped))


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
