"""Pages of a repository's issues and pull requests, each with one query."""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

from attrs import define, field, frozen

from rove_core import JSON, ItemNotFound, MalformedReply
from rove_core.http import Parameters, next_link
from rove_core.json_reader import read_all, read_one
from rove_github import replies
from rove_github.api import GitHubApi, repository_path
from rove_github.errors import graph_fault
from rove_github.graphql_items import fragments
from rove_github.graphql_replies import (
    GraphError,
    Item,
    ListAnswer,
    ListedRepository,
    NewestAnswer,
    NewestPage,
)
from rove_github.items import repository_of

_LOG: Final = logging.getLogger("rove.github")

Kind: TypeAlias = Literal["issue", "pr"]

#: Whole items that one question asks for: GitHub counts what they might hold, and refuses more.
_WHOLE: Final = 20
_MOST: Final = 100
_MOST_PAGES: Final = 1_000
#: How the place of a page begins that REST gave.
_REST: Final = "rest "

_CONNECTIONS: Final[Mapping[Kind, str]] = {"issue": "issues", "pr": "pullRequests"}
_ASKED: Final = "$owner: String!, $name: String!, $first: Int!, $after: String, $begin: DateTime"
_PAGE: Final = "(first: $first, after: $after, orderBy: {field: UPDATED_AT, direction: DESC})"
_QUERIES: Final[Mapping[Kind, str]] = {
    kind: f"""
query ({_ASKED}) {{
  repository(owner: $owner, name: $name) {{
    nameWithOwner
    page: {_CONNECTIONS[kind]}{_PAGE} {{
      nodes {{ ...{kind} }}
      pageInfo {{ hasNextPage endCursor }}
    }}
    counted: issues(first: 1, filterBy: {{since: $begin}}) {{ totalCount }}
  }}
}}
{fragments(kind, most=50, threads=20, comments=20)}
"""
    for kind in _CONNECTIONS
}
_NUMBERS: Final = f"""
query ({_ASKED}) {{
  repository(owner: $owner, name: $name) {{
    page: issues(first: $first, after: $after, filterBy: {{since: $begin}}) {{
      nodes {{ number }}
      pageInfo {{ hasNextPage endCursor }}
    }}
  }}
}}
"""
_NEWEST: Final = """
fragment newest on Repository {
  nameWithOwner
  pushedAt
  issues(first: 1, orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { updatedAt } }
  pullRequests(first: 1, orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { updatedAt } }
}
"""
#: Repositories that one question asks about.
_MOST_REPOSITORIES: Final = 50


@frozen(kw_only=True)
class ListedPage:
    """A page of a listing, the items that changed last first.

    Attributes:
        repository: What the repository is called now.
        items: The items, whole or with their numbers and times alone.
        is_whole: Which of the two.
        following: The place of the next page; empty after the last.
        count: How many issues there are; None when GitHub did not say.
    """

    repository: str
    items: Sequence[Item]
    is_whole: bool
    following: str
    count: int | None = None


