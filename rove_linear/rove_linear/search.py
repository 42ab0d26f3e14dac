"""Choose Linear's query for a search: by words or by filter."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import frozen

from rove_core import JSON, Query
from rove_core.http import Options
from rove_linear import queries
from rove_linear.api import QUESTION, SEARCH
from rove_linear.wiki_queries import SEARCH_ALL

_IDENTIFIER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*-[0-9]+")

_Filter: TypeAlias = Mapping[str, JSON]


@frozen
class LinearRequest:
    """A GraphQL request.

    Attributes:
        text: The question.
        plain: The same for a Linear that knows issues alone.
        variables: Its variables.
        options: What Linear counts it as.
    """

    text: str
    variables: Mapping[str, JSON]
    options: Options
    plain: str = ""


def question(query: Query) -> LinearRequest | None:
    """Return the query for a search; None if nothing can match.

    Words alone are searched for, which Linear does best. With fields named, each word must occur
    in one of them, which only a filter can say; without words, all that changed in the window is
    wanted.
    """
    within = _window(query)
    if query.text.strip() and not query.fields:
        found = {"term": query.text, "filter": within}
        return LinearRequest(SEARCH_ALL, found, SEARCH, plain=queries.SEARCH)
    words: list[_Filter] = [
        {"or": [*_filters_for(word, query.fields)]} for word in query.text.split()
    ]
    limits = [*words, within] if within else words
    if not limits or not all(word["or"] for word in words):
        return None
    return LinearRequest(queries.FILTER, {"filter": {"and": limits}}, QUESTION)


def _window(query: Query) -> _Filter | None:
    """Return the filter of a query's window, both its ends in it; None when it has none."""
    limits = {"gte": query.since, "lte": query.until}
    bounds = {name: limit.isoformat() for name, limit in limits.items() if limit}
    return {"updatedAt": bounds} if bounds else None


def _filters_for(word: str, fields: Sequence[str]) -> Iterator[_Filter]:
    """Yield the filters for a word in one of the fields."""
    contains: _Filter = {"containsIgnoreCase": word}
    ways: Mapping[str, _Filter] = {
        "ticket_title": {"title": contains},
        "ticket_description": {"description": contains},
        "comments": {"comments": {"some": {"body": contains}}},
        "labels": {"labels": {"some": {"name": contains}}},
    }
    yield from (way for name, way in ways.items() if name in fields)
    if "ticket_id" in fields and _IDENTIFIER.fullmatch(word):
        yield {"id": {"eq": word.upper()}}
