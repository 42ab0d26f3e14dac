"""GraphQL replies about discussions."""

from collections.abc import Sequence

from attrs import field, frozen

from rove_github.graphql_replies import (
    Actor,
    GraphError,
    LabelOrUser,
    LabelsOrUsers,
    Next,
    RepositoryName,
    number_of,
)


@frozen(kw_only=True)
class DiscussionRemark:
    """A comment below a discussion, or a reply to one."""

    url: str = ""
    body: str = ""
    isAnswer: bool = False  # noqa: N815  # GitHub's own name
    createdAt: str = ""  # noqa: N815  # GitHub's own name
    updatedAt: str = ""  # noqa: N815  # GitHub's own name
    author: Actor | None = None
    replies: "DiscussionRemarks | None" = None

    @property
    def number(self) -> int:
        """Return its id, which is part of its address."""
        return number_of(self.url)


@frozen(kw_only=True)
class DiscussionRemarks:
    """A page of comments."""

    nodes: tuple[DiscussionRemark | None, ...] = ()
    pageInfo: Next = field(factory=Next)  # noqa: N815  # GitHub's own name

    @property
    def all(self) -> Sequence[DiscussionRemark]:
        """The visible entries."""
        return [*filter(None, self.nodes)]


@frozen(kw_only=True)
class DiscussionNode:
    """A discussion."""

    number: int = 0
    title: str = ""
    body: str = ""
    closed: bool = False
    isAnswered: bool | None = None  # noqa: N815  # GitHub's own name
    createdAt: str = ""  # noqa: N815  # GitHub's own name
    updatedAt: str = ""  # noqa: N815  # GitHub's own name
    author: Actor | None = None
    category: LabelOrUser = field(factory=LabelOrUser)
    labels: LabelsOrUsers = field(factory=LabelsOrUsers)
    repository: RepositoryName = field(factory=RepositoryName)
    comments: DiscussionRemarks = DiscussionRemarks()


@frozen(kw_only=True)
class _RepositoryTalk:
    talk: DiscussionNode | None = None


@frozen(kw_only=True)
class _TalkData:
    repository: _RepositoryTalk | None = None


@frozen(kw_only=True)
class DiscussionAnswer:
    """The answer to the question for one discussion."""

    data: _TalkData | None = None
    errors: tuple[GraphError, ...] = ()


@frozen(kw_only=True)
class FoundDiscussions:
    """A page of the discussions that a search found."""

    nodes: tuple[DiscussionNode | None, ...] = ()
    pageInfo: Next = field(factory=Next)  # noqa: N815  # GitHub's own name
    discussionCount: int | None = None  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class _FoundData:
    found: FoundDiscussions | None = None
    every: FoundDiscussions | None = None


@frozen(kw_only=True)
class DiscussionSearchReply:
    """The answer to a search of discussions."""

    data: _FoundData | None = None
    errors: tuple[GraphError, ...] = ()
