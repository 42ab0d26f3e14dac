"""Search the local mirrors for a ticket, instead of the vendors."""

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from rove_core.build.gather.candidate_pool import Candidates
from rove_core.build.gather.candidates import Key, SearchRecord, Trace, key_of
from rove_core.build.gather.fetches import FetchCache
from rove_core.build.gather.searches import AccountSearches
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.items import ContextItem, ItemRef
from rove_core.mirror.copies import CopiedItem
from rove_core.mirror.mirrors import Mirrors
from rove_core.time_windows import Window

#: How many items that mirrors lack are read from their vendors for one document, and how many
#: requests that may take.
MOST_BEYOND: Final = 3
MOST_REQUESTS: Final = 4


@frozen
class PlannedRead:
    """Something to read in full, and what led to it."""

    ref: ItemRef
    hop: int = 1
    traces: tuple[Trace, ...] = ()


@define(eq=False, kw_only=True)
class CopiedCandidates:
    """Puts what mirrors have for a ticket among its candidates.

    Attributes:
        mirrors: The mirrors; None if none may be used.
        found: Where what is found is put.
        searching: Where it is noted that an account has nothing else to be searched for.
        fetched: Where it is noted what is known in full.
        window: When something must have been said.
        requests: How many requests each item took that was read in full.
        linked: What was found and surely belongs to the ticket.
        waiting: The reads for which no request was left when they were last asked about.
        everywhere: How common words are in the mirrors.
    """

    mirrors: Mirrors | None
    found: Candidates
    searching: AccountSearches
    fetched: FetchCache
    window: Window
    requests: Mapping[ItemRef, int] = field(factory=dict)
    linked: Sequence[ContextItem] = field(default=(), init=False)
    waiting: Sequence[PlannedRead] = field(default=(), init=False)
    everywhere: WordFrequencies = field(default=UNKNOWN_FREQUENCIES, init=False)
    _beyond: dict[Key, ItemRef] = field(factory=dict, init=False)
    _refused: set[Key] = field(factory=set, init=False)

    def has(self, account: str) -> bool:
        """Return whether an account's mirror is searched instead of the account."""
        return self.mirrors is not None and account in self.mirrors

    async def take(self, ticket: ContextItem) -> None:
        """Add the items that name the ticket or resemble it."""
        if self.mirrors is None or not self.mirrors.usable:
            return
        self.everywhere = await self.mirrors.frequencies(ticket)
        for each in await self.mirrors.naming(ticket.ref, self.window):
            if self.found.names_ticket(each.item):
                self._add(each, Trace("words", ticket.ref.id))
        sure = [each.item for each in self.found if each.is_linked]
        for each in await self.mirrors.about(ticket, sure, self.window, self.everywhere):
            self._add(each)
        self.linked = [each.item for each in self.found if each.is_linked and each.whole]
        for account, usable in self.mirrors.usable.items():
            # When it is searched itself again, it is asked for what came after its mirror.
            texts = self.searching.searches.setdefault(account, {})
            texts[ticket.ref.id] = SearchRecord(usable.updated_at, 0)

    async def possible(self, reads: Sequence[PlannedRead]) -> Sequence[PlannedRead]:
        """Return the reads that can succeed and are worth a request.

        What a mirror has costs no request. Of the other items only the first ones are read, so that
        a ticket that names many other things costs few requests: one item until it is known how
        many requests an item takes, then those for which the rest is enough.
        """
        if self.mirrors is None:
            return [*reads]
        possible = [each for each in reads if await self._is_possible(each.ref, self.mirrors)]
        self.waiting = [each for each in reads if key_of(each.ref) in self._refused]
        self._refused.clear()
        return possible

    async def _is_possible(self, ref: ItemRef, mirrors: Mirrors) -> bool:
        if copied := await mirrors.item(ref):
            self.fetched.items.setdefault(ref, copied)
            return True
        if self.found.get(ref) is None and await mirrors.lacks(ref):
            return False
        if ref.account not in mirrors or (mirrors.container_of(ref) and self.found.get(ref)):
            return True
        if len(self._beyond) < MOST_BEYOND and self._remaining_requests() > 0:
            self._beyond.setdefault(key_of(ref), ref)
        if key_of(ref) in self._beyond:
            return True
        self._refused.add(key_of(ref))
        return False

    def _remaining_requests(self) -> int:
        """Return how many requests are left for a further item that mirrors lack."""
        counts = [self.requests.get(each) for each in self._beyond.values()]
        taken = [max(1, each) for each in counts if each is not None]
        most = max(taken, default=MOST_REQUESTS)
        expected = sum(taken) + most * counts.count(None)
        return MOST_REQUESTS - expected - (most - 1 if taken else 0)

    def _add(self, copied: CopiedItem, *traces: Trace) -> None:
        self.found.add(copied.item, *traces, whole=copied.whole)
        if copied.whole:
            self.fetched.items.setdefault(copied.item.ref, copied.item)
