"""The channels of a workspace and their current messages."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import cached_property

from attrs import evolve, frozen

from rove_core import JSON
from rove_core.clock import Clock
from rove_sim.company import Company
from rove_sim.company_people import Person
from rove_sim.company_slack import Channel, SlackMessage, timestamp
from rove_sim.slack.blocks import rich_text, words
from rove_sim.slack.typed_text import stored_text, tokens, unescaped

#: How many messages a search shows on either side of a found one.
_AROUND = 2


@frozen(kw_only=True, slots=False)
class PostedMessage:
    """A message with its place.

    Attributes:
        root: The ``ts`` of the thread it is in; empty when it is in none.
        text: As Slack keeps it.
    """

    channel: Channel
    message: SlackMessage
    author: Person
    root: str
    text: str

    @property
    def ts(self) -> str:
        """Its name within the channel."""
        return self.message.ts

    @property
    def is_reply(self) -> bool:
        """Whether it answers another one."""
        return bool(self.root) and self.root != self.ts

    @cached_property
    def blocks(self) -> Sequence[JSON]:
        """Its blocks: those it was given, or those that Slack makes of its text."""
        return self.message.blocks or rich_text(self.text)

    @cached_property
    def words(self) -> str:
        """What it says, whether in its text or in its blocks."""
        return words(self.message.blocks) if self.message.blocks else unescaped(self.text)

    @cached_property
    def tokens(self) -> Sequence[str]:
        """What the search finds it by."""
        return tokens(self.words)


class Conversations:
    """All channels, and all messages that are still there."""

    def __init__(self, company: Company, clock: Clock) -> None:
        self._company = company
        self._clock = clock
        #: Messages that only the search still has, and the ids of channels that nobody sees.
        self.lost: set[tuple[str, str]] = set()
        self.hidden: set[str] = set()
        self._people = {person.key: person for person in company.people}
        named = [message.channel for message in company.messages]
        self._channels = {channel.name: channel for channel in company.channels}
        for name in named:
            self._channels.setdefault(name, Channel(name=name))
        self._messages: dict[str, dict[str, PostedMessage]] = {name: {} for name in self._channels}
        self._threads: dict[tuple[str, str], dict[str, PostedMessage]] = {}
        for message in company.messages:
            self.put(message.channel, message)
            for reply in message.replies:
                self.put(message.channel, reply, root=message.ts)

    def channels(self) -> list[Channel]:
        """Return the channels that the owner of the token may see."""
        return [channel for channel in self._channels.values() if self._visible(channel)]

    def channel(self, name: str) -> Channel | None:
        """Return the channel of a name or an id, if it may be seen."""
        found = (each for each in self.channels() if name in (each.id, each.name))
        return next(found, None)

    def members(self, channel: Channel) -> list[Person]:
        """Return the members of a channel."""
        everybody = [person for person in self._company.people if not person.bot]
        if not channel.members and channel.kind != "im":
            return everybody
        keys = {*channel.members, self._company.owner.key, channel.name}
        if channel.kind != "im":
            keys = set(channel.members)
        return [person for person in everybody if person.key in keys]

    def everything(self) -> Iterator[PostedMessage]:
        """Yield every message that may be seen, the newest first."""
        found = (
            posted for each in self.channels() for posted in self._messages[each.name].values()
        )
        return iter(sorted(found, key=lambda posted: posted.ts, reverse=True))

    def history(self, channel: Channel) -> list[PostedMessage]:
        """Return the top-level messages of a channel, newest first."""
        found = [posted for posted in self._messages[channel.name].values() if not posted.is_reply]
        return sorted(found, key=lambda posted: posted.ts, reverse=True)

    def message(self, channel: Channel, ts: str) -> PostedMessage | None:
        """Return one message."""
        if (channel.name, ts) in self.lost:
            return None
        return self._messages[channel.name].get(ts)

    def replies(self, channel: Channel, root: str) -> list[PostedMessage]:
        """Return the answers of a thread, the oldest first."""
        thread = self._threads.get((channel.name, root), {})
        return sorted(thread.values(), key=lambda posted: posted.ts)

    def put(self, channel: str, message: SlackMessage, *, root: str = "") -> PostedMessage:
        """Keep a message; one of the same ``ts`` is replaced."""
        where = self._channels.setdefault(channel, Channel(name=channel))
        posted = PostedMessage(
            channel=where,
            message=message,
            author=self._people.get(message.author) or self._company.person(message.author),
            root=root,
            text=stored_text(message.text, self._person_id, self._channel_id),
        )
        self._messages.setdefault(channel, {})[message.ts] = posted
        if posted.is_reply:
            self._threads.setdefault((channel, root), {})[message.ts] = posted
        return posted

    def drop(self, channel: str, ts: str) -> None:
        """Delete a message."""
        posted = self._messages[channel].pop(ts)
        self._threads.get((channel, posted.root), {}).pop(ts, None)

    def lose(self, channel: str, ts: str) -> PostedMessage:
        """Delete a message that the search still finds."""
        posted = self._messages[channel][ts]
        self.lost.add((channel, ts))
        return posted

    def rename(self, name: str, to: str) -> None:
        """Give a channel another name; its id stays."""
        before = self._channels.pop(name)
        channel = evolve(before, name=to, id=before.id)
        self._channels[to] = channel
        posted = self._messages.pop(name)
        self._messages[to] = {ts: evolve(each, channel=channel) for ts, each in posted.items()}
        for key in [key for key in self._threads if key[0] == name]:
            thread = self._threads.pop(key)
            moved = {ts: self._messages[to][ts] for ts in thread}
            self._threads[to, key[1]] = moved

    def hide(self, name: str) -> None:
        """Take the right to see a channel away."""
        self.hidden.add(self._channels[name].id)

    def next_ts(self, channel: str) -> str:
        """Return a name for a message that is written now."""
        at = self._clock.now()
        while timestamp(at) in self._messages.get(channel, ()):
            at += timedelta(microseconds=1)
        return timestamp(at)

    def around(
        self, posted: PostedMessage
    ) -> tuple[Sequence[PostedMessage], Sequence[PostedMessage]]:
        """Return the messages before and after one, in its thread or channel."""
        thread = self.replies(posted.channel, posted.root)
        line = thread if posted.is_reply else self.history(posted.channel)[::-1]
        place = next(place for place, each in enumerate(line) if each.ts == posted.ts)
        return line[max(0, place - _AROUND) : place], line[place + 1 : place + 1 + _AROUND]

    def edit(self, channel: str, ts: str, text: str) -> PostedMessage:
        """Change what a message says."""
        before = self._messages[channel][ts]
        message = evolve(before.message, text=text, blocks=(), edited=self._clock.now())
        return self.put(channel, message, root=before.root)

    def _visible(self, channel: Channel) -> bool:
        if channel.id in self.hidden:
            return False
        return channel.kind == "public" or self._company.owner in self.members(channel)

    def _person_id(self, key: str) -> str:
        person = self._people.get(key)
        return person.slack if person else ""

    def _channel_id(self, name: str) -> str:
        channel = self._channels.get(name)
        return channel.id if channel else ""
