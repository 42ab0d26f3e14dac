"""The parts of GitHub's replies that Rove reads, with GitHub's names.

Nothing is required: two versions of the API differ in what they send, and a comment without its
time is still what somebody said. Times are read where they are used.
"""

from attrs import frozen

from rove_core import JSON


@frozen(kw_only=True)
class UserReply:
    """A person or a robot."""

    login: str = ""
    id: int = 0
    html_url: str = ""
    type: str = ""

    @property
    def is_robot(self) -> bool:
        """Whether it is a GitHub app; old replies have only its name."""
        return self.type == "Bot" or self.login.endswith("[bot]")


@frozen(kw_only=True)
class ViewerReply:
    """The login's owner, from GraphQL."""

    viewer: UserReply = UserReply()


@frozen(kw_only=True)
class ViewerData:
    """The answer of GraphQL to who that is."""

    data: ViewerReply | None = None


@frozen(kw_only=True)
class Label:
    """A label; GitHub also sends bare names."""

    name: str = ""


@frozen(kw_only=True)
class Merge:
    """Merge information of an issue that is a pull request."""

    merged_at: str = ""


@frozen(kw_only=True)
class SubIssueCount:
    """Number of sub-issues."""

    total: int = 0


@frozen(kw_only=True)
class IssueReply:
    """An issue or a pull request, as searches and details give it."""

    id: int = 0
    number: int = 0
    title: str = ""
    body: str = ""
    state: str = ""
    state_reason: str = ""
    draft: bool = False
    user: UserReply | None = None
    assignee: UserReply | None = None
    assignees: tuple[UserReply, ...] = ()
    labels: tuple[Label | str, ...] = ()
    pull_request: Merge | None = None
    html_url: str = ""
    repository_url: str = ""
    parent_issue_url: str = ""
    sub_issues_summary: SubIssueCount | None = None
    created_at: str = ""
    updated_at: str = ""


@frozen(kw_only=True)
class End:
    """Head or base of a pull request."""

    ref: str = ""


@frozen(kw_only=True)
class Pull:
    """Fields that only pull requests have."""

    head: End = End()
    base: End = End()


@frozen(kw_only=True)
class CommentReply:
    """A comment below an issue or a pull request."""

    id: int = 0
    body: str = ""
    user: UserReply | None = None
    created_at: str = ""
    updated_at: str = ""


@frozen(kw_only=True)
class ReviewReply:
    """A review of a pull request."""

    id: int = 0
    body: str = ""
    state: str = ""
    user: UserReply | None = None
    submitted_at: str = ""


@frozen(kw_only=True)
class LineComment:
    """A comment on a file of a pull request, mostly at a line of it."""

    id: int = 0
    body: str = ""
    user: UserReply | None = None
    path: str = ""
    line: int = 0
    original_line: int = 0
    in_reply_to_id: int = 0
    created_at: str = ""
    updated_at: str = ""


@frozen(kw_only=True)
class CommitSignature:
    """Author and time of a commit, from git."""

    name: str = ""
    date: str = ""


@frozen(kw_only=True)
class GitCommit:
    """A commit as Git has it."""

    message: str = ""
    author: CommitSignature = CommitSignature()
    committer: CommitSignature = CommitSignature()


@frozen(kw_only=True)
class RepositoryReply:
    """A repository."""

    full_name: str = ""


@frozen(kw_only=True)
class CommitReply:
    """A commit; only a search says of which repository."""

    sha: str = ""
    html_url: str = ""
    commit: GitCommit = GitCommit()
    author: UserReply | None = None
    repository: RepositoryReply = RepositoryReply()


@frozen(kw_only=True)
class FileReply:
    """A file that a pull request changes."""

    filename: str = ""


@frozen(kw_only=True)
class SearchPage:
    """A page of search results."""

    incomplete_results: bool = False
    items: tuple[JSON, ...] = ()


@frozen(kw_only=True)
class Refusal:
    """GitHub's error body."""

    message: str = ""
    errors: tuple[JSON, ...] = ()
