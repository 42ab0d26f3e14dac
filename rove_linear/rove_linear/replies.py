"""The parts of Linear's replies that Rove reads, with Linear's names.

Whatever Linear leaves out or leaves empty is read as nothing: no issue is lost for a missing name.
"""

# ruff: noqa: N815

from datetime import datetime

from attrs import field, frozen

from rove_core import JSON


@frozen(kw_only=True)
class Extensions:
    """The type of a GraphQL error."""

    code: str = ""
    type: str = ""
    userPresentableMessage: str = ""


@frozen(kw_only=True)
class LinearError:
    """Why a question was not answered."""

    message: str = ""
    extensions: Extensions = field(factory=Extensions)


@frozen(kw_only=True)
class GraphReply:
    """Fields of every GraphQL reply."""

    data: JSON = None
    errors: tuple[LinearError, ...] = ()


@frozen(kw_only=True)
class PageInfo:
    """Page info of a list."""

    hasNextPage: bool = False
    endCursor: str = ""

    @property
    def next(self) -> str:
        """The cursor of the next page; empty after the last."""
        return self.endCursor if self.hasNextPage else ""


@frozen(kw_only=True)
class NamedNode:
    """A person, a robot, a state, a project or a label."""

    id: str = ""
    name: str = ""


@frozen(kw_only=True)
class StateNode(NamedNode):
    """A state of a team's work; its type is one of Linear's own."""

    type: str = ""
    position: float = 0.0


@frozen(kw_only=True)
class States:
    """One page of the states of a team's work."""

    nodes: tuple[StateNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class CycleNode(NamedNode):
    """A stretch of a team's work; not each has a name."""

    number: float | None = None
    description: str = ""
    startsAt: datetime | None = None
    endsAt: datetime | None = None
    isActive: bool = False
    isPast: bool = False


@frozen(kw_only=True)
class Cycles:
    """One page of the cycles of a team."""

    nodes: tuple[CycleNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class Team:
    """A team; its key is what its issues' identifiers begin with."""

    id: str = ""
    key: str = ""
    name: str = ""
    visibility: str = ""
    cyclesEnabled: bool = False
    issueEstimationType: str = ""
    states: States = field(factory=States)
    cycles: Cycles = field(factory=Cycles)


@frozen(kw_only=True)
class LinkedIssueNode:
    """Another issue, as an issue names it."""

    identifier: str = ""
    url: str = ""


@frozen(kw_only=True)
class Labels:
    """One page of an issue's labels."""

    nodes: tuple[NamedNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class Children:
    """One page of the issues below an issue."""

    nodes: tuple[LinkedIssueNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class RelationNode:
    """A relation to another issue."""

    type: str = ""
    issue: LinkedIssueNode | None = None
    relatedIssue: LinkedIssueNode | None = None


@frozen(kw_only=True)
class Relations:
    """One page of an issue's relations."""

    nodes: tuple[RelationNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class AttachmentNode:
    """A link from an issue: a pull request, a thread."""

    id: str = ""
    title: str = ""
    subtitle: str = ""
    url: str = ""


@frozen(kw_only=True)
class Attachments:
    """A page of an issue's attachments."""

    nodes: tuple[AttachmentNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class CommentNode:
    """A comment; its body is Markdown. It has a user, or came from outside, or from a robot."""

    id: str = ""
    parentId: str = ""
    body: str = ""
    url: str = ""
    createdAt: datetime | None = None
    updatedAt: datetime | None = None
    user: NamedNode | None = None
    externalUser: NamedNode | None = None
    botActor: NamedNode | None = None


@frozen(kw_only=True)
class Comments:
    """One page of an issue's comments."""

    nodes: tuple[CommentNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class HistoryNode:
    """An entry of an issue's history; most fields are empty."""

    createdAt: datetime | None = None
    actor: NamedNode | None = None
    botActor: NamedNode | None = None
    fromState: NamedNode | None = None
    toState: NamedNode | None = None
    fromAssignee: NamedNode | None = None
    toAssignee: NamedNode | None = None
    fromPriority: float | None = None
    toPriority: float | None = None


@frozen(kw_only=True)
class History:
    """One page of what happened to an issue."""

    nodes: tuple[HistoryNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class WikiLinkNode:
    """A document, a project or an initiative, as another thing names it."""

    slugId: str = ""
    title: str = ""
    name: str = ""
    url: str = ""


@frozen(kw_only=True)
class WikiLinks:
    """One page of these."""

    nodes: tuple[WikiLinkNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class ProjectLinkNode(WikiLinkNode):
    """An issue's project, and whether there is anything to read in it."""

    description: str = ""
    lastUpdate: NamedNode | None = None


@frozen(kw_only=True)
class IssueNode(LinkedIssueNode):
    """An issue, or a further page of its lists; a search gives it without its lists."""

    id: str = ""
    title: str = ""
    description: str = ""
    createdAt: datetime | None = None
    updatedAt: datetime | None = None
    archivedAt: datetime | None = None
    trashed: bool | None = None
    branchName: str = ""
    dueDate: str = ""
    priority: float | None = None
    priorityLabel: str = ""
    estimate: float | None = None
    previousIdentifiers: tuple[str | None, ...] = ()
    creator: NamedNode | None = None
    externalUserCreator: NamedNode | None = None
    botActor: NamedNode | None = None
    assignee: NamedNode | None = None
    state: StateNode | None = None
    team: Team | None = None
    project: NamedNode | None = None
    projectPage: ProjectLinkNode | None = None
    documents: WikiLinks = field(factory=WikiLinks)
    cycle: CycleNode | None = None
    parent: LinkedIssueNode | None = None
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
            "states": self.team.states.pageInfo if self.team else PageInfo(),
        }
        return {name: page.next for name, page in pages.items() if page.next}


@frozen(kw_only=True)
class IssueData:
    """The data of one issue."""

    issue: IssueNode | None = None


@frozen(kw_only=True)
class OneIssue:
    """The reply to the question for one issue."""

    data: IssueData = field(factory=IssueData)


@frozen(kw_only=True)
class Hits:
    """One page of the issues that were found."""

    nodes: tuple[IssueNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class SearchData:
    """The data of a search, which is one of the two."""

    searchIssues: Hits | None = None
    issues: Hits | None = None

    @property
    def hits(self) -> Hits:
        """The issues that were found."""
        return self.searchIssues or self.issues or Hits()


@frozen(kw_only=True)
class SearchReply:
    """The reply to a search."""

    data: SearchData = field(factory=SearchData)


@frozen(kw_only=True)
class Organization:
    """The workspace."""

    id: str = ""
    name: str = ""
    urlKey: str = ""


@frozen(kw_only=True)
class ViewerNode:
    """The owner of the key."""

    id: str = ""
    name: str = ""
    organization: Organization = field(factory=Organization)


@frozen(kw_only=True)
class Teams:
    """A page of the readable teams."""

    nodes: tuple[Team | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class WhoData:
    """The data of the viewer query."""

    viewer: ViewerNode
    teams: Teams = field(factory=Teams)


@frozen(kw_only=True)
class WhoReply:
    """The reply to the viewer query."""

    data: WhoData


@frozen(kw_only=True)
class TeamData:
    """The data of the question for teams, or for one and the workspace that it is in."""

    organization: Organization = field(factory=Organization)
    teams: Teams = field(factory=Teams)


@frozen(kw_only=True)
class TeamReply:
    """The reply to the question for teams."""

    data: TeamData = field(factory=TeamData)
