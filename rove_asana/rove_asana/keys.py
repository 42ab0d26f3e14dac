"""Keys that tell what Rove wrote once: they stand at the end of a text as invisible characters.

Asana lets nobody choose an id, and keeps data for apps only of those that log in with OAuth. What
it keeps for everybody is the text itself.
"""

import re
from hashlib import sha256
from typing import Final

#: The invisible operators of Unicode, two bits each: they have no width and no effect on lines.
_SIGNS: Final = "\u2061\u2062\u2063\u2064"
_LENGTH: Final = 32
_MARK: Final = re.compile(f"[{_SIGNS}]{{{_LENGTH}}}(?=\\s*(?:</body>)?\\s*\\Z)")
_END: Final = "</body>"


def mark_of(key: str) -> str:
    """Return the mark of a key: the same one in each try, and on each machine."""
    digest = sha256(f"rove\0{key}".encode()).digest()
    number = int.from_bytes(digest[: _LENGTH // 4])
    return "".join(_SIGNS[number >> 2 * place & 3] for place in range(_LENGTH))


def with_key(html: str, key: str) -> str:
    """Return a rich text with the mark of a key at its end."""
    return with_mark(html, mark_of(key))


def with_mark(html: str, mark: str) -> str:
    """Return a rich text with a mark at its end."""
    return f"{html.removesuffix(_END)}{mark}{_END}"


def without_mark(html: str) -> str:
    """Return a rich text as people see it."""
    return _MARK.sub("", html)


def mark_in(html: str) -> str:
    """Return the mark of a rich text; empty for one that Rove did not write."""
    found = _MARK.search(html)
    return found[0] if found else ""
