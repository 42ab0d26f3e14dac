"""Search for bot tokens, which may not use Slack's search: scan their channels.

One reading serves all questions of some minutes. It is bounded: Slack allows 50 requests a minute
of each kind, and the threads that are quoted later need some of them.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from attrs import define, field, frozen

from rove_core import ItemNotFound, TimedOut
from rove_core.json_reader import mapping, objects, string
from rove_slack.api import PAST, Arguments, ask, next_cursor
from rove_slack.channels import readable_channels
from rove_slack.hits import MessageHit, hits_of, words_of
from rove_slack.messages import ThreadMessage
from rove_slack.names import SlackNames
from rove_slack.references import is_ts
from rove_slack.threads import ThreadReader

if TYPE_CHECKING:
    from rove_core import JSON, Http
    from rove_slack.scopes import GrantedScopes
    from rove_slack.search_terms import SearchTerms

#: Requests for messages, and for the answers of threads, of one reading.
_MOST_PAGES: Final = 40
_MOST_THREADS: Final = 20
_PAGE: Final = 200
#: For how long what was read answers questions.
_FRESH: Final = timedelta(minutes=5)


@frozen(kw_only=True)
class ChannelReading:
    """Messages of the channels when they were read.

    Attributes:
        begin: Since when the messages were written.
        end: When they were read.
        messages: The messages, the newest first, each with its channel.
        unread: How many channels were not read back to the beginning.
        channels: How many channels there are.
    """

    begin: datetime
    end: datetime
    messages: "tuple[Mapping[str, JSON], ...]"
    unread: int
    channels: int

    def check(self) -> None:
        """Raise TimedOut if some of what could have been found was not read."""
        if self.unread:
            raise TimedOut(
                f"Slack limits how much a bot reads per minute: {self.unread} of {self.channels} "
                f"channels were not read back to {self.begin:%Y-%m-%d}",
                hint="Keep a mirror (rove mirror start slack), set scan_days in [sources.slack] to "
                "less, or log in with a user token, which can search.",
            )


@define
class ChannelScan:
    """Searches the channels that a bot is in.

    Attributes:
        http: The account's requests.
        names: Who and where; it learns.
        threads: Reads the answers.
        days: How far back channels are read.
    """

    http: "Http"
    names: SlackNames
    threads: ThreadReader
    days: int
    _read: ChannelReading | None = field(default=None, init=False)
    _reading: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    async def hits(
        self, terms: "SearchTerms", granted: "GrantedScopes"
    ) -> AsyncGenerator[MessageHit, None]:
        """Yield the messages in which all words occur, the newest first."""
        async with self._reading:
            reading = await self._current(terms, granted)
        found = [each for each in reading.messages if self._has(each, terms)]
        for hit in await hits_of(found, self.names):
            yield hit
        reading.check()

    def _has(self, message: "Mapping[str, JSON]", terms: "SearchTerms") -> bool:
        texts = words_of(ThreadMessage(message, self.names))
        return terms.in_all(texts, inflected=True)

    async def _current(self, terms: "SearchTerms", granted: "GrantedScopes") -> ChannelReading:
        """Return a recent scan that reaches back far enough, or scan the channels."""
        now = self.http.clock.now()
        farthest = now - timedelta(days=self.days)
        begin = max(farthest, terms.query.since or farthest)
        reading = self._read
        if reading is None or now - reading.end > _FRESH or reading.begin > begin:
            reading = self._read = await self._scan(granted, begin, now)
        return reading

    async def _scan(
        self, granted: "GrantedScopes", begin: datetime, end: datetime
    ) -> ChannelReading:
        channels = dict([each async for each in readable_channels(self.http, granted)])
        messages: dict[tuple[str, str], Mapping[str, JSON]] = {}
        left: list[tuple[str, str]] = [(channel, "") for channel in channels]
        for _ in range(_MOST_PAGES):
            if not left:
                break
            # One page of each channel, then the second pages: no channel waits for a loud one.
            channel, cursor = left.pop(0)
            page, cursor = await self._page(channel, cursor, begin)
            messages.update(_by_place(page, channels[channel]))
            left += [(channel, cursor)] if cursor else []
        for channel, ts in _recently_answered(messages, begin):
            with suppress(ItemNotFound):
                thread = await self.threads.read(channel, ts)
                messages.update(_by_place(thread.messages, channels[channel]))
        newest = sorted(messages, key=lambda each: each[1], reverse=True)
        return ChannelReading(
            begin=begin,
            end=end,
            messages=tuple(messages[each] for each in newest),
            unread=len({channel for channel, _ in left}),
            channels=len(channels),
        )

    async def _page(
        self, channel: str, cursor: str, begin: datetime
    ) -> "tuple[list[Mapping[str, JSON]], str]":
        """Return messages of a channel and the cursor of those before them."""
        arguments: Arguments = {
            "channel": channel,
            "limit": _PAGE,
            "oldest": f"{begin.timestamp():.6f}",
            "inclusive": True,
            **({"cursor": cursor} if cursor else {}),
        }
        try:
            reply = await ask(self.http, PAST, arguments)
        except ItemNotFound:  # The bot was sent away meanwhile.
            return [], ""
        following = next_cursor(reply)
        return [*objects(mapping(reply.json()).get("messages"))], (
            following if following != cursor else ""
        )


def _by_place(
    messages: "Iterable[Mapping[str, JSON]]", channel: "Mapping[str, JSON]"
) -> "dict[tuple[str, str], Mapping[str, JSON]]":
    name = string(channel, "id")
    return {
        (name, string(each, "ts")): {**each, "channel": channel}
        for each in messages
        if is_ts(string(each, "ts"))
    }


def _recently_answered(
    messages: "Mapping[tuple[str, str], Mapping[str, JSON]]", begin: datetime
) -> list[tuple[str, str]]:
    """Return the threads that were answered last."""
    lately = sorted(
        ((string(each, "latest_reply"), place) for place, each in messages.items()), reverse=True
    )
    since = begin.timestamp()
    found = [place for at, place in lately if is_ts(at) and float(at) >= since]
    return found[:_MOST_THREADS]
