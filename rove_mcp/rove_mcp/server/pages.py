"""Stateless paging of lists."""

import base64
import binascii
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, TypeVar

from rove_core import WrongCall

PAGE: Final = 100
#: No list is so long that a place in it has more digits.
_DIGITS: Final = 12
_Thing = TypeVar("_Thing")


def page_of(things: Sequence[_Thing], cursor: str | None) -> tuple[list[_Thing], str | None]:
    """Return the page at a cursor, and the cursor of the next one.

    Raises:
        WrongCall: The cursor is none of ours.
    """
    start = _read(cursor) if cursor is not None else 0
    end = start + PAGE
    return list(things[start:end]), _cursor(end) if end < len(things) else None


def _cursor(offset: int) -> str:
    return base64.urlsafe_b64encode(f"from {offset}".encode()).decode()


def _read(cursor: str) -> int:
    word, number = "", ""
    with suppress(ValueError, binascii.Error):
        word, _, number = base64.urlsafe_b64decode(cursor.encode()).decode().partition(" ")
    if word != "from" or not number.isdecimal() or len(number) > _DIGITS:
        raise WrongCall(f"not a valid cursor: {cursor[:40]!r}")
    return int(number)
