"""A company's content in Linear.

Texts are Markdown, as they are written. Times are ISO texts with a zone
(``2024-12-15T12:00:00Z``), or TOML's own. People are named by their keys; a bot among them acts
as a bot, and anybody else is somebody outside of that name, as a customer is.
"""

from datetime import date, datetime
from typing import Literal

from attrs import frozen


@frozen(kw_only=True)
class LinearComment:
    """A comment on an issue.

    Attributes:
        id: A UUID, or what one is derived from; not needed when nobody replies.
        reply_to: The id of the comment it answers.
        updated: When it was last edited.
    """

    id: str = ""
    author: str
    at: datetime
    text: str
    reply_to: str = ""
    updated: datetime | None = None


@frozen(kw_only=True)
class LinearAttachment:
    """An attachment of an issue: a pull request, a message, a document, a file.

    Attributes:
        id: A UUID; derived from the address when empty.
    """

    id: str = ""
    title: str
    url: str
    source: str = ""
    subtitle: str = ""


@frozen(kw_only=True)
class LinearRelation:
    """A relation between issues; the other one has its inverse."""

    kind: Literal["blocks", "duplicate", "related", "similar"]
    issue: str


@frozen(kw_only=True)
class LinearChange:
    """An entry of an issue's history: old and new values."""

    author: str
    at: datetime
    what: Literal["state", "title", "assignee", "priority", "archived"]
    before: str = ""
    after: str = ""


@frozen(kw_only=True)
class LinearUpdate:
    """A status update of a project or initiative."""

    author: str
    at: datetime
    text: str
    health: Literal["onTrack", "atRisk", "offTrack"] = "onTrack"


@frozen(kw_only=True)
class LinearProject:
    """What many issues are part of.

    Attributes:
        content: The text of its page.
        initiative: The name of the initiative that it belongs to.
    """

    name: str
    description: str = ""
    content: str = ""
    state: str = "started"
    lead: str = ""
    target: date | None = None
    initiative: str = ""
    updates: tuple[LinearUpdate, ...] = ()


@frozen(kw_only=True)
class LinearInitiative:
    """What several projects are for."""

    name: str
    description: str = ""
    content: str = ""
    status: Literal["Active", "Completed", "Planned"] = "Active"
    owner: str = ""
    updates: tuple[LinearUpdate, ...] = ()


@frozen(kw_only=True)
class LinearDocument:
    """A document of a project, an initiative or an issue.

    Attributes:
        project: The name of its project.
        initiative: The name of its initiative.
        issue: The identifier of its issue.
    """

    title: str
    content: str = ""
    author: str
    created: datetime
    updated: datetime | None = None
    project: str = ""
    initiative: str = ""
    issue: str = ""
    comments: tuple[LinearComment, ...] = ()


@frozen(kw_only=True)
class LinearCycle:
    """A stretch of a team's work; the team is what its issues' identifiers begin with."""

    team: str
    number: int
    name: str = ""
    starts: datetime
    ends: datetime


@frozen(kw_only=True)
class LinearIssue:
    """An issue in Linear.

    Attributes:
        identifier: Like ``OPS-30``; what stands before the number is the team's key.
        id: A UUID, which stays when the issue moves; derived from the identifier when empty.
        updated: When it last changed; that of its latest comment when not given.
        parent: Another issue's identifier.
        project: A project's name.
        cycle: The number of one of its team's cycles.
        trashed: Whether it was deleted: Linear keeps it in the trash for some weeks.
        old_identifiers: What it was called before it was moved to another team.
        priority: From 1, urgent, to 4, low; 0 is none.
    """

    identifier: str
    id: str = ""
    title: str
    description: str = ""
    author: str
    created: datetime
    updated: datetime | None = None
    state: str = "Todo"
    parent: str = ""
    assignee: str = ""
    project: str = ""
    cycle: int = 0
    priority: int = 0
    archived: datetime | None = None
    trashed: bool = False
    due: date | None = None
    estimate: int | None = None
    old_identifiers: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    attachments: tuple[LinearAttachment, ...] = ()
    comments: tuple[LinearComment, ...] = ()
    relations: tuple[LinearRelation, ...] = ()
    history: tuple[LinearChange, ...] = ()
