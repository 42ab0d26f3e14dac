"""Search one account as a build does, to see what it returns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove_core.auth.login_hints import login_advice
from rove_core.errors import RoveError, WrongCall
from rove_core.items import ContextItem, Query
from rove_core.operations import PARTIAL, Failure, Operation, Outcome
from rove_core.terminal.tables import columns
from rove_core.time_windows import Window, window

if TYPE_CHECKING:
    from rove_core.project.project import Project
    from rove_core.sources import AnySourceKind


@frozen(kw_only=True)
class FailedSearch:
    """Why a search did not come to its end."""

    error: Failure


@frozen(kw_only=True)
class SearchedItems(Outcome):
    """The results of searching one account.

    Attributes:
        account: The account.
        items: What came, in the order in which it came.
        failed: Why not all of it came; mostly nothing.
        reads: What the account can read; empty if something came.
    """

    account: str
    items: tuple[ContextItem, ...]
    failed: tuple[FailedSearch, ...] = ()
    reads: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return PARTIAL if self.failed else 0

    @property
    def failures(self) -> Sequence[Failure]:
        """Why not all of it came."""
        return tuple(each.error for each in self.failed)

    @property
    def nothing(self) -> str:
        """The message if nothing was found."""
        searched = f"; it reads: {', '.join(self.reads)}" if self.reads else ""
        return f"nothing found in {self.account}{searched}"

    def show(self) -> str:
        """Return a line for each item."""
        return "\n".join(
            columns(
                (f"{item.timestamp:%Y-%m-%d}", item.ref.kind, item.ref.id, item.author, item.title)
                for item in self.items
            )
        )


async def sources_search(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "Project",
    *,
    account: Annotated[str, "An account that this project uses, or its kind."],
    query: Annotated[str, "Words, or an id."],
    since: Annotated[str | None, "Not older: 2024-12-01, '30 days ago', 7d, yesterday."] = None,
    until: Annotated[str | None, "Not newer, written in the same way."] = None,
    field: Annotated[tuple[str, ...], "Only in this field; may be given again."] = (),
    limit: Annotated[int, "How many items are enough."] = 20,
    local: Annotated[bool, "Search the account's mirror on this machine, without network."] = False,
) -> SearchedItems:
    """Search one account."""
    meant = rove.account(account)
    kind = rove.plugins.kind(meant.kind)
    _check(query, field, limit, kind)
    period = window(since, until, now=rove.clock.now())
    if local:
        return await _search_mirror(rove, meant.name, query, period, limit)
    request = Query(
        account=meant.name,
        text=query,
        fields=field,
        since=period.since,
        until=period.until,
        limit=limit,
    )
    with login_advice(meant, kind):
        return await _search_account(rove, request)


async def _search_mirror(
    rove: "Project", account: str, text: str, period: Window, limit: int
) -> SearchedItems:
    """Return the results from the account's mirror."""
    mirrors = await rove.open_mirrors(update=False)
    if account not in mirrors:
        state = rove.mirror(account).state()
        if state and state.is_first_copy:
            raise WrongCall(
                f"The first copy of {account} is under way, so it cannot be searched yet.",
                hint="See how far it is: rove mirror status",
            )
        raise WrongCall(
            f"{account} has no mirror that can be searched",
            hint=f"See what is copied: rove mirror status; or copy it: rove mirror start {account}",
        )
    copies = await mirrors.search_text(account, text, period, limit)
    return SearchedItems(account=account, items=tuple(each.item for each in copies))


async def _search_account(rove: "Project", query: Query) -> SearchedItems:
    """Return the results, also those before an error."""
    items: list[ContextItem] = []
    failed: tuple[FailedSearch, ...] = ()
    try:
        async for item in rove.accounts.search(query):
            if passing := rove.accounts.filter_item(query.account, item):
                items.append(passing)  # noqa: PERF401  # what came before an error is kept
    except RoveError as error:
        if not items:
            raise
        failed = (FailedSearch(error=Failure.of(error)),)
    identity = rove.account(query.account).identity
    reads = identity.reads if identity and not items else ()
    return SearchedItems(account=query.account, items=tuple(items), failed=failed, reads=reads)


def _check(query: str, fields: tuple[str, ...], limit: int, kind: "AnySourceKind") -> None:
    if not query.strip():
        raise WrongCall("there is nothing to search for", hint="Give words, or an id.")
    if limit < 1:
        raise WrongCall(f"limit {limit}: expected 1 or more")
    names = [field.name for field in kind.fields]
    for name in fields:
        if name not in names:
            raise WrongCall(
                f"{kind.title} has no field {name!r} to search in",
                hint=f"It has: {', '.join(names) or 'none'}",
            )


SEARCH = Operation(sources_search, command="sources search", toolset="sources")
