"""Paging cursors, opaque to clients."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import TypeVar

from rove_sim.slack.errors import refuse

_Item = TypeVar("_Item")


def cursor(kind: str, place: str) -> str:
    """Return a cursor of a kind that leads on from a place."""
    return b64encode(f"{kind}:{place}".encode()).decode()


def place(kind: str, text: str) -> str:
    """Return the place a cursor leads on from; an empty text without one."""
    if not text:
        return ""
    try:
        word, _, rest = b64decode(text, validate=True).decode().partition(":")
    except ValueError:
        refuse("invalid_cursor")
    return rest if word == kind and rest else refuse("invalid_cursor")


def page(kind: str, found: Sequence[_Item], text: str, most: int) -> tuple[Sequence[_Item], str]:
    """Return a page by position, and the cursor of the next one; an empty one at the end."""
    start = int(place(kind, text) or 0)
    end = start + most
    return found[start:end], cursor(kind, str(end)) if end < len(found) else ""
