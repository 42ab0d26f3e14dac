"""Read an issue or pull request with its whole discussion in one GraphQL query."""

import asyncio
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

from attrs import define, evolve, field, frozen

from rove_core import JSON, ItemNotFound, MalformedReply, RoveError
from rove_core.json_reader import read_one
from rove_github import graphql_replies, replies
from rove_github.api import GitHubApi
from rove_github.graphql_extras import (
    EXTRAS,
    PROJECT_SCOPES,
    Family,
    Mentions,
    ProjectBoard,
    add_mentions,
    refused_extras,
    with_extras,
)
from rove_github.graphql_facts import RelatedIssues
from rove_github.references import ParsedId

_LOG: Final = logging.getLogger("rove.github")
#: REST tells the same in more requests: nobody waits long for less of them.
_SECONDS: Final = 10.0

_ISSUE: Final = """
fragment issue on Issue {
  number title body url createdAt updatedAt
  stateReason(enableDuplicate: true)
  issueState: state
  author { ...who }
  assignees(first: 100) { nodes { login } }
  labels(first: 100) { nodes { name } }
  comments(first: MOST) { ...said }
  links: closedByPullRequestsReferences(first: MOST, includeClosedPrs: true) {
    nodes { number repository { nameWithOwner } }
    pageInfo { hasNextPage }
  }
}
"""
_PULL: Final = """
fragment pr on PullRequest {
  number title body url createdAt updatedAt isDraft mergedAt headRefName baseRefName
  pullState: state
  author { ...who }
  assignees(first: 100) { nodes { login } }
  labels(first: 100) { nodes { name } }
  comments(first: MOST) { ...said }
  links: closingIssuesReferences(first: MOST) {
    nodes { number repository { nameWithOwner } }
    pageInfo { hasNextPage }
  }
  reviews(first: MOST) {
    nodes { url body state submittedAt author { ...who } }
    pageInfo { hasNextPage }
  }
  threads: reviewThreads(first: THREADS) {
    nodes {
      isResolved
      comments(first: REPLIES) {
        nodes {
          url body path line originalLine createdAt updatedAt
          author { ...who }
          replyTo { url }
        }
        pageInfo { hasNextPage }
      }
    }
    pageInfo { hasNextPage }
  }
  files(first: MOST) { nodes { path } }
  commits(first: MOST) {
    nodes {
      commit {
        oid url message authoredDate committedDate
        author { name user { login } }
        committer { name }
      }
    }
    pageInfo { hasNextPage }
  }
}
"""
_SHARED: Final = """
fragment who on Actor { login kind: __typename }
fragment said on IssueCommentConnection {
  nodes { url body createdAt updatedAt author { ...who } }
  pageInfo { hasNextPage }
}
"""


def fragments(*kinds: str, most: int, threads: int, comments: int) -> str:
    """Return the GraphQL fragments of issues (``...issue``) and pull requests (``...pr``).

    Args:
        kinds: Which of the two, or both.
        most: How much of each list.
        threads: How many threads at lines.
        comments: How many comments of each of these.
    """
    sizes = {"MOST": most, "THREADS": threads, "REPLIES": comments}
    template = "".join({"issue": _ISSUE, "pr": _PULL}[kind] for kind in kinds) + _SHARED
    return re.sub("|".join(sizes), lambda found: f"{sizes[found[0]]}", template)


_WHOLE: Final = fragments("issue", "pr", most=100, threads=100, comments=50)


def item_query(extras: Iterable[str]) -> str:
    """Return the question for an item, with some of the extras."""
    fields = "".join(EXTRAS[each] for each in sorted(extras))
    return (
        """
query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    item: issueOrPullRequest(number: $number) { ...issue ...pr }"""
        + fields
        + "\n  }\n}\n"
        + _WHOLE
    )


@frozen(kw_only=True)
class _DiscussionNumber:
    number: int = 0


@frozen(kw_only=True)
class _RepositoryItem:
    item: graphql_replies.Item | None = None
    family: Family | None = None
    board: ProjectBoard | None = None
    mentions: Mentions | None = None
    talk: _DiscussionNumber | None = None


@frozen(kw_only=True)
class _ItemData:
    repository: _RepositoryItem | None = None


@frozen(kw_only=True)
class _ItemReply:
    data: _ItemData | None = None
    errors: tuple[graphql_replies.GraphError, ...] = ()


