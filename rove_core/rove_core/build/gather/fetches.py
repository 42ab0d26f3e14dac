"""Query accounts: each thing once, within each account's limits and time."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from math import ceil, inf
from typing import Final, Literal, TypeAlias

from attrs import define, field, frozen

from rove_core.build.requests import SOON
from rove_core.clock import Clock
from rove_core.errors import (
    ItemNotFound,
    LoginNeeded,
    RateLimited,
    RetryLater,
    RoveError,
    TimedOut,
    Unavailable,
)
from rove_core.http import Counts, RequestsSpent, counting
from rove_core.http.call_time import Patience, Stopwatch
from rove_core.http.rate_limits import PlannedLimit
from rove_core.items import ContextItem, ItemRef, Query
from rove_core.mirror.mirrors import Mirrors
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.limits import plugin_seconds
from rove_core.plugins.reports import current_reports

#: Seconds that an account may work for one build; waits for its limit do not count.
PATIENCE: Final = 60.0
#: Seconds to wait for changes of a local copy, and for the parts of a ticket that it lacks.
TICKET_PATIENCE: Final = 3.0
#: Maximum requests of a build for what the local copies of its accounts lack.
MOST_REQUESTS: Final = 4

#: What a query is for: what a document needs (its ticket, what names it, what it quotes), further
#: words, or the last words that a build searches for.
Purpose: TypeAlias = Literal["needed", "words", "last words"]

#: Reports which account waits for its limit, and until when.
ReportAccountWait: TypeAlias = Callable[[str, datetime], Awaitable[None]]


@frozen(kw_only=True)
class LimitRules:
    """How one pass uses the accounts' rate limits.

    Queries that a document needs (for its ticket, what names it, what it quotes) go before searches
    for further words.

    Attributes:
        wait: The longest wait for a limit, in seconds.
        wait_in_all: Maximum seconds that an account may wait for limits in this pass.
        share: The part of each limit that needed queries may use.
        words_share: The part of each limit that searches for further words may use; the rest is
            left to what other builds need, also builds that begin later.
        last_share: The part that a build's last searches may use. Without what is left to others
            the build would wait a minute for one or two searches; a build that begins meanwhile
            writes its document all the same, and completes it when the minute is over.
        words_wait: The longest wait of a search for further words, in seconds.
        begun: When the build began that this pass continues: of two builds, the one that began
            earlier searches for further words first. None in a first pass.
    """

    wait: float
    wait_in_all: float = inf
    share: float = 1.0
    words_share: float = 1.0
    last_share: float = 0.0
    words_wait: float = 0.0
    begun: datetime | None = None

    def part(self, purpose: Purpose) -> float:
        """Return the part of each limit that a query may use."""
        if purpose == "needed":
            return self.share
        return max(self.words_share, self.last_share if purpose == "last words" else 0.0)


#: A usable document at once; queries that would have to wait are left to the next pass.
FIRST_PASS: Final = LimitRules(wait=3.0, wait_in_all=3.0, words_share=0.5)
#: The rest, as the limits allow, after what other builds need at once.
NEXT_PASS: Final = LimitRules(
    wait=SOON.total_seconds(),
    words_share=0.95,
    last_share=1.0,
    words_wait=SOON.total_seconds(),
)
#: The part of the rest that is allowed now; the caller comes back for what is not.
SHORT_PASS: Final = LimitRules(
    wait=3.0, wait_in_all=3.0, words_share=0.9, last_share=1.0, words_wait=3.0
)
#: Builds that nobody waits for use only what people leave of the limits.
BACKGROUND: Final = LimitRules(wait=0.0, share=0.5, words_share=0.4)


async def _ignore_wait(_: str, __: datetime) -> None:
    return None


@define(eq=False)
class FetchCache:
    """Results that several builds of one call share.

    Attributes:
        searches: The results of each query.
        items: The items read in full.
        takes: How much of each limit a search uses, by account.
    """

    searches: dict[Query, tuple[ContextItem, ...]] = field(factory=dict)
    items: dict[ItemRef, ContextItem] = field(factory=dict)
    takes: dict[str, Mapping[PlannedLimit, float]] = field(factory=dict)


@define(eq=False)
class _AccountTime:
    """Work and wait time of an account in one pass."""

    work: Stopwatch
    waits: Stopwatch


@define(eq=False, kw_only=True)
class Fetches:
    """Queries the accounts of a project for one build.

    Attributes:
        accounts: The accounts to query.
        clock: The clock.
        fetched: Results fetched already.
        rules: How this pass uses the accounts' rate limits.
        report_wait: Reports waits for limits.
        mirrors: Local copies of the accounts; only items they lack are requested.
        requests: Number of requests of each search.
        reads: Number of requests for each item that was read in full.
        failures: Errors of accounts with a partial answer or none, by account.
        unread: Errors of items that could not be read.
        unread_beyond: Items that local copies lack and that were not read.
        gone: Items gone from their source.
        partial: Accounts that were searched for fewer words, because of their limits or their time.
        rest: When postponed requests are allowed, by account.
    """

    accounts: Accounts
    clock: Clock
    fetched: FetchCache = field(factory=FetchCache)
    rules: LimitRules = NEXT_PASS
    report_wait: ReportAccountWait = _ignore_wait
    mirrors: Mirrors | None = None
    requests: dict[Query, int] = field(factory=dict, init=False)
    reads: dict[ItemRef, int] = field(factory=dict, init=False)
    failures: dict[str, RoveError] = field(factory=dict, init=False)
    unread: dict[ItemRef, RoveError] = field(factory=dict, init=False)
    unread_beyond: list[ItemRef] = field(factory=list, init=False)
    gone: set[ItemRef] = field(factory=set, init=False)
    partial: set[str] = field(factory=set, init=False)
    rest: dict[str, datetime] = field(factory=dict, init=False)
    _times: dict[str, _AccountTime] = field(factory=dict, init=False)
    _closed: set[str] = field(factory=set, init=False)
    _beyond: Counts = field(factory=lambda: Counts(most=MOST_REQUESTS), init=False)

    def is_delayed(self, account: str) -> bool:
        """Return whether an account will be queried again once its limit allows."""
        until = self.rest.get(account)
        return until is not None and until <= self.clock.now() + SOON

    def answers(self, account: str) -> bool:
        """Return whether an account may be queried: it has not refused or failed to answer."""
        return account not in self._closed

    async def search(self, query: Query, *, is_last: bool = False) -> tuple[ContextItem, ...]:
        """Return the results of a query; if it fails, those that came before the error.

        Args:
            query: The query.
            is_last: Whether it is one of the last words that the build searches for.
        """
        if query in self.fetched.searches:
            return self.fetched.searches[query]
        found: list[ContextItem] = []
        account = query.account
        if self.answers(account):
            purpose = _words(is_last=is_last) if query.one_page else "needed"
            with counting() as counts, self._querying(account, purpose):
                async for item in self.accounts.search(
                    query, deadline=self._remaining_time(account)
                ):
                    if passing := self.accounts.filter_item(account, item):
                        found.append(passing)  # noqa: PERF401  # what came before an error is kept
                self.fetched.searches[query] = tuple(found)
            self.requests[query] = counts.requests
        return tuple(found)

    async def words_allowed(self, account: str, most: int, *, is_last: bool = False) -> int:
        """Return how many searches for further words an account's limits allow now.

        Knowing this beforehand lets their order decide which are made, not a race between requests,
        and no search is begun that cannot be finished. The next pass makes the rest.

        Args:
            account: The account.
            most: The number of searches to make.
            is_last: Whether they are the last ones of the build.
        """
        share = self.rules.part(_words(is_last=is_last))
        longest = self._longest_wait(account, self.rules.words_wait)
        for count in range(1, most + 1):
            waits = [
                await limit.opens_in(ceil(count * each), share=share, begun=self.rules.begun)
                for limit, each in self.fetched.takes.get(account, {}).items()
            ]
            if (wait := max(waits, default=0.0)) > longest:
                self._skip_until(account, self.clock.now() + timedelta(seconds=wait))
                return count - 1
        return most

    def has_answer(self, query: Query) -> bool:
        """Return whether a query was answered in full."""
        return query in self.fetched.searches

    async def item(self, ref: ItemRef) -> ContextItem | None:
        """Return a whole item; None if it is gone, filtered out by a plugin or unavailable now."""
        if not await self._is_copied(ref) and self.answers(ref.account):
            is_beyond = await self._is_beyond(ref)
            budget = counting(self._beyond) if is_beyond else nullcontext()
            with counting() as counts, budget, self._querying(ref.account):
                try:
                    await self._read(ref)
                except ItemNotFound:
                    self.gone.add(ref)
                except RoveError as error:
                    self.unread[ref] = error
                    if not (is_beyond and self._is_complete_without(ref, error)):
                        raise
            self.reads[ref] = counts.requests
        return self.fetched.items.get(ref)

    def failed_beyond(self, refs: Iterable[ItemRef]) -> Sequence[ItemRef]:
        """Return the items beyond local copies whose read failed, or that of their account."""
        failed = dict.fromkeys(self.unread_beyond)
        away = {
            ref.account for ref in failed if not isinstance(self.unread.get(ref), RequestsSpent)
        }
        return [*failed, *(ref for ref in refs if ref.account in away and ref not in failed)]

    def add_unread_beyond(self, refs: Iterable[ItemRef]) -> None:
        """Add those of some items that were neither read nor found to be gone."""
        known = {*self.fetched.items, *self.gone, *self.unread_beyond}
        self.unread_beyond += [ref for ref in refs if ref not in known]

    async def _is_beyond(self, ref: ItemRef) -> bool:
        """Return whether an account has a local copy that lacks an item."""
        if self.mirrors is None or ref.account not in self.mirrors:
            return False
        return not await self.mirrors.has(ref)

    def _is_complete_without(self, ref: ItemRef, error: RoveError) -> bool:
        """Return whether a build is complete although an item beyond the local copies is unread.

        What was chosen to be copied is here: that something else cannot be reached, as without a
        network, is no failure of its account. A later build reads it.
        """
        if not isinstance(error, TimedOut | Unavailable):
            return False
        self.unread_beyond.append(ref)
        if not isinstance(error, RequestsSpent):
            self._closed.add(ref.account)
        return True

    async def ticket(self, ref: ItemRef) -> ContextItem:
        """Return the ticket itself, or raise why it cannot be read.

        If a filter fails on it, only its id is returned.
        """
        if not await self._is_copied(ref):
            with self._patience(ref.account, longest=SOON.total_seconds()).working():
                await self._read(ref)
        elif self.mirrors and not self.mirrors.has_all_parts(ref.account):
            await self._complete_ticket(ref)
        if ref in self.fetched.items:
            return self.fetched.items[ref]
        if ref in current_reports().withheld:
            source = ref.account.partition(":")[0]
            return ContextItem(
                ref=ref,
                source=source,
                role="ticket",
                title=ref.id,
                content="",
                timestamp=self.clock.now(),
            )
        raise ItemNotFound(f"a plugin filters out {ref.id}", account=ref.account)

    async def _complete_ticket(self, ref: ItemRef) -> None:
        """Read the ticket with the parts that no listing brings; if that fails, its copy must do.

        It does not wait for a limit: nobody would wait for these parts alone. If the update of the
        mirror has just taken its time, they get none: there may be no network.
        """
        patience = self._patience(ref.account, longest=0.0)
        with counting() as counts, counting(self._beyond), patience.working():
            try:
                spent = self.mirrors.seconds(ref.account) if self.mirrors else 0.0
                await self._read(ref, deadline=max(0.0, TICKET_PATIENCE - spent))
            except ItemNotFound:
                pass  # The next update of the mirror removes it.
            except RoveError:
                self._closed.add(ref.account)
        self.reads[ref] = counts.requests

    async def _is_copied(self, ref: ItemRef) -> bool:
        """Return whether an item was fetched already, or a mirror has all of it."""
        if ref not in self.fetched.items:
            copied = await self.mirrors.item(ref) if self.mirrors else None
            self.fetched.items |= {ref: copied} if copied else {}
        return ref in self.fetched.items

    async def _read(self, ref: ItemRef, deadline: float = inf) -> None:
        seconds = min(deadline, self._remaining_time(ref.account))
        whole = await self.accounts.item_detail(ref, deadline=seconds)
        if passing := self.accounts.filter_item(ref.account, whole):
            self.fetched.items[ref] = passing

    @contextmanager
    def _querying(self, account: str, purpose: Purpose = "needed") -> Iterator[None]:
        """Record an error of the account that the block queries; it ends the block.

        Args:
            account: The account.
            purpose: What for; having to wait is a failure only of what is needed.
        """
        try:
            with self._patience(account, purpose).working():
                yield
        except RoveError as error:
            self._note(account, error, purpose)

    def _note(self, account: str, error: RoveError, purpose: Purpose) -> None:
        """Record why an account did not answer, and whether it may be queried again."""
        until = error.retry_at if isinstance(error, RateLimited) else None
        if isinstance(error, RateLimited | TimedOut) and purpose != "needed":
            self._skip_until(account, until)
            return
        self._pause_until(account, until)
        self.failures.setdefault(account, error)
        is_soon = until is not None and until <= self.clock.now() + SOON
        if isinstance(error, LoginNeeded | RetryLater) and not is_soon:
            self._closed.add(account)

    def _skip_until(self, account: str, until: datetime | None) -> None:
        self.partial.add(account)
        self._pause_until(account, until)

    def _pause_until(self, account: str, until: datetime | None) -> None:
        if until:
            self.rest[account] = max(until, self.rest.get(account, until))

    def _longest_wait(self, account: str, longest: float) -> float:
        """Return the longest allowed wait for a limit, given the account's remaining time."""
        left = max(0.0, self.rules.wait_in_all - self._time(account).waits.seconds)
        return min(longest, left)

    def _patience(
        self, account: str, purpose: Purpose = "needed", *, longest: float | None = None
    ) -> Patience:
        """Return how long a call of an account may wait for its limits, and their shares."""
        rules, times, is_needed = self.rules, self._time(account), purpose == "needed"
        wait = rules.wait if is_needed else rules.words_wait
        return Patience(
            work=times.work,
            waits=times.waits,
            longest=self._longest_wait(account, wait) if longest is None else longest,
            share=rules.part(purpose),
            report=partial(self.report_wait, account),
            begun=None if is_needed else rules.begun,
        )

    def _remaining_time(self, account: str) -> float:
        """Return how many seconds an account has left to answer."""
        left = PATIENCE - self._time(account).work.seconds
        if left <= 0:
            raise TimedOut(f"{account}: not done within {PATIENCE:g} s", account=account)
        return min(plugin_seconds(), left)

    def _time(self, account: str) -> _AccountTime:
        if account not in self._times:
            self._times[account] = _AccountTime(Stopwatch(self.clock), Stopwatch(self.clock))
        return self._times[account]


def _words(*, is_last: bool) -> Purpose:
    return "last words" if is_last else "words"
