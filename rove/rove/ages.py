"""Format ages for people."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rove_core.mirror.results import SearchedCopy


def age_text(seconds: int) -> str:
    """Return an age in its largest unit."""
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def copy_lines(copies: "Iterable[SearchedCopy]") -> Iterator[str]:
    """Yield a line for each local copy that was searched."""
    for each in copies:
        yield f"local copy of {each.account}, {age_text(each.age)} old"


def unsearched_lines(accounts: Iterable[str]) -> Iterator[str]:
    """Yield a line for each account whose local copy cannot be searched yet."""
    for each in accounts:
        yield f"no local copy of {each} yet: the first one is under way"
