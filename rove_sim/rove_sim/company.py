"""A company as the simulators know it: its tickets, its messages, its pull requests."""

import tomllib
from importlib.resources import files

from attrs import frozen

from rove_core.wire import TOLERANT


@frozen(kw_only=True)
class Comment:
    """What somebody wrote below a ticket, a message or a pull request."""

    id: str
    author: str
    at: str
    text: str


@frozen(kw_only=True)
class Ticket:
    """A ticket in Jira."""

    key: str
    title: str
    description: str
    author: str
    created: str
    updated: str
    status: str
    labels: tuple[str, ...] = ()
    comments: tuple[Comment, ...] = ()


@frozen(kw_only=True)
class Thread:
    """A message in Slack with its replies; a reply's id is its timestamp."""

    channel: str
    channel_id: str
    ts: str
    author: str
    text: str
    replies: tuple[Comment, ...] = ()


@frozen(kw_only=True)
class PullRequest:
    """A pull request on GitHub."""

    repository: str
    number: int
    title: str
    body: str
    author: str
    created: str
    updated: str
    state: str
    comments: tuple[Comment, ...] = ()


@frozen(kw_only=True)
class Attachment:
    """What an issue in Linear points at elsewhere."""

    title: str
    url: str


@frozen(kw_only=True)
class Issue:
    """An issue in Linear; its parent is another one's identifier."""

    identifier: str
    title: str
    description: str
    author: str
    created: str
    updated: str
    state: str
    parent: str = ""
    labels: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    comments: tuple[Comment, ...] = ()


@frozen(kw_only=True)
class Company:
    """All that one company wrote."""

    name: str
    token: str
    tickets: tuple[Ticket, ...]
    threads: tuple[Thread, ...]
    pull_requests: tuple[PullRequest, ...]
    issues: tuple[Issue, ...] = ()


def sample_company() -> Company:
    """Return the company that comes with Rove."""
    text = files("rove_sim").joinpath("sample.toml").read_text("utf-8")
    return TOLERANT.structure(tomllib.loads(text), Company)
