"""The test stage for one account: the source under test, before and after login."""

import inspect
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from datetime import datetime
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import urlsplit

import attrs
from attrs import define, field, frozen

from rove_core.clock import SYSTEM, Clock
from rove_core.hookspecs import SourceHooks
from rove_core.http import Http
from rove_core.items import Account, AnyAccount, ContextItem, ItemRef, Query
from rove_core.listing import ListedChange, ListScope
from rove_core.login import Credential
from rove_core.plugins.hook_checks import has_hook
from rove_core.safety.secret import Secret
from rove_core.sources import AnySourceKind
from rove_core.testing.login import AnsweringLogin
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from rove_core.items import Identity

#: More than any search of the suite brings.
MANY = 1000


@frozen(kw_only=True)
class Vendor:
    """The fake vendor of the source under test, and how to log in.

    Attributes:
        base_url: Where it answers; the kind's own place when empty.
        settings: What an account of it sets.
        answers: What a person answers when logging in, by the field's name.
        refused: Answers with which it lets nobody in; by default the right ones, misspelt.
        hosts: Further hosts that may be sent the credential.
        way: How one logs in; the kind's first way when empty.
        steps: Ways to change what is there, by name (``add``, ``edit``, ``delete``, ``move``,
            ``rename``), for sources that list; each takes its choices from the random numbers
            that it is given, and lets some time pass. Needed for gold.
        there: Returns the ids of what the steps added and that is still there, each with words
            that it has now.
        reader: The same, for somebody who may read and not write; for sources that change work.
    """

    base_url: str = ""
    settings: Mapping[str, JSON] = field(factory=dict)
    answers: Mapping[str, str] = field(factory=dict)
    refused: Mapping[str, str] = field()
    hosts: tuple[str, ...] = ()
    way: str = ""
    steps: Mapping[str, Callable[[Random], None]] = field(factory=dict)
    there: Callable[[], Mapping[str, str]] = field(default=dict)
    reader: "Vendor | None" = None

    @refused.default
    def _misspelt(self) -> Mapping[str, str]:
        return {name: f"not-{answer}" for name, answer in self.answers.items()}


