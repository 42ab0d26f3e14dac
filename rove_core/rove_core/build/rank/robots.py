"""Recognise messages written by programs."""

import re
from functools import lru_cache
from typing import Final

from rove_core.items import ContextItem

_NAMED: Final = re.compile(r"(?:\[bot\]|[-_]bot|\bbot)$", re.IGNORECASE)


def is_by_robot(part: ContextItem) -> bool:
    """Return whether a program wrote a part, according to its source or its author's name."""
    return part.facts.robot or _is_named_so(part.author)


def is_all_by_robots(item: ContextItem) -> bool:
    """Return whether only programs wrote in an item."""
    return all(map(is_by_robot, (item, *item.thread)))


def is_round(item: ContextItem) -> bool:
    """Return whether a program opened a status round, in which people report own work."""
    return item.role == "talk" and is_by_robot(item)


@lru_cache(maxsize=4096)
def _is_named_so(author: str) -> bool:
    return bool(_NAMED.search(author))
