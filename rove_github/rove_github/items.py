"""Convert GitHub's replies to items."""

import re
from datetime import UTC, datetime
from typing import Final

from attrs import frozen

from rove_core import (
    JSON,
    ContextItem,
    Facts,
    ItemRef,
    ItemStatus,
    Link,
    MalformedReply,
    Reply,
    StatusCategory,
    escape_markdown,
)
from rove_core.json_reader import first_moment, read_one
from rove_github import replies
from rove_github.discussion_replies import DiscussionNode, DiscussionRemark
from rove_github.keys import without_key
from rove_github.references import GitHubNames

_PLACE: Final = re.compile(r"/([\w.-]+/[\w.-]+)(?:/(?:pull|issues)/[0-9]+)?/?", re.ASCII)
_COMMIT_PLACE: Final = re.compile(r"/([\w.-]+/[\w.-]+)/commit/", re.ASCII)
_NAME: Final = re.compile(r"([\w.-]+/[\w.-]+)", re.ASCII)
#: What GitHub's pages say of a review without a text.
_VERDICTS: Final = {
    "APPROVED": "approved these changes",
    "CHANGES_REQUESTED": "requested changes",
    "DISMISSED": "had a review, which was dismissed",
}
#: Of what says no time.
NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)


@frozen
class GitHubItems:
    """Makes the items of one account."""

    names: GitHubNames

    def issue(self, issue: replies.IssueReply, repository_name: str = "") -> ContextItem:
        """Return an issue or pull request without its discussion.

        Args:
            issue: What GitHub sent.
            repository_name: The repository that was asked, if it was one.
        """
        is_pull = issue.pull_request is not None
        merged = issue.pull_request.merged_at if issue.pull_request else ""
        repository = repository_of(issue) or repository_name
        called = f"{'PR' if is_pull else 'Issue'} #{issue.number}"
        return ContextItem(
            ref=self.names.numbered(repository, issue.number, "pr" if is_pull else "issue"),
            source="github",
            role="change" if is_pull else "ticket",
            title=f"{called}: {issue.title}",
            content=without_key(issue.body),
            timestamp=first_moment(issue.updated_at, issue.created_at) or NO_TIME,
            author=_login(issue.user),
            facts=Facts(
                short_name=called,
                created=first_moment(issue.created_at),
                status=_status(issue),
                resolution=issue.state_reason,
                assignees=_people(issue),
                labels=tuple(each if isinstance(each, str) else each.name for each in issue.labels),
                robot=_is_robot(issue.user),
            ),
            metadata=_without_empty(draft=issue.draft, merged=merged),
        )

    def commit(self, commit: replies.CommitReply, repository: str = "") -> ContextItem:
        """Return a commit.

        Args:
            commit: What GitHub sent.
            repository: The repository that was asked, if it was one.
        """
        made = commit.commit
        named = _NAME.fullmatch(commit.repository.full_name)
        place = _COMMIT_PLACE.search(commit.html_url) or named
        subject, called = made.message.partition("\n")[0], f"Commit {commit.sha[:7]}"
        return ContextItem(
            ref=self.names.commit(place[1] if place else repository, commit.sha),
            source="github",
            role="commit",
            title=f"{called}: {subject}",
            content=escape_markdown(made.message, keep_code=True),
            timestamp=first_moment(made.committer.date, made.author.date) or NO_TIME,
            author=_login(commit.author) or made.author.name or made.committer.name,
            facts=Facts(
                short_name=called,
                created=first_moment(made.author.date),
                robot=_is_robot(commit.author),
            ),
        )

    def comment(self, comment: replies.CommentReply, below: ContextItem) -> ContextItem:
        """Return a comment below an issue or a pull request."""
        created = first_moment(comment.created_at, comment.updated_at) or below.timestamp
        return ContextItem(
            ref=part_of(below.ref, "comment", comment.id, "issuecomment-"),
            source="github",
            role="comment",
            title=f"{below.ref.id} comment",
            content=without_key(comment.body),
            timestamp=first_moment(comment.updated_at) or created,
            author=_login(comment.user),
            facts=Facts(created=created, on=_short(below.ref), robot=_is_robot(comment.user)),
        )

    def discussion(self, talk: DiscussionNode, repository_name: str = "") -> ContextItem:
        """Return a discussion without its comments.

        Args:
            talk: What GitHub sent.
            repository_name: The repository that was asked, if it was one.
        """
        repository = talk.repository.nameWithOwner or repository_name
        called = f"Discussion #{talk.number}"
        return ContextItem(
            ref=self.names.numbered(repository, talk.number, "discussion"),
            source="github",
            role="talk",
            title=f"{called}: {talk.title}",
            content=talk.body,
            timestamp=first_moment(talk.updatedAt, talk.createdAt) or NO_TIME,
            author=talk.author.user.login if talk.author else "",
            facts=Facts(
                short_name=called,
                created=first_moment(talk.createdAt),
                status=_discussion_status(talk),
                type=talk.category.name,
                labels=tuple(each.name for each in talk.labels.all if each.name),
                robot=bool(talk.author and talk.author.user.is_robot),
            ),
        )

    def remark(
        self, remark: DiscussionRemark, below: ContextItem, to: DiscussionRemark | None = None
    ) -> ContextItem:
        """Return a comment below a discussion.

        Args:
            remark: What GitHub sent.
            below: The discussion.
            to: The comment that it replies to.
        """
        created = first_moment(remark.createdAt, remark.updatedAt) or below.timestamp
        replied = part_of(below.ref, "comment", to.number, "discussioncomment-") if to else None
        return ContextItem(
            ref=part_of(below.ref, "comment", remark.number, "discussioncomment-"),
            source="github",
            role="comment",
            title=f"{below.ref.id} {'answer' if remark.isAnswer else 'comment'}",
            content=remark.body,
            timestamp=first_moment(remark.updatedAt) or created,
            author=remark.author.user.login if remark.author else "",
            facts=Facts(
                created=created,
                on=_short(below.ref),
                answer=remark.isAnswer,
                robot=bool(remark.author and remark.author.user.is_robot),
            ),
            links=(Link(ref=replied, relation="replies_to"),) if replied else (),
        )

    def review(self, review: replies.ReviewReply, below: ContextItem) -> ContextItem:
        """Return a review of a pull request; its text may be empty."""
        at = first_moment(review.submitted_at) or below.timestamp
        return ContextItem(
            ref=part_of(below.ref, "review", review.id, "pullrequestreview-"),
            source="github",
            role="review",
            title=f"{below.ref.id} review",
            content=review.body or _VERDICTS.get(review.state, ""),
            timestamp=at,
            author=_login(review.user),
            facts=Facts(
                created=at,
                on=_short(below.ref),
                verdict=review.state.lower().replace("_", " "),
                robot=_is_robot(review.user),
            ),
        )

    def line_comment(
        self, comment: replies.LineComment, below: ContextItem, *, resolved: bool | None
    ) -> ContextItem:
        """Return a comment at a line of a pull request.

        Args:
            comment: What GitHub sent.
            below: The pull request.
            resolved: Whether its thread is settled; None when nobody knows.
        """
        created = first_moment(comment.created_at, comment.updated_at) or below.timestamp
        line = comment.line or comment.original_line
        place = f"{comment.path}:{line}" if line else comment.path
        return ContextItem(
            ref=part_of(below.ref, "comment", comment.id, "discussion_r", "review-comment"),
            source="github",
            role="comment",
            title=f"{below.ref.id} comment on {place}",
            content=comment.body,
            timestamp=first_moment(comment.updated_at) or created,
            author=_login(comment.user),
            facts=Facts(
                created=created,
                on=_short(below.ref),
                path=comment.path,
                line=line or None,
                outdated=not comment.line and bool(comment.original_line),
                resolved=resolved,
                robot=_is_robot(comment.user),
            ),
            links=_reply_link(below.ref, comment.in_reply_to_id),
        )


