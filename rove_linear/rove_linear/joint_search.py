"""Search for several terms with one query."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import define, evolve, field, frozen

from rove_core import JSON, MalformedReply, Query, Reply, ScopeMissing, WrongCall
from rove_core.http import Batches
from rove_core.json_reader import read_each, value_at
from rove_linear.api import LinearApi
from rove_linear.errors import is_too_complex
from rove_linear.replies import SearchData
from rove_linear.search import LinearRequest, question
from rove_linear.wiki_queries import LISTS, search_several
from rove_linear.wiki_replies import WikiSearchData

_LOG: Final = logging.getLogger("rove.linear")
#: How many terms one query has at most; Linear limits how complex it may be.
_MOST_TERMS: Final = 4


@frozen(kw_only=True)
class FoundTogether:
    """The first page of one search.

    Attributes:
        issues: The issues.
        pages: Documents, projects and initiatives.
    """

    issues: SearchData
    pages: WikiSearchData


@define(eq=False)
class JointSearch:
    """Runs the searches of one moment with one query.

    Attributes:
        api: Requests to Linear.
    """

    api: LinearApi
    _most: int = field(default=_MOST_TERMS, init=False)
    _batches: Batches[Query, FoundTogether] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._batches = Batches(self._together)

    async def first_page(self, query: Query) -> FoundTogether | None:
        """Return the first page of a search; None if it has to be run alone."""
        request = question(query)
        if request is None or not (request.plain and query.one_page):
            return None
        return await self._batches.ask(query)

    async def _together(self, queries: Sequence[Query]) -> Mapping[Query, FoundTogether]:
        found: dict[Query, FoundTogether] = {}
        for alike in _groups(queries):
            while left := [each for each in alike if each not in found][: self._most]:
                if len(left) < 2 or not (answers := await self._ask(left)):
                    break
                found |= answers
        return found

    async def _ask(self, queries: Sequence[Query]) -> Mapping[Query, FoundTogether]:
        """Return the results of searches that differ in their words; empty if refused."""
        requests = [each for each in map(question, queries) if each]
        text = search_several(len(requests), pages=self.api.knows_more)
        try:
            reply = await self.api.ask_once(text, _variables(requests), most=queries[0].limit)
        except (MalformedReply, ScopeMissing, WrongCall) as error:
            _LOG.info("Linear is asked for each term alone: %s", error)
            if isinstance(error, MalformedReply) and is_too_complex(error):
                self._most //= 2
            return {}
        return {query: _page(reply, number) for number, query in enumerate(queries)}


def _groups(queries: Sequence[Query]) -> Iterator[Sequence[Query]]:
    """Yield the queries that are alike but for their words."""
    groups: dict[Query, list[Query]] = {}
    for query in queries:
        groups.setdefault(evolve(query, text=""), []).append(query)
    yield from groups.values()


def _variables(requests: Sequence[LinearRequest]) -> Mapping[str, JSON]:
    terms = {f"term{at}": each.variables["term"] for at, each in enumerate(requests)}
    return {**terms, "filter": requests[0].variables["filter"]}


def _page(reply: Reply, number: int) -> FoundTogether:
    """Return the part of a reply that answers one of the searches."""
    own = {name: value_at(reply.json(), "data", f"{name}{number}") for name in LISTS}
    (issues,) = read_each([own], SearchData)
    (pages,) = read_each([own], WikiSearchData)
    return FoundTogether(issues=issues, pages=pages)
