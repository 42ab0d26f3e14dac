"""GraphQL replies for a whole issue or pull request, in REST's form."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from attrs import field, frozen

from rove_github import replies

_NUMBER: Final = re.compile(r"[0-9]+$")


def number_of(url: str) -> int:
    """Return the number at the end of an address; 0 for none."""
    found = _NUMBER.search(url)
    return int(found[0]) if found else 0


@frozen(kw_only=True)
class Next:
    """Page info of a list."""

    hasNextPage: bool = False  # noqa: N815  # GitHub's own name
    endCursor: str = ""  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class Actor:
    """A person or a robot."""

    login: str = ""
    kind: str = ""

    @property
    def user(self) -> replies.UserReply:
        """Return the user in REST's form, with ``[bot]`` after a bot's name."""
        suffix = "[bot]" if self.kind == "Bot" else ""
        return replies.UserReply(login=f"{self.login}{suffix}", type=self.kind)


@frozen(kw_only=True)
class LabelOrUser:
    """Whatever has no more than a name here."""

    name: str = ""
    login: str = ""


@frozen(kw_only=True)
class LabelsOrUsers:
    """Labels, or people."""

    nodes: tuple[LabelOrUser | None, ...] = ()

    @property
    def all(self) -> Sequence[LabelOrUser]:
        """Those that may be seen."""
        return [*filter(None, self.nodes)]


@frozen(kw_only=True)
class RepositoryName:
    """The repository's name."""

    nameWithOwner: str = ""  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class LinkedIssue:
    """An issue or a pull request that is linked."""

    number: int = 0
    repository: RepositoryName = RepositoryName()


@frozen(kw_only=True)
class LinkedIssues:
    """All that are linked."""

    nodes: tuple[LinkedIssue | None, ...] = ()
    pageInfo: Next = Next()  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class RemarkNode:
    """A comment of any kind, or a review."""

    url: str = ""
    body: str = ""
    state: str = ""
    author: Actor | None = None
    path: str = ""
    line: int = 0
    originalLine: int = 0  # noqa: N815  # GitHub's own name
    replyTo: "RemarkNode | None" = None  # noqa: N815  # GitHub's own name
    createdAt: str = ""  # noqa: N815  # GitHub's own name
    updatedAt: str = ""  # noqa: N815  # GitHub's own name
    submittedAt: str = ""  # noqa: N815  # GitHub's own name

    @property
    def number(self) -> int:
        """Return its full id, which only its address has."""
        return number_of(self.url)

    @property
    def user(self) -> replies.UserReply | None:
        """Its author."""
        return self.author.user if self.author else None

    @property
    def comment(self) -> replies.CommentReply:
        """It as a comment below an issue or a pull request."""
        return replies.CommentReply(
            id=self.number,
            body=self.body,
            user=self.user,
            created_at=self.createdAt,
            updated_at=self.updatedAt,
        )

    @property
    def review(self) -> replies.ReviewReply:
        """It as a review."""
        return replies.ReviewReply(
            id=self.number,
            body=self.body,
            state=self.state,
            user=self.user,
            submitted_at=self.submittedAt,
        )

    @property
    def at_line(self) -> replies.LineComment:
        """It as a comment on a file."""
        return replies.LineComment(
            id=self.number,
            body=self.body,
            user=self.user,
            path=self.path,
            line=self.line,
            original_line=self.originalLine,
            in_reply_to_id=self.replyTo.number if self.replyTo else 0,
            created_at=self.createdAt,
            updated_at=self.updatedAt,
        )


@frozen(kw_only=True)
class Remarks:
    """A page of comments."""

    nodes: tuple[RemarkNode | None, ...] = ()
    pageInfo: Next = Next()  # noqa: N815  # GitHub's own name

    @property
    def all(self) -> Sequence[RemarkNode]:
        """The visible entries."""
        return [*filter(None, self.nodes)]


@frozen(kw_only=True)
class ReviewThread:
    """A review thread."""

    isResolved: bool | None = None  # noqa: N815  # GitHub's own name
    comments: Remarks = Remarks()


@frozen(kw_only=True)
class ReviewThreads:
    """A page of that."""

    nodes: tuple[ReviewThread | None, ...] = ()
    pageInfo: Next = Next()  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class CommitPerson:
    """Author of a commit: name and GitHub user."""

    name: str = ""
    user: LabelOrUser | None = None


@frozen(kw_only=True)
class CommitNode:
    """A commit."""

    oid: str = ""
    url: str = ""
    message: str = ""
    authoredDate: str = ""  # noqa: N815  # GitHub's own name
    committedDate: str = ""  # noqa: N815  # GitHub's own name
    author: CommitPerson = CommitPerson()
    committer: CommitPerson = CommitPerson()

    @property
    def commit(self) -> replies.CommitReply:
        """The same as REST sends it."""
        who = self.author.user
        return replies.CommitReply(
            sha=self.oid,
            html_url=self.url,
            commit=replies.GitCommit(
                message=self.message,
                author=replies.CommitSignature(name=self.author.name, date=self.authoredDate),
                committer=replies.CommitSignature(
                    name=self.committer.name, date=self.committedDate
                ),
            ),
            author=replies.UserReply(login=who.login) if who else None,
        )


@frozen(kw_only=True)
class Holder:
    """An event that refers to a commit."""

    commit: CommitNode = CommitNode()


