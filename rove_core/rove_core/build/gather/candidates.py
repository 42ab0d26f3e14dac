"""Candidates found for a ticket, and how they were found."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, TypeAlias

import attrs
from attrs import frozen

from rove_core.items import ContextItem, ItemRef

Key: TypeAlias = tuple[str, str]

#: ``link``: the item or the ticket names the other's id, or their source links them; ``words``: a
#: search for words found it; ``reference``: another found item names it; ``unread``: it seems to
#: belong to the ticket, but could not be read in full yet.
Way: TypeAlias = Literal["link", "words", "reference", "unread"]


@frozen
class Trace:
    """One way an item was found.

    Attributes:
        way: The way that led to it.
        by: The search words, or the id of the referring item.
    """

    way: Way
    by: str = ""


@frozen(kw_only=True)
class Candidate:
    """A found item that may belong in the document.

    Attributes:
        item: The item.
        traces: How it was found, first way first.
        hop: Distance from the ticket in references: 1 if it names it or shares its words.
        whole: Whether it was read with its discussion; a search alone shows less.
        passing: Whether it is a search hit that may be neither quoted nor stored.
    """

    item: ContextItem
    traces: tuple[Trace, ...] = ()
    hop: int = 1
    whole: bool = False
    passing: bool = False

    @property
    def key(self) -> Key:
        """The item's key."""
        return key_of(self.item.ref)

    @property
    def is_bare(self) -> bool:
        """Return whether only the address is known, since the hit may not be stored."""
        return not self.whole and not self.item.content and self.item.title == self.item.ref.id

    @property
    def is_quotable(self) -> bool:
        """Return whether a document may quote it."""
        return not (self.passing or self.is_bare)

    @property
    def storable(self) -> "Candidate":
        """The candidate as it may be stored: only the address of a passing item."""
        if not self.passing:
            return self
        item = self.item
        address = ContextItem(
            ref=item.ref,
            source=item.source,
            role=item.role,
            title=item.ref.id,
            content="",
            timestamp=item.timestamp,
        )
        return attrs.evolve(self, item=address, passing=False)

    @property
    def is_unread(self) -> bool:
        """Return whether an earlier build meant to read it in full and could not."""
        return any(trace.way == "unread" for trace in self.traces)

    @property
    def is_linked(self) -> bool:
        """Return whether it and the ticket name each other, in one direction at least."""
        return any(trace.way == "link" for trace in self.traces)


@frozen(kw_only=True)
class RankedItem:
    """A candidate with its relevance to the ticket.

    Attributes:
        candidate: The candidate.
        score: Its relevance: above 0, at most 1.
        reason: Why, for people (``names TB-123``, ``says: provider, callback``).
    """

    candidate: Candidate
    score: float
    reason: str


@frozen
class SearchRecord:
    """One search of an account for a document.

    Attributes:
        at: The time of the search; None if unknown.
        requests: Number of requests it took; 0 for a search on this machine.
    """

    at: datetime | None = None
    requests: int = 0


#: Searches by account, then by text.
SearchRecords: TypeAlias = Mapping[str, Mapping[str, SearchRecord]]


def bare_title(item: ContextItem) -> str:
    """Return an item's title without the short name it may begin with (``PR #847: ``)."""
    return item.title.removeprefix(f"{item.facts.short_name}: ")


def key_of(ref: ItemRef) -> Key:
    """Return the identity of an item: its account and id."""
    return ref.account, ref.id