@frozen(kw_only=True)
class WholeItem:
    """An issue or pull request with its parts, from GraphQL or REST.

    Attributes:
        issue: What it is.
        pull: What only a pull request has.
        comments: What was said below it.
        reviews: What was said of a pull request as a whole.
        lines: What was said at its lines.
        commits: What it is made of.
        files: The paths of the first files that it changes.
        around: What it is linked to, and which of its threads are settled.
        gaps: What of it could not be read, by its name, and why.
    """

    issue: replies.IssueReply
    pull: replies.Pull = field(factory=replies.Pull)
    comments: Sequence[replies.CommentReply] = ()
    reviews: Sequence[replies.ReviewReply] = ()
    lines: Sequence[replies.LineComment] = ()
    commits: Sequence[replies.CommitReply] = ()
    files: Sequence[str] = ()
    around: RelatedIssues = field(factory=RelatedIssues)
    gaps: Mapping[str, str] = field(factory=dict)


@define(eq=False)
class GraphItems:
    """Reads whole items with one query each, as long as the server supports it.

    Attributes:
        api: Requests to the vendor.
        answers: Whether this GitHub has such an API.
        understands: Whether it knows all that is asked for.
        extras: What it is asked for besides; what it refused is not asked for again.
    """

    api: GitHubApi
    answers: bool = field(default=True, init=False)
    understands: bool = field(default=True, init=False)
    extras: frozenset[str] = field(default=frozenset(EXTRAS), init=False)

    async def whole(self, named: ParsedId) -> WholeItem | Literal["discussion"] | None:
        """Return an item, or that it is a discussion; None if REST has to be used."""
        if not (self.answers and self.understands):
            return None
        try:
            async with asyncio.timeout(_SECONDS):
                return await self._query(named)
        except ItemNotFound:
            self.answers = False
        except (RoveError, TimeoutError) as error:
            _LOG.info("%s#%s is read piece by piece: %s", named.repository, named.number, error)
        return None

    async def _query(self, named: ParsedId) -> WholeItem | Literal["discussion"] | None:
        answer = await self._answer(named)
        self.understands = answer.data is not None
        repository = answer.data.repository if answer.data else None
        if repository and repository.item is None and repository.talk and repository.talk.number:
            return "discussion"
        for error in answer.errors:
            if len(error.path) < 2 or error.path[1] not in EXTRAS:
                raise MalformedReply(error.message)
        whole = whole_of(repository.item) if repository and repository.item else None
        if repository is None or whole is None:
            return None
        gaps: dict[str, str] = {}
        around = with_extras(whole.around, repository.family, repository.board, gaps)
        add_mentions(around, repository.mentions)
        return evolve(whole, around=around, gaps=gaps)

    async def _answer(self, named: ParsedId) -> _ItemReply:
        """Return the answer for a number, without parts that the server refuses."""
        owner, _, name = named.repository.partition("/")
        variables: dict[str, JSON] = {"owner": owner, "name": name, "number": int(named.number)}
        left_out: frozenset[str] = frozenset()
        while True:
            extras = self.extras - left_out
            extras -= {"board"} if not self.api.may(*PROJECT_SCOPES) else set()
            answer = read_one(await self.api.ask(item_query(extras), variables), _ItemReply)
            if answer.data is not None or not extras:
                return answer
            refused = refused_extras(answer.errors, extras)
            _LOG.info("GitHub does not tell %s: %s", sorted(refused or extras), answer.errors)
            self.extras -= refused
            # Where nothing tells what is refused, it may be a fault that passes.
            left_out = frozenset() if refused else extras


def whole_of(item: graphql_replies.Item) -> WholeItem | None:
    """Return an issue or a pull request; None when one of its lists goes on."""
    if any(end.hasNextPage for end in _ends(item)):
        return None
    threads = [*filter(None, item.threads.nodes)]
    lines = [each.at_line for thread in threads for each in thread.comments.all]
    return WholeItem(
        issue=item.issue,
        pull=replies.Pull(
            head=replies.End(ref=item.headRefName), base=replies.End(ref=item.baseRefName)
        ),
        comments=[each.comment for each in item.comments.all],
        reviews=[each.review for each in item.reviews.all],
        lines=lines,
        commits=[each.commit.commit for each in filter(None, item.commits.nodes)],
        files=[each.path for each in filter(None, item.files.nodes) if each.path],
        around=RelatedIssues(
            links={
                (each.repository.nameWithOwner, each.number): None
                for each in filter(None, item.links.nodes)
                if each.number and each.repository.nameWithOwner
            },
            resolved={
                thread.comments.all[0].number: thread.isResolved
                for thread in threads
                if thread.comments.all and thread.isResolved is not None
            },
        ),
    )


def _ends(item: graphql_replies.Item) -> Iterator[graphql_replies.Next]:
    """Yield where each list of an item ends."""
    lists = (item.comments, item.links, item.reviews, item.threads, item.commits)
    yield from (each.pageInfo for each in lists)
    yield from (thread.comments.pageInfo for thread in filter(None, item.threads.nodes))
