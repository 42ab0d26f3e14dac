"""A company's content in Jira.

Texts are Markdown and become Atlassian's document trees: paragraphs, headings, lists, task lists,
quotes, code blocks, tables, rules, ``**strong**``, ``*emphasis*``, ``~~struck~~``, `` `code` ``,
``[links](https://...)``, bare addresses, and ``@key`` for a person of the company. Times are ISO
texts with a zone (``2024-12-15T12:00:00Z``), or TOML's own. People are named by their keys.
"""

from collections.abc import Mapping
from datetime import datetime

from attrs import field, frozen

from rove_core import JSON


@frozen(kw_only=True)
class JiraProject:
    """A project of tickets.

    Attributes:
        key: What its tickets' keys begin with, like ``TB``.
        hidden: Whether it is there but the token may not see it, nor its tickets.
        private: Whether only some people may see it.
    """

    key: str
    name: str
    lead: str = ""
    hidden: bool = False
    private: bool = False


@frozen(kw_only=True)
class TicketLink:
    """A link between tickets, which the other one shows from its side.

    Attributes:
        type: ``Blocks``, ``Relates``, ``Duplicate``, ``Cloners`` or another word.
        to: The other ticket's key.
    """

    type: str = "Relates"
    to: str


@frozen(kw_only=True)
class RemoteLink:
    """A page elsewhere that a ticket points at."""

    title: str
    url: str
    summary: str = ""
    relationship: str = ""
    application: str = ""


@frozen(kw_only=True)
class DevelopmentEntry:
    """A pull request or a branch in the development panel of a ticket.

    Attributes:
        kind: ``pullrequest`` or ``branch``.
        name: Its title, or the name of the branch.
        status: ``OPEN``, ``MERGED`` or ``DECLINED``, of a pull request.
        repository: The name of its repository.
        application: What Jira calls the place where it is kept.
    """

    kind: str = "pullrequest"
    name: str
    url: str
    status: str = ""
    repository: str = ""
    application: str = "GitHub"


@frozen(kw_only=True)
class WikiPage:
    """A page of the site's Confluence.

    Attributes:
        id: A number.
        text: Markdown, as in tickets.
        space: The key of its space.
    """

    id: str
    title: str
    text: str
    author: str
    at: datetime
    space: str = "TB"


@frozen(kw_only=True)
class File:
    """A file attached to a ticket; its type follows from its name when not given.

    In a text, ``![name](name)`` shows it where it stands.

    Attributes:
        text: What it holds, if it can be downloaded.
        size: How many bytes it has; as many as the text when not given.
        id: Jira's id of it; made of its name when not given, as of each name there is one.
    """

    name: str
    size: int = 0
    type: str = ""
    author: str = ""
    at: datetime | None = None
    text: str = ""
    id: str = ""


@frozen(kw_only=True)
class TicketComment:
    """A comment on a ticket.

    Attributes:
        id: A number; the ticket's number and the comment's position when not given.
        text: Markdown.
        adf: The document tree itself, in place of a text.
        updated: When it was last edited.
    """

    id: str = ""
    author: str
    at: datetime
    text: str = ""
    adf: JSON = None
    updated: datetime | None = None


@frozen(kw_only=True)
class TicketChange:
    """An entry of a ticket's history: a field's old and new value."""

    at: datetime
    author: str
    field: str
    before: str = ""
    after: str = ""


@frozen(kw_only=True)
class Ticket:
    """A ticket.

    Attributes:
        key: Like ``TB-123``; what stands before the number is the project's key.
        id: A number; derived from the key when not given.
        description: Markdown.
        adf: The description's document tree itself, in place of a text.
        author: Who made it and reports it.
        updated: When it last changed; that of its latest comment or change when not given.
        resolved: When it was done.
        parent: The key of the ticket it is a part of; with the type ``Sub-task`` it is among
            that ticket's subtasks.
        links: Given on one side only.
        old_keys: What it was called before it was moved from another project.
        sprint: The name of its sprint.
        due: The day it is due, like ``2025-01-31``.
        fields: Further fields by the name people see, like ``Story Points``.
        properties: What programs keep with it, by their keys.
        hidden: Whether it is there but the token may not see it.
    """

    key: str
    id: str = ""
    title: str
    description: str = ""
    adf: JSON = None
    type: str = "Task"
    status: str = "To Do"
    priority: str = "Medium"
    resolution: str = ""
    author: str
    assignee: str = ""
    created: datetime
    updated: datetime | None = None
    resolved: datetime | None = None
    labels: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    parent: str = ""
    links: tuple[TicketLink, ...] = ()
    remote_links: tuple[RemoteLink, ...] = ()
    development: tuple[DevelopmentEntry, ...] = ()
    attachments: tuple[File, ...] = ()
    comments: tuple[TicketComment, ...] = ()
    changelog: tuple[TicketChange, ...] = ()
    old_keys: tuple[str, ...] = ()
    sprint: str = ""
    due: str = ""
    fields: Mapping[str, JSON] = field(factory=dict)
    properties: Mapping[str, JSON] = field(factory=dict)
    hidden: bool = False
