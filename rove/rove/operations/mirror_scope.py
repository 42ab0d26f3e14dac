"""The scope of a mirror: which containers are copied, and how far back."""

from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove.operations.index_texts import forget_texts
from rove.operations.mirror_progress import copying_server, next_step, update_failure
from rove_core.errors import RoveError, WrongCall
from rove_core.mirror.login_owner import check_same_login
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.scope import is_in, proposed
from rove_core.mirror.scope_choice import (
    changed_scope,
    choose_scope,
    find_container,
    known_containers,
    meant_containers,
    named_containers,
    readable_containers,
)
from rove_core.mirror.state import count_of_each
from rove_core.operations import Operation, Outcome
from rove_core.safety.active import inactive
from rove_core.store.document_items import cited_ids
from rove_core.terminal.tables import columns, counted, sentences

if TYPE_CHECKING:
    from rove_core import Container
    from rove_core.mirror.state import MirrorState
    from rove_core.project.project import Project


@frozen(kw_only=True)
class ContainerChoice:
    """A container of an account, and whether it is copied.

    Attributes:
        name: Its name.
        title: How people name it.
        copied: Whether it is in the scope.
        incomplete: Whether it is still being copied, or its older items are.
        proposed: Whether it would be unless a person says otherwise.
        private: Whether only some people may read it.
        cited: How many of its items this project's documents quote or are about.
        items: How many of its items are copied.
    """

    name: str
    title: str
    copied: bool
    incomplete: bool
    proposed: bool
    private: bool
    cited: int
    items: int


@frozen(kw_only=True)
class ScopeChoices(Outcome):
    """The containers of an account that can be copied.

    Attributes:
        account: The account.
        containers: Its containers; what is copied first, then what documents cite most.
        notes: What goes on with the copy, a sentence each.
    """

    account: str
    containers: tuple[ContainerChoice, ...]
    notes: tuple[str, ...] = ()

    def show(self) -> str:
        """Return a line for each container."""
        lines = [*columns(map(_row, self.containers))] or [f"{self.account} has no containers"]
        return "\n".join([*lines, *(sentences([inactive(each)]) for each in self.notes)])


async def mirror_scope(  # noqa: PLR0913  # each is a word of its own
    rove: "Project",
    *,
    account: Annotated[str, "An account that this project uses, or its kind."],
    add: Annotated[tuple[str, ...], "A container to copy from now on; may be given again."] = (),
    remove: Annotated[tuple[str, ...], "A container to forget; may be given again."] = (),
    keep: Annotated[
        str | None, "How far back to copy, and how long to keep it: 365d or all."
    ] = None,
    budget: Annotated[int | None, "How many megabytes the mirror may take."] = None,
) -> ScopeChoices:
    """Show or change what a mirror copies.

    Only --add asks the vendor, and showing all that could be copied; after other changes it shows
    what is copied.
    """
    meant = rove.account(account)
    mirror = rove.mirror(meant.name)
    state = mirror.state()
    if not (add or remove or keep is not None or budget is not None):
        readable = await _asked_containers(rove, meant.name)
        shown = _together(known_containers(state) if state else (), readable)
        return ScopeChoices(account=meant.name, containers=await _choices(rove, mirror, shown))
    if state is None:
        raise WrongCall(
            f"{meant.name} has no mirror", hint=f"Start one: rove mirror start {meant.name}"
        )
    if add:
        check_same_login(mirror, state, await rove.login_owner(meant.name))
    known = known_containers(state)
    readable = await _asked_containers(rove, meant.name) if add else known
    added = await meant_containers(rove, meant.name, readable, add)
    new = {each.name for each in added}
    gone = {each.name for each in _to_remove([*known, *readable], remove, state, meant.name)}
    _check_choice(meant.name, new & gone, ({*state.scope.containers} | new) - gone)
    # One that the vendor does not name now leaves the copy with an update, which checks the login.
    options = _together(known, [*readable, *added])
    chosen = [each for each in options if each.name in ({*state.scope.containers} | new) - gone]
    scope = changed_scope(state.scope, chosen, keep, budget)
    if remove:
        # Before the name is unknown: if this is interrupted, the same command can be repeated.
        forget_texts(rove.places, meant.name)
    choose_scope(
        mirror,
        state,
        scope,
        chosen,
        owner=state.owner,
        now=rove.clock.now(),
        starts=False,
        readable=len(readable) if add else 0,
    )
    failed = forget_texts(rove.places, meant.name) if remove else ()
    shown = [each for each in options if add or each.name not in gone]
    return ScopeChoices(
        account=meant.name,
        containers=await _choices(rove, mirror, shown),
        notes=(
            *failed,
            *_not_copied(known, remove, meant.name),
            *[each async for each in _continued(rove, mirror)],
        ),
    )


