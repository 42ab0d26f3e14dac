"""Invisible marks at the end of a text, which identify what Rove wrote.

Some trackers let nobody choose an id and take comments out of HTML. What they keep is the text.
"""

import re
from hashlib import sha256
from typing import Final

#: The invisible operators of Unicode, two bits each: they have no width and no effect on lines.
_SIGNS: Final = "\u2061\u2062\u2063\u2064"
_LENGTH: Final = 32
_MARK: Final = re.compile(f"[{_SIGNS}]{{{_LENGTH}}}")


def hidden_mark(key: str) -> str:
    """Return the mark of a key: invisible characters, the same ones on each machine.

    Args:
        key: What tells a text from every other one.
    """
    digest = sha256(f"rove\0{key}".encode()).digest()
    number = int.from_bytes(digest[: _LENGTH // 4])
    return "".join(_SIGNS[number >> 2 * place & 3] for place in range(_LENGTH))


def find_hidden_mark(text: str) -> str:
    """Return the last mark in a text; empty where there is none."""
    found = [each[0] for each in _MARK.finditer(text)]
    return found[-1] if found else ""


def without_hidden_marks(text: str) -> str:
    """Return a text as people see it."""
    return _MARK.sub("", text)
