"""Search the local mirrors for a ticket, instead of the vendors."""

from collections.abc import Iterable, Sequence
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

#: How many items that mirrors lack are read from their vendors for one document.
MOST_BEYOND: Final = 3


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
        linked: What was found and surely belongs to the ticket.
        everywhere: How common words are in the mirrors.
    """

    mirrors: Mirrors | None
    found: Candidates
    searching: AccountSearches
    fetched: FetchCache
    window: Window
    linked: Sequence[ContextItem] = field(default=(), init=False)
    everywhere: WordFrequencies = field(default=UNKNOWN_FREQUENCIES, init=False)
    _beyond: set[Key] = field(factory=set, init=False)

    def has(self, account: str) -> bool:
        """Return whether an account's mirror is searched instead of the account."""
        return self.mirrors is not None and account in self.mirrors

    async def take(self, ticket: ContextItem) -> None:
        """Add the items that name the ticket or resemble it."""
        if self.mirrors is None or not self.mirrors.usable:
            return
        self.everywhere = await self.mirrors.frequencies()
        for each in await self.mirrors.naming(ticket.ref, self.window):
            if self.found.names_ticket(each.item):
                self._add(each, Trace("words", ticket.ref.id))
        sure = [each.item for each in self.found if each.is_linked]
        for each in await self.mirrors.about(ticket, sure, self.window):
            self._add(each)
        self.linked = [each.item for each in self.found if each.is_linked and each.whole]
        for account, usable in self.mirrors.usable.items():
            # When it is searched itself again, it is asked for what came after its mirror.
            texts = self.searching.asked.setdefault(account, {})
            texts[ticket.ref.id] = SearchRecord(usable.updated_at, 0)

    async def possible(self, reads: Iterable[PlannedRead]) -> Sequence[PlannedRead]:
        """Return the reads that can succeed and are worth a request.

        A mirror has all items in its scope. Of those beyond it only the first ones are read, so
        that a ticket with references to many other places costs few requests.
        """
        if self.mirrors is None:
            return [*reads]
        return [each for each in reads if await self._is_possible(each.ref, self.mirrors)]

    async def _is_possible(self, ref: ItemRef, mirrors: Mirrors) -> bool:
        if self.found.get(ref) is None and await mirrors.lacks(ref):
            return False
        if ref.account not in mirrors or mirrors.container_of(ref):
            return True
        if len(self._beyond) < MOST_BEYOND:
            self._beyond.add(key_of(ref))
        return key_of(ref) in self._beyond

    def _add(self, copied: CopiedItem, *traces: Trace) -> None:
        self.found.add(copied.item, *traces, whole=copied.whole)
        if copied.whole:
            self.fetched.items.setdefault(copied.item.ref, copied.item)
