"""Ids like ``TB-123``, as trackers give them, in anybody's text."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

#: Standards and the like that look like a ticket's id but are none.
_NO_TRACKER: Final = "AES|BASE|COVID|CVE|ES|GPT|HS|HTTP|ISO|MD|PEP|RFC|RS|SHA|TLS|UTF"
_ANY_PREFIX: Final = rf"(?!(?:{_NO_TRACKER})-)[A-Z][A-Z0-9_]+"
#: A page has an owner: which item it shows, only the source of that host can tell.
_PAGE: Final = re.compile(r"\bhttps?://[^\s<>|\"]+")


def ticket_ids(text: str, prefixes: Sequence[str] = ()) -> Iterator[str]:
    """Yield the ids that stand in a text outside of any URL.

    Args:
        text: Anybody's text.
        prefixes: What ids may begin with (``TB``); when empty, whatever looks like an id is one.
    """
    prefix = "|".join(map(re.escape, prefixes)) or _ANY_PREFIX
    for found in re.finditer(rf"\b(?:{prefix})-[0-9]+(?![^\W_])", _PAGE.sub(" ", text)):
        yield found[0]
