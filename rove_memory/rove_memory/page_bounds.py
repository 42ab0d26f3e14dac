"""Check which part of a list a caller wants."""

from typing import Final

from rove_core import WrongCall

#: No list is as long; SQLite and Python refuse numbers that are much larger.
LAST: Final = 1_000_000_000


def check_page(limit: int, offset: int, *, most: int) -> None:
    """Raise WrongCall for a limit or an offset that no list has.

    Args:
        limit: The maximum number of results.
        offset: How many of the first to skip.
        most: The largest limit.
    """
    if not 0 < limit <= most or not 0 <= offset <= LAST:
        raise WrongCall(f"limit {limit}, offset {offset}: expected 1 to {most}, and 0 to {LAST}")
