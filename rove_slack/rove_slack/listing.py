"""List the threads of channels that changed, newest first.

Slack does not say what was changed or deleted. Of each channel the newest threads are looked at
again each time: one request tells their roots and how many answers each has. A thread in which
somebody spoke lately is read again, because an answer that was edited shows nowhere else.
"""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from attrs import define, field, frozen

from rove_core import (
    Container,
    ItemNotFound,
    ListedChange,
    ListingStep,
    ListScope,
    ScopeMissing,
    merge_listings,
    read_cursor,
)
from rove_core.json_reader import mapping, objects, string
from rove_slack.api import CHANNEL, PAST, READ, Arguments, ask, pages
from rove_slack.channels import readable_channels
from rove_slack.items import ThreadItems
from rove_slack.references import is_ts
from rove_slack.scopes import GrantedScopes
from rove_slack.threads import SlackThread, ThreadReader

if TYPE_CHECKING:
    from rove_core import JSON, Http

#: Threads of a channel that are looked at again each time, and messages that a request brings.
_WATCHED: Final = 300
_PAGE: Final = 200
#: Threads that are new since the last listing and stand in its cursor; with more, the listing goes
#: back through the channel as a first one does, to where the last one began.
_MOST_NEW: Final = 2_000
#: Seconds after its last answer for which a thread is read again, and how many of a channel.
_LIVELY: Final = 86_400
_MOST_LIVELY: Final = 10
#: A cursor after so many threads: each may cost a request, of which Slack allows 50 a minute.
_EVERY: Final = 10
#: What Slack writes by itself when people come and go.
_NOISE: Final = frozenset({"channel_join", "channel_leave", "group_join", "group_leave"})
#: What of a message changes without a change of what is said.
_VOLATILE: Final = frozenset(
    {"reactions", "last_read", "subscribed", "unread_count", "is_locked", "reply_users"}
)


