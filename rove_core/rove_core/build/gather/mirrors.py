"""Search the local mirrors for a ticket, instead of the vendors."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
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
        now: The time of the build.
        requests: Number of requests for each item that was read in full.
        gone: The quoted items that are known to be no longer at their source.
        missing: Reads of quoted items that have left the mirrors: were they deleted, or moved?
        linked: The items found that surely belong to the ticket.
        waiting: The reads for which the last call of ``possible`` had no request left.
        everywhere: Word frequencies across the mirrors.
    """

    mirrors: Mirrors | None
    found: Candidates
    searching: AccountSearches
    fetched: FetchCache
    window: Window
    now: datetime
    requests: Mapping[ItemRef, int] = field(factory=dict)
    gone: Collection[Key] = frozenset()
    missing: Sequence[PlannedRead] = field(default=(), init=False)
    linked: Sequence[ContextItem] = field(default=(), init=False)
    waiting: Sequence[PlannedRead] = field(default=(), init=False)
    everywhere: WordFrequencies = field(default=UNKNOWN_FREQUENCIES, init=False)
    _of_ticket: int = field(default=0, init=False)
    _beyond: dict[Key, ItemRef] = field(factory=dict, init=False)
    _refused: set[Key] = field(factory=set, init=False)
    _left_out: dict[Key, ItemRef] = field(factory=dict, init=False)

    def has(self, account: str) -> bool:
        """Return whether an account's mirror is searched instead of the account."""
        return self.mirrors is not None and account in self.mirrors

    def unread_beyond(self) -> Iterator[ItemRef]:
        """Yield the items that mirrors lack and that are not known in full."""
        for ref in {**self._beyond, **self._left_out}.values():
            candidate = self.found.get(ref)
            if not (candidate and candidate.whole):
                yield ref

    async def take(self, ticket: ContextItem) -> None:
        """Add the items that name the ticket or resemble it."""
        if self.mirrors is None or not self.mirrors.usable:
            return
        self._of_ticket = self.requests.get(ticket.ref, 0)
        # No earlier build knows what was deleted since; nothing else would read it again.
        refs = [each.item.ref for each in self.found if each.key not in self.gone]
        gone = await self.mirrors.gone(refs)
        quoted = [ref for ref in gone if self.found.quoted(key_of(ref))]
        self.missing = [PlannedRead(ref) for ref in quoted[:MOST_BEYOND]]
        for ref in gone:
            if ref not in quoted:
                self.found.lose(ref)
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
        as many as the remaining requests allow. Items that an earlier build could not read come
        last.
        """
        if (mirrors := self.mirrors) is None:
            return [*reads]
        in_order = sorted(reads, key=lambda each: mirrors.failed_read(each.ref) is not None)
        possible = [each for each in in_order if await self._is_possible(each.ref, mirrors)]
        self.waiting = [each for each in reads if key_of(each.ref) in self._refused]
        self._refused.clear()
        return possible

    async def _is_possible(self, ref: ItemRef, mirrors: Mirrors) -> bool:
        if copied := await mirrors.item(ref):
            self.fetched.items.setdefault(ref, copied)
            return True
        if self.found.get(ref) is None and await mirrors.is_absent(ref):
            return False
        if ref.account not in mirrors or (mirrors.container_of(ref) and self.found.get(ref)):
            return True
        if self._is_postponed(ref, mirrors):
            return False
        if len(self._beyond) < MOST_BEYOND and self._remaining_requests() > 0:
            self._beyond.setdefault(key_of(ref), ref)
        if key_of(ref) in self._beyond:
            return True
        self._refused.add(key_of(ref))
        self._left_out.setdefault(key_of(ref), ref)
        return False

    def _is_postponed(self, ref: ItemRef, mirrors: Mirrors) -> bool:
        """Return whether a build has just failed to read an item, so that this one does not try.

        An item that a document quotes is read in any case: its source may have removed it.
        """
        failure = mirrors.failed_read(ref)
        if failure is None or not failure.is_recent(self.now):
            return False
        if failure.is_missing:
            return self.found.get(ref) is None
        self._left_out.setdefault(key_of(ref), ref)
        return True

    def _remaining_requests(self) -> int:
        """Return how many requests are left for a further item that mirrors lack."""
        counts = [self.requests.get(each) for each in self._beyond.values()]
        taken = [max(1, each) for each in counts if each is not None]
        most = max(taken, default=MOST_REQUESTS)
        expected = self._of_ticket + sum(taken) + most * counts.count(None)
        return MOST_REQUESTS - expected - (most - 1 if taken else 0)

    def _add(self, copied: CopiedItem, *traces: Trace) -> None:
        self.found.add(copied.item, *traces, whole=copied.whole)
        if copied.whole:
            self.fetched.items.setdefault(copied.item.ref, copied.item)
