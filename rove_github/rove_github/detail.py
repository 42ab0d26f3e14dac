"""Read whole items: comments, line comments and commits."""

import asyncio
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, TypeAlias

from attrs import evolve, field, frozen

from rove_core import ContextItem, ItemRef, Link, NamedValue, Relation
from rove_core.http import RequestsSpent
from rove_core.json_reader import first_moment, read_one
from rove_github import replies
from rove_github.api import GitHubApi, repository_path
from rove_github.concurrency import good
from rove_github.discussions import Discussions
from rove_github.graphql_facts import AROUND, RelatedIssue, RelatedIssues, read_around
from rove_github.graphql_items import GraphItems, WholeItem
from rove_github.items import GitHubItems, read_issue, repository_of
from rove_github.parents import parent_of
from rove_github.references import ParsedId, parse_id

#: How many files of a pull request are read: as many as its query over GraphQL returns.
_MOST_FILES: Final = 100
#: Where a part has its place: when its thread began, which thread, and when it was said.
_Place: TypeAlias = tuple[datetime, int, datetime]
_Placed: TypeAlias = tuple[_Place, ContextItem]


@frozen
class Details:
    """Reads whole items of one account.

    Attributes:
        discussions: Reads those items that are discussions.
    """

    api: GitHubApi
    items: GitHubItems
    discussions: Discussions
    graph: GraphItems = field(init=False)

    @graph.default
    def _own_graph(self) -> GraphItems:
        return GraphItems(self.api)

    async def read(self, ref: ItemRef) -> ContextItem:
        """Return the whole item; one that was moved has the id it has now."""
        named = parse_id(ref.id)
        place = repository_path(named.repository)
        if named.sha:
            reply = await self.api.get(f"{place}/commits/{named.sha}")
            commit = read_one(reply, replies.CommitReply)
            return self.items.commit(evolve(commit, sha=commit.sha or named.sha), named.repository)
        if ref.kind == "discussion":
            return await self.discussions.read(named)
        whole = await self.graph.whole(named)
        if whole == "discussion":
            return await self.discussions.read(named)
        return self.item(whole or await self._piece_by_piece(named), named)

    def item(self, whole: WholeItem, named: ParsedId) -> ContextItem:
        """Return an item with its parts."""
        item = self.items.issue(whole.issue, named.repository)
        is_pull = whole.issue.pull_request is not None
        base = {"base": whole.pull.base.ref} if whole.pull.base.ref else {}
        parts = [
            *self._place_comments(whole.comments, item),
            *self._reviews(whole.reviews, item),
            *self._lines(whole.lines, item, whole.around),
            *self._commits(whole.commits, item),
        ]
        return evolve(
            item,
            facts=evolve(
                item.facts,
                branch=whole.pull.head.ref,
                files=tuple(whole.files),
                project=next(iter(whole.around.projects), ""),
                fields=tuple(
                    NamedValue(name=f"Status in {project}", value=status)
                    for project, status in whole.around.projects.items()
                    if status
                ),
                incomplete=tuple(f"{name} {why}" for name, why in whole.gaps.items()),
            ),
            metadata={**item.metadata, **base},
            links=tuple(self._links(whole.around, is_pull=is_pull)),
            thread=_sort_parts(parts),
        )

    async def _piece_by_piece(self, named: ParsedId) -> WholeItem:
        """Return an item through REST, following a moved one."""
        reply = await self.api.get(f"{repository_path(named.repository)}/issues/{named.number}")
        issue = read_issue(reply)
        issue = evolve(issue, number=issue.number or int(named.number))
        here = parse_id(self.items.issue(issue, named.repository).ref.id)
        gaps: dict[str, str] = {}
        if issue.pull_request is None:
            comments, around, below = await asyncio.gather(
                self._comments(here, gaps),
                self._read_around(here, gaps, is_pull=False),
                self._sub_issues(issue, here, gaps),
                return_exceptions=True,
            )
            near = evolve(good(around), parents=_parents(issue), children=good(below))
            return WholeItem(issue=issue, comments=good(comments), around=near, gaps=gaps)
        place = f"{repository_path(here.repository)}/pulls/{here.number}"
        pull, comments, reviews, lines, commits, around = await asyncio.gather(
            self._pull(place, gaps),
            self._comments(here, gaps),
            self.api.list(f"{place}/reviews", replies.ReviewReply, gaps),
            self.api.list(f"{place}/comments", replies.LineComment, gaps),
            self.api.list(f"{place}/commits", replies.CommitReply, gaps),
            self._read_around(here, gaps, is_pull=True),
            return_exceptions=True,
        )
        return WholeItem(
            issue=issue,
            pull=good(pull)[0],
            files=good(pull)[1],
            comments=good(comments),
            reviews=good(reviews),
            lines=good(lines),
            commits=good(commits),
            around=good(around),
            gaps=gaps,
        )

    async def _pull(self, place: str, gaps: dict[str, str]) -> tuple[replies.Pull, list[str]]:
        """Return what only a pull request has, and the first files that it changes.

        That there are more files is no gap: over GraphQL nothing reports it either.
        """
        unread: dict[str, str] = {}
        pull, files = await asyncio.gather(
            self.api.get(place),
            self.api.list(f"{place}/files", replies.FileReply, unread, most=_MOST_FILES),
            return_exceptions=True,
        )
        paths = [each.filename for each in good(files) if each.filename]
        gaps.update(unread if not paths else {})
        if isinstance(pull, RequestsSpent):
            gaps["branch"] = f"not read: {pull.message}"
            return replies.Pull(), paths[:_MOST_FILES]
        return read_one(good(pull), replies.Pull), paths[:_MOST_FILES]

    async def _read_around(
        self, named: ParsedId, gaps: dict[str, str], *, is_pull: bool
    ) -> RelatedIssues:
        if not self.graph.answers:
            gaps[AROUND] = "not read: GitHub answers no GraphQL here"
            return RelatedIssues()
        return await read_around(self.api, named, gaps, is_pull=is_pull)

    async def _comments(self, named: ParsedId, gaps: dict[str, str]) -> list[replies.CommentReply]:
        place = f"{repository_path(named.repository)}/issues/{named.number}/comments"
        return await self.api.list(place, replies.CommentReply, gaps)

    async def _sub_issues(
        self, issue: replies.IssueReply, named: ParsedId, gaps: dict[str, str]
    ) -> list[RelatedIssue]:
        """Return the sub-issues of an issue, without a request if it has none."""
        if not (issue.sub_issues_summary and issue.sub_issues_summary.total):
            return []
        place = f"{repository_path(named.repository)}/issues/{named.number}/sub_issues"
        return [
            RelatedIssue(
                repository=repository_of(each) or named.repository,
                number=each.number,
                title=each.title,
                state=each.state,
            )
            for each in await self.api.list(place, replies.IssueReply, gaps)
        ]

    def _place_comments(
        self, comments: Iterable[replies.CommentReply], below: ContextItem
    ) -> Iterator[_Placed]:
        for comment in comments:
            item = self.items.comment(comment, below)
            at = first_moment(comment.created_at) or item.timestamp
            yield (at, comment.id, at), item

    def _reviews(
        self, reviews: Iterable[replies.ReviewReply], below: ContextItem
    ) -> Iterator[_Placed]:
        for review in reviews:
            item = self.items.review(review, below)
            # One without a word is the envelope of comments at lines.
            if item.content:
                yield (item.timestamp, review.id, item.timestamp), item

    def _lines(
        self, comments: Iterable[replies.LineComment], below: ContextItem, around: RelatedIssues
    ) -> Iterator[_Placed]:
        """Yield comments on lines, with each thread at its first comment."""
        began: dict[int, datetime] = {}
        for comment in sorted(comments, key=lambda each: each.in_reply_to_id or 0):
            thread = comment.in_reply_to_id or comment.id
            item = self.items.line_comment(comment, below, resolved=around.resolved.get(thread))
            at = first_moment(comment.created_at) or item.timestamp
            yield (began.setdefault(thread, at), thread, at), item

    def _commits(
        self, commits: Iterable[replies.CommitReply], of: ContextItem
    ) -> Iterator[_Placed]:
        repository = parse_id(of.ref.id).repository
        for commit in commits:
            item = self.items.commit(commit, repository)
            yield (item.timestamp, 0, item.timestamp), item

    def _links(self, around: RelatedIssues, *, is_pull: bool) -> Iterator[Link]:
        """Yield what a pull request closes, or what closes an issue, and what mentions it."""
        kind = "issue" if is_pull else "pr"
        for place, number in around.links:
            ref = self.items.names.numbered(place, number, kind)
            yield (
                Link(ref=ref, relation="implements")
                if is_pull
                else Link(ref=ref, relation="relates", words="closed by")
            )
        yield from self._links_to(around.parents, "parent")
        yield from self._links_to(around.children, "child")
        for (place, number), mentioning in around.mentioned_by.items():
            if (place, number) not in around.links:
                ref = self.items.names.numbered(place, number, mentioning)
                yield Link(ref=ref, relation="mentioned_by")

    def _links_to(self, issues: Iterable[RelatedIssue], relation: Relation) -> Iterator[Link]:
        for each in issues:
            ref = self.items.names.numbered(each.repository, each.number, "issue")
            yield Link(ref=ref, relation=relation, title=each.title, status=each.state)


def _parents(issue: replies.IssueReply) -> list[RelatedIssue]:
    """Return the issue above an issue, as REST names it: by its address alone."""
    found = parent_of(issue)
    return [RelatedIssue(repository=found[0], number=found[1])] if found else []


def _sort_parts(parts: Iterable[_Placed]) -> tuple[ContextItem, ...]:
    """Return parts in their order, each once: pages overlap when something is added meanwhile."""
    by_key: dict[tuple[str, str], ContextItem] = {}
    for _, item in sorted(parts, key=lambda part: part[0]):
        nameless = item.ref.id.endswith("/0")
        by_key.setdefault((item.ref.id, item.content if nameless else ""), item)
    return tuple(by_key.values())
