"""What Linear sends, as far as Rove reads it; names are Linear's own."""

# ruff: noqa: N815

from datetime import datetime

from attrs import field, frozen


@frozen(kw_only=True)
class Extensions:
    """What kind of error it is."""

    code: str = ""


@frozen(kw_only=True)
class Error:
    """Why a question was not answered."""

    message: str = ""
    extensions: Extensions = field(factory=Extensions)


@frozen(kw_only=True)
class Outcome:
    """What every reply may hold, whatever its HTTP status."""

    errors: tuple[Error, ...] = ()


@frozen(kw_only=True)
class Named:
    """A person, a robot, a state or a label."""

    name: str = ""


@frozen(kw_only=True)
class Labels:
    """An issue's labels."""

    nodes: tuple[Named, ...] = ()


@frozen(kw_only=True)
class Linked:
    """Another issue, as an issue names it."""

    identifier: str
    url: str = ""


@frozen(kw_only=True)
class Children:
    """The issues below an issue."""

    nodes: tuple[Linked, ...] = ()


@frozen(kw_only=True)
class Attachment:
    """What an issue points at elsewhere: a pull request, a thread."""

    title: str = ""
    url: str = ""


@frozen(kw_only=True)
class Attachments:
    """What an issue points at."""

    nodes: tuple[Attachment, ...] = ()


@frozen(kw_only=True)
class Comment:
    """A comment; its body is Markdown. It has a user, or came from outside, or from a robot."""

    id: str
    body: str = ""
    url: str = ""
    createdAt: datetime
    updatedAt: datetime
    user: Named | None = None
    externalUser: Named | None = None
    botActor: Named | None = None


@frozen(kw_only=True)
class Comments:
    """One page of an issue's comments."""

    nodes: tuple[Comment, ...] = ()


@frozen(kw_only=True)
class Issue(Linked):
    """An issue; a search gives it without what stands around it."""

    title: str = ""
    description: str = ""
    createdAt: str = ""
    updatedAt: datetime
    creator: Named | None = None
    externalUserCreator: Named | None = None
    botActor: Named | None = None
    state: Named = field(factory=Named)
    labels: Labels = field(factory=Labels)
    parent: Linked | None = None
    children: Children = field(factory=Children)
    attachments: Attachments = field(factory=Attachments)
    comments: Comments = field(factory=Comments)


@frozen(kw_only=True)
class IssueData:
    """The data of one issue."""

    issue: Issue


@frozen(kw_only=True)
class OneIssue:
    """The reply to the question for one issue."""

    data: IssueData


@frozen(kw_only=True)
class Hits:
    """The issues that a search found."""

    nodes: tuple[Issue, ...] = ()


@frozen(kw_only=True)
class SearchData:
    """The data of a search."""

    searchIssues: Hits


@frozen(kw_only=True)
class Found:
    """The reply to a search."""

    data: SearchData


@frozen(kw_only=True)
class Organization:
    """The workspace."""

    name: str = ""
    urlKey: str


@frozen(kw_only=True)
class Viewer:
    """Whose key it is."""

    id: str = ""
    name: str = ""
    organization: Organization


@frozen(kw_only=True)
class Team:
    """A team; its key is what its issues' identifiers begin with."""

    key: str


@frozen(kw_only=True)
class Teams:
    """The teams whose issues can be read."""

    nodes: tuple[Team, ...] = ()


@frozen(kw_only=True)
class WhoData:
    """The data of the question who one is."""

    viewer: Viewer
    teams: Teams = field(factory=Teams)


@frozen(kw_only=True)
class Who:
    """The reply to the question who one is."""

    data: WhoData
