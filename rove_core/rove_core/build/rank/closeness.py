"""Closeness in time to a ticket and its linked items."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Final, TypeAlias

from rove_core.items import ContextItem

#: The first and the last day on which something happened to an item; empty if unknown.
Span: TypeAlias = tuple[float, float] | tuple[()]

#: The distance in days of an item without a known time: neither close nor far.
UNKNOWN: Final = 90.0
_DAY: Final = 86_400.0
#: The smallest distance in days: about an hour for talk and code, but a week for tickets, which are
#: written in batches, so that others filed on the same day say little.
_FINEST: Final = 0.05
_FINEST_OF_TICKETS: Final = 7.0
#: A time that more than this share of all items have in common is that of an import.
_IMPORTED: Final = 0.02
_FEW: Final = 3


def closeness(
    ticket: ContextItem, sure: Sequence[ContextItem], items: Sequence[ContextItem]
) -> list[float]:
    """Return how close in time each item is, on a scale of doublings.

    Args:
        ticket: The ticket.
        sure: Items that surely belong to it: their times count as much as the ticket's own.
        items: The items to compare.
    """
    times = _times([ticket, *sure, *items])
    own = sorted({moment for item in (ticket, *sure) for moment in times[id(item)]})
    # The more days a ticket was worked on, the more items are close to one of them by chance.
    chance = 0.5 * log(len({int(moment) for moment in own}) or 1)
    return [-log(_distance(item, times[id(item)], own)) - chance for item in items]


def span_of(item: ContextItem) -> Span:
    """Return when an item was written and when it last changed."""
    moments = [moment for moment in _moments(item) if moment > 1]
    return (min(moments), max(moments)) if moments else ()


def _distance(item: ContextItem, moments: Iterable[float], own: Sequence[float]) -> float:
    nearest = min((_nearest(moment, own) for moment in moments), default=UNKNOWN)
    return nearest + (_FINEST_OF_TICKETS if item.role == "ticket" else _FINEST)


def _nearest(moment: float, own: Sequence[float]) -> float:
    at = bisect_left(own, moment)
    return min((abs(moment - other) for other in own[max(0, at - 1) : at + 1]), default=UNKNOWN)


def _times(items: Sequence[ContextItem]) -> Mapping[int, Sequence[float]]:
    """Return the days on which something happened to each item, by its identity."""
    days = {id(item): _moments(item) for item in items}
    counts = Counter(moment for moments in days.values() for moment in moments)
    most = max(_FEW, _IMPORTED * len(days))
    return {
        name: [moment for moment in moments if counts[moment] <= most and moment > 1]
        for name, moments in days.items()
    }


def _moments(item: ContextItem) -> set[float]:
    found = {part.timestamp.timestamp() / _DAY for part in (item, *item.thread)}
    if written := item.facts.created:
        found.add(written.timestamp() / _DAY)
    return found
