"""Search accounts for words, as often as each account's limit allows."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import define, field

from rove_core.build.gather.candidate_pool import Candidates
from rove_core.build.gather.candidates import SearchRecord, Trace
from rove_core.build.gather.fetches import Fetches
from rove_core.build.gather.queries import FIRST_WORDS
from rove_core.http import Counts, counting
from rove_core.items import ContextItem, Query
from rove_core.plugins.hook_results import reason_of
from rove_core.tasks.runner import ReportProgress

#: Maximum searches of an account per round.
AT_ONCE: Final = 4
#: Maximum search requests of a build to one account.
SEARCH_REQUESTS: Final = 24
#: Maximum texts that an account is searched for per document while its ticket stays the same:
#: the id, the ticket's own words, and one round for those fed back.
MOST_TEXTS: Final = 1 + FIRST_WORDS + AT_ONCE
#: A search that finds fewer items has found all: a page has room for more hits, though several may
#: be of one item.
_FEW: Final = 10

#: A query, its results, and the record to keep of it.
Answer: TypeAlias = tuple[Query, Sequence[ContextItem], SearchRecord]
#: The searches to make, by account.
Questions: TypeAlias = Mapping[str, Sequence[Query]]


@define(eq=False, kw_only=True)
class AccountSearches:
    """Searches the accounts for one build, within a budget of requests per account.

    A search takes one request at one vendor and seven at another: the cost of the first searches
    decides how many more there are.

    Attributes:
        fetches: Queries the accounts.
        found: The candidates to add results to.
        report: Reports progress.
        searches: Searches of each account, including those of an earlier build.
        unfinished: The accounts that an earlier build did not query completely; its requests to
            them count.
    """

    fetches: Fetches
    found: Candidates
    report: ReportProgress
    searches: dict[str, dict[str, SearchRecord]] = field(factory=dict)
    unfinished: Collection[str] = ()
    _spent: dict[str, int] = field(factory=dict, init=False)
    _cost: dict[str, float] = field(factory=dict, init=False)
    _exhausted: set[tuple[str, str]] = field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        for account in self.unfinished:
            requests = [each.requests for each in self.searches.get(account, {}).values()]
            if any(requests):
                self._spent[account] = sum(requests)
                self._cost[account] = min(filter(None, requests))

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts that can be searched and have not failed to answer."""
        names = self.fetches.accounts.names
        can = self.fetches.accounts.can
        return tuple(
            each for each in names if can(each, "rove_search") and self.fetches.answers(each)
        )

    def room(self, account: str) -> int:
        """Return how many more searches of an account fit into the round."""
        left = SEARCH_REQUESTS - self._spent.get(account, 0)
        most = AT_ONCE
        if account in self.unfinished:
            most = min(most, MOST_TEXTS - len(self.searches.get(account, ())))
        return max(0, min(most, int(left / max(self._cost.get(account, 1.0), 1.0))))

    def new(self, account: str, texts: Iterable[str]) -> list[str]:
        """Return the texts not yet searched for at an account, as many as its limit allows.

        What a search has found in full for one word contains what has that word and others.
        """
        past_texts = {*self.searches.get(account, ())}
        return [
            text
            for text in texts
            if text not in past_texts
            and not any((account, word) in self._exhausted for word in text.split())
        ][: self.room(account)]

    async def ask(self, questions: Questions, *, is_last: bool = False) -> Sequence[Answer]:
        """Query all accounts at once; return the answers in the order of the queries.

        Args:
            questions: The searches to make, by account.
            is_last: Whether the build searches for nothing more after them.
        """
        batches = [each for each in questions.items() if each[1]]
        answers = await asyncio.gather(*(self._ask(*each, is_last=is_last) for each in batches))
        return [answer for of_account in answers for answer in of_account]

    def take(self, answers: Iterable[Answer]) -> None:
        """Add search results; the order of answers does not matter."""
        for query, items, record in answers:
            if self.fetches.has_answer(query):
                self.searches.setdefault(query.account, {})[query.text] = record
                if len(items) < _FEW:
                    self._exhausted.add((query.account, query.text))
            for item in items:
                self.found.add(item, Trace("words", query.text))

    async def _ask(
        self, account: str, questions: Sequence[Query], *, is_last: bool
    ) -> list[Answer]:
        """Send searches to an account, the needed ones first, and learn their cost in requests."""
        needed = [each for each in questions if not each.one_page]
        words = [each for each in questions if each.one_page]
        if account not in self.fetches.fetched.takes:  # One search shows the cost of the others.
            needed, words = [*needed, *words[: not needed]], words[not needed :]
        answers: list[Answer] = []
        for batch in (needed, words):
            allowed = len(batch)
            if batch is words:  # What the needed ones cost is known by now.
                allowed = await self.fetches.words_allowed(account, allowed, is_last=is_last)
            queries, at = batch[:allowed], self.fetches.clock.now()
            with counting() as counts:
                found = await asyncio.gather(
                    *(self.fetches.search(each, is_last=is_last) for each in queries)
                )
            self._learn(account, counts, allowed)
            # An answer shared with another document or search still costs a request next time.
            spent, least = self.fetches.requests, 1 if counts.requests else 0
            records = [SearchRecord(at, max(least, spent.get(each, 1))) for each in queries]
            answers += zip(queries, found, records, strict=True)
        await self._report_found(account, answers)
        return answers

    def _learn(self, account: str, counts: Counts, searches: int) -> None:
        """Record what a search costs in requests, and in an account's limits: the lowest so far."""
        if not searches:
            return
        cost = counts.requests / searches
        self._cost[account] = min(cost, self._cost.get(account, cost))
        self._spent[account] = self._spent.get(account, 0) + counts.requests
        if counts.requests:
            previous = self.fetches.fetched.takes.get(account, {})
            takes = {limit: each / searches for limit, each in counts.planned.items()}
            cheaper = {limit: min(each, previous.get(limit, each)) for limit, each in takes.items()}
            self.fetches.fetched.takes[account] = {**previous, **cheaper}

    async def _report_found(self, account: str, answers: Sequence[Answer]) -> None:
        new = {
            item.ref for _, items, _ in answers for item in items if not self.found.get(item.ref)
        }
        is_delayed = self.fetches.is_delayed(account)
        failure = None if is_delayed else self.fetches.failures.get(account)
        note = reason_of(account, failure) if failure else ""
        await self.report("search", account=account, done=len(new), note=note)
