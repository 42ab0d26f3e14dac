"""Signals from people: a ticket's people write about it elsewhere."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from attrs import frozen

from rove_core.build.rank.robots import is_by_robot
from rove_core.items import ContextItem

#: The share of an item without known authors, such as minutes.
_UNKNOWN: Final = 0.7
_WORD: Final = re.compile(r"[^\W\d_]+")


def own_share(ticket: ContextItem, items: Sequence[ContextItem]) -> list[float]:
    """Return the share of each item's text by the ticket's people, from 0 to 1.

    The ticket's people are its author, its assignees and everybody who commented on it.

    Args:
        ticket: The ticket.
        items: The other items.
    """
    names = [*_authors(ticket), *ticket.facts.assignees]
    own = _People(
        names=frozenset(map(_joined_name, names)),
        forms=frozenset(form for name in names for form in _forms(name)),
    )
    return [_share(item, own) for item in items]


@frozen
class _People:
    """A set of people, with the forms of their names."""

    names: frozenset[str]
    forms: frozenset[str]

    def has(self, name: str) -> bool:
        """Return whether a person is in the set, by name or login."""
        return _joined_name(name) in self.forms or not self.names.isdisjoint(_forms(name))


def _share(item: ContextItem, own: _People) -> float:
    hits = [own.has(name) for name in _authors(item)]
    return sum(hits) / len(hits) if hits else _UNKNOWN


def _authors(item: ContextItem) -> Iterator[str]:
    return (each.author for each in (item, *item.thread) if each.author and not is_by_robot(each))


@lru_cache(maxsize=4096)
def _joined_name(name: str) -> str:
    return "".join(_WORD.findall(name.lower()))


@lru_cache(maxsize=4096)
def _forms(name: str) -> frozenset[str]:
    """Return possible logins of a name: ``adaking``, ``aking``, ``adak``."""
    words = _WORD.findall(name.lower())
    if len(words) < 2:  # a login, or one name
        return frozenset(words)
    first, last = words[0], words[-1]
    return frozenset({"".join(words), first + last, first[0] + last, first + last[0]})
