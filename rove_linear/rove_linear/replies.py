"""What Linear sends, as far as Rove reads it; names are Linear's own.

Whatever Linear leaves out or leaves empty is read as nothing: no issue is lost for a missing name.
"""

# ruff: noqa: N815

from datetime import datetime

from attrs import field, frozen

from rove_core import JSON


@frozen(kw_only=True)
class Extensions:
    """What kind of error it is."""

    code: str = ""
    type: str = ""
    userPresentableMessage: str = ""


@frozen(kw_only=True)
class Error:
    """Why a question was not answered."""

    message: str = ""
    extensions: Extensions = field(factory=Extensions)


@frozen(kw_only=True)
class Outcome:
    """What every reply may hold, whatever its HTTP status."""

    data: JSON = None
    errors: tuple[Error, ...] = ()


@frozen(kw_only=True)
class PageInfo:
    """Whether a list goes on, and after what."""

    hasNextPage: bool = False
    endCursor: str = ""

    @property
    def next(self) -> str:
        """The cursor of the next page; empty after the last."""
        return self.endCursor if self.hasNextPage else ""


@frozen(kw_only=True)
class Named:
    """A person, a robot, a state, a project or a label."""

    name: str = ""


@frozen(kw_only=True)
class State(Named):
    """A state of a team's work; its type is one of Linear's own."""

    type: str = ""


@frozen(kw_only=True)
class Cycle(Named):
    """A stretch of a team's work; not each has a name."""

    number: float | None = None


@frozen(kw_only=True)
class Linked:
    """Another issue, as an issue names it."""

    identifier: str = ""
    url: str = ""


@frozen(kw_only=True)
class Labels:
    """One page of an issue's labels."""

    nodes: tuple[Named | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class Children:
    """One page of the issues below an issue."""

    nodes: tuple[Linked | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class Relation:
    """How an issue stands to another one; only that other one is asked for."""

    type: str = ""
    issue: Linked | None = None
    relatedIssue: Linked | None = None


@frozen(kw_only=True)
class Relations:
    """One page of an issue's relations."""

    nodes: tuple[Relation | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class Attachment:
    """What an issue points at elsewhere: a pull request, a thread."""

    title: str = ""
    subtitle: str = ""
    url: str = ""


@frozen(kw_only=True)
class Attachments:
    """One page of what an issue points at."""

    nodes: tuple[Attachment | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class Comment:
    """A comment; its body is Markdown. It has a user, or came from outside, or from a robot."""

    id: str = ""
    parentId: str = ""
    body: str = ""
    url: str = ""
    createdAt: datetime | None = None
    updatedAt: datetime | None = None
    user: Named | None = None
    externalUser: Named | None = None
    botActor: Named | None = None


@frozen(kw_only=True)
class Comments:
    """One page of an issue's comments."""

    nodes: tuple[Comment | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class Change:
    """A line of an issue's history; most of what it could tell is empty."""

    createdAt: datetime | None = None
    actor: Named | None = None
    botActor: Named | None = None
    fromState: Named | None = None
    toState: Named | None = None
    fromAssignee: Named | None = None
    toAssignee: Named | None = None
    fromPriority: float | None = None
    toPriority: float | None = None


@frozen(kw_only=True)
class History:
    """One page of what happened to an issue."""

    nodes: tuple[Change | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class Issue(Linked):
    """An issue, or a further page of its lists; a search gives it without its lists."""

    id: str = ""
    title: str = ""
    description: str = ""
    createdAt: datetime | None = None
    updatedAt: datetime | None = None
    archivedAt: datetime | None = None
    branchName: str = ""
    dueDate: str = ""
    priorityLabel: str = ""
    previousIdentifiers: tuple[str | None, ...] = ()
    creator: Named | None = None
    externalUserCreator: Named | None = None
    botActor: Named | None = None
    assignee: Named | None = None
    state: State | None = None
    project: Named | None = None
    cycle: Cycle | None = None
    parent: Linked | None = None
    attachments: Attachments = field(factory=Attachments)
    children: Children = field(factory=Children)
    comments: Comments = field(factory=Comments)
    history: History = field(factory=History)
    inverseRelations: Relations = field(factory=Relations)
    labels: Labels = field(factory=Labels)
    relations: Relations = field(factory=Relations)

    @property
    def next(self) -> dict[str, str]:
        """The cursors of the lists that go on, by their names."""
        pages = {
            "attachments": self.attachments.pageInfo,
            "children": self.children.pageInfo,
            "comments": self.comments.pageInfo,
            "history": self.history.pageInfo,
            "inverseRelations": self.inverseRelations.pageInfo,
            "labels": self.labels.pageInfo,
            "relations": self.relations.pageInfo,
        }
        return {name: page.next for name, page in pages.items() if page.next}


@frozen(kw_only=True)
class IssueData:
    """The data of one issue."""

    issue: Issue | None = None


@frozen(kw_only=True)
class OneIssue:
    """The reply to the question for one issue."""

    data: IssueData = field(factory=IssueData)


@frozen(kw_only=True)
class Hits:
    """One page of the issues that were found."""

    nodes: tuple[Issue | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class FoundData:
    """The data of a search, which is one of the two."""

    searchIssues: Hits | None = None
    issues: Hits | None = None


@frozen(kw_only=True)
class Found:
    """The reply to a search."""

    data: FoundData = field(factory=FoundData)

    @property
    def hits(self) -> Hits:
        """The issues that were found."""
        return self.data.searchIssues or self.data.issues or Hits()


@frozen(kw_only=True)
class Organization:
    """The workspace."""

    name: str = ""
    urlKey: str = ""


@frozen(kw_only=True)
class Viewer:
    """Whose key it is."""

    id: str = ""
    name: str = ""
    organization: Organization = field(factory=Organization)


@frozen(kw_only=True)
class Team:
    """A team; its key is what its issues' identifiers begin with."""

    key: str = ""


@frozen(kw_only=True)
class Teams:
    """One page of the teams whose issues can be read."""

    nodes: tuple[Team | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class WhoData:
    """The data of the question who one is."""

    viewer: Viewer
    teams: Teams = field(factory=Teams)


@frozen(kw_only=True)
class Who:
    """The reply to the question who one is."""

    data: WhoData
