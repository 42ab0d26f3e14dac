"""Recognise ticket ids like ``TB-123`` in any text."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

#: Standards and the like that look like ticket ids but are not.
_NO_TRACKER: Final = frozenset(
    "AES BASE COVID CVE ES GPT HS HTTP ISO MD PEP RFC RS SHA TLS UTF".split()  # noqa: SIM905  # a list of quotes hides the words
)
#: An id ends where its script ends, because other scripts have no spaces. An underscore that marks
#: emphasis or is in a branch name is not part of it, but one in a project's key is.
_STARTS: Final = r"(?<![A-Za-z0-9]{0})(?<![A-Z0-9]_{0})"
_ENDS: Final = r"(?![A-Za-z0-9])"
#: It begins with a letter, not with a lookbehind, so that the engine skips everything else.
_ANY: Final = re.compile(rf"([A-Z]{_STARTS.format('.')}[A-Z0-9_]+)-[0-9]+{_ENDS}")
#: URLs are left out: only the source of the host knows which item a page shows.
_PAGE: Final = re.compile(r"(?<![\w+.-])[a-z][a-z0-9+.-]{0,20}://[^\s<>|\"]+", re.IGNORECASE)


def ticket_ids(text: str, prefixes: Sequence[str] = ()) -> Iterator[str]:
    """Yield the ids in a text outside URLs: capital letters, a dash, digits.

    With known prefixes, ids are also recognised as people type them: ``tb-123``, ``TB 123`` and,
    with at least three letters, ``PEP8``. They are yielded in their usual form.

    Args:
        text: Any text.
        prefixes: What ids may begin with (``TB``); if empty, whatever looks like an id is one.
    """
    if prefixes:
        yield from _ids_with_prefix(text, tuple(prefixes))
        return
    prose = _PAGE.sub(" ", text) if "://" in text else text
    for found in _ANY.finditer(prose):
        if found[1] not in _NO_TRACKER:
            yield found[0]


def _ids_with_prefix(text: str, prefixes: tuple[str, ...]) -> Iterator[str]:
    folded = text.lower()
    if not any(prefix.lower() in folded for prefix in prefixes):
        return
    prose = _PAGE.sub(" ", text) if "://" in text else text
    for found in _pattern(prefixes).finditer(prose):
        if found["id"]:
            yield found["id"]
        else:
            prefix = found["spaced"] or found["joined"] or found["small"].upper()
            yield f"{prefix}-{int(found['number'])}"


@lru_cache(maxsize=64)
def _pattern(prefixes: tuple[str, ...]) -> re.Pattern[str]:
    any_of = "|".join(map(re.escape, prefixes))
    long = "|".join(re.escape(each) for each in prefixes if len(each) > 2) or "(?!)"
    small = "|".join(re.escape(each.lower()) for each in prefixes)
    # A word before a dash may be part of another name, and digits a version: web-api-2, TLS 1.3.
    return re.compile(
        rf"{_STARTS.format('')}(?:(?P<id>(?:{any_of})-[0-9]+){_ENDS}"
        rf"|(?:(?P<spaced>{any_of}) |(?P<joined>{long})|(?<![.\w-])(?P<small>{small})-)"
        rf"(?P<number>[0-9]{{1,6}})(?![.,]?[0-9]){_ENDS})"
    )
