"""The source of one Slack account: threads with all their messages."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Final
from urllib.parse import urlsplit

from attrs import evolve

from rove_core import (
    Account,
    Container,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemNotFound,
    ItemRef,
    ListedChange,
    ListScope,
    Login,
    LoginRefused,
    Query,
    SourceHooks,
    authorization,
    hookimpl,
)
from rove_core.auth.oauth import renew_login
from rove_core.json_reader import string
from rove_slack.api import REVOKE, WHO, ask
from rove_slack.channels import readable_channels
from rove_slack.errors import fault
from rove_slack.files import SharedFiles
from rove_slack.items import ThreadItems
from rove_slack.listing import ChannelListing
from rove_slack.login import app_of, enter, file_hosts, hosts_of
from rove_slack.names import SlackNames
from rove_slack.references import FILE_PREFIX, file_links, permalinks, thread_of
from rove_slack.scan import ChannelScan
from rove_slack.scopes import GrantedScopes
from rove_slack.search import SlackSearch
from rove_slack.settings import APPS, OAUTH, USER_TOKEN, SlackSettings
from rove_slack.threads import ThreadReader

_APP_TOKEN: Final = "xapp-"  # noqa: S105  # what such tokens begin with
#: Channels of a bot that are named when it is connected.
_MOST_NAMED: Final = 20


class SlackSource(SourceHooks):
    """Reads one Slack workspace as one of its members, or as a bot."""

    def __init__(self, account: Account[SlackSettings], http: Http) -> None:
        self._account = account
        self._http = http.reading(fault)
        self._names = SlackNames(self._http)
        size = account.settings.page_size
        self._threads = ThreadReader(self._http, size)
        days = account.settings.scan_days
        scan = ChannelScan(self._http, self._names, self._threads, days)
        self._search = SlackSearch(self._http, self._names, scan, size)
        host = account.hosts[0] if account.hosts else ""
        self._items = ThreadItems(account.name, host, self._names)
        self._files = SharedFiles(self._http, self._threads, self._items, hosts_of(account))
        self._listing = ChannelListing(self._http, self._threads, self._items, self._scopes)
        self._granted: GrantedScopes | None = None
        self._asking = asyncio.Lock()

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for the token of a person or of a bot, or let Slack give a person's in a browser."""
        if login.way == OAUTH.name:
            return await enter(self._account, login)
        token = await login.ask_secret(USER_TOKEN)
        if token.reveal().startswith(_APP_TOKEN):
            raise LoginRefused(
                f"a token that starts with {_APP_TOKEN} belongs to an app and cannot read",
                hint=f"Copy the User OAuth Token (xoxp-...) from {APPS}.",
                account=self._account.name,
            )
        credential = authorization(self._account, f"Bearer {token.reveal()}")
        return evolve(credential, hosts=hosts_of(self._account))

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange a login that an app with token rotation gave; each is good for one time."""
        return await renew_login(self._http, app_of(self._account), credential)

    @hookimpl
    async def rove_disconnect(self) -> None:
        """Revoke the token at Slack."""
        await ask(self._http, REVOKE, {})

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return the user, the workspace, and what the scopes allow to read."""
        reply = await ask(self._http, WHO, {})
        self._granted = GrantedScopes.by(reply)
        self._granted.check(self._account.name)
        who = reply.json()
        host = urlsplit(string(who, "url")).netloc.lower()
        scanned = await self._scanned_channels(self._granted) if self._granted.is_bot else ()
        return Identity(
            name=string(who, "user") or string(who, "user_id"),
            id=string(who, "user_id"),
            reads=(*filter(None, [host or string(who, "team")]), *self._granted.lines(), *scanned),
            hosts=(*filter(None, [host]), *file_hosts(self._account)),
        )

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield a message of each thread in which the words occur, newest first."""
        granted = await self._scopes()
        async with aclosing(self._search.hits(query, granted)) as hits:
            async for hit in hits:
                yield self._items.found(hit)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a whole thread, or a file."""
        if SharedFiles.is_one(ref.id):
            return await self._files.item(ref)
        if ref.id.startswith(FILE_PREFIX):
            return await self._files.linked(ref)
        channel, ts = thread_of(ref.id)
        if not channel:
            raise ItemNotFound(
                f"{ref.id} is not a Slack thread",
                hint="Write it as CHANNEL/TS, like C0BACKEND/1734264000.000100, or paste its link.",
                account=self._account.name,
            )
        try:
            thread = await self._threads.read(channel, ts)
        except ItemNotFound as error:
            who = self._account.identity.name if self._account.identity else "this account"
            message = f"{ref.id}: not found, or not visible to {who}"
            raise ItemNotFound(message, account=self._account.name) from error
        return await self._items.thread(channel, ts, thread)

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the channels that the token may read."""
        return await self._listing.containers()

    @hookimpl
    async def rove_readable(self, names: Sequence[str]) -> Sequence[Container]:
        """Return the channels among some that the token may read."""
        return await self._listing.readable(names)

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the threads of some channels that are new or changed, whole."""
        async with aclosing(self._listing.changes(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a permalink means the same wherever it stands
        """Return the threads, files and canvases whose addresses a text contains."""
        own = {host.lower() for host in self._account.hosts}
        found = [link for link in permalinks(text) if link.host in own]
        files = [link for link in file_links(text) if link.host in own]
        refs = [self._items.ref(link.channel, link.root, link.host) for link in found]
        refs += [self._files.ref(link) for link in files]
        return list(dict.fromkeys(refs))

    async def _scanned_channels(self, granted: GrantedScopes) -> tuple[str, ...]:
        """Return the bot's channels, as lines of what it can read."""
        channels = [each async for _, each in readable_channels(self._http, granted)]
        if not channels:
            return ("no channel yet: write /invite @NAME_OF_THE_APP in those that it may read",)
        named = [f"#{string(each, 'name')}" for each in channels[:_MOST_NAMED]]
        more = len(channels) - len(named)
        days = f"{self._account.settings.scan_days} days back (scan_days)"
        return (*named, f"and {more} more channels", days) if more else (*named, days)

    async def _scopes(self) -> GrantedScopes:
        """Return the token's scopes, which are requested once."""
        async with self._asking:
            if self._granted is None:
                self._granted = GrantedScopes.by(await ask(self._http, WHO, {}))
            return self._granted