@frozen
class ChannelListing:
    """Lists the channels of a workspace, by ``conversations.history`` and ``replies`` alone.

    Attributes:
        http: The account's requests.
        threads: Reads threads.
        items: Converts replies to items.
        scopes: Asks what the token may do.
    """

    http: "Http"
    threads: ThreadReader
    items: ThreadItems
    scopes: Callable[[], Awaitable[GrantedScopes]]

    async def containers(self) -> list[Container]:
        """Return the channels that the token may read."""
        channels = await self._channels()
        await self.items.names.learn(people=[string(each, "user") for each in channels.values()])
        return [self._container(name, channel) for name, channel in channels.items()]

    def _container(self, name: str, channel: Mapping[str, "JSON"]) -> Container:
        """Return a channel; without a title if that is a person whose name is not known yet."""
        names = self.items.names
        place = names.rename(name, channel)
        title = "" if place.partner and not names.is_known(place.partner) else place.title
        return Container(name=name, title=title, private=_is_private(channel))

    async def readable(self, names: Sequence[str]) -> list[Container]:
        """Return those of some channels that the token may read.

        A kind of channel for which the token lacks a scope is not listed. Such a channel may still
        be readable: its scope was removed, and may come back.
        """
        channels = await self._channels()
        # People's names would cost each update a request; the copy has them since it began.
        found = [self._container(each, channels[each]) for each in channels if each in names]
        left = [each for each in names if each not in {one.name for one in found}]
        if left and len((await self.scopes()).kinds(READ)) < len(READ):
            found += [Container(name=each) for each in left if await self._lacks_scope(each)]
        return found

    async def _lacks_scope(self, channel: str) -> bool:
        """Return whether Slack names a channel's missing scope, instead of denying the channel."""
        try:
            await ask(self.http, CHANNEL, {"channel": channel})
        except ScopeMissing:
            return True
        except ItemNotFound:
            return False
        return True

    async def _channels(self) -> dict[str, Mapping[str, "JSON"]]:
        """Return the channels by their ids."""
        return dict([each async for each in readable_channels(self.http, await self.scopes())])

    async def changes(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the threads that are new, changed or gone, newest first."""
        own = partial(self.readable, scope.containers) if scope.containers else self.containers
        readable = await (scope.readable or own)()
        titles = {each.name: _channel_name(each) for each in readable}

        async def listed(scope: ListScope) -> AsyncGenerator[ListingStep, None]:
            place = _ChannelPlace.of(scope)
            steps = self._steps(place, titles.get(place.channel, ""))
            async with aclosing(steps):
                async for step in steps:
                    yield step

        names = scope.containers or [*titles]
        async with aclosing(merge_listings(scope, names, listed, every=_EVERY)) as changes:
            async for change in changes:
                yield change

    async def _steps(self, place: "_ChannelPlace", title: str) -> AsyncGenerator[ListingStep, None]:
        if not title:
            for step in self._gone_threads(place, [*place.watched]):
                yield step
            yield ListingStep(ListedChange(), str)
            raise ItemNotFound(f"channel {place.channel}: not found, or not visible")
        is_named = title != place.channel
        if place.title and is_named and place.title != title:
            place.begin_anew()
        place.title = title if is_named or not place.title else place.title
        place.watch_stored()
        async with aclosing(self._watch_newest(place)) as steps:
            async for step in steps:
                yield step
        async with aclosing(self._past(place)) as steps:
            async for step in steps:
                yield step
        place.trim()
        yield ListingStep(ListedChange(), place.mark())

    async def _watch_newest(self, place: "_ChannelPlace") -> AsyncGenerator[ListingStep, None]:
        """Yield what changed among the newest threads of a channel, and deleted ones."""
        if not place.watched:
            return
        floor = min(place.watched)
        found = [root async for root in self._roots(place, oldest=floor, inclusive=True)]
        if len(found) > _WATCHED + _MOST_NEW:
            place.begin_gap(floor)
            return
        lively = self._lively(found)
        for root in found:
            ts = string(root, "ts")
            old_state = place.watched.get(ts, "")
            if old_state.partition(" ")[0] == _digest(root) and ts not in lively:
                continue
            change = await self._list_thread(place, root)
            if place.watched[ts] != old_state:
                yield ListingStep(change, place.mark())
        there = {string(each, "ts") for each in found}
        for step in self._gone_threads(place, [ts for ts in place.watched if ts not in there]):
            yield step

    async def _past(self, place: "_ChannelPlace") -> AsyncGenerator[ListingStep, None]:
        """Yield the threads that were not listed yet, back to the beginning of the scope."""
        if place.is_whole:
            return
        doubtful = place.stored_before_low()
        async with aclosing(self._roots(place, latest=place.low, oldest=place.gap)) as roots:
            async for root in roots:
                place.low = string(root, "ts")
                doubtful.discard(place.low)
                change = await self._list_thread(place, root)
                # What is watched reaches no further back, or all since would be listed again.
                place.trim()
                yield ListingStep(change, place.mark())
        for step in self._gone_threads(place, sorted(doubtful)):
            yield step
        place.is_whole, place.gap = True, ""

    async def _roots(
        self, place: "_ChannelPlace", **window: str | bool
    ) -> AsyncGenerator[Mapping[str, "JSON"], None]:
        """Yield top-level messages of a channel, which may start a thread."""
        since = {"oldest": place.since} if place.since else {}
        limits = {name: value for name, value in window.items() if value}
        arguments: Arguments = {"channel": place.channel, "limit": _PAGE, **since, **limits}
        async with aclosing(pages(self.http, PAST, arguments)) as replies:
            async for reply in replies:
                for root in objects(mapping(reply.json()).get("messages")):
                    is_answer = string(root, "thread_ts") not in ("", string(root, "ts"))
                    if is_ts(string(root, "ts")) and not is_answer and not _is_noise(root):
                        yield root

    async def _list_thread(
        self, place: "_ChannelPlace", root: Mapping[str, "JSON"]
    ) -> ListedChange:
        """Read a thread that changed, and note its state."""
        ts = string(root, "ts")
        thread = SlackThread((root,))
        if root.get("reply_count"):
            thread = await self.threads.read(place.channel, ts)
        answers = "".join(_digest(each) for each in thread.messages[1:])
        state = f"{_digest(root)} {_hash(answers)}" if answers else _digest(root)
        place.watched[ts] = state
        item = await self.items.thread(place.channel, ts, thread)
        return ListedChange(item=item, whole=True)

    def _lively(self, roots: Sequence[Mapping[str, "JSON"]]) -> frozenset[str]:
        """Return the threads with recent replies."""
        since = self.http.clock.now().timestamp() - _LIVELY
        spoken = [(string(each, "latest_reply"), string(each, "ts")) for each in roots]
        lately = sorted(
            (each for each in spoken if is_ts(each[0]) and float(each[0]) >= since), reverse=True
        )
        return frozenset(ts for _, ts in lately[:_MOST_LIVELY])

    def _gone_threads(self, place: "_ChannelPlace", roots: Sequence[str]) -> Iterator[ListingStep]:
        for ts in roots:
            place.watched.pop(ts, None)
            gone = ListedChange(gone=self.items.ref(place.channel, ts))
            yield ListingStep(gone, place.mark())


@define
class _ChannelPlace:
    """The place in the listing of a channel.

    Attributes:
        channel: Its id.
        since: The ``ts`` before which nothing is listed; empty for everything.
        title: What it was called when it was listed last.
        low: The oldest root that the first listing has reached.
        is_whole: Whether the first listing came to its end.
        gap: The root back to which a first listing goes after too many new ones; empty for all.
        watched: The state of each of the newest threads, by its root.
        stored: The roots of the stored threads that the cursor may lack.
    """

    channel: str
    since: str = ""
    title: str = ""
    low: str = ""
    is_whole: bool = False
    gap: str = field(default="", kw_only=True)
    watched: dict[str, str] = field(factory=dict)
    stored: Sequence[str] = field(default=(), kw_only=True)

    @classmethod
    def of(cls, scope: ListScope) -> "_ChannelPlace":
        """Return the place where the listing of a channel goes on."""
        (channel,) = scope.containers
        cursor = read_cursor(scope.cursor)
        since, title, low = (str(cursor.get(name) or "") for name in ("since", "title", "low"))
        watched = cursor.get("watched")
        if not title:
            at = scope.since.astimezone(UTC) if scope.since else datetime.min.replace(tzinfo=UTC)
            since = f"{at.timestamp():.6f}" if scope.since else ""
        return cls(
            channel,
            since,
            title,
            low,
            cursor.get("whole") is True,
            dict(watched) if isinstance(watched, Mapping) else {},
            gap=str(cursor.get("gap") or ""),
            stored=[ref.id.rpartition("/")[2] for ref in scope.unconfirmed],
        )

    def watch_stored(self) -> None:
        """Watch the stored threads, too, that are as new as the watched ones."""
        if floor := min(self.watched, default=""):
            for ts in self.stored:
                if ts >= floor:
                    self.watched.setdefault(ts, "")

    def stored_before_low(self) -> set[str]:
        """Return the stored threads that the listing of the past will reach, if they exist."""
        return {ts for ts in self.stored if self.gap <= ts and (not self.low or ts < self.low)}

    def begin_anew(self) -> None:
        """Start over, but check the threads that may be deleted first."""
        self.low, self.is_whole = min(self.watched, default=""), False
        self.watched = dict.fromkeys(self.watched, "")

    def begin_gap(self, floor: str) -> None:
        """Go back through the channel again: to a root, or to its beginning if that is unknown."""
        self.gap = floor if self.is_whole else ""
        self.low, self.is_whole, self.watched = "", False, {}

    def trim(self) -> None:
        """Watch the newest threads alone."""
        for ts in sorted(self.watched, reverse=True)[_WATCHED:]:
            del self.watched[ts]

    def mark(self) -> Callable[[], str]:
        """Return a function that writes the cursor for continuing here."""
        place = {
            "since": self.since,
            "title": self.title,
            "low": self.low,
            "whole": self.is_whole,
            "gap": self.gap,
            "watched": dict(self.watched),
        }
        return lambda: json.dumps(place, separators=(",", ":"))


def _channel_name(container: Container) -> str:
    """Return a channel's name, or the id of a conversation whose title is the people in it."""
    return container.title[1:] if container.title.startswith("#") else container.name


def _is_private(channel: Mapping[str, "JSON"]) -> bool:
    """Return whether only its members may read a conversation."""
    return any(channel.get(key) is True for key in ("is_private", "is_im", "is_mpim"))


def _is_noise(root: Mapping[str, "JSON"]) -> bool:
    return string(root, "subtype") in _NOISE


def _digest(message: Mapping[str, "JSON"]) -> str:
    """Return what changes when a message is edited, or answered."""
    fields = {name: value for name, value in message.items() if name not in _VOLATILE}
    return _hash(json.dumps(fields, sort_keys=True))


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=6).hexdigest()
