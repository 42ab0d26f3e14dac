"""Facts from GraphQL: closing references and resolved threads."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import Final

from attrs import field, frozen

from rove_core import JSON, MalformedReply, RoveError
from rove_core.json_reader import read_one
from rove_github.api import GitHubApi
from rove_github.references import ParsedId

_LOG: Final = logging.getLogger("rove.github")
#: It adds something to what is known already; nobody waits long for that.
_SECONDS: Final = 10.0
_MOST_ROUNDS: Final = 20

PULL: Final = """
query ($owner: String!, $name: String!, $number: Int!, $links: String, $threads: String) {
  repository(owner: $owner, name: $name) {
    item: pullRequest(number: $number) {
      links: closingIssuesReferences(first: 100, after: $links) {
        nodes { number repository { nameWithOwner } }
        pageInfo { hasNextPage endCursor }
      }
      threads: reviewThreads(first: 100, after: $threads) {
        nodes { isResolved comments(first: 1) { nodes { url } } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""
ISSUE: Final = """
query ($owner: String!, $name: String!, $number: Int!, $links: String) {
  repository(owner: $owner, name: $name) {
    item: issue(number: $number) {
      links: closedByPullRequestsReferences(
        first: 100, after: $links, includeClosedPrs: true
      ) {
        nodes { number repository { nameWithOwner } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""


@frozen(kw_only=True)
class _Repository:
    nameWithOwner: str = ""  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class _Node:
    """An issue or pull request that is linked, a thread, or a comment."""

    number: int = 0
    repository: _Repository = _Repository()
    isResolved: bool | None = None  # noqa: N815  # GitHub's own name
    comments: "_Connection | None" = None
    url: str = ""


@frozen(kw_only=True)
class _PageInfo:
    hasNextPage: bool = False  # noqa: N815  # GitHub's own name
    endCursor: str = ""  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class _Connection:
    nodes: tuple[_Node | None, ...] = ()
    pageInfo: _PageInfo = _PageInfo()  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class _Item:
    links: _Connection = _Connection()
    threads: _Connection = _Connection()


@frozen(kw_only=True)
class _RepositoryNode:
    item: _Item | None = None


@frozen(kw_only=True)
class _Data:
    repository: _RepositoryNode | None = None


@frozen(kw_only=True)
class _Error:
    message: str = ""


@frozen(kw_only=True)
class _GraphAnswer:
    data: _Data | None = None
    errors: tuple[_Error, ...] = ()


#: What a note calls the issues around an item.
AROUND: Final = "linked issues"


@frozen(kw_only=True)
class RelatedIssue:
    """The issue above another one, or one below it.

    Attributes:
        repository: Like ``acme/api``.
        number: Its number there.
        title: Its title.
        state: ``open`` or ``closed``.
    """

    repository: str
    number: int
    title: str = ""
    state: str = ""


@frozen
class RelatedIssues:
    """Related issues of an issue or pull request.

    Attributes:
        links: The repository and number of what it closes, or what closes it.
        resolved: For the first comment of each thread, by its number, whether it is settled.
        parents: The issue above it; GitHub knows one at most.
        children: Its sub-issues.
        projects: The titles of its projects, each with its status there.
        mentioned_by: The repository and number of what mentions it, each with its kind.
    """

    links: dict[tuple[str, int], None] = field(factory=dict)
    resolved: dict[int, bool] = field(factory=dict)
    parents: list[RelatedIssue] = field(factory=list)
    children: list[RelatedIssue] = field(factory=list)
    projects: dict[str, str] = field(factory=dict)
    mentioned_by: dict[tuple[str, int], str] = field(factory=dict)


async def read_around(
    api: GitHubApi, named: ParsedId, gaps: dict[str, str], *, is_pull: bool
) -> RelatedIssues:
    """Return the items related to an item; a failure becomes a note.

    Args:
        api: Requests to the vendor.
        named: The item.
        gaps: Where the note is put.
        is_pull: Whether it is a pull request.
    """
    around = RelatedIssues()
    try:
        async with asyncio.timeout(_SECONDS):
            await _read(api, named, around, is_pull=is_pull)
    except (RoveError, TimeoutError) as error:
        why = str(error) or f"no answer within {_SECONDS:g} s"
        _LOG.warning("%s: what it is linked to is not known: %s", named.repository, why)
        gaps[AROUND] = f"not read: {why}"
    return around


async def _read(api: GitHubApi, named: ParsedId, around: RelatedIssues, *, is_pull: bool) -> None:
    owner, _, name = named.repository.partition("/")
    variables: dict[str, JSON] = {"owner": owner, "name": name, "number": int(named.number)}
    cursors: dict[str, JSON] = {}
    for _ in range(_MOST_ROUNDS):
        reply = await api.ask(PULL if is_pull else ISSUE, {**variables, **cursors})
        answer = read_one(reply, _GraphAnswer)
        item = answer.data and answer.data.repository and answer.data.repository.item
        if item:
            around.links.update(_links(item.links))
            around.resolved.update(_threads(item.threads))
        if answer.errors:
            raise MalformedReply(f"GitHub told a part only: {answer.errors[0].message}")
        following = _next_cursors(item) if item else {}
        if not following or following == cursors:
            return
        cursors = {**cursors, **following}


def _links(connection: _Connection) -> Iterable[tuple[tuple[str, int], None]]:
    for node in filter(None, connection.nodes):
        if node.number and node.repository.nameWithOwner:
            yield (node.repository.nameWithOwner, node.number), None


def _threads(connection: _Connection) -> Iterable[tuple[int, bool]]:
    for node in filter(None, connection.nodes):
        comments = node.comments.nodes if node.comments else ()
        for first in filter(None, comments[:1]):
            _, _, number = first.url.rpartition("#discussion_r")
            if number.isdecimal() and node.isResolved is not None:
                yield int(number), node.isResolved


def _next_cursors(item: _Item) -> Mapping[str, JSON]:
    """Return where the next pages begin; a list that is at its end stays there."""
    pages = {"links": item.links.pageInfo, "threads": item.threads.pageInfo}
    if not any(page.hasNextPage for page in pages.values()):
        return {}
    return {name: page.endCursor for name, page in pages.items() if page.endCursor}
