"""What Slack sends, as far as Rove reads it; names are Slack's own."""

from attrs import field, frozen


@frozen(kw_only=True)
class Outcome:
    """How every reply begins."""

    ok: bool = False
    error: str = ""
    needed: str = ""


@frozen(kw_only=True)
class Auth:
    """Whose token it is."""

    url: str
    team: str = ""
    user: str = ""
    user_id: str = ""


@frozen(kw_only=True)
class Channel:
    """Where a message stands."""

    id: str = ""
    name: str = ""


@frozen(kw_only=True)
class Match:
    """A message that a search found."""

    ts: str
    username: str = ""
    text: str = ""
    permalink: str = ""
    channel: Channel = field(factory=Channel)


@frozen(kw_only=True)
class Matches:
    """What a search found."""

    matches: tuple[Match, ...] = ()


@frozen(kw_only=True)
class Found:
    """The reply to a search."""

    messages: Matches = field(factory=Matches)


@frozen(kw_only=True)
class Message:
    """A message of a thread."""

    ts: str
    user: str = ""
    username: str = ""
    text: str = ""


@frozen(kw_only=True)
class Replies:
    """A thread: its root, then its replies."""

    messages: tuple[Message, ...] = ()


@frozen(kw_only=True)
class ChannelInfo:
    """The reply to a question for a channel."""

    channel: Channel
