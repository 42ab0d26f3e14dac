"""Idempotency keys of what Rove wrote, hidden in the text."""

import re
from typing import Final

_KEY: Final = re.compile(r"\n*<!-- rove:([A-Za-z0-9-]{8,64}) -->\n*\Z")


def with_key(text: str, key: str) -> str:
    """Return a text with a key at its end."""
    return f"{text}\n\n<!-- rove:{key} -->"


def without_key(text: str) -> str:
    """Return a text as people see it."""
    return _KEY.sub("", text)


def key_of(text: str) -> str:
    """Return the key of a text; empty for one that Rove did not write."""
    found = _KEY.search(text)
    return found[1] if found else ""
