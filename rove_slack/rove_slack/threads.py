"""Read whole threads; an unanswered message is a thread of one."""

from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from attrs import define, field, frozen

from rove_core import ItemNotFound, RateLimited
from rove_core.json_reader import mapping, objects, string
from rove_slack.api import REPLIES, Arguments, next_cursor, pages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rove_core import JSON, Http, Reply

#: The most messages per page for a distributed app outside Slack's Marketplace.
_RESTRICTED: Final = 15
_MOST: Final = 200
#: The most messages of a thread that are read.
_MOST_READ: Final = 5_000
_TOO_LONG: Final = f"cut after the first {_MOST_READ:,} messages"
_WHY_RESTRICTED: Final = (
    "Slack gives this app 15 messages a minute: it is distributed, but not in Slack's Marketplace. "
    "An app of your own, made from Rove's manifest, has no such limit."
)


@frozen
class SlackThread:
    """A thread's messages.

    Attributes:
        messages: Its messages as Slack sent them, each once.
        incomplete: Why there may be more; empty if this is all.
    """

    messages: "tuple[Mapping[str, JSON], ...]"
    incomplete: str = ""


@define
class ThreadReader:
    """Reads threads.

    Attributes:
        http: The account's requests.
        page_size: How many messages to ask for at once.
        is_restricted: Whether Slack limits this app to 15 messages per page.
    """

    http: "Http"
    page_size: int
    is_restricted: bool = field(default=False, init=False)

    async def read(self, channel: str, ts: str) -> SlackThread:
        """Return the thread that contains a message."""
        thread = await self._read(channel, ts)
        root = string(thread.messages[0], "thread_ts") if thread.messages else ""
        if root and root != string(thread.messages[0], "ts") and root != ts:
            thread = await self._read(channel, root)
        if not thread.messages:
            raise ItemNotFound(f"there is no message {ts} in {channel}")
        return thread

    async def _read(self, channel: str, ts: str) -> SlackThread:
        messages: dict[str, Mapping[str, JSON]] = {}
        arguments: Arguments = {"channel": channel, "ts": ts, "limit": min(self.page_size, _MOST)}
        more = False
        try:
            async with aclosing(pages(self.http, REPLIES, arguments)) as replies:
                async for reply in replies:
                    found = list(objects(mapping(reply.json()).get("messages")))
                    self._detect_restriction(found, reply)
                    for each in found:
                        # Every page repeats the root; a message without ``ts`` gets its own key.
                        messages.setdefault(string(each, "ts") or f"{len(messages)}", each)
                    more = _has_more(reply)
                    if len(messages) >= _MOST_READ and next_cursor(reply):
                        return SlackThread(tuple(messages.values()), _TOO_LONG)
        except RateLimited as error:
            if not self.is_restricted:
                raise
            error.hint = _WHY_RESTRICTED
            if not messages:
                raise
            return SlackThread(tuple(messages.values()), _WHY_RESTRICTED)
        left_out = "Slack reports more messages without a cursor" if more else ""
        return SlackThread(tuple(messages.values()), left_out)

    def _detect_restriction(self, found: "list[Mapping[str, JSON]]", reply: "Reply") -> None:
        """Recognise an app with a page limit of fifteen messages."""
        few = _RESTRICTED <= len(found) <= _RESTRICTED + 1 < min(self.page_size, _MOST)
        if few and next_cursor(reply):
            self.is_restricted = True


def _has_more(reply: "Reply") -> bool:
    return mapping(reply.json()).get("has_more") is True
