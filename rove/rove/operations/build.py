"""Build the documents of tickets."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Final, Literal, Protocol, TypeVar, cast

from attrs import frozen

from rove_core.build.free_text import split_tickets
from rove_core.build.model.record import PlannedCall
from rove_core.build.requests import BuildResult, meant_window
from rove_core.errors import RoveError, WrongCall
from rove_core.operations import PARTIAL, Failure, Operation, Outcome
from rove_core.project.no_source import check_sources
from rove_core.store.last_use import record_use
from rove_core.tasks.task_groups import EndedTask, TaskGroup
from rove_core.terminal.tables import page
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    import sqlite3

    from rove_core.project.project import Project

Thing = TypeVar("Thing")
_Input_contra = TypeVar("_Input_contra", contravariant=True)

#: Of several tickets' exit codes, the first of these that occurs is everyone's.
_WORST_FIRST: Final = (7, 6, 4, 1, 3, 5, 0)


@frozen(kw_only=True)
class FailedTicket:
    """A ticket whose document could not be built.

    Attributes:
        ticket: Its id, or the words.
        error: Why.
        exit_code: What the command line ends with for it.
    """

    ticket: str
    error: Failure
    exit_code: int

    @classmethod
    def of(cls, ticket: str, error: RoveError) -> "FailedTicket":
        """Return the view of a ticket and its error."""
        return cls(ticket=ticket, error=Failure.of(error), exit_code=error.exit_code)


@frozen(kw_only=True)
class BuildResults(Outcome):
    """The result for each ticket.

    Attributes:
        built: Those that have a document now.
        failed: Those that have none.
        planned: What would be sent to a model; only when that was asked for.
    """

    built: tuple[BuildResult, ...] = ()
    failed: tuple[FailedTicket, ...] = ()
    planned: tuple[PlannedCall, ...] | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        codes = {0} | {each.exit_code for each in self.failed}
        codes |= {PARTIAL for each in self.built if each.failures}
        return next((code for code in _WORST_FIRST if code in codes), 1)

    @property
    def resume_at(self) -> datetime | None:
        """When the limits allow the rest of a document; None if nothing is left."""
        return min((each.resume_at for each in self.built if each.resume_at), default=None)

    @property
    def failures(self) -> Sequence[Failure]:
        """Why tickets have no document."""
        return tuple(each.error for each in self.failed)

    @property
    def nothing(self) -> str:
        """The message if there was no document to refresh."""
        if self.built or self.failed or self.planned is not None:
            return ""
        return (
            "no document to refresh; build one: rove build TICKET; if there are some in .context,"
            " list them again: rove reindex"
        )

    def show(self) -> str:
        """Return the path of each document, or what would be sent to a model."""
        if self.planned is None:
            return "\n".join(str(each.document.path) for each in self.built)
        if not self.planned and not self.failed:
            return "nothing would be sent to a model"
        return page(chain.from_iterable(map(_call_lines, self.planned)))


class BuildOne(Protocol[_Input_contra]):
    """Builds one of several documents."""

    async def __call__(
        self, thing: _Input_contra, /, *, wait: bool, resumed: datetime | None = None
    ) -> BuildResult:
        """Build it; wait for limits that are lifted soon, or not; or finish an earlier build."""


async def build(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "Project",
    *,
    tickets: Annotated[tuple[str, ...], "The tickets' ids, or words that say what it is about."],
    source: Annotated[str | None, "The account that has them, or its kind."] = None,
    since: Annotated[
        str | None,
        "Only items since then: 2024-12-01, '30 days ago', 7d; 'all' removes an earlier limit.",
    ] = None,
    until: Annotated[str | None, "Only items until then, in the same form."] = None,
    fresh: Annotated[bool, "Restore what people changed or removed in it."] = False,
    max_tokens: Annotated[int | None, "How many tokens Rove may write."] = None,
    shape: Annotated[
        Literal["decisions", "seed"] | None,
        "Begin with the decisions, or, as the seed, with the ticket's own words.",
    ] = None,
    dry_run: Annotated[bool, "Only show what would be sent to a model."] = False,
) -> BuildResults:
    """Build or refresh the documents of tickets."""
    meant = meant_window(since, until, now=rove.clock.now())
    _check_budget(max_tokens)
    ticket_list = _tickets(tickets)
    if dry_run:
        planned: list[PlannedCall] = []
        failed: list[FailedTicket] = []
        for ticket in ticket_list:
            try:
                planned += await rove.plan_model_calls(
                    ticket, source=source or "", window=meant, fresh=fresh, max_tokens=max_tokens
                )
            except RoveError as error:  # One that fails costs only itself.
                failed.append(FailedTicket.of(ticket, error))
        return BuildResults(failed=tuple(failed), planned=tuple(planned))

    from rove_core.build.gather.fetches import FetchCache  # noqa: PLC0415  # a help page needs none

    build_one = partial(
        rove.build,
        source=source or "",
        window=meant,
        fresh=fresh,
        max_tokens=max_tokens,
        shape=shape,
        fetched=FetchCache(),
    )
    results = await build_in_passes(rove, ticket_list, build_one)
    for each in results.built:
        record_use(str(rove.places.rove), each.document.filename)
    return results


async def build_in_passes(
    rove: "Project",
    things: Iterable[Thing],
    build_one: "BuildOne[Thing]",
    *,
    name: Callable[[Thing], str] = str,
) -> BuildResults:
    """Build a document for each of some things, and then complete those that limits cut short.

    So each has a usable document soon, and the limits are shared among all of them. In a queued
    task nothing is waited for: the task is put off until the limits allow the rest.

    Args:
        rove: The project.
        things: The tickets, or what stands for them.
        build_one: Builds the document of one; told whether to wait for limits.
        name: Says which ticket one is.
    """
    targets, begun, queued = tuple(things), rove.clock.now(), rove.tasks.inside
    wait = len(targets) == 1 and queued is None
    # A task that was paused has a result already.
    resumed = queued.task.created_at if queued and queued.task.result is not None else None

    async def completed(thing: Thing, built: BuildResult) -> BuildResult:
        if wait or queued or not built.rest:
            return built
        try:
            return await build_one(thing, wait=True, resumed=begun)
        except RoveError as error:
            import logging  # noqa: PLC0415  # only this warns

            log = logging.getLogger("rove.build")
            log.warning("%s cannot be completed: %s", name(thing), error.message)
            return built

    firsts: list[tuple[Thing, BuildResult]] = []
    failed: list[FailedTicket] = []
    for thing in targets:
        try:
            firsts.append((thing, await build_one(thing, wait=wait, resumed=resumed)))
        except RoveError as error:  # One that fails costs only itself.
            failed.append(FailedTicket.of(name(thing), error))
    from asyncio import gather  # noqa: PLC0415  # a help page needs none

    whole = await gather(*(completed(*each) for each in firsts))
    return BuildResults(built=tuple(whole), failed=tuple(failed))


def _check_budget(tokens: int | None) -> None:
    if tokens is None:
        return
    from rove_core.project.settings.context_section import ContextSettings  # noqa: PLC0415  # few set it

    try:
        ContextSettings(max_tokens=tokens)
    except ValueError as error:
        raise WrongCall(f"max-tokens {tokens}: {error}") from error


def _tickets(texts: Iterable[str]) -> tuple[str, ...]:
    """Return each ticket once; one argument may hold several ids, as ``TB-1,TB-2``."""
    tickets = tuple(dict.fromkeys(chain.from_iterable(map(_each, texts))))
    if not tickets:
        raise WrongCall("no ticket given", hint="Give one: rove --ticket TB-123")
    return tickets


def _each(word: str) -> Sequence[str]:
    named = split_tickets(word)
    if named != (word.strip(),):
        return named
    parts = [part for each in word.split(",") if (part := each.strip())]
    # A comma between words is only a comma.
    return [word.strip()] if any(len(part.split()) > 1 for part in parts) else parts


def join_results(ended: Sequence[EndedTask]) -> BuildResults:
    """Return what became of the tickets of several tasks."""
    from rove_core.wire.structure import STRICT  # noqa: PLC0415  # what is built here is not read again

    results = [
        BuildResults(failed=(_failed_ticket(each.arguments, each.failure),))
        if each.failure
        else STRICT.structure(each.result, BuildResults)
        for each in ended
    ]
    return BuildResults(
        built=tuple(chain.from_iterable(each.built for each in results)),
        failed=tuple(chain.from_iterable(each.failed for each in results)),
    )


def _failed_ticket(arguments: Mapping[str, JSON], failure: Failure) -> FailedTicket:
    tickets = arguments["tickets"]
    ticket = ", ".join(map(str, tickets)) if isinstance(tickets, list) else ""
    return FailedTicket(ticket=ticket, error=failure, exit_code=failure.exit_code)


def _calls_per_ticket(
    _: "sqlite3.Connection", arguments: Mapping[str, JSON], now: datetime
) -> Sequence[Mapping[str, JSON]]:
    """Return one call for each ticket, if the other arguments make sense."""
    since, until, most = (arguments.get(name) for name in ("since", "until", "max_tokens"))
    meant_window(cast("str | None", since), cast("str | None", until), now=now)
    _check_budget(cast("int | None", most))
    tickets = _tickets(cast("list[str]", arguments["tickets"]))
    return [{**arguments, "tickets": [ticket]} for ticket in tickets]


def _call_lines(call: PlannedCall) -> Iterator[str]:
    yield f"== {call.question}: {call.model} at {call.endpoint}, {call.tokens} tokens"
    for message in call.messages:
        yield f"-- {message.role}"
        yield from message.content.splitlines()
    yield ""


BUILD = Operation(
    build,
    changes=True,
    toolset="context",
    parts=TaskGroup(split=_calls_per_ticket, join=join_results, check=check_sources),
)