def _to_remove(
    known: "Sequence[Container]", names: Sequence[str], state: "MirrorState", account: str
) -> "Sequence[Container]":
    """Return the containers to remove; those that a killed command has removed are unknown by now.

    What such a command left of them in the search index is erased with this change.
    """
    if not state.has_old_words:
        return named_containers(known, names, account)
    return [each for name in names if (each := find_container(known, name, account))]


def _not_copied(known: "Sequence[Container]", names: Sequence[str], account: str) -> Iterator[str]:
    """Yield what to say of names that are not those of anything copied."""
    unknown = [name for name in names if find_container(known, name, account) is None]
    if unknown:
        yield f"Not in the copy of {account}: {', '.join(unknown)}."


async def _continued(rove: "Project", mirror: Mirror) -> AsyncIterator[str]:
    """Let the server copy at once what a new scope has more; yield what goes on."""
    state = mirror.state()
    if state is None or not (state.running and state.incomplete):
        return
    server = await copying_server(rove, [mirror.account], starts=True)
    titles = ", ".join(each.title or each.name for each in state.incomplete)
    yield f"Not copied to the end yet: {titles}. {next_step(mirror.account, server)}."


def _together(
    known: "Sequence[Container]", readable: "Sequence[Container]"
) -> "Sequence[Container]":
    """Return what is copied and what the vendor lists, each once, as the vendor names it."""
    return [*{each.name: each for each in [*known, *readable]}.values()]


async def _asked_containers(rove: "Project", account: str) -> "Sequence[Container]":
    """Return the containers that the vendor names; its errors name the account."""
    try:
        return await readable_containers(rove, account)
    except RoveError as error:
        error.message = update_failure(account, error, None).message
        raise


def _check_choice(account: str, both: Collection[str], left: Collection[str]) -> None:
    if both:
        raise WrongCall(f"{', '.join(sorted(both))}: both added and removed")
    if not left:
        raise WrongCall(
            f"nothing would be left of the copy of {account}",
            hint=f"To delete all of it: rove mirror drop {account}",
        )


async def _choices(
    rove: "Project", mirror: Mirror, readable: "Sequence[Container]"
) -> tuple[ContainerChoice, ...]:
    """Return the containers that can be copied: chosen ones first, then the most cited."""
    state = mirror.state()
    cited = await rove.store.read(cited_ids, mirror.account)
    proposals = {each.name for each in proposed(readable, cited)}
    counts: dict[str, int] = {}
    incomplete = {each.name for each in state.incomplete} if state else frozenset[str]()
    if state:
        with mirror.reading() as db:
            counts = count_of_each(db)
    choices = [
        ContainerChoice(
            name=each.name,
            title=each.title,
            copied=bool(state and each.name in state.scope.containers),
            incomplete=each.name in incomplete,
            proposed=each.name in proposals,
            private=each.private,
            cited=sum(is_in(name, each.name) for name in cited),
            items=counts.get(each.name, 0),
        )
        for each in readable
    ]
    choices.sort(key=lambda each: (not each.copied, -each.cited, each.name))
    return tuple(choices)


def _row(choice: ContainerChoice) -> Sequence[str]:
    state = "proposed" if choice.proposed else "not copied"
    if choice.copied:
        state = "being copied" if choice.incomplete else "copied"
    return (
        choice.name,
        choice.title,
        state,
        "private" if choice.private else "",
        f"cited {_times(choice.cited)}" if choice.cited else "",
        counted(choice.items, "item") if choice.items else "",
    )


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


SCOPE = Operation(mirror_scope, command="mirror scope", changes=True, terminal_only=True)
