"""What GitHub sends, as far as Rove reads it; names are GitHub's own."""

from datetime import datetime

from attrs import frozen


@frozen(kw_only=True)
class User:
    """A person or a robot."""

    login: str = ""
    id: int = 0
    html_url: str = ""


@frozen(kw_only=True)
class Issue:
    """An issue or a pull request, as searches and details give it."""

    number: int
    title: str = ""
    body: str | None = None
    state: str = ""
    user: User | None = None
    html_url: str
    created_at: str = ""
    updated_at: datetime


@frozen(kw_only=True)
class Found:
    """The reply to a search."""

    items: tuple[Issue, ...] = ()


@frozen(kw_only=True)
class Comment:
    """A comment below an issue or a pull request."""

    id: int
    body: str | None = None
    user: User | None = None
    html_url: str
    updated_at: datetime
