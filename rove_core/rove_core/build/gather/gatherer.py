"""Query all accounts about a ticket and follow references, in few rounds."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from attrs import define, field, frozen

from rove_core.build.gather.candidate_pool import Candidates
from rove_core.build.gather.candidates import (
    Candidate,
    Key,
    RankedItem,
    SearchRecords,
    Trace,
    key_of,
)
from rove_core.build.gather.earlier_build import EarlierBuild
from rove_core.build.gather.fetches import Fetches
from rove_core.build.gather.mirrors import CopiedCandidates, PlannedRead
from rove_core.build.gather.queries import fed_back_queries, first_queries, pair_query
from rove_core.build.gather.searches import AccountSearches, Questions
from rove_core.build.rank.cutoff import enough
from rove_core.build.rank.ranking import rank
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.items import ContextItem, ItemRef, Query
from rove_core.tasks.runner import ReportProgress
from rove_core.time_windows import Window

#: Maximum hits of a search for the ticket's id, and of one for words.
MOST_NAMING: Final = 50
MOST_SAYING: Final = 50
#: Maximum items read in full per build, and per round.
MOST_READ: Final = 36
READ_AT_ONCE: Final = 16
#: How many candidates below the cutoff are read as well, in case their full text says more.
DOUBTFUL: Final = 3
#: One round for the ticket's own words, one for words fed back, one for what is left.
ROUNDS: Final = 3


@frozen(kw_only=True)
class GatherResult:
    """Everything found for one ticket.

    Attributes:
        ticket: The ticket itself.
        candidates: Items that may belong in its document.
        searches: Searches of each account, with their times.
        fresh: Keys of candidates that are new or changed since the earlier build.
        vanished: Keys of quoted items that are gone from their source.
        hops: Depth of references reached.
        everywhere: Word frequencies across all mirrors.
    """

    ticket: ContextItem
    candidates: tuple[Candidate, ...]
    searches: SearchRecords
    fresh: frozenset[Key]
    vanished: frozenset[Key]
    hops: int
    everywhere: WordFrequencies = UNKNOWN_FREQUENCIES


@frozen(kw_only=True)
class _Unread:
    """Candidates known only in part, best first.

    Attributes:
        sure: Items that surely belong to the ticket.
        promising: Items that seem worth reading.
        doubtful: Hits of a search for the ticket's id that do not name it as far as known. Their
            discussions may do so: they are read if there is room.
    """

    sure: Sequence[PlannedRead] = ()
    promising: Sequence[PlannedRead] = ()
    doubtful: Sequence[PlannedRead] = ()


@define(eq=False, kw_only=True)
class Gatherer:
    """Gathers what a project's accounts have about one ticket.

    Attributes:
        ticket: The ticket.
        fetches: Queries the accounts.
        report: Reports progress.
        window: Time window of searches; references are followed regardless of their time.
        max_hops: Maximum depth of references; what a search finds is the first hop.
        earlier: Reusable results of an earlier build.
        found: The items found so far.
        hops: Depth of references reached so far.
    """

    ticket: ItemRef
    fetches: Fetches
    report: ReportProgress
    window: Window = field(factory=Window)
    max_hops: int = 3
    earlier: EarlierBuild = field(factory=EarlierBuild)
    found: Candidates = field(init=False)
    hops: int = field(default=1, init=False)
    _searching: AccountSearches = field(init=False)
    _copied: CopiedCandidates = field(init=False)
    _tried: set[Key] = field(factory=set, init=False)
    _last: tuple[tuple[Candidate, ...], tuple[RankedItem, ...]] = field(
        default=((), ()), init=False
    )

    def __attrs_post_init__(self) -> None:
        self.found = Candidates(self.fetches.accounts, self.ticket, self.earlier.quoted)
        self.found.remember(self.earlier.candidates)
        self._searching = AccountSearches(
            fetches=self.fetches,
            found=self.found,
            report=self.report,
            searches={account: {**texts} for account, texts in self.earlier.searches.items()},
            unfinished=frozenset(self.fetches.accounts.names) - self.earlier.complete,
        )
        self._copied = CopiedCandidates(
            mirrors=self.fetches.mirrors if self.max_hops else None,
            found=self.found,
            searching=self._searching,
            fetched=self.fetches.fetched,
            window=self.window,
            now=self.fetches.clock.now(),
            requests=self.fetches.reads,
            gone=self.earlier.gone,
        )
        self._tried.add(key_of(self.ticket))

    async def about_ticket(self) -> GatherResult:
        """Return everything about the ticket; raise only if the ticket itself cannot be read."""
        await self.report("ticket", account=self.ticket.account, note=self.ticket.id)
        names = self.fetches.accounts.names_of(self.ticket)
        searching = asyncio.ensure_future(self._searching.ask(self._naming(names)))
        try:
            ticket = self._settled_ticket or await self.fetches.ticket(self.ticket)
        except BaseException:
            searching.cancel()
            await asyncio.wait({searching})
            raise
        self.found.take_ticket(ticket.ref)
        self._tried.add(key_of(ticket.ref))
        self._searching.take(await searching)
        await self._copied.take(ticket)
        return await self._gather_beyond(ticket)

    @property
    def _settled_ticket(self) -> ContextItem | None:
        """The ticket, if it was read by the build that this one finishes."""
        return self.earlier.ticket if self.earlier.is_settled(self.ticket.account) else None

    async def about_words(self, words: ContextItem) -> GatherResult:
        """Return everything about some words, given in the form of a ticket."""
        await self.report("ticket", note=self.ticket.id)
        self._searching.take(await self._searching.ask(self._naming((words.title,))))
        await self._copied.take(words)
        return await self._gather_beyond(words)

    async def _gather_beyond(self, ticket: ContextItem) -> GatherResult:
        """Search for the ticket's words, read promising items, and follow their references."""
        named = [*self._named_reads(ticket, hop=2), *map(PlannedRead, self.earlier.live)]
        named += [wish for each in self._copied.linked for wish in self._named_reads(each, hop=2)]
        left = (each for each in self.earlier.candidates if each.is_unread)
        named += [PlannedRead(each.item.ref, each.hop) for each in left]
        named += self._copied.missing
        queries = first_queries(ticket)
        for turn in range(max(ROUNDS, self.max_hops)):
            unread = self._unread(ticket)
            reads = await self._copied.possible([*unread.sure, *named, *unread.promising])
            waiting = self._copied.waiting
            wishes = self._choose_reads(reads, await self._copied.possible(unread.doubtful))
            await self._report_depth(wishes)
            found, items = await asyncio.gather(
                self._searching.ask(
                    self._text_searches(ticket, queries, is_first=turn == 0), is_last=turn > 0
                ),
                asyncio.gather(*(self.fetches.item(wish.ref) for wish in wishes)),
            )
            self._searching.take(found)
            self._take(wishes, items)
            await self._report_read([item for item in items if item])
            queries = self._feedback_words(ticket) if turn == 0 else ()
            read = [each for each in zip(wishes, items, strict=True) if each[1] is not None]
            named = [
                *waiting,
                *(
                    wish
                    for by, item in read
                    if item
                    for wish in self._named_reads(item, hop=by.hop + 1)
                ),
            ]
        await self._settle_hits(ticket)
        await self._note_unread()
        candidates = tuple(self.found)
        return GatherResult(
            ticket=ticket,
            candidates=candidates,
            searches=self._searching.searches,
            fresh=frozenset(each.key for each in candidates if each.key in self.found.fresh),
            vanished=frozenset(self.found.vanished),
            hops=self.hops,
            everywhere=self._copied.everywhere,
        )

    async def _note_unread(self) -> None:
        """Note the items that local copies lack and that were not read, and why they were not."""
        if (mirrors := self._copied.mirrors) is None:
            return
        accounts = self.fetches.accounts
        left = [
            ref
            for ref in self._copied.unread_beyond()
            if accounts.can(ref.account, "rove_item_detail")
        ]
        gone = [ref for ref in left if ref in self.fetches.gone]
        await mirrors.remember_failures(self.fetches.failed_beyond(left), gone, self._copied.now)
        self.fetches.add_unread_beyond(left)

    async def _settle_hits(self, ticket: ContextItem) -> None:
        """Read the relevant hits that may not be quoted as found; mark the rest.

        A full read can change how other hits rank, so the check is repeated.
        """
        for _ in range(ROUNDS):
            passing = {key for key in self.found.hits if self._must_read_again(key)}
            ranked = self._rank(ticket, tuple(self.found)) if passing else ()
            believed = [
                _planned_read(each.candidate)
                for each in ranked[: enough(ranked)]
                if each.candidate.key in passing
            ]
            wishes = [wish for wish in believed if self._may_read(wish.ref)][:READ_AT_ONCE]
            if not wishes:
                break
            self._tried |= {key_of(wish.ref) for wish in wishes}
            items = await asyncio.gather(*(self.fetches.item(wish.ref) for wish in wishes))
            self._take(wishes, items)
            await self._report_read([item for item in items if item])
        unread_keys = {key_of(wish.ref) for wish in believed}
        for key in passing & self.found.hits:
            self.found.pass_by(key, *([Trace("unread")] if key in unread_keys else []))

    def _must_read_again(self, key: Key) -> bool:
        accounts, account = self.fetches.accounts, key[0]
        return account in accounts.names and not (
            accounts.keeps_hits(account) or self._copied.has(account)
        )

    def _naming(self, names: Sequence[str]) -> Questions:
        """Return the searches for the ticket's names, and for news about earlier search words.

        Args:
            names: The ticket's id, and other ways to write it.
        """
        now = self.fetches.clock.now()
        return {
            account: [
                self._query(account, each, is_name=each == names[0])
                for each in (*names, *self.earlier.texts_again(account, names, now))
                if not self.earlier.has_just_searched(account, each)
            ]
            for account in self._searchable_accounts
        }

    @property
    def _searchable_accounts(self) -> Sequence[str]:
        """The accounts to search: neither mirrored, nor queried completely already."""
        return [
            each
            for each in self._searching.accounts
            if self.max_hops and not self.earlier.is_settled(each) and not self._copied.has(each)
        ]

    def _text_searches(
        self, ticket: ContextItem, texts: Sequence[str], *, is_first: bool
    ) -> Questions:
        """Return searches for new words; of an unchanged ticket, only in incomplete accounts.

        After the first round, accounts without anything promising are not searched again.
        """
        says_the_same = self.earlier.ticket is not None and (
            (ticket.title, ticket.content)
            == (self.earlier.ticket.title, self.earlier.ticket.content)
        )
        promising = () if is_first or not texts else self._promising_accounts(ticket)
        return {
            account: [self._query(account, text) for text in self._searching.new(account, texts)]
            for account in self._searchable_accounts
            if not (says_the_same and account in self.earlier.complete)
            and (is_first or account in promising)
        }

    def _promising_accounts(self, ticket: ContextItem) -> Collection[str]:
        """Return the accounts with something that may belong to the ticket."""
        ranked = self._rank(ticket, tuple(self.found))
        return {each.candidate.item.account for each in ranked[: enough(ranked) + DOUBTFUL]}

    def _query(self, account: str, text: str, *, is_name: bool = False) -> Query:
        """Return a query; a repeated one covers only the time since the last."""
        begins = (self.window.since, self.earlier.search_start(account, text))
        return Query(
            account=account,
            text=text,
            since=max(filter(None, begins), default=None),
            until=self.window.until,
            limit=MOST_NAMING if is_name else MOST_SAYING,
            one_page=not is_name,
        )

    def _feedback_words(self, ticket: ContextItem) -> Sequence[str]:
        """Return the ticket's best words together, and words of what surely belongs to it."""
        sure = [each.item for each in self.found if each.is_linked]
        queries = {text for texts in self._searching.searches.values() for text in texts}
        fed_back = fed_back_queries(ticket, sure, [each.item for each in self.found], queries)
        return [*pair_query(ticket), *fed_back]

    def _unread(self, ticket: ContextItem) -> _Unread:
        """Return the new candidates that are known only in part and may be read.

        If everything is known in full, as from mirrors, nothing is ranked.
        """
        unread = {each.key for each in self.found if self._is_unread(each)}
        if not unread:
            return _Unread()
        ranked = self._rank(ticket, tuple(self.found))
        likely = {each.candidate.key for each in ranked[: enough(ranked) + DOUBTFUL]}
        by_name = {Trace("words", each) for each in self.fetches.accounts.names_of(self.ticket)}
        new = [each.candidate for each in ranked if each.candidate.key in unread]
        return _Unread(
            sure=[_planned_read(each) for each in new if each.is_linked],
            promising=[_planned_read(each) for each in new if each.key in likely],
            doubtful=[
                _planned_read(each)
                for each in new
                if not by_name.isdisjoint(each.traces) and not each.is_linked
            ],
        )

    def _rank(self, ticket: ContextItem, candidates: tuple[Candidate, ...]) -> Sequence[RankedItem]:
        """Rank candidates; the same ones are not ranked twice."""
        if candidates != self._last[0]:
            ranked = rank(ticket, candidates, everywhere=self._copied.everywhere, is_final=False)
            self._last = candidates, ranked
        return self._last[1]

    def _is_unread(self, candidate: Candidate) -> bool:
        is_new = candidate.key in self.found.fresh
        return not candidate.whole and (is_new or self._was_incomplete(candidate.item.account))

    def _was_incomplete(self, account: str) -> bool:
        """Return whether the earlier build could not fetch everything from an account."""
        return self.earlier.ticket is not None and account not in self.earlier.answered

    def _named_reads(self, item: ContextItem, *, hop: int) -> Iterator[PlannedRead]:
        """Yield an item's references that are unknown and not too deep.

        Args:
            item: The referring item.
            hop: Distance of the references from the ticket.
        """
        is_own = key_of(item.ref) == key_of(self.found.ticket)
        trace = Trace("link" if is_own else "reference", item.ref.id)
        if hop > self.max_hops:
            return
        for ref in self.found.references(item):
            candidate = self.found.get(ref)
            if key_of(ref) == key_of(item.ref) or (candidate and candidate.key == key_of(item.ref)):
                continue
            self.found.trace(ref, trace, hop=hop)
            if not (candidate and candidate.whole) and not self._was_passed_over(ref, item):
                yield PlannedRead(ref, hop, (trace,))

    def _was_passed_over(self, ref: ItemRef, item: ContextItem) -> bool:
        """Return whether an earlier build could have followed a reference from the same words."""
        is_own = key_of(item.ref) == key_of(self.found.ticket)
        is_new = item != self.earlier.ticket if is_own else key_of(item.ref) in self.found.fresh
        return not is_new and ref.account in self.earlier.answered

    def _choose_reads(
        self, wishes: Iterable[PlannedRead], doubtful: Iterable[PlannedRead]
    ) -> list[PlannedRead]:
        """Return what to read now: each item once, within the limits.

        An item that is both sure and promising is ordered among the promising ones: putting it
        first took more requests and found nothing better.
        """
        new: dict[Key, PlannedRead] = {}
        for wish in wishes:
            if self._may_read(wish.ref):
                new[key_of(wish.ref)] = new.pop(key_of(wish.ref), wish)
        for wish in doubtful:
            if self._may_read(wish.ref):
                new.setdefault(key_of(wish.ref), wish)
        room = max(0, min(READ_AT_ONCE, MOST_READ - len(self._tried)))
        chosen = _share_room(tuple(new.values()), room)
        self._tried |= {key_of(wish.ref) for wish in chosen}
        return chosen

    async def _report_depth(self, wishes: Iterable[PlannedRead]) -> None:
        """Report a greater depth of references."""
        deeper = [wish for wish in wishes if wish.hop > self.hops]
        if deeper:
            self.hops = max(wish.hop for wish in deeper)
            note = ", ".join(wish.ref.id for wish in deeper)
            await self.report("hop", done=self.hops, total=self.max_hops, note=note)

    async def _report_read(self, items: Iterable[ContextItem]) -> None:
        """Report the number of items read per account."""
        for account, count in Counter(item.account for item in items).items():
            await self.report("read", account=account, done=count)

    def _take(self, wishes: Iterable[PlannedRead], items: Iterable[ContextItem | None]) -> None:
        """Add the items that were read."""
        for wish, item in zip(wishes, items, strict=True):
            if item is not None:
                self.found.add(item, *wish.traces, hop=wish.hop, whole=True, is_search_hit=wish.ref)
            elif wish.ref in self.fetches.gone:
                self.found.lose(wish.ref)

    def _may_read(self, ref: ItemRef) -> bool:
        accounts = self.fetches.accounts
        if ref.account not in accounts.names or not accounts.can(ref.account, "rove_item_detail"):
            return False
        return key_of(ref) not in self._tried and self.fetches.answers(ref.account)


def _planned_read(candidate: Candidate) -> PlannedRead:
    return PlannedRead(candidate.item.ref, candidate.hop)


def _share_room(reads: Sequence[PlannedRead], room: int) -> list[PlannedRead]:
    """Return as many reads as there is room for, in their order.

    Reads of an account beyond half of the room come after those of the others, so that an account
    with references everywhere does not crowd them out.
    """
    if len(reads) <= room:
        return [*reads]
    ahead: list[PlannedRead] = []
    behind: list[PlannedRead] = []
    counts: dict[str, int] = {}
    for read in reads:
        counts[read.ref.account] = counts.get(read.ref.account, 0) + 1
        (ahead if counts[read.ref.account] <= room // 2 else behind).append(read)
    return [*ahead, *behind][:room]
