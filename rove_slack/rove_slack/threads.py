"""Threads, read whole: a message that nobody answered is a thread of one."""

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from attrs import define, field, frozen

from rove_core import ItemNotFound, RateLimited, RoveError
from rove_core.json_reader import mapping, objects, string
from rove_slack.api import REPLIES, Arguments, next_cursor, pages

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from rove_core import JSON, Http, Reply
    from rove_slack.hits import MessageHit

#: What Slack gives at once, however much is asked for, to an app that it wants listed.
_LITTLE: Final = 15
_MOST: Final = 200
#: Nobody reads more of a thread.
_MOST_READ: Final = 5_000
_TOO_LONG: Final = f"cut after the first {_MOST_READ:,} messages"
#: So many threads are read at the same time, and so many that a search found at once.
_AT_ONCE: Final = 4
_BATCH: Final = 8
#: Seconds for which a thread is not read again, and how many such threads there are at most:
#: the searches of one ticket find the same ones.
_FRESH: Final = 30.0
_MOST_FRESH: Final = 500
_WHY_LITTLE: Final = (
    "Slack gives this app 15 messages a minute: it is distributed, but not in Slack's Marketplace. "
    "An app of your own, made from Rove's manifest, has no such limit."
)


@frozen
class SlackThread:
    """What there is of a thread.

    Attributes:
        messages: Its messages as Slack sent them, each once.
        incomplete: Why there may be more; empty when this is all.
    """

    messages: "tuple[Mapping[str, JSON], ...]"
    incomplete: str = ""


@define
class ThreadReader:
    """Reads threads.

    Attributes:
        http: Whom to ask.
        page_size: How many messages to ask for at once.
        is_restricted: Whether Slack gives this app little at a time.
    """

    http: "Http"
    page_size: int
    is_restricted: bool = field(default=False, init=False)
    _fresh: dict[tuple[str, str], tuple[float, SlackThread]] = field(factory=dict, init=False)

    async def read_again(
        self, hits: "AsyncGenerator[MessageHit, None]"
    ) -> "AsyncGenerator[tuple[MessageHit, Mapping[str, JSON]], None]":
        """Yield what a search found, each with its message as its thread has it.

        What is no longer there is left out. A thread is read once for all that is found in it.
        """
        batch: list[MessageHit] = []
        failure: RoveError | None = None
        while failure is None:
            try:
                batch.append(await anext(hits))
            except StopAsyncIteration:
                break
            except RoveError as error:
                failure = error
            if len(batch) == _BATCH:
                for each in await self._messages(batch):
                    yield each
                batch.clear()
        for each in await self._messages(batch):
            yield each
        if failure:
            raise failure

    async def _messages(
        self, hits: "Sequence[MessageHit]"
    ) -> "list[tuple[MessageHit, Mapping[str, JSON]]]":
        """Return what was found as it is now, read at the same time; raise the first error."""
        turns = asyncio.Semaphore(_AT_ONCE)

        async def message(hit: "MessageHit") -> "Mapping[str, JSON] | None":
            async with turns:
                return await self._message(hit)

        outcomes = await asyncio.gather(*map(message, hits), return_exceptions=True)
        found: list[tuple[MessageHit, Mapping[str, JSON]]] = []
        for hit, outcome in zip(hits, outcomes, strict=True):
            if isinstance(outcome, BaseException):
                raise outcome
            if outcome is not None:
                found.append((hit, outcome))
        return found

    def found(self, channel: str, ts: str) -> SlackThread | None:
        """Return a thread that a search has just read, once."""
        at, thread = self._fresh.pop((channel, ts), (0.0, None))
        return thread if self.http.clock.monotonic() - at <= _FRESH else None

    async def read(self, channel: str, ts: str) -> SlackThread:
        """Return the thread that a message begins, or the one it stands in."""
        thread = await self._read(channel, ts)
        root = string(thread.messages[0], "thread_ts") if thread.messages else ""
        if root and root != string(thread.messages[0], "ts") and root != ts:
            thread = await self._read(channel, root)
        if not thread.messages:
            raise ItemNotFound(f"there is no message {ts} in {channel}")
        return thread

    async def _message(self, hit: "MessageHit") -> "Mapping[str, JSON] | None":
        """Return a message that was found, as its thread has it; None when it has it no more."""
        name, now = (hit.link.channel, hit.link.root), self.http.clock.monotonic()
        at, thread = self._fresh.get(name, (0.0, None))
        if thread is None or now - at > _FRESH:
            try:
                thread = await self.read(*name)
            except ItemNotFound:
                return None
            self._fresh[name] = now, thread
            if len(self._fresh) > _MOST_FRESH:
                del self._fresh[next(iter(self._fresh))]
        return next((each for each in thread.messages if string(each, "ts") == hit.link.ts), None)

    async def _read(self, channel: str, ts: str) -> SlackThread:
        kept: dict[str, Mapping[str, JSON]] = {}
        asked: Arguments = {"channel": channel, "ts": ts, "limit": min(self.page_size, _MOST)}
        more = False
        try:
            async with aclosing(pages(self.http, REPLIES, asked)) as replies:
                async for reply in replies:
                    found = list(objects(mapping(reply.json()).get("messages")))
                    self._notice(found, reply)
                    for each in found:
                        # The root stands on every page; what has no name of its own is no other.
                        kept.setdefault(string(each, "ts") or f"{len(kept)}", each)
                    more = _says_more(reply)
                    if len(kept) >= _MOST_READ and next_cursor(reply):
                        return SlackThread(tuple(kept.values()), _TOO_LONG)
        except RateLimited as error:
            if not self.is_restricted:
                raise
            error.hint = _WHY_LITTLE
            if not kept:
                raise
            return SlackThread(tuple(kept.values()), _WHY_LITTLE)
        left_out = "Slack says that there is more, and not where" if more else ""
        return SlackThread(tuple(kept.values()), left_out)

    def _notice(self, found: "list[Mapping[str, JSON]]", reply: "Reply") -> None:
        """Tell from fifteen messages, where more were asked for and are there, what kind it is."""
        few = _LITTLE <= len(found) <= _LITTLE + 1 < min(self.page_size, _MOST)
        if few and next_cursor(reply):
            self.is_restricted = True


def _says_more(reply: "Reply") -> bool:
    return mapping(reply.json()).get("has_more") is True
