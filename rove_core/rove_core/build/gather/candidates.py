"""Candidates found for a ticket, and how they were found."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, TypeAlias

import attrs
from attrs import frozen

from rove_core.items import ContextItem, ItemRef

Key: TypeAlias = tuple[str, str]

#: ``link``: the ticket and it refer to each other's id, one way or the other, or their source
#: links them; ``words``: a search for words found it; ``reference``: something found names it;
#: ``unread``: it seems to belong to the ticket, and could not be read in full yet.
Way: TypeAlias = Literal["link", "words", "reference", "unread"]


@frozen
class Trace:
    """One way an item was found.

    Attributes:
        way: Which way led to it.
        by: The words that were looked for, or the id of what refers to it.
    """

    way: Way
    by: str = ""


@frozen(kw_only=True)
class Candidate:
    """Something that was found and may belong into the document.

    Attributes:
        item: What it is.
        traces: How it was found, first way first.
        hop: How many references away from the ticket: 1 for what names it or shares its words.
        whole: Whether it was read with its discussion; a search alone shows less.
        passing: Whether it is as a search told it, and may be neither quoted nor stored so.
    """

    item: ContextItem
    traces: tuple[Trace, ...] = ()
    hop: int = 1
    whole: bool = False
    passing: bool = False

    @property
    def key(self) -> Key:
        """The key."""
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
        """Return the candidate as it may be stored: of passing items only the address."""
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
        """Return whether an earlier build wanted to read it in full and could not."""
        return any(trace.way == "unread" for trace in self.traces)

    @property
    def is_linked(self) -> bool:
        """Return whether it and the ticket name each other, in one direction at least."""
        return any(trace.way == "link" for trace in self.traces)


@frozen(kw_only=True)
class RankedItem:
    """A candidate, and how much it matters for the ticket.

    Attributes:
        candidate: Which one.
        score: How much it matters: above 0, at most 1.
        reason: Why, for people (``names TB-123``, ``says: provider, callback``).
    """

    candidate: Candidate
    score: float
    reason: str


@frozen
class SearchRecord:
    """One search of an account for a document.

    Attributes:
        at: When; None if that is not known.
        requests: How many requests it took; 0 for what lies on this machine.
    """

    at: datetime | None = None
    requests: int = 0


#: What accounts were searched for: by the account, then by the text.
SearchRecords: TypeAlias = Mapping[str, Mapping[str, SearchRecord]]


def bare_title(item: ContextItem) -> str:
    """Return an item's title without the short name it may begin with (``PR #847: ``)."""
    return item.title.removeprefix(f"{item.facts.short_name}: ")


def key_of(ref: ItemRef) -> Key:
    """Return the identity of an item: its account and id."""
    return ref.account, ref.id
