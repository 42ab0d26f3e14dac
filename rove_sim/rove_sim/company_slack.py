"""A company's content in Slack.

Texts are what a person types: ``*bold*``, ``_italic_``, ``~struck~``, `` `code` ``, fences,
``> `` quotes and ``- `` lists, bare addresses, ``@key`` for a person and ``#name`` for a channel
of the company. Slack's own form of it (``<@U1>``, ``<#C1|name>``, ``<https://...>``, ``&amp;``) is
made of that; what already stands in angle brackets is left as it is. Times are ISO texts with a
zone (``2024-12-15T12:00:00Z``), or TOML's own. People are named by their keys.
"""

from datetime import UTC, datetime
from typing import Literal

from attrs import field, frozen

from rove_core import JSON
from rove_sim import ids


@frozen(kw_only=True)
class Channel:
    """A place to write in.

    Attributes:
        name: Like ``backend-team``; in a direct one the other person's key.
        id: Like ``C0BACKEND``; derived from the name when not given.
        kind: A direct conversation of two is an ``im``, of several an ``mpim``.
        members: Who is in it, by key; everybody when not given.
    """

    name: str
    kind: Literal["public", "private", "im", "mpim"] = "public"
    id: str = field()
    members: tuple[str, ...] = ()
    topic: str = ""
    purpose: str = ""
    archived: bool = False

    @id.default  # noqa: A003  # the attribute is meant
    def _id(self) -> str:
        return ids.slack_id({"im": "D", "private": "G"}.get(self.kind, "C"), self.name)


@frozen(kw_only=True)
class Reaction:
    """An emoji's name, like ``+1``, and who set it."""

    name: str
    by: tuple[str, ...]


@frozen(kw_only=True)
class SharedFile:
    """A file attached to a message.

    Attributes:
        id: Like ``F0PLAN``; derived from its message and name when not given.
        text: What it holds; the HTML of a canvas.
        canvas: Whether it is a canvas.
        elsewhere: Its address, when somebody else than Slack keeps it.
    """

    name: str
    title: str = ""
    size: int = 0
    text: str = ""
    canvas: bool = False
    elsewhere: str = ""
    id: str = ""


@frozen(kw_only=True)
class SlackMessage:
    """A message of a person or a bot.

    Attributes:
        channel: The channel's name; a reply has none of its own.
        author: A person's key; a bot among the people writes as a bot.
        at: When; it may have microseconds. Not needed when ``ts`` is given.
        ts: Slack's name for it, like ``1734264000.000100``: the seconds of ``at``, then its
            microseconds, when not given. No two in a channel are the same.
        text: What was typed; empty when there are blocks that say it.
        blocks: Slack's blocks themselves; made of the text when not given.
        edited: When its author changed it.
        replies: Its thread.
    """

    channel: str = ""
    author: str
    at: datetime | None = None
    ts: str = field()
    text: str = ""
    blocks: tuple[JSON, ...] = ()
    edited: datetime | None = None
    files: tuple[SharedFile, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    replies: tuple["SlackMessage", ...] = ()

    @ts.default
    def _ts(self) -> str:
        return timestamp(self.at) if self.at else ""


def timestamp(at: datetime) -> str:
    """Return a time as Slack writes it."""
    return f"{int(at.replace(microsecond=0).timestamp())}.{at.microsecond:06d}"


def time_of(ts: str) -> datetime:
    """Return the time that Slack's name of a message says, to the microsecond."""
    seconds, _, rest = ts.partition(".")
    return datetime.fromtimestamp(int(seconds), UTC).replace(microsecond=int(rest or 0))
