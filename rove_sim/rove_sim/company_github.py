"""A company's content on GitHub.

Texts are Markdown, as they are written. Times are ISO texts with a zone
(``2024-12-15T12:00:00Z``), or TOML's own. People are named by their keys; anybody else is a
stranger of that name, a bot when it ends in ``[bot]``; no name is an account that is gone.
"""

from datetime import datetime
from hashlib import sha1
from typing import Literal, TypeAlias

from attrs import field, frozen

Verdict: TypeAlias = Literal["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED"]
Access: TypeAlias = Literal["read", "hidden", "forbidden", "sso", "lapsed"]
FileStatus: TypeAlias = Literal["added", "removed", "modified", "renamed"]


@frozen(kw_only=True)
class RepositoryComment:
    """A comment on an issue or pull request.

    Attributes:
        id: A number; derived when not given.
        updated: When it was last edited.
    """

    id: str = ""
    author: str
    at: datetime
    text: str
    updated: datetime | None = None


@frozen(kw_only=True)
class ProjectPlace:
    """The place of an issue or pull request in a project.

    Attributes:
        project: The project's title.
        number: The project's number among those of its owner.
        status: The status there; empty for none.
    """

    project: str
    number: int = 1
    status: str = ""


@frozen(kw_only=True)
class RepositoryIssue:
    """An issue of a repository.

    Attributes:
        repository: Like ``northwind/backend``.
        number: Shared with pull requests: no two of a repository have the same.
        updated: When it last changed; that of its latest comment when not given.
        reason: Why it was closed: ``completed``, ``not_planned`` or ``duplicate``.
        sub_issues: The numbers of the issues below it, in the same repository.
        projects: Its places in projects.
        deleted: Whether GitHub answers that it is gone.
        moved: Where it was transferred to, like ``northwind/web#12``.
    """

    repository: str
    number: int
    title: str
    body: str = ""
    author: str
    created: datetime
    updated: datetime | None = None
    state: Literal["open", "closed"] = "open"
    closed: datetime | None = None
    reason: str = ""
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    comments: tuple[RepositoryComment, ...] = ()
    sub_issues: tuple[int, ...] = ()
    projects: tuple[ProjectPlace, ...] = ()
    deleted: bool = False
    moved: str = ""


@frozen(kw_only=True)
class ReviewComment:
    """A comment at a line of a pull request.

    Attributes:
        id: A number; derived when not given.
        review: The id of the review it belongs to.
        reply_to: The id of the first comment of its thread; empty for that comment itself.
        resolved: Whether the thread that it starts is settled.
        outdated: Whether the line is no longer in the pull request.
    """

    id: str = ""
    author: str
    at: datetime
    text: str
    path: str
    line: int
    hunk: str = "@@ -1,1 +1,1 @@"
    review: str = ""
    reply_to: str = ""
    resolved: bool = False
    outdated: bool = False
    updated: datetime | None = None


@frozen(kw_only=True)
class PullRequestReview:
    """A person's word on a whole pull request; its text may be empty, its id derived."""

    id: str = ""
    author: str
    at: datetime
    verdict: Verdict
    text: str = ""


@frozen(kw_only=True)
class RepositoryCommit:
    """A commit, of a pull request or of a repository's default branch.

    Attributes:
        sha: Forty hexadecimal digits; derived when not given.
    """

    message: str
    author: str
    at: datetime
    sha: str = field()

    @sha.default
    def _sha(self) -> str:
        named = f"{self.at.isoformat()} {self.author} {self.message}"
        return sha1(named.encode(), usedforsecurity=False).hexdigest()


@frozen(kw_only=True)
class ChangedFile:
    """A file that a pull request changes."""

    path: str
    status: FileStatus = "modified"
    additions: int = 1
    deletions: int = 0
    patch: str = ""


@frozen(kw_only=True)
class PullRequest:
    """A pull request.

    Attributes:
        updated: When it last changed; that of the latest word or commit when not given.
        state: A merged one is closed.
        branch: Where the change comes from.
        merged: When it was merged; empty when it was not.
        closes: The issues it closes, as ``#12`` or ``northwind/web#3``.
        projects: Its places in projects.
    """

    repository: str
    number: int
    title: str
    body: str = ""
    author: str
    created: datetime
    updated: datetime | None = None
    state: Literal["open", "closed"] = "open"
    branch: str = "change"
    base: str = "main"
    closed: datetime | None = None
    merged: datetime | None = None
    draft: bool = False
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    comments: tuple[RepositoryComment, ...] = ()
    reviews: tuple[PullRequestReview, ...] = ()
    review_comments: tuple[ReviewComment, ...] = ()
    commits: tuple[RepositoryCommit, ...] = ()
    files: tuple[ChangedFile, ...] = ()
    closes: tuple[str, ...] = ()
    projects: tuple[ProjectPlace, ...] = ()


@frozen(kw_only=True)
class DiscussionReply:
    """A reply to a comment of a discussion.

    Attributes:
        id: A number; derived when not given.
    """

    id: str = ""
    author: str
    at: datetime
    text: str
    updated: datetime | None = None


@frozen(kw_only=True)
class DiscussionComment(DiscussionReply):
    """A comment on a discussion.

    Attributes:
        answer: Whether it was chosen as the answer.
        replies: What was said to it.
    """

    answer: bool = False
    replies: tuple[DiscussionReply, ...] = ()


@frozen(kw_only=True)
class RepositoryDiscussion:
    """A discussion of a repository.

    Attributes:
        repository: Like ``northwind/backend``.
        number: Shared with issues and pull requests: no two of a repository have the same.
        category: What kind of discussion it is.
        answerable: Whether the category knows answers.
        updated: When it last changed; that of its latest comment when not given.
    """

    repository: str
    number: int
    title: str
    body: str = ""
    author: str
    created: datetime
    updated: datetime | None = None
    category: str = "Q&A"
    answerable: bool = True
    closed: datetime | None = None
    labels: tuple[str, ...] = ()
    comments: tuple[DiscussionComment, ...] = ()


@frozen(kw_only=True)
class CompanyRepository:
    """A repository with details of its own.

    Attributes:
        name: Like ``northwind/backend``.
        commits: Those of the default branch that came by no pull request here.
        access: What the token may do: read it; not even know of it; know of it but not read
            it; be sent to the organisation's single sign-on first; or not know of it until that
            is done.
        old_names: Where it was before it was moved.
        pushed: When it was pushed to, if that is later than its commits were made.
    """

    name: str
    description: str = ""
    private: bool = True
    commits: tuple[RepositoryCommit, ...] = ()
    access: Access = "read"
    old_names: tuple[str, ...] = ()
    pushed: datetime | None = None
