"""The mirrors of a project's accounts."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from heapq import nlargest
from typing import Final, Protocol, TypeVar

from attrs import define, evolve, field

from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.build.rank.words import stems
from rove_core.clock import Clock
from rove_core.errors import RoveError
from rove_core.items import ContextItem, ItemRef
from rove_core.mirror.attempts import FailedRead, attempt_name
from rove_core.mirror.copies import CopiedItem, absent, read_copies, read_copy, role_of_kind
from rove_core.mirror.frequencies import read_frequencies
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.scope import is_in
from rove_core.mirror.search import (
    TimeRange,
    moments_of,
    rows_about,
    rows_naming,
    rows_near,
    rows_of_people,
    rows_with_text,
)
from rove_core.mirror.search_words import pair_counts
from rove_core.mirror.source_copy import SourceCopy
from rove_core.mirror.state import CURRENT, JUST_NOW
from rove_core.mirror.ticket_sample import read_tickets
from rove_core.mirror.unread import is_unread
from rove_core.mirror.usable_mirror import UsableMirror, usable_mirror
from rove_core.plugins.accounts import Accounts
from rove_core.sources import CONTAINERS, AnySourceKind
from rove_core.time_windows import Window

Found = TypeVar("Found")

#: Maximum items read that share words with a ticket, that name it, and, per mirror, that its people
#: or anybody wrote at about the same time.
MOST_ABOUT: Final = 400
MOST_NAMING: Final = 200
MOST_OF_PEOPLE: Final = 100
MOST_NEAR: Final = 60

_LOG: Final = logging.getLogger("rove.mirror")


@define(eq=False, kw_only=True)
class Mirrors:
    """The mirrors of a project's accounts, searched in separate threads.

    Attributes:
        passing: Returns an item as filtered by plugins; None if one of them drops it.
        usable: The mirrors that may be searched, by account.
        kinds: The kind of each account.
        damaged: The accounts whose mirrors are damaged, so that the accounts are searched.
    """

    passing: Callable[[ContextItem], ContextItem | None] = lambda item: item
    usable: Mapping[str, UsableMirror] = field(factory=dict)
    kinds: Mapping[str, AnySourceKind] = field(factory=dict)
    damaged: Sequence[str] = ()

    def __contains__(self, account: object) -> bool:
        return account in self.usable

    @property
    def failures(self) -> Mapping[str, RoveError]:
        """The errors of failed updates that a person can fix, by account."""
        return {name: each.failure for name, each in self.usable.items() if each.failure}

    @property
    def dropped(self) -> Sequence[str]:
        """The accounts whose mirrors were dropped since they were opened, at least in part."""
        return [name for name, each in self.usable.items() if each.is_dropped]

    def updated_at(self, account: str) -> datetime | None:
        """Return the time up to which a mirror is complete; None if it is not searched."""
        return self.usable[account].updated_at if account in self.usable else None

    def seconds(self, account: str) -> float:
        """Return how long it took to bring a mirror up to date just now."""
        return self.usable[account].seconds if account in self.usable else 0.0

    def unlisted(self, account: str) -> str:
        """Return what an account has that its mirror lacks, in a few words."""
        lacking = [self.kinds[account].uncopied] if account in self.kinds else []
        if usable := self.usable.get(account):
            lacking += usable.state.missing_parts
        return ", ".join(filter(None, lacking))

    def copy_of(self, account: str) -> SourceCopy | None:
        """Return what a document says of an account's mirror; None if it is not searched."""
        usable, kind = self.usable.get(account), self.kinds.get(account)
        if usable is None or usable.updated_at is None:
            return None
        return SourceCopy(
            at=usable.updated_at,
            coverage=usable.state.coverage(kind.containers if kind else CONTAINERS),
            unlisted=self.unlisted(account),
            is_outdated=usable.is_outdated,
            is_busy=usable.is_busy,
        )

    def has_all_parts(self, account: str) -> bool:
        """Return whether an account's mirror holds each of its items with all parts."""
        return account not in self.kinds or not self.kinds[account].unlisted_parts

    def container_of(self, ref: ItemRef) -> str:
        """Return the container in the mirror's scope that an item must be in; empty if unknown."""
        usable = self.usable.get(ref.account)
        names = usable.state.scope.containers if usable else ()
        named = (name for name in names if is_in(_in_its_case(ref.id, name), name))
        return max(named, key=len, default="")

    async def item(self, ref: ItemRef) -> ContextItem | None:
        """Return a whole item from a mirror; None if it is missing, or there only in part."""
        found = await self._copy(ref)
        return self.passing(found.item) if found and found.whole else None

    async def has(self, ref: ItemRef) -> bool:
        """Return whether a mirror has an item, or a part of it."""
        return await self._copy(ref) is not None

    async def is_absent(self, ref: ItemRef) -> bool:
        """Return whether an item cannot exist, because the mirror has all of its container."""
        container = self.container_of(ref)
        if not container or not self.usable[ref.account].state.is_complete(container):
            return False

        exact_ref = evolve(ref, id=_in_its_case(ref.id, container))

        def has_none(db: sqlite3.Connection) -> bool:
            is_absent = read_copy(db, exact_ref) is None and not is_unread(db, exact_ref.id)
            # Of commits, only those of one branch are listed.
            return is_absent and role_of_kind(db, container, ref.kind) not in {"", "commit"}

        return await self._read(ref.account, has_none)

    async def gone(self, refs: Iterable[ItemRef]) -> Sequence[ItemRef]:
        """Return those of some items that cannot exist, or that their account lost access to."""
        by_account: dict[str, dict[str, ItemRef]] = {}
        for ref in refs:
            if ref.account in self.usable:
                by_account.setdefault(ref.account, {})[ref.id] = ref
        gone = list[ItemRef]()
        for account, ids in by_account.items():
            lost = [each.name for each in self.usable[account].state.lost]
            missing = await self._read(account, partial(absent, names=ids))
            for ref in (ids[each] for each in missing):
                if any(is_in(ref.id, name) for name in lost) or await self.is_absent(ref):
                    gone.append(ref)  # each is awaited
        return gone

    def failed_read(self, ref: ItemRef) -> FailedRead | None:
        """Return the last failed read of an item that its mirror lacks; None if it is unknown."""
        usable = self.usable.get(ref.account)
        return usable.state.failed_reads.get(attempt_name(ref)) if usable else None

    def forget_failed_reads(self) -> "Mirrors":
        """Return the same mirrors, from which items may be requested that could not be read."""
        usable = {
            name: evolve(each, state=evolve(each.state, failed_reads={}))
            for name, each in self.usable.items()
        }
        return evolve(self, usable=usable)

    async def remember_failures(
        self, unread: Iterable[ItemRef], missing: Iterable[ItemRef], now: datetime
    ) -> None:
        """Record failed reads for the next builds; a mirror that is being updated records none.

        Args:
            unread: Items that could not be read.
            missing: Items that their vendor lacks.
            now: The time.
        """
        by_account: dict[str, tuple[list[ItemRef], list[ItemRef]]] = {}
        for place, refs in enumerate((unread, missing)):
            for ref in refs:
                by_account.setdefault(ref.account, ([], []))[place].append(ref)
        for account, (some, others) in by_account.items():
            if usable := self.usable.get(account):
                await asyncio.to_thread(_remember, usable.mirror, some, others, now)

    async def naming(self, ref: ItemRef, window: Window) -> Sequence[CopiedItem]:
        """Return the items of all mirrors that may name an item."""
        within = TimeRange.of(window)
        return await self._all(lambda db: rows_naming(db, ref, within, MOST_NAMING))

    async def search_text(
        self, account: str, text: str, window: Window, most: int
    ) -> Sequence[CopiedItem]:
        """Return items of one mirror with all words of a text, best first."""
        within = TimeRange.of(window)
        return await self._copies(account, lambda db: rows_with_text(db, text, within, most))

    async def about(
        self,
        ticket: ContextItem,
        sure: Sequence[ContextItem],
        window: Window,
        everywhere: WordFrequencies = UNKNOWN_FREQUENCIES,
    ) -> Sequence[CopiedItem]:
        """Return items that may belong to a ticket by its words, its people and its times.

        Args:
            ticket: The ticket.
            sure: Items that surely belong to it.
            window: The time window of items.
            everywhere: Word frequencies across all mirrors.
        """
        within = TimeRange.of(window)
        people = {part.author for part in (ticket, *ticket.thread) if part.author}
        people |= {*ticket.facts.assignees}

        def rows(db: sqlite3.Connection) -> tuple[Mapping[int, float], Sequence[int]]:
            moments = moments_of(ticket)
            beside = [moment for each in sure for moment in moments_of(each)]
            return (
                rows_about(db, ticket, sure, within, MOST_ABOUT, everywhere=everywhere),
                [
                    *rows_of_people(db, people, moments, within, MOST_OF_PEOPLE),
                    *rows_near(db, [*moments, *beside], within, MOST_NEAR),
                ],
            )

        found = {name: await self._read(name, rows) for name in self.usable}
        scored = [
            (worth, name, row) for name, (about, _) in found.items() for row, worth in about.items()
        ]
        chosen = {name: [*nearby] for name, (_, nearby) in found.items()}
        for _, name, row in nlargest(MOST_ABOUT, scored):
            chosen[name].append(row)
        return [each for name, rows_ in chosen.items() for each in await self._items(name, rows_)]

    async def with_words_of(self, question: ContextItem) -> Sequence[CopiedItem]:
        """Return the items that share a word with the title of a question, or have its id."""
        wanted = {*stems(question.title)}
        found = await self.about(question, (), Window())
        return [each for each in found if wanted.intersection(_words_of(each.item))]

    async def frequencies(self, ticket: ContextItem) -> WordFrequencies:
        """Return word frequencies across all mirrors, including word pairs of a ticket's title.

        A sample of the tickets comes with them: a build compares what it finds with these, too.
        """

        def counted(account: str, db: sqlite3.Connection) -> WordFrequencies:
            frequencies = read_frequencies(db)
            pairs = pair_counts(db, ticket.title) if frequencies.items else {}
            # Items added after the word count must not make a pair more common than all items.
            pairs = {pair: min(count, frequencies.items) for pair, count in pairs.items()}
            return evolve(
                frequencies,
                having={**frequencies.having, **pairs},
                tickets=read_tickets(db, account),
            )

        return WordFrequencies.joined(
            [await self._read(name, partial(counted, name)) for name in self.usable]
        )

    async def _copy(self, ref: ItemRef) -> CopiedItem | None:
        if ref.account not in self.usable:
            return None
        exact_ref = evolve(ref, id=_in_its_case(ref.id, self.container_of(ref)))
        return await self._read(ref.account, lambda db: read_copy(db, exact_ref))

    async def _all(
        self, rows: Callable[[sqlite3.Connection], Sequence[int]]
    ) -> Sequence[CopiedItem]:
        return [each for name in self.usable for each in await self._copies(name, rows)]

    async def _copies(
        self, account: str, rows: Callable[[sqlite3.Connection], Sequence[int]]
    ) -> Sequence[CopiedItem]:
        return await self._items(account, await self._read(account, rows))

    async def _items(self, account: str, rows: Iterable[int]) -> Sequence[CopiedItem]:
        row_ids = dict.fromkeys(rows)
        found = await self._read(account, lambda db: [*read_copies(db, account, row_ids)])
        passing = ((each, self.passing(each.item)) for each in found)
        return [CopiedItem(item=item, whole=each.whole) for each, item in passing if item]

    async def _read(self, account: str, read: Callable[[sqlite3.Connection], Found]) -> Found:
        def found() -> Found:
            with self.usable[account].mirror.reading() as db:
                return read(db)

        return await asyncio.to_thread(found)


