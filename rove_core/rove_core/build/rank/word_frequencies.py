"""Word frequencies in whole accounts, beyond what was found for a ticket."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Self

from attrs import field, frozen

from rove_core.build.rank.sampled_tickets import TicketSample


@frozen(kw_only=True)
class WordFrequencies:
    """How common words are in a collection of items.

    Attributes:
        items: The number of items; 0 if nothing is known.
        length: The average length of an item, as its bag of words counts it.
        having: The number of items that have each word, without rare words.
        tickets: A sample of its tickets, by their most distinctive words.
    """

    items: int = 0
    length: float = 0.0
    having: Mapping[str, int] = field(factory=dict, repr=False)
    tickets: TicketSample = field(factory=TicketSample, repr=False)

    @classmethod
    def joined(cls, parts: Iterable["WordFrequencies"]) -> Self:
        """Return the frequencies of several collections together."""
        items, length, having = 0, 0.0, Counter[str]()
        known = [*parts]
        for each in known:
            items += each.items
            length += each.length * each.items
            having.update(each.having)
        return cls(
            items=items,
            length=length / items if items else 0.0,
            having=having,
            tickets=TicketSample.joined(each.tickets for each in known),
        )


#: Nothing is known beyond the items found.
UNKNOWN_FREQUENCIES = WordFrequencies()
