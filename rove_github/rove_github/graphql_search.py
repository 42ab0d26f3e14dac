"""Run all searches of a query as one GraphQL query, and those of two queries at once.

GitHub allows thirty searches a minute over REST, and each kind of item is one of them. GraphQL
takes all of them at once and counts them apart.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from attrs import define, evolve, field, frozen

from rove_core import JSON, ItemNotFound, RoveError
from rove_core.http import Batches
from rove_core.json_reader import read_each, read_one
from rove_github.api import GitHubApi
from rove_github.concurrency import together
from rove_github.discussion_replies import FoundDiscussions
from rove_github.graphql_replies import FoundPlace, GraphError, Item, ItemPage
from rove_github.search_syntax import DISCUSSIONS, SearchRequest

_LOG: Final = logging.getLogger("rove.github")
#: How many questions share a query: GitHub ends one that takes ten seconds.
_MOST_TOGETHER: Final = 2
#: REST finds the same in more requests: nobody waits long for fewer of them.
_SECONDS: Final = 10.0

_ITEMS: Final = """{
    nodes { ...issue ...pr }
    pageInfo { hasNextPage endCursor }
  }"""
#: Branches may have the id anywhere in their names: ``ann/TB-123-title``.
_BRANCHES: Final = """{
    nameWithOwner
    branches: refs(refPrefix: "refs/heads/", query: $branch, first: 10) {
      nodes {
        associatedPullRequests(first: 3, orderBy: { field: UPDATED_AT, direction: DESC }) {
          nodes { ...pr }
        }
      }
    }
  }"""
_TALKS: Final = """{
    nodes { ...about }
    pageInfo { hasNextPage endCursor }
  }"""
_SHARED: Final = """
fragment who on Actor { login kind: __typename }
fragment issue on Issue {
  number title body url createdAt updatedAt
  stateReason(enableDuplicate: true)
  issueState: state
  author { ...who }
  assignees(first: 20) { nodes { login } }
  labels(first: 20) { nodes { name } }
}
fragment pr on PullRequest {
  number title body url createdAt updatedAt isDraft mergedAt headRefName
  pullState: state
  author { ...who }
  assignees(first: 20) { nodes { login } }
  labels(first: 20) { nodes { name } }
}
"""
ABOUT: Final = """
fragment about on Discussion {
  number title body closed isAnswered createdAt updatedAt
  author { ...who }
  category { name }
  labels(first: 20) { nodes { name } }
  repository { nameWithOwner }
}
"""


@frozen(kw_only=True)
class _SearchData:
    data: Mapping[str, JSON] | None = None
    errors: tuple[GraphError, ...] = ()


@frozen(kw_only=True)
class FoundPages:
    """The pages of one search.

    Attributes:
        items: For each search of issues or pull requests its page.
        talks: For each search of discussions its page.
        closed: The places that the login may not search.
    """

    items: Mapping[SearchRequest, ItemPage]
    talks: Mapping[SearchRequest, FoundDiscussions]
    closed: frozenset[str] = frozenset()

    def has(self, search: SearchRequest) -> bool:
        """Return whether a search was answered."""
        return search in self.items or search in self.talks

    def following(self, search: SearchRequest) -> str:
        """Return the place after which a search goes on; empty at its end."""
        page = self.items.get(search) or self.talks[search]
        return page.pageInfo.endCursor if page.pageInfo.hasNextPage else ""


@frozen
class _Question:
    """The searches of one query.

    Attributes:
        searches: The searches.
        limit: How much to ask for of each.
    """

    searches: tuple[SearchRequest, ...]
    limit: int

    def is_joinable(self, after: str) -> bool:
        """Return whether other questions may share a query: not further pages, nor branches."""
        return not after and not any(each.branch for each in self.searches)


@define(eq=False)
class GraphSearch:
    """Asks all searches of a query at once, as long as the server understands that.

    Attributes:
        api: Requests to the vendor.
    """

    api: GitHubApi
    _refused: bool = field(default=False, init=False)
    _knows_talks: bool = field(default=True, init=False)
    _closed: dict[str, bool] = field(factory=dict, init=False)
    _batches: Batches[_Question, FoundPages] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._batches = Batches(self._together)

    @property
    def lacks_discussions(self) -> bool:
        """Whether the server does not support discussions."""
        return self._refused or not self._knows_talks

    def takes(self, search: SearchRequest) -> bool:
        """Return whether a search can be asked here: not without places, nor on old servers."""
        may = search.path == "search/issues" or (search.path == DISCUSSIONS and self._knows_talks)
        return may and bool(search.scopes) and not self._refused and not self.api.is_enterprise

    async def ask(
        self, searches: Sequence[SearchRequest], *, limit: int, after: str = ""
    ) -> FoundPages | None:
        """Return the first pages of searches, or those after a place; None if REST must search.

        Args:
            searches: What to search for.
            limit: How much to ask for of each.
            after: The place after which the pages begin; of one search alone.

        Raises:
            RoveError: A page after the first could not be read.
        """
        question = _Question(tuple(searches), limit)
        try:
            async with asyncio.timeout(_SECONDS):
                if question.is_joinable(after) and (found := await self._batches.ask(question)):
                    return found
                if any(map(self.takes, searches)):
                    return await self._query(searches, limit, after)
        except (RoveError, TimeoutError) as error:
            if after and isinstance(error, RoveError):
                raise  # REST counts its pages otherwise and cannot continue.
            self._refused = self._refused or isinstance(error, ItemNotFound)
            _LOG.info("searched over REST: %s", error)
        return None

    async def _together(self, questions: Sequence[_Question]) -> Mapping[_Question, FoundPages]:
        """Return the results of questions, a few with each query; a single one is asked alone."""
        groups: dict[int, list[_Question]] = {}
        for each in questions:
            groups.setdefault(each.limit, []).append(each)
        batches = [
            alike[start : start + _MOST_TOGETHER]
            for alike in groups.values()
            for start in range(0, len(alike), _MOST_TOGETHER)
        ]
        found = await together(self._ask_batch(each) for each in batches if len(each) > 1)
        return {question: pages for batch in found for question, pages in batch.items()}

    async def _ask_batch(self, questions: Sequence[_Question]) -> Mapping[_Question, FoundPages]:
        searches = dict.fromkeys(each for question in questions for each in question.searches)
        with suppress(RoveError):  # Each is asked alone then.
            if pages := await self._query([*searches], questions[0].limit, ""):
                return dict.fromkeys(questions, pages)
        return {}

    async def _query(
        self, searches: Sequence[SearchRequest], limit: int, after: str
    ) -> FoundPages | None:
        while True:
            requests = [each for each in searches if self.takes(each)]
            has_branch = any(each.branch for each in requests)
            places = {
                f"p{number}": each
                for number, each in enumerate(
                    dict.fromkeys(place for search in requests for place in search.scopes)
                )
                if each not in self._closed or (has_branch and not after)
            }
            names = {f"s{number}": each for number, each in enumerate(requests)}
            variables: dict[str, JSON] = {
                name: each.words_for_graph for name, each in names.items()
            }
            if branch := _branch_sought(names, places):
                variables["branch"] = branch
            first: dict[str, JSON] = {"first": self.api.page_size(limit), "after": after or None}
            reply = await self.api.ask(search_query(names, places), {**variables, **first})
            answer = read_one(reply, _SearchData)
            if answer.data is not None:
                return self._pages(answer.data, names, places)
            if not requests or not self._give_up(requests):
                return None
            _LOG.info("GitHub does not search all of that: %s", answer.errors)

    def _give_up(self, searches: Sequence[SearchRequest]) -> bool:
        """Leave out parts that the server may not support; return whether any are left."""
        if self._knows_talks and any(each.path == DISCUSSIONS for each in searches):
            self._knows_talks = False
            return any(self.takes(each) for each in searches)
        self._refused = True
        return False

    def _pages(
        self,
        data: Mapping[str, JSON],
        names: Mapping[str, SearchRequest],
        places: Mapping[str, str],
    ) -> FoundPages | None:
        if not names.keys() & data.keys():
            self._refused = True  # It answers something else, whatever it is asked.
            return None
        of_branches: list[Item] = []
        for name, place in places.items():
            self._closed[place] = data.get(name) is None
            of_branches += [
                pull for each in read_each([data.get(name)], FoundPlace) for pull in each.pulls
            ]
        items: dict[SearchRequest, ItemPage] = {}
        talks: dict[SearchRequest, FoundDiscussions] = {}
        for name, search in names.items():
            if search.path == DISCUSSIONS:
                talks.update(
                    (search, each) for each in read_each([data.get(name)], FoundDiscussions)
                )
            else:
                items.update((search, each) for each in read_each([data.get(name)], ItemPage))
        named = next((each for each in items if each.branch), None)
        if named:
            items[named] = _with_pulls(items[named], of_branches)
        closed = {place for search in names.values() for place in search.scopes}
        return FoundPages(
            items=items,
            talks=talks,
            closed=frozenset(each for each in closed if self._closed.get(each)),
        )


def search_query(names: Mapping[str, SearchRequest], places: Mapping[str, str]) -> str:
    """Return the question for some searches, and for whether some places can be searched.

    Args:
        names: The searches, by the names of their answers and of the variables with their words.
        places: The places, as GitHub's search names them, by the names of their answers.
    """
    kinds = {search.path == DISCUSSIONS for search in names.values()}
    declared = "".join(f"${name}: String!, " for name in names)
    branch = "$branch: String!, " if _branch_sought(names, places) else ""
    lines = [f"query ({declared}{branch}$first: Int!, $after: String) {{"]
    lines += [_search_part(name, search) for name, search in names.items()]
    fields = _BRANCHES if branch else "{ nameWithOwner }"
    lines += [_looked_up(name, place, fields) for name, place in places.items()]
    fragments = {
        False: _SHARED,
        True: ABOUT if False in kinds else ABOUT + _SHARED.partition("fragment issue")[0],
    }
    return "\n".join([*lines, "}"]) + "".join(fragments[each] for each in sorted(kinds))


def _search_part(name: str, search: SearchRequest) -> str:
    talks = search.path == DISCUSSIONS
    kind, fields = ("DISCUSSION", _TALKS) if talks else ("ISSUE", _ITEMS)
    return f"  {name}: search(type: {kind}, query: ${name}, first: $first, after: $after) {fields}"


def _branch_sought(names: Mapping[str, SearchRequest], places: Mapping[str, str]) -> str:
    """Return the id that branches of repositories are searched for; empty for none."""
    is_listed = any(place.startswith("repo:") for place in places.values())
    return next((each.branch for each in names.values() if each.branch and is_listed), "")


def _with_pulls(page: ItemPage, pulls: Sequence[Item]) -> ItemPage:
    """Return a page of a search with more pull requests, the last changed first."""
    found = [each for each in page.nodes if each] + list(pulls)
    found.sort(key=lambda each: each.updatedAt, reverse=True)
    return evolve(page, nodes=tuple(found))


def _looked_up(name: str, place: str, fields: str) -> str:
    """Return the query for a place; its name was validated as a setting.

    Args:
        name: The name of the answer.
        place: The place, as GitHub's search names it.
        fields: What to return of a repository.
    """
    kind, _, called = place.partition(":")
    if kind == "repo":
        owner, _, repository = called.partition("/")
        return f'  {name}: repository(owner: "{owner}", name: "{repository}") {fields}'
    return f'  {name}: repositoryOwner(login: "{called}") {{ login }}'