@frozen(kw_only=True)
class Commits:
    """A page of that."""

    nodes: tuple[Holder | None, ...] = ()
    pageInfo: Next = Next()  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class _ChangedFile:
    """A file that a pull request changes."""

    path: str = ""


@frozen(kw_only=True)
class PullFiles:
    """The first files that a pull request changes; null while GitHub compares the branches."""

    nodes: tuple[_ChangedFile | None, ...] = ()


@frozen(kw_only=True)
class Item:
    """An issue or a pull request."""

    number: int = 0
    title: str = ""
    body: str = ""
    url: str = ""
    issueState: str = ""  # noqa: N815  # GitHub's own names
    pullState: str = ""  # noqa: N815  # the same
    stateReason: str = ""  # noqa: N815  # the same
    createdAt: str = ""  # noqa: N815  # the same
    updatedAt: str = ""  # noqa: N815  # the same
    mergedAt: str = ""  # noqa: N815  # the same
    isDraft: bool = False  # noqa: N815  # the same
    headRefName: str = ""  # noqa: N815  # the same
    baseRefName: str = ""  # noqa: N815  # the same
    author: Actor | None = None
    assignees: LabelsOrUsers = LabelsOrUsers()
    labels: LabelsOrUsers = LabelsOrUsers()
    comments: Remarks = Remarks()
    links: LinkedIssues = LinkedIssues()
    reviews: Remarks = Remarks()
    threads: ReviewThreads = ReviewThreads()
    commits: Commits = Commits()
    files: PullFiles = PullFiles()

    @property
    def issue(self) -> replies.IssueReply:
        """The same as REST sends it."""
        return replies.IssueReply(
            number=self.number,
            title=self.title,
            body=self.body,
            state=(self.issueState or self.pullState).lower(),
            state_reason=self.stateReason.lower(),
            draft=self.isDraft,
            user=self.author.user if self.author else None,
            assignees=tuple(replies.UserReply(login=each.login) for each in self.assignees.all),
            labels=tuple(replies.Label(name=each.name) for each in self.labels.all),
            pull_request=replies.Merge(merged_at=self.mergedAt) if self.pullState else None,
            html_url=self.url,
            created_at=self.createdAt,
            updated_at=self.updatedAt,
        )


@frozen(kw_only=True)
class GraphError:
    """An error in a GraphQL reply.

    Attributes:
        message: The same in GitHub's words.
        type: What kind of error it is.
        path: The names and places that lead to the field that could not be answered.
    """

    message: str = ""
    type: str = ""
    path: tuple[str | int, ...] = ()


@frozen(kw_only=True)
class GraphErrors:
    """The errors of any reply."""

    errors: tuple[GraphError, ...] = ()


@frozen(kw_only=True)
class ItemPage:
    """A page of a repository's issues, or of its pull requests."""

    nodes: tuple[Item | None, ...] = ()
    pageInfo: Next = Next()  # noqa: N815  # GitHub's own name
    totalCount: int = 0  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class Branch:
    """A branch with its pull requests."""

    associatedPullRequests: ItemPage = ItemPage()  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class Branches:
    """Branches of a repository."""

    nodes: tuple[Branch | None, ...] = ()


@frozen(kw_only=True)
class FoundPlace:
    """A repository or an owner, with the branches that were found in it."""

    nameWithOwner: str = ""  # noqa: N815  # GitHub's own name
    branches: Branches | None = None

    @property
    def pulls(self) -> Sequence[Item]:
        """The visible pull requests of these branches."""
        found = self.branches.nodes if self.branches else ()
        pages = [each.associatedPullRequests for each in found if each]
        return [each for page in pages for each in page.nodes if each]


@frozen(kw_only=True)
class ListedRepository:
    """A repository with a page of its items, and their number."""

    nameWithOwner: str = ""  # noqa: N815  # GitHub's own name
    page: ItemPage = ItemPage()
    counted: ItemPage = ItemPage()


@frozen(kw_only=True)
class ListData:
    """The data of a page."""

    repository: ListedRepository | None = None


@frozen(kw_only=True)
class ListAnswer:
    """The GraphQL reply for one page."""

    data: ListData | None = None
    errors: tuple[GraphError, ...] = ()


@frozen(kw_only=True)
class Owner:
    """An organization, with its number; a person has none."""

    databaseId: int = 0  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class OwnerData:
    """The owner of a repository."""

    repositoryOwner: Owner = field(factory=Owner)  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class OwnerAnswer:
    """The GraphQL reply about an owner."""

    data: OwnerData | None = None


@frozen
class Newest:
    """When an issue or a pull request changed last."""

    updatedAt: datetime | None = None  # noqa: N815  # GitHub's own name


@frozen
class NewestPage:
    """The issue or pull request that changed last."""

    nodes: tuple[Newest | None, ...] = ()


@frozen
class NewestOfRepository:
    """What changed last in a repository."""

    nameWithOwner: str = ""  # noqa: N815  # GitHub's own name
    pushedAt: datetime | None = None  # noqa: N815  # GitHub's own name
    issues: NewestPage = NewestPage()
    pullRequests: NewestPage = NewestPage()  # noqa: N815  # GitHub's own name


@frozen
class NewestAnswer:
    """The GraphQL reply about several repositories, by alias."""

    data: Mapping[str, NewestOfRepository | None] | None = None
    errors: tuple[GraphError, ...] = ()
