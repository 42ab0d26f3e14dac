"""A plugin for tests of commands: a small tracker, which answers where a test says."""

import re
from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from attrs import frozen

from rove_core import (
    Account,
    CommonSettings,
    Container,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemRef,
    ListedChange,
    ListScope,
    Login,
    LoginField,
    LoginWay,
    Query,
    SearchableField,
    SourceHooks,
    SourceKind,
    authorization,
    hookimpl,
)

TOKEN = LoginField(name="token", title="Token", secret=True)
PAGE = "https://tracker.example/tokens"


@frozen(kw_only=True)
class TrackerSettings(CommonSettings):
    """The settings of a tracker.

    Attributes:
        workspace: The id of the workspace.
    """

    workspace: str = ""


@frozen
class Me:
    """Who one is."""

    name: str
    projects: tuple[str, ...]


@frozen
class Ticket:
    """A ticket."""

    id: str
    title: str
    changed: datetime


@frozen
class Page:
    """A part of what a search finds."""

    tickets: tuple[Ticket, ...]
    more: bool = False


@frozen
class Projects:
    """What may be read."""

    projects: tuple[str, ...]


class TrackerSource(SourceHooks):
    """Reads one tracker."""

    def __init__(self, account: Account[TrackerSettings], http: Http) -> None:
        self._account = account
        self._http = http

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for a token."""
        token = await login.ask_secret(TOKEN)
        return authorization(self._account, f"Bearer {token.reveal()}")

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Ask for a successor, which is the same token."""
        await self._http.post("renew")
        return credential

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose token it is."""
        me = (await self._http.get("me")).read(Me)
        return Identity(name=me.name, reads=me.projects, prefixes=me.projects)

    @hookimpl
    async def rove_disconnect(self) -> None:
        """Revoke the token."""
        await self._http.post("revoke")

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield tickets, page by page."""
        number, page = 1, Page((), more=True)
        while page.more:
            words = {"q": query.text, "fields": ",".join(query.fields)}
            page = (await self._http.get("tickets", params={**words, "page": number})).read(Page)
            for ticket in page.tickets:
                if query.covers(ticket.changed):
                    yield self._item(ticket)
            number += 1

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the projects; one whose name begins with a ``P`` is private."""
        names = (await self._http.get("projects")).read(Projects).projects
        return [Container(name=name, private=name.startswith("P")) for name in names]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield all tickets of a project."""
        for name in scope.containers:
            page = (await self._http.get(f"projects/{name}/tickets")).read(Page)
            for ticket in page.tickets:
                yield ListedChange(item=self._item(ticket), whole=True)
            yield ListedChange(cursor=str(len(page.tickets)))

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a ticket."""
        return self._item((await self._http.get(f"tickets/{ref.id}")).read(Ticket))

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an id means the same everywhere
        """Return the tickets of known projects that stand in a text."""
        known = self._account.identity.prefixes if self._account.identity else ()
        found = re.findall(rf"\b((?:{'|'.join(known)})-[0-9]+)\b", text) if known else []
        return [self._ref(name) for name in dict.fromkeys(found)]

    def _ref(self, name: str) -> ItemRef:
        return ItemRef(
            account=self._account.name,
            kind="ticket",
            id=name,
            url=f"{self._account.base_url}/{name}",
        )

    def _item(self, ticket: Ticket) -> ContextItem:
        return ContextItem(
            ref=self._ref(ticket.id),
            source="tracker",
            role="page",
            title=ticket.title,
            content=f"About {ticket.title}.",
            timestamp=ticket.changed,
            author="Ann",
        )


@hookimpl
def rove_sources() -> Sequence[SourceKind[TrackerSettings]]:
    """Bring the tracker."""
    return [
        SourceKind(
            name="tracker",
            title="Tracker",
            settings=TrackerSettings,
            connect=TrackerSource,
            logins=(LoginWay(name="token", title="Token", fields=(TOKEN,), url=PAGE),),
            fields=(SearchableField("ticket_title", "text", "The ticket's title"),),
        )
    ]