@define(eq=False)
class Scene:
    """The source under test, called as the core calls it but with nothing in between.

    Attributes:
        kind: Its kind.
        account: The account it serves.
        vendor: What it talks to.
        http: The HTTP client that it was given.
        source: The source itself.
        clock: What its requests wait by.
        credential: What let it in, once it is logged in.
        logins: Who logged in, or tried.
        before_call: Runs before each call of the source.
    """

    kind: AnySourceKind
    account: AnyAccount
    vendor: Vendor
    http: Http
    source: SourceHooks
    clock: Clock = field(default=SYSTEM, kw_only=True)
    credential: Credential | None = field(default=None, init=False)
    logins: list[AnsweringLogin] = field(factory=list, init=False)
    before_call: Callable[[], None] = field(default=lambda: None, init=False)
    _closing: AsyncExitStack = field(factory=AsyncExitStack, init=False)

    @classmethod
    def of(cls, kind: AnySourceKind, vendor: Vendor, *, name: str = "") -> Self:
        """Connect an account of a kind, logged in to nothing yet."""
        account: AnyAccount = Account(
            name=name or f"{kind.name}:suite",
            kind=kind.name,
            settings=kind.settings(**vendor.settings),
            base_url=vendor.base_url or kind.base_url,
        )

        async def give() -> Credential | None:
            return scene.credential

        http = Http(account=account.name, base_url=account.base_url, credential=give)
        scene = cls(kind, account, vendor, http, kind.connect(account, http))
        scene._closing.push_async_callback(http.aclose)  # it is this class's own
        return scene

    def has(self, hook: str) -> bool:
        """Return whether the source has a hook."""
        return has_hook(self.source, hook)

    def login(self, answers: Mapping[str, str] | None = None) -> AnsweringLogin:
        """Return a simulated person to log in with."""
        http = Http(
            account=self.account.name,
            base_url=self.account.base_url,
            clock=self.clock,
            elsewhere=True,
        )
        self._closing.push_async_callback(http.aclose)
        way = self.vendor.way or self.kind.logins[0].name
        self.logins.append(
            AnsweringLogin(way, self.vendor.answers if answers is None else answers, http)
        )
        return self.logins[-1]

    def secrets(self) -> Iterator[Secret]:
        """Yield the secrets that were typed or are part of the login."""
        for login in self.logins:
            yield from login.secrets
        if self.credential is not None:
            yield from filter(None, (self.credential.access, self.credential.refresh))
            yield from self.credential.headers.values()

    async def enter(self) -> None:
        """Log in if the kind has logins, and connect again with the new identity."""
        if self.kind.logins:
            self.credential = await self.awaited("rove_authenticate", login=self.login())
        if self.has("rove_identity"):
            identity: Identity = await self.awaited("rove_identity")
            hosts = identity.hosts or self.account.hosts
            self.account = attrs.evolve(self.account, identity=identity, hosts=hosts)
            self.connect()

    def connect(self) -> None:
        """Make the source anew."""
        self.http = Http(
            clock=self.clock,
            account=self.account.name,
            base_url=self.account.base_url,
            hosts=self.account.hosts,
            credential=self._give,
        )
        self._closing.push_async_callback(self.http.aclose)
        self.source = self.kind.connect(self.account, self.http)

    def change(self, **settings: JSON) -> None:
        """Connect once more, with other settings."""
        self.account = attrs.evolve(
            self.account, settings=attrs.evolve(self.account.settings, **settings)
        )
        self.connect()

    def search(
        self,
        text: str,
        *,
        fields: tuple[str, ...] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = MANY,
    ) -> AsyncGenerator[ContextItem, None]:
        """Yield the results of a search."""
        query = Query(
            account=self.account.name,
            text=text,
            fields=fields,
            since=since,
            until=until,
            limit=limit,
        )
        return cast("AsyncGenerator[ContextItem, None]", self._call("rove_search", query=query))

    async def find(
        self,
        text: str,
        *,
        fields: tuple[str, ...] = (),
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[ContextItem]:
        """Return all that a search finds."""
        found = self.search(text, fields=fields, since=since, until=until)
        return [item async for item in found]

    async def list_changes(
        self,
        cursor: str = "",
        *,
        containers: tuple[str, ...] = (),
        since: datetime | None = None,
        limit: int = MANY,
        unconfirmed: Mapping[ItemRef, datetime] = MappingProxyType({}),
    ) -> tuple[list[ListedChange], str]:
        """Return the changes of a listing, and its cursor."""
        listing = self.listed(
            cursor, containers=containers, since=since, limit=limit, unconfirmed=unconfirmed
        )
        found: list[ListedChange] = []
        async with aclosing(listing) as changes:
            async for change in changes:
                found.append(change)
                cursor = change.cursor or cursor
                limit -= change.item is not None
                if limit <= 0:
                    break
        return found, cursor

    def listed(
        self,
        cursor: str = "",
        *,
        containers: tuple[str, ...] = (),
        since: datetime | None = None,
        limit: int = MANY,
        unconfirmed: Mapping[ItemRef, datetime] = MappingProxyType({}),
    ) -> AsyncGenerator[ListedChange, None]:
        """Yield the changes of a listing."""
        scope = ListScope(
            account=self.account.name,
            containers=containers,
            since=since,
            cursor=cursor,
            limit=limit,
            now=self.clock.now(),
            unconfirmed=unconfirmed,
        )
        return cast("AsyncGenerator[ListedChange, None]", self._call("rove_list", scope=scope))

    async def list_recent(
        self, containers: tuple[str, ...], since: datetime | None
    ) -> list[ListedChange]:
        """Return the changes of containers since a time."""
        scope = ListScope(account=self.account.name, containers=containers, since=since, limit=MANY)
        listing = self._call("rove_list_recent", scope=scope)
        return [each async for each in cast("AsyncGenerator[ListedChange, None]", listing)]

    async def detail(self, ref: ItemRef) -> ContextItem:
        """Return a whole item."""
        item: ContextItem = await self.awaited("rove_item_detail", ref=ref)
        return item

    def recognise(self, text: str, *, origin: ItemRef | None = None) -> Sequence[ItemRef]:
        """Return the references in a text, without origin unless one is given."""
        return cast("Sequence[ItemRef]", self._call("rove_recognise", text=text, origin=origin))

    async def awaited(self, hook: str, **arguments: object) -> Any:  # noqa: ANN401  # the hook says
        """Return the result of a coroutine hook."""
        return await cast("Coroutine[Any, Any, Any]", self._call(hook, **arguments))

    async def aclose(self) -> None:
        """Close every connection."""
        await self._closing.aclose()

    def is_own(self, url: str) -> bool:
        """Return whether a link leads to the account itself, or nowhere."""
        parts = urlsplit(url)
        own = {*self.account.hosts, urlsplit(self.account.base_url).netloc} - {""}
        return not url or parts.scheme == "file" or parts.netloc in own

    def _call(self, hook: str, **arguments: object) -> object:
        """Call a hook with the arguments it names, as pluggy does."""
        self.before_call()
        method = getattr(self.source, hook)
        names = inspect.signature(method).parameters
        return method(**{name: value for name, value in arguments.items() if name in names})

    async def _give(self) -> Credential | None:
        return self.credential


@asynccontextmanager
async def on_stage(
    kind: AnySourceKind, vendor: Vendor, *, name: str = "", clock: Clock = SYSTEM
) -> AsyncIterator[Scene]:
    """Connect an account of a kind, and close its connections afterwards."""
    scene = Scene.of(kind, vendor, name=name)
    scene.clock = clock
    scene.connect()
    try:
        yield scene
    finally:
        await scene.aclose()
