"""Build WIQL queries: by id, words, tags and time window."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rove_azure import fields as names
from rove_azure import wiql
from rove_azure.settings import FIELDS
from rove_core import Query

_ALL: Final = tuple(field.name for field in FIELDS)
_NUMBER: Final = re.compile(r"(?:AB#|#)?([1-9][0-9]{0,8})", re.ASCII | re.IGNORECASE)
_WORD: Final = re.compile(r"\w")
_LONG: Final = {
    "ticket_description": (names.DESCRIPTION, names.STEPS, names.CRITERIA),
    "comments": ("System.History",),
}
#: Words that the index of long texts does not keep: nothing is found by them.
_STOP: Final = frozenset(
    """a about after all also an and another any are as at be because been before being between
    both but by came can come could did do does each else for from get got had has have he her
    here him himself his how if in into is it its just like make many me might more most much must
    my never no now of on only or other our out over re said same see should since so some still
    such take than that the their them then there these they this those through to too under up
    use very want was way we well were what when where which while who will with would you
    your""".split()  # noqa: SIM905  # a list would hide the words
)


def question(query: Query, projects: Sequence[str]) -> str | None:
    """Return the WIQL for a query; None if nothing can match.

    Args:
        query: The query.
        projects: Look in these alone; in all of them when empty.
    """
    fields = query.fields or _ALL
    words = [word for word in query.text.split() if _WORD.search(word)]
    telling = [word for word in words if word.lower() not in _STOP] or words
    clauses = [[*_conditions_for(word, fields)] for word in telling]
    if not all(clauses):
        return None
    if query.text.strip() and not words:
        return None
    return wiql.newest_first(
        wiql.all_of([*map(wiql.any_of, clauses), *within(query), *_of(projects)])
    )


def within(query: Query) -> Iterator[str]:
    """Yield the clauses of a query's window, both its ends in it."""
    if query.since:
        yield wiql.not_before(names.CHANGED, query.since)
    if query.until:
        yield wiql.not_after(names.CHANGED, query.until)


def _of(projects: Sequence[str]) -> Iterator[str]:
    if projects:
        yield wiql.is_among(names.PROJECT, projects)


def _conditions_for(word: str, fields: Sequence[str]) -> Iterator[str]:
    """Yield the conditions for a word in one of the fields."""
    if "ticket_id" in fields and (found := _NUMBER.fullmatch(word)):
        yield wiql.is_number(int(found[1]))
    if "ticket_title" in fields:
        yield wiql.contains(names.TITLE, word)
    for field, refs in _LONG.items():
        if field in fields:
            yield from (wiql.has_words(ref, word) for ref in refs)
    if "labels" in fields:
        yield wiql.contains(names.TAGS, word)
