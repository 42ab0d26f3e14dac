"""The stretch of a long conversation that is about a ticket."""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

#: A conversation of so many characters is short enough to be quoted as it is.
_SHORT: Final = 700
#: Of a longer one this share is quoted, and whatever names the ticket.
_SHARE: Final = 0.3
#: How far from a message that names the ticket its stretch reaches: before it and behind it.
_BEFORE: Final = 1
_BEHIND: Final = 3
#: Where nobody names the ticket, what is worth nearly as much as the best message leads.
_NEARLY: Final = 0.7


@frozen(kw_only=True)
class WeighedMessage:
    """A message of a conversation, as far as the choice needs it.

    Attributes:
        value: How much it says about the ticket.
        names: Whether it names the ticket.
        length: How many characters would be quoted of it.
    """

    value: float
    names: bool
    length: int


def stretch(messages: Sequence[WeighedMessage]) -> frozenset[int]:
    """Return which messages of a conversation to quote: those around what names the ticket.

    Long conversations are about many things, and what stands far from the ticket's name is
    mostly about another one.

    Args:
        messages: All its messages, in their order.
    """
    total = sum(each.length for each in messages)
    if total <= _SHORT:
        return frozenset(range(len(messages)))
    anchors = [at for at, each in enumerate(messages) if each.names] or _leading(messages)
    positions = {at for at in anchors if messages[at].names} or set(anchors[:1])
    room = max(_SHORT, total * _SHARE) - sum(messages[at].length for at in positions)
    for at in sorted(
        set(_near(anchors, len(messages))) - positions, key=lambda at: -messages[at].value
    ):
        if messages[at].length <= room:
            positions.add(at)
            room -= messages[at].length
    return frozenset(positions)


def _leading(messages: Sequence[WeighedMessage]) -> list[int]:
    """Return the messages that say most about the ticket, the best one first."""
    least = _NEARLY * max(each.value for each in messages)
    leading = (at for at, each in enumerate(messages) if each.value >= least)
    return sorted(leading, key=lambda at: -messages[at].value)


def _near(anchors: Sequence[int], count: int) -> list[int]:
    """Return the places of the anchors and of what stands around them."""
    return [
        at
        for anchor in anchors
        for at in range(max(0, anchor - _BEFORE), min(count, anchor + _BEHIND + 1))
    ]
