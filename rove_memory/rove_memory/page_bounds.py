"""Check which part of a list a caller wants."""

from typing import Final

from rove_core import WrongCall

#: No list is as long; SQLite and Python refuse numbers that are much larger.
LAST: Final = 1_000_000_000


def check_page(limit: int, offset: int = 0, *, most: int) -> None:
    """Raise WrongCall for a limit or an offset that no list has.

    Args:
        limit: The maximum number of results.
        offset: How many of the first to skip.
        most: The largest limit.
    """
    if not 0 < limit <= most:
        raise WrongCall(f"limit {limit}: expected 1 to {most}")
    check_offset(offset)


def check_offset(offset: int) -> None:
    """Raise WrongCall for an offset that no list has."""
    if not 0 <= offset <= LAST:
        raise WrongCall(f"offset {offset}: expected 0 to {LAST}")