def read_issue(reply: Reply) -> replies.IssueReply:
    """Return the issue or pull request in a reply.

    Raises:
        MalformedReply: The reply has none.
    """
    issue = read_one(reply, replies.IssueReply)
    if not issue.number:
        raise MalformedReply(f"{reply.where} sent an unexpected reply: it is no issue")
    return issue


def repository_of(issue: replies.IssueReply) -> str:
    """Return the repository that an issue says it is in, which may have been moved."""
    for url in (issue.html_url, issue.repository_url):
        if found := re.search(rf"{_PLACE.pattern}$", url, re.ASCII):
            return found[1]
    return ""


def part_of(below: ItemRef, kind: str, id_: int, anchor: str, named: str = "") -> ItemRef:
    """Return where a part is; GitHub numbers comments and those at lines apart."""
    url = f"{below.url}#{anchor}{id_}" if id_ else below.url
    return ItemRef(
        account=below.account, kind=kind, id=f"{below.id}/{named or kind}/{id_}", url=url
    )


def _short(ref: ItemRef) -> str:
    """Return what people call an item: ``api#847``."""
    return ref.id.rpartition("/")[2]


def _login(user: replies.UserReply | None) -> str:
    return user.login if user else ""


def _is_robot(user: replies.UserReply | None) -> bool:
    return bool(user and user.is_robot)


def _reply_link(below: ItemRef, to: int | None) -> tuple[Link, ...]:
    """Return the link of a comment at a line to the one it answers."""
    ref = part_of(below, "comment", to, "discussion_r", "review-comment") if to else None
    return (Link(ref=ref, relation="replies_to"),) if ref else ()


def _status(issue: replies.IssueReply) -> ItemStatus | None:
    """Return the status of an issue or pull request: open, closed or merged."""
    is_pull = issue.pull_request is not None
    if issue.pull_request and issue.pull_request.merged_at:
        return ItemStatus(name="merged", category="done")
    if issue.state != "closed":
        category: StatusCategory = "in_progress" if is_pull else "todo"
        return ItemStatus(name=issue.state, category=category) if issue.state else None
    given_up = is_pull or issue.state_reason in {"not_planned", "duplicate"}
    return ItemStatus(name="closed", category="canceled" if given_up else "done")


def _discussion_status(talk: DiscussionNode) -> ItemStatus:
    """Return the status of a discussion; only some categories have answers."""
    if talk.isAnswered:
        return ItemStatus(name="answered", category="done")
    if talk.closed:
        return ItemStatus(name="closed", category="done")
    return ItemStatus(name="open" if talk.isAnswered is None else "unanswered", category="todo")


def _people(issue: replies.IssueReply) -> tuple[str, ...]:
    """Return the assignees' logins; old replies have only one."""
    people = issue.assignees or (issue.assignee,)
    return tuple(each.login for each in people if each and each.login)


def _without_empty(**values: JSON) -> dict[str, JSON]:
    """Return the values that are neither empty nor false."""
    return {name: value for name, value in values.items() if value}
