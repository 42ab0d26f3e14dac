"""Find the part of a long conversation that is about a ticket."""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

#: Conversations of up to this many characters are quoted whole.
_SHORT: Final = 700
#: The share of a longer one that is quoted; messages that name the ticket always are.
_SHARE: Final = 0.3
#: How many messages before and after one that names the ticket may be quoted with it.
_BEFORE: Final = 1
_BEHIND: Final = 3
#: If nobody names the ticket, messages worth this share of the best one lead.
_NEARLY: Final = 0.7


@frozen(kw_only=True)
class WeighedMessage:
    """A message of a conversation, reduced to what the choice needs.

    Attributes:
        value: How much it says about the ticket.
        names: Whether it names the ticket.
        length: The number of characters that would be quoted.
    """

    value: float
    names: bool
    length: int


def stretch(messages: Sequence[WeighedMessage]) -> frozenset[int]:
    """Return the positions of the messages to quote: those around mentions of the ticket.

    Long conversations are about many things, and messages far from a mention of the ticket are
    mostly about something else.

    Args:
        messages: All messages of the conversation, in order.
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
    """Return the positions of the messages that say most about the ticket, best first."""
    least = _NEARLY * max(each.value for each in messages)
    leading = (at for at, each in enumerate(messages) if each.value >= least)
    return sorted(leading, key=lambda at: -messages[at].value)


def _near(anchors: Sequence[int], count: int) -> list[int]:
    """Return the positions of the anchors and of the messages around them."""
    return [
        at
        for anchor in anchors
        for at in range(max(0, anchor - _BEFORE), min(count, anchor + _BEHIND + 1))
    ]
