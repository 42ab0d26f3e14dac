"""One Slack account: its threads, each one item with all its messages."""

import re
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit

from rove_core import (
    Account,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemRef,
    Login,
    MalformedReply,
    Query,
    SourceHooks,
    authorization,
    hookimpl,
)
from rove_slack import replies
from rove_slack.faults import fault
from rove_slack.settings import USER_TOKEN, SlackSettings

_PERMALINK = re.compile(
    r"https://([\w.-]+)/archives/([A-Z0-9]+)/p(\d{10})(\d{6})(?:\?thread_ts=([\d.]+))?"
)


class SlackSource(SourceHooks):
    """Reads one Slack workspace as one of its members."""

    def __init__(self, account: Account[SlackSettings], http: Http) -> None:
        self._account = account
        self._http = http.reading(fault)
        self._channels: dict[str, str] = {}

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for a user token; Slack lets no other search."""
        token = await login.ask_secret(USER_TOKEN)
        return authorization(self._account, f"Bearer {token.reveal()}")

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose token it is, and of which workspace."""
        who = (await self._http.get("api/auth.test")).read(replies.Auth)
        host = urlsplit(who.url).netloc
        return Identity(name=who.user, id=who.user_id, reads=(who.team or host,), hosts=(host,))

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield messages in which the words occur, newest first."""
        asked: dict[str, str | int] = {
            "query": f'"{query.text}"',
            "count": min(query.limit, self._account.settings.page_size),
            "sort": "timestamp",
        }
        found = (await self._http.get("api/search.messages", params=asked)).read(replies.Found)
        fitting = [match for match in found.messages.matches if query.covers(_time(match.ts))]
        for match in fitting[: query.limit]:
            yield self._hit(match)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a whole thread."""
        channel, _, ts = ref.id.partition("/")
        asked = {"channel": channel, "ts": ts}
        thread = (await self._http.get("api/conversations.replies", params=asked)).read(
            replies.Replies
        )
        if not thread.messages:
            raise MalformedReply(f"Slack sent the thread {ref.id} without messages")
        name, whole = await self._channel(channel), self._thread(channel, ts)
        root, *answers = [self._message(whole, name, message) for message in thread.messages]
        return ContextItem(
            ref=whole,
            source="slack",
            title=_title(root.content),
            content=root.content,
            timestamp=root.timestamp,
            author=root.author,
            metadata=root.metadata,
            thread=tuple(answers),
        )

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a permalink means the same wherever it stands
        """Return the threads whose permalinks stand in a text."""
        return [
            self._thread(channel, thread or f"{seconds}.{rest}")
            for host, channel, seconds, rest, thread in _PERMALINK.findall(text)
            if host in self._account.hosts
        ]

    async def _channel(self, channel: str) -> str:
        """Return a channel's name, asked for once."""
        if channel not in self._channels:
            reply = await self._http.get("api/conversations.info", params={"channel": channel})
            self._channels[channel] = reply.read(replies.ChannelInfo).channel.name
        return self._channels[channel]

    def _thread(self, channel: str, ts: str) -> ItemRef:
        host = self._account.hosts[0] if self._account.hosts else "slack.com"
        url = f"https://{host}/archives/{channel}/p{ts.replace('.', '')}"
        return ItemRef(self._account.name, "thread", f"{channel}/{ts}", url)

    def _hit(self, match: replies.Match) -> ContextItem:
        link = _PERMALINK.match(match.permalink)
        root = (link[5] if link else None) or match.ts
        return ContextItem(
            ref=self._thread(match.channel.id, root),
            source="slack",
            title=f"#{match.channel.name}",
            content=match.text,
            timestamp=_time(match.ts),
            author=match.username,
            metadata={"channel": match.channel.name},
        )

    def _message(self, thread: ItemRef, name: str, message: replies.Message) -> ContextItem:
        channel, _, root = thread.id.partition("/")
        url = f"{thread.url.rpartition('/')[0]}/p{message.ts.replace('.', '')}"
        link = thread.url if message.ts == root else f"{url}?thread_ts={root}"
        return ContextItem(
            ref=ItemRef(self._account.name, "message", f"{channel}/{message.ts}", link),
            source="slack",
            title=_title(message.text),
            content=message.text,
            timestamp=_time(message.ts),
            author=message.username or message.user,
            metadata={"channel": name},
        )


def _title(text: str) -> str:
    """Return the beginning of a message, cut where a sentence or a thought ends."""
    first = re.split(r"(?<=[.!?])\s|\n", text.strip(), maxsplit=1)[0]
    return first if len(first) <= 80 else f"{first[:77].rsplit(' ', 1)[0]}..."


def _time(ts: str) -> datetime:
    return datetime.fromtimestamp(int(ts.partition(".")[0]), UTC)
