"""Recognise ticket ids like ``TB-123`` in any text."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

#: Standards and the like that look like a ticket's id but are none.
_NO_TRACKER: Final = frozenset(
    "AES BASE COVID CVE ES GPT HS HTTP ISO MD PEP RFC RS SHA TLS UTF".split()  # noqa: SIM905  # a list of quotes hides the words
)
#: An id ends where its script ends: other scripts are written without spaces. An underscore that
#: marks emphasis or stands in a branch's name is no part of it, one that a project's key has is.
_STARTS: Final = r"(?<![A-Za-z0-9]{0})(?<![A-Z0-9]_{0})"
_ENDS: Final = r"(?![A-Za-z0-9])"
#: It begins with a letter, not with what stands before it: the engine passes over all else.
_ANY: Final = re.compile(rf"([A-Z]{_STARTS.format('.')}[A-Z0-9_]+)-[0-9]+{_ENDS}")
#: A page has an owner: which item it shows, only the source of that host can tell.
_PAGE: Final = re.compile(r"(?<![\w+.-])[a-z][a-z0-9+.-]{0,20}://[^\s<>|\"]+", re.IGNORECASE)


def ticket_ids(text: str, prefixes: Sequence[str] = ()) -> Iterator[str]:
    """Yield the ids in a text outside URLs: capital letters, a dash, digits.

    Args:
        text: Anybody's text.
        prefixes: What ids may begin with (``TB``); when empty, whatever looks like an id is one.
    """
    if prefixes and not any(f"{prefix}-" in text for prefix in prefixes):
        return
    told = _PAGE.sub(" ", text) if "://" in text else text
    if prefixes:
        yield from _pattern(tuple(prefixes)).findall(told)
        return
    for found in _ANY.finditer(told):
        if found[1] not in _NO_TRACKER:
            yield found[0]


@lru_cache(maxsize=64)
def _pattern(prefixes: tuple[str, ...]) -> re.Pattern[str]:
    prefix = "|".join(map(re.escape, prefixes))
    return re.compile(rf"{_STARTS.format('')}(?:{prefix})-[0-9]+{_ENDS}")
