"""One Slack account: its threads, each one item with all its messages."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from re import search, split, sub
from typing import Final
from urllib.parse import urlsplit

from attrs import evolve

from rove_core import (
    Account,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemNotFound,
    ItemRef,
    Login,
    LoginRefused,
    Query,
    SourceHooks,
    authorization,
    hookimpl,
)
from rove_core.auth.oauth import renew_login
from rove_slack.api import REVOKE, WHO, ask
from rove_slack.errors import fault
from rove_slack.hits import MessageHit
from rove_slack.login import app_of, enter
from rove_slack.messages import ThreadMessage
from rove_slack.names import SlackNames, SlackPlace
from rove_slack.permalinks import address, moment, permalinks, thread_of
from rove_slack.scopes import GrantedScopes
from rove_slack.search import SlackSearch
from rove_slack.settings import APPS, OAUTH, USER_TOKEN, SlackSettings
from rove_slack.threads import ThreadReader
from rove_slack.values import text

_OTHER_TOKENS: Final = {"xoxb-": "a bot's", "xapp-": "an app's"}
_LONGEST_TITLE: Final = 80


class SlackSource(SourceHooks):
    """Reads one Slack workspace as one of its members."""

    def __init__(self, account: Account[SlackSettings], http: Http) -> None:
        self._account = account
        self._http = http.reading(fault)
        self._names = SlackNames(self._http)
        size = account.settings.page_size
        self._threads = ThreadReader(self._http, size)
        self._search = SlackSearch(self._http, self._names, size)
        self._granted: GrantedScopes | None = None
        self._asking = asyncio.Lock()

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for a user token, or let Slack give one in a browser; it lets no other search."""
        if login.way == OAUTH.name:
            return await enter(self._account, login)
        token = await login.ask_secret(USER_TOKEN)
        for prefix, whose in _OTHER_TOKENS.items():
            if token.reveal().startswith(prefix):
                raise LoginRefused(
                    f"a token that begins with {prefix} is {whose}, and cannot search",
                    hint=f"Copy the User OAuth Token (xoxp-...) from {APPS}.",
                    account=self._account.name,
                )
        return authorization(self._account, f"Bearer {token.reveal()}")

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange a login that an app with token rotation gave; each is good for one time."""
        return await renew_login(self._http, app_of(self._account), credential)

    @hookimpl
    async def rove_disconnect(self) -> None:
        """Let Slack forget the token, whoever made it."""
        await ask(self._http, REVOKE, {})

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose token it is, of which workspace, and what its scopes let it read."""
        reply = await ask(self._http, WHO, {})
        self._granted = GrantedScopes.by(reply)
        self._granted.check(self._account.name)
        who = reply.json()
        host = urlsplit(text(who, "url")).netloc.lower()
        return Identity(
            name=text(who, "user") or text(who, "user_id"),
            id=text(who, "user_id"),
            reads=(*filter(None, [host or text(who, "team")]), *self._granted.lines()),
            hosts=(host,) if host else (),
        )

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield a message of each thread in which the words occur, newest first."""
        granted = await self._scopes()
        async with aclosing(self._search.hits(query, granted)) as hits:
            async for hit in hits:
                yield self._found(hit)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a whole thread."""
        channel, ts = thread_of(ref.id)
        if not channel:
            raise ItemNotFound(
                f"{ref.id} names no thread of Slack",
                hint="Write it as CHANNEL/TS, like C0BACKEND/1734264000.000100, or paste its link.",
                account=self._account.name,
            )
        try:
            thread = await self._threads.read(channel, ts)
        except ItemNotFound as error:
            who = self._account.identity.name if self._account.identity else "this account"
            said = f"{ref.id}: not found, or not visible to {who}"
            raise ItemNotFound(said, account=self._account.name) from error
        messages = [ThreadMessage(each, self._names) for each in thread.messages]
        await self._names.learn(
            *(said for each in messages for said in each.said),
            people=[each.user for each in messages],
            channels=[channel],
        )
        return self._thread(channel, ts, messages, thread.incomplete)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a permalink means the same wherever it stands
        """Return the threads whose permalinks stand in a text."""
        own = {host.lower() for host in self._account.hosts}
        found = [link for link in permalinks(text) if link.host in own]
        return list(dict.fromkeys(self._ref(link.channel, link.root, link.host) for link in found))

    async def _scopes(self) -> GrantedScopes:
        """Return what the token may do, asked for once."""
        async with self._asking:
            if self._granted is None:
                self._granted = GrantedScopes.by(await ask(self._http, WHO, {}))
            return self._granted

    def _found(self, hit: MessageHit) -> ContextItem:
        item = self._item(hit.message, hit.place, hit.at)
        title = hit.place.title
        return evolve(item, ref=self._ref(hit.link.channel, hit.link.root), title=title)

    def _thread(
        self, channel: str, ts: str, messages: Sequence[ThreadMessage], incomplete: str
    ) -> ContextItem:
        place = self._names.place(channel)
        root = messages[0].ts or ts
        at = moment(root) or datetime.fromtimestamp(0, UTC)
        items: list[ContextItem] = []
        for message in messages:
            at = message.at or at
            item = self._item(message, place, at)
            link = address(self._host, channel, message.ts, root)
            ref = ItemRef(
                account=self._account.name,
                kind="message",
                id=f"{channel}/{message.ts or root}",
                url=link,
            )
            items.append(evolve(item, ref=ref))
        first, *answers = items
        facts = evolve(first.facts, incomplete=(incomplete,) if incomplete else ())
        ref = self._ref(channel, root)
        return evolve(first, ref=ref, facts=facts, thread=tuple(answers))

    def _item(self, message: ThreadMessage, place: SlackPlace, at: datetime) -> ContextItem:
        return ContextItem(
            ref=ItemRef(account=self._account.name, kind="message", id=message.ts),
            source="slack",
            role="talk",
            title=_title(message.content) or place.title,
            content=message.content,
            timestamp=at,
            author=message.author,
            facts=message.facts(place.channel),
            metadata=message.metadata,
        )

    def _ref(self, channel: str, root: str, host: str = "") -> ItemRef:
        link = address(host or self._host, channel, root)
        return ItemRef(account=self._account.name, kind="thread", id=f"{channel}/{root}", url=link)

    @property
    def _host(self) -> str:
        return self._account.hosts[0] if self._account.hosts else ""


def _title(content: str) -> str:
    """Return the beginning of a message, cut where a sentence or a thought ends."""
    lines = (sub(r"\*\*|~~|^> ", "", line).strip() for line in content.split("\n"))
    line = next((line for line in lines if search(r"\w", line)), "")
    first = split(r"(?<=[.!?])\s", line, maxsplit=1)[0]
    if len(first) <= _LONGEST_TITLE:
        return first
    return f"{first[: _LONGEST_TITLE - 3].rsplit(' ', 1)[0]}..."
