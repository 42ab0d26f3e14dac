"""Search the local mirrors for a ticket, instead of the vendors."""

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from rove_core.build.gather.candidate_pool import Candidates
from rove_core.build.gather.candidates import Key, SearchRecord, Trace, key_of
from rove_core.build.gather.fetches import MOST_REQUESTS, FetchCache
from rove_core.build.gather.searches import AccountSearches
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.items import ContextItem, ItemRef
from rove_core.mirror.copies import CopiedItem
from rove_core.mirror.mirrors import Mirrors
from rove_core.time_windows import Window

#: Maximum items per document that mirrors lack and that are read from their vendors.
MOST_BEYOND: Final = 3


@frozen
class PlannedRead:
    """An item to read in full, and what led to it."""

    ref: ItemRef
    hop: int = 1
    traces: tuple[Trace, ...] = ()


@define(eq=False, kw_only=True)
class CopiedCandidates:
    """Adds what mirrors have for a ticket to its candidates.

    Attributes:
        mirrors: The mirrors; None if none may be used.
        found: The candidates to add to.
        searching: Records until when each mirrored account needs no search.
        fetched: The cache for items known in full.
        window: The time window of statements.
        requests: Number of requests for each item that was read in full.
        linked: The items found that surely belong to the ticket.
        waiting: The reads for which the last call of ``possible`` had no request left.
        everywhere: Word frequencies across the mirrors.
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

    @property
    def planned_beyond(self) -> Sequence[ItemRef]:
        """The items that mirrors lack and that were to be read, whether or not they were."""
        return [*self._beyond.values(), *(each.ref for each in self.waiting)]

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
            # A later search of the account itself then covers only what came after its mirror.
            texts = self.searching.searches.setdefault(account, {})
            texts[ticket.ref.id] = SearchRecord(usable.updated_at, 0)

    async def possible(self, reads: Sequence[PlannedRead]) -> Sequence[PlannedRead]:
        """Return the reads that can succeed and are worth a request.

        Items in a mirror cost no request. Of the others only the first are read, so that a ticket
        that names many things costs few requests: one item until the cost of an item is known, then
        as many as the remaining requests allow.
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
