"""Keys that tell what Rove wrote once: an anchor without words, which Azure's pages do not show.

Azure takes comments out of HTML, so that a key cannot stand in one.
"""

import re
from typing import Final

_KEY: Final = re.compile(
    r"""\s*<a\b[^>]*?href=["']?\#rove-([A-Za-z0-9-]{8,64})["']?[^>]*>\s*</a>\s*""", re.IGNORECASE
)


def with_key(html: str, key: str) -> str:
    """Return HTML with a key at its end."""
    return f'{html}<a href="#rove-{key}"></a>'


def without_key(html: str) -> str:
    """Return HTML as people see it."""
    return _KEY.sub("", html) if "#rove-" in html else html


def key_of(html: str) -> str:
    """Return the key of a text; empty for one that Rove did not write."""
    found = _KEY.search(html) if "#rove-" in html else None
    return found[1] if found else ""