def _words_of(item: ContextItem) -> Iterator[str]:
    for each in (item, *item.thread):
        for text in (each.ref.id, each.title, each.content):
            yield from stems(text)


def _in_its_case(item: str, container: str) -> str:
    """Return an item's id with its container's name in the vendor's case, which people ignore."""
    begins = item[: len(container)].lower() == container.lower()
    return container + item[len(container) :] if begins else item


class OpenMirrors(Protocol):
    """Opens the mirrors that may be searched."""

    async def __call__(self, *, update: bool = True, refresh: bool = False) -> Mirrors:
        """Return the mirrors, updated as far as that is quick.

        Args:
            update: Whether to fetch changes from the vendors if a mirror is not current.
            refresh: Whether to fetch them even if it is, unless it was updated seconds ago.
        """


async def no_mirrors(*, update: bool = True, refresh: bool = False) -> Mirrors:  # noqa: ARG001  # as for OpenMirrors
    """Return no mirrors."""
    return Mirrors()


async def open_mirrors(  # noqa: PLR0913  # each is a choice of its own
    candidates: Mapping[str, tuple[Mirror, str]],
    accounts: Accounts,
    clock: Clock,
    *,
    update: bool = True,
    refresh: bool = False,
    kinds: Mapping[str, AnySourceKind] | None = None,
) -> Mirrors:
    """Return the searchable mirrors, updated as far as that is quick.

    Args:
        candidates: The mirror of each account, existing or not, and its expected owner.
        accounts: The accounts.
        clock: The clock.
        update: Whether to fetch changes from the vendors if a mirror is not current.
        refresh: Whether to fetch them even if it is, unless it was updated seconds ago.
        kinds: The kind of each account.
    """
    current = None if not update else JUST_NOW if refresh else CURRENT
    existing = [each for each in candidates.values() if each[0].exists]
    found = await asyncio.gather(
        *(usable_mirror(mirror, owner, accounts, clock, current) for mirror, owner in existing)
    )
    usable = {each.mirror.account: each for each in found if each}
    return Mirrors(
        passing=lambda item: accounts.filter_item(item.account, item),
        usable=usable,
        kinds=kinds or {},
        damaged=[mirror.account for mirror, _ in existing if mirror.is_damaged],
    )


def _remember(
    mirror: Mirror, unread: Sequence[ItemRef], missing: Sequence[ItemRef], now: datetime
) -> None:
    """Record failed reads, unless another process is writing: then they are not worth a wait."""
    try:
        lock = mirror.update_lock()
        if not lock.try_acquire():
            return
        try:
            with mirror.writing() as writer:
                writer.remember_failures(unread, missing, now)
        finally:
            lock.release()
    except RoveError as error:
        _LOG.warning("the mirror of %s cannot be written: %s", mirror.account, error.message)
