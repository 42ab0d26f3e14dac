"""What Jira sends, as far as Rove reads it; names are Jira's own."""

# ruff: noqa: N815

from datetime import datetime

from attrs import frozen

from rove_core import JSON


@frozen(kw_only=True)
class User:
    """A person or an app."""

    displayName: str = ""
    accountId: str = ""


@frozen(kw_only=True)
class Server:
    """The site."""

    baseUrl: str


@frozen(kw_only=True)
class Status:
    """Where a ticket stands."""

    name: str = ""


@frozen(kw_only=True)
class Fields:
    """A ticket's fields; the description is a document tree."""

    summary: str = ""
    description: JSON = None
    creator: User | None = None
    created: str = ""
    updated: datetime
    labels: tuple[str, ...] = ()
    status: Status | None = None


@frozen(kw_only=True)
class Issue:
    """A ticket."""

    key: str
    fields: Fields


@frozen(kw_only=True)
class Page:
    """One page of a search."""

    issues: tuple[Issue, ...] = ()


@frozen(kw_only=True)
class Comment:
    """A comment; its body is a document tree."""

    id: str
    author: User | None = None
    body: JSON = None
    updated: datetime


@frozen(kw_only=True)
class Comments:
    """One page of a ticket's comments."""

    comments: tuple[Comment, ...] = ()
