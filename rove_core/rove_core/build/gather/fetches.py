"""Asking accounts: each thing once, each account for so long and so much, and never for nothing."""

from collections.abc import Awaitable, Callable
from typing import Final

from attrs import define, field

from rove_core.clock import Clock
from rove_core.errors import ItemNotFound, LoginNeeded, RateLimited, RetryLater, RoveError, TimedOut
from rove_core.items import ContextItem, ItemRef, Query
from rove_core.plugins.accounts import DEADLINE, Accounts

#: Seconds after which an account is left alone for the rest of a build.
PATIENCE: Final = 60.0


@define(eq=False)
class FetchCache:
    """What several builds of one call have fetched already: none of them fetches it again."""

    searches: dict[Query, tuple[ContextItem, ...]] = field(factory=dict)
    items: dict[ItemRef, ContextItem] = field(factory=dict)


@define(eq=False, kw_only=True)
class Fetches:
    """Asks the accounts of a project on behalf of one build.

    Attributes:
        accounts: Whom to ask.
        clock: What tells the time.
        fetched: What was fetched already.
        failures: Why an account did not answer, or not all, by its name.
        gone: What is no longer at its source.
        spared: The accounts that were asked for less, as they let only so much be asked at a time.
    """

    accounts: Accounts
    clock: Clock
    fetched: FetchCache = field(factory=FetchCache)
    failures: dict[str, RoveError] = field(factory=dict, init=False)
    gone: set[ItemRef] = field(factory=set, init=False)
    spared: set[str] = field(factory=set, init=False)
    _until: dict[str, float] = field(factory=dict, init=False)
    _closed: set[str] = field(factory=set, init=False)

    def answers(self, account: str) -> bool:
        """Tell whether an account may be asked: it has not refused or failed to answer yet."""
        return account not in self._closed

    async def search(self, query: Query) -> tuple[ContextItem, ...]:
        """Return what answers a query; of one that fails, what came before."""
        if query not in self.fetched.searches:
            found: list[ContextItem] = []
            if await self._asked(
                query.account, lambda: self._collect(query, found), needed=not query.one_page
            ):
                self.fetched.searches[query] = tuple(found)
            return tuple(found)
        return self.fetched.searches[query]

    def has_answer(self, query: Query) -> bool:
        """Tell whether a query was answered in full."""
        return query in self.fetched.searches

    async def item(self, ref: ItemRef) -> ContextItem | None:
        """Return a whole item; None when it is gone, dropped by a plugin or not to be had now."""
        if ref not in self.fetched.items:
            await self._asked(ref.account, lambda: self._look_for(ref))
        return self.fetched.items.get(ref)

    async def ticket(self, ref: ItemRef) -> ContextItem:
        """Return the ticket itself, or raise why it cannot be read."""
        if ref not in self.fetched.items:
            await self._read(ref)
        if ref not in self.fetched.items:
            raise ItemNotFound(f"a plugin does not let {ref.id} pass", account=ref.account)
        return self.fetched.items[ref]

    async def _collect(self, query: Query, found: list[ContextItem]) -> None:
        async for item in self.accounts.search(query, deadline=self._patience(query.account)):
            if passing := self.accounts.filter_item(query.account, item):
                found.append(passing)  # noqa: PERF401  # what came before an error is kept

    async def _look_for(self, ref: ItemRef) -> None:
        try:
            await self._read(ref)
        except ItemNotFound:
            self.gone.add(ref)

    async def _read(self, ref: ItemRef) -> None:
        whole = await self.accounts.item_detail(ref, deadline=self._patience(ref.account))
        if passing := self.accounts.filter_item(ref.account, whole):
            self.fetched.items[ref] = passing

    async def _asked(
        self, account: str, ask: Callable[[], Awaitable[None]], *, needed: bool = True
    ) -> bool:
        """Ask an account and tell whether it answered; one that cannot is not asked again.

        Args:
            account: The account.
            ask: What asks it.
            needed: Whether it is a failure to have to wait.
        """
        if not self.answers(account):
            return False
        try:
            await ask()
        except RoveError as error:
            if isinstance(error, RateLimited | TimedOut) and not needed:
                self.spared.add(account)
                return False
            self.failures.setdefault(account, error)
            if isinstance(error, LoginNeeded | RetryLater):
                self._closed.add(account)
            return False
        return True

    def _patience(self, account: str) -> float:
        """Return how many seconds an account has left to answer."""
        now = self.clock.monotonic()
        left = self._until.setdefault(account, now + PATIENCE) - now
        if left <= 0:
            raise TimedOut(f"{account}: not done within {PATIENCE:g} s", account=account)
        return min(DEADLINE, left)