@define(eq=False)
class RepositoryPages:
    """Asks for pages, as large as GitHub answers them.

    Attributes:
        api: Requests to the vendor.
    """

    api: GitHubApi
    _size: int = field(default=_WHOLE, init=False)

    async def page(
        self, repository: str, kind: Kind, place: str, *, begin: datetime | None
    ) -> ListedPage:
        """Return a page of issues or of pull requests.

        Args:
            repository: Whose.
            kind: Which of the two.
            place: Where the page is; the first one for an empty text.
            begin: Since when issues that are counted have changed.

        Raises:
            ItemNotFound: There is no such repository.
            ScopeMissing: The account may not read it.
            MalformedReply: There is no such place, any more.
        """
        while self._size and not place.startswith(_REST):
            try:
                answer = await self._query(
                    _QUERIES[kind], repository, self._size, place=place, begin=begin
                )
            except _TooMuchError as error:
                _LOG.info("%s: listed in smaller steps: %s", repository, error)
                self._size //= 2
                continue
            return ListedPage(
                repository=answer.nameWithOwner or repository,
                items=[*filter(None, answer.page.nodes)],
                is_whole=True,
                following=answer.page.pageInfo.endCursor * answer.page.pageInfo.hasNextPage,
                count=answer.counted.totalCount,
            )
        return await self._by_rest(repository, kind, place.removeprefix(_REST))

    async def numbers(self, repository: str, *, begin: datetime | None) -> list[int] | None:
        """Return the numbers of all issues that changed since a time; None if GitHub cannot say."""
        found: list[int] = []
        place = ""
        for _ in range(_MOST_PAGES):
            try:
                answer = await self._query(_NUMBERS, repository, _MOST, place=place, begin=begin)
            except _TooMuchError as error:
                _LOG.info("%s: what is gone is not known: %s", repository, error)
                return None
            found += [each.number for each in filter(None, answer.page.nodes)]
            if not answer.page.pageInfo.hasNextPage:
                break
            place = answer.page.pageInfo.endCursor
        return found

    async def changed(
        self, repositories: Sequence[str], since: datetime | None
    ) -> Sequence[tuple[str, Kind | Literal["commit"]]]:
        """Return the repositories that changed since a time, with what changed in each.

        Raises:
            ItemNotFound: A repository that cannot be read, or has another name now.
        """
        found: list[tuple[str, Kind | Literal["commit"]]] = []
        for start in range(0, len(repositories), _MOST_REPOSITORIES):
            some = repositories[start : start + _MOST_REPOSITORIES]
            reply = await self.api.ask(*_newest_query(some))
            answer = read_one(reply, NewestAnswer)
            if answer.errors or not answer.data:
                raise ItemNotFound("GitHub has no such repository, or not for this account")
            for repository, newest in zip(some, map(answer.data.get, _aliases(some)), strict=True):
                if newest is None or newest.nameWithOwner != repository:
                    raise ItemNotFound(f"{repository} has another name, or cannot be read")
                moments: Mapping[Kind, NewestPage] = {
                    "issue": newest.issues,
                    "pr": newest.pullRequests,
                }
                found += [
                    (repository, kind)
                    for kind, page in moments.items()
                    if any(
                        at and (since is None or at >= since)
                        for at in (each.updatedAt for each in filter(None, page.nodes))
                    )
                ]
                if newest.pushedAt and (since is None or newest.pushedAt >= since):
                    found.append((repository, "commit"))
        return found

    async def _query(
        self, query: str, repository: str, first: int, *, place: str, begin: datetime | None
    ) -> ListedRepository:
        owner, _, name = repository.partition("/")
        variables: dict[str, JSON] = {"owner": owner, "name": name, "first": first}
        since = begin.astimezone(UTC).isoformat(timespec="seconds") if begin else None
        try:
            reply = await self.api.ask(query, {**variables, "after": place or None, "begin": since})
        except ItemNotFound as error:
            self._size = 0
            raise _TooMuchError(error.message) from error
        answer = read_one(reply, ListAnswer)
        if answer.errors:
            raise _error(answer.errors[0])
        if answer.data is None:
            raise MalformedReply("GitHub answered a GraphQL query without data or errors")
        if answer.data.repository is None:
            raise ItemNotFound("GitHub has no such repository, or not for this account")
        return answer.data.repository

    async def _by_rest(self, repository: str, kind: Kind, url: str) -> ListedPage:
        """Return a page through REST, without the items' discussions."""
        first = f"{repository_path(repository)}/issues"
        params: Parameters = {
            "state": "all",
            "sort": "updated",
            "direction": "desc",
            "per_page": _MOST,
        }
        reply = await self.api.get(url or first, params=None if url else params)
        issues = read_all(reply, replies.IssueReply)
        names = (name for each in issues if (name := repository_of(each)))
        following = next_link(reply)
        return ListedPage(
            repository=next(names, repository),
            items=[
                Item(number=each.number, createdAt=each.created_at, updatedAt=each.updated_at)
                for each in issues
                if (each.pull_request is not None) == (kind == "pr")
            ],
            is_whole=False,
            following=f"{_REST}{following}" if following else "",
        )


def _aliases(repositories: Sequence[str]) -> list[str]:
    return [f"r{number}" for number in range(len(repositories))]


def _newest_query(repositories: Sequence[str]) -> tuple[str, dict[str, JSON]]:
    """Return a query for what changed last in some repositories, with its variables."""
    variables: dict[str, JSON] = {}
    declared, fields = [], []
    for alias, repository in zip(_aliases(repositories), repositories, strict=True):
        owner, _, name = repository.partition("/")
        variables |= {f"{alias}o": owner, f"{alias}n": name}
        declared.append(f"${alias}o: String!, ${alias}n: String!")
        fields.append(f"{alias}: repository(owner: ${alias}o, name: ${alias}n) {{ ...newest }}")
    query = f"query ({', '.join(declared)}) {{ {' '.join(fields)} }}\n{_NEWEST}"
    return query, variables


class _TooMuchError(Exception):
    """GitHub does not answer so large a question."""


def _error(error: GraphError) -> Exception:
    """Return the Rove error for a GraphQL error."""
    types = {"NOT_FOUND", "FORBIDDEN", "INVALID_CURSOR_ARGUMENTS"}
    if error.type in types:
        return graph_fault(error.type, error.message)
    return _TooMuchError(error.message)
