"""What programs wrote: news of what is said elsewhere, hardly ever something said."""

import re
from typing import Final

from rove_core.items import ContextItem

_NAMED: Final = re.compile(r"(?:\[bot\]|[-_]bot|\bbot)$", re.IGNORECASE)


def is_by_robot(part: ContextItem) -> bool:
    """Tell whether a program wrote something, as its source or its name says."""
    return bool(part.metadata.get("bot")) or bool(_NAMED.search(part.author))


def is_all_by_robots(item: ContextItem) -> bool:
    """Tell whether nobody but programs had a word in something."""
    return all(map(is_by_robot, (item, *item.thread)))
