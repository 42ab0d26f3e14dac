"""One account of Acme over HTTP: its tickets are searched, read and recognised here."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from attrs import frozen
from rove_core import (
    Account,
    ContextItem,
    Facts,
    Identity,
    ItemRef,
    ItemStatus,
    Link,
    Query,
    Relation,
    SourceHooks,
    hookimpl,
)

from rove_acme.settings import AcmeSettings

if TYPE_CHECKING:
    from rove_core import Http, Reply

#: What Acme calls the ways in which tickets hang together, and what Rove calls them.
_RELATIONS: dict[str, Relation] = {"blocks": "blocks", "needs": "blocked_by", "part of": "parent"}


@frozen
class Me:
    """The owner of the login."""

    name: str
    writes: bool | None = None  # writes


@frozen
class Comment:
    """A comment below a ticket."""

    id: str
    author: str
    text: str
    at: datetime


@frozen
class Relative:
    """Another ticket and its relation to this one."""

    type: str
    id: str


@frozen
class TicketReply:
    """A ticket as Acme sends it; keys that are not here are ignored."""  # reads
    """A ticket as Acme sends it; ``next`` are the statuses that it can take now."""  # writes

    id: str
    title: str
    text: str
    author: str
    changed: datetime
    status: str = ""
    links: tuple[Relative, ...] = ()
    comments: tuple[Comment, ...] = ()
    labels: tuple[str, ...] = ()  # writes
    created: datetime | None = None  # writes
    revision: int = 0  # writes
    next: tuple[str, ...] = ()  # writes


@frozen
class Page:
    """A part of what a search finds; ``next`` is the address of the part after it."""

    tickets: tuple[TicketReply, ...]
    next: str | None = None


class AcmeTracker(SourceHooks):
    """Reads one account of Acme. How people log in is in ``source.py``."""

    def __init__(self, account: Account[AcmeSettings], http: "Http") -> None:
        self._account = account
        self._http = http
        self._id = re.compile(
            rf"(?:{re.escape(account.base_url)}/tickets/|(?<![\w/.-]))(ACME-[0-9]+)(?![\w-])"
        )

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose login it is; this is the test of the connection."""
        me = (await self._http.get("api/me")).read(Me)
        return Identity(name=me.name, reads=("all tickets",), prefixes=("ACME",))  # reads
        reads, prefixes = ("all tickets",), ("ACME",)  # writes
        return Identity(name=me.name, reads=reads, prefixes=prefixes, writes=me.writes)  # writes

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the tickets in which all the words occur, newest first."""
        left = query.limit
        async with aclosing(self._found(query)) as found:
            async for ticket in found:
                if not left:
                    return
                if query.covers(ticket.changed):
                    yield self._item(ticket)
                    left -= 1

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a ticket with its comments."""
        path = f"api/tickets/{quote(ref.id, safe='')}"
        return self._item((await self._http.get(path)).read(TicketReply))

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:
        """Return the tickets that a text names by id or address."""
        return [self._ref(name) for name in dict.fromkeys(self._id.findall(text))]

    async def _found(self, query: Query) -> AsyncGenerator[TicketReply, None]:
        params: dict[str, str | int | bool] = {
            "q": query.text,
            "size": self._account.settings.page_size,
        }
        if query.fields:
            params["in"] = ",".join(field.removeprefix("ticket_") for field in query.fields)
        async with aclosing(self._http.pages("api/tickets", _next, params=params)) as replies:
            async for reply in replies:
                for ticket in reply.read(Page).tickets:
                    yield ticket

    def _ref(self, name: str, kind: str = "ticket") -> ItemRef:
        url = f"{self._account.base_url}/tickets/{name}"
        return ItemRef(account=self._account.name, kind=kind, id=name, url=url)

    def _item(self, ticket: TicketReply) -> ContextItem:
        links = (
            Link(ref=self._ref(other.id), relation=_RELATIONS.get(other.type, "relates"))
            for other in ticket.links
        )
        return ContextItem(
            ref=self._ref(ticket.id),
            source="acme",
            role="ticket",
            title=ticket.title,
            content=ticket.text,
            timestamp=ticket.changed,
            author=ticket.author,
            facts=Facts(
                status=ItemStatus(name=ticket.status) if ticket.status else None,
                labels=ticket.labels,  # writes
            ),
            links=tuple(links),
            thread=tuple(self._comment(ticket, comment) for comment in ticket.comments),
        )

    def _comment(self, ticket: TicketReply, comment: Comment) -> ContextItem:
        return ContextItem(
            ref=self._ref(f"{ticket.id}#{comment.id}", "comment"),
            source="acme",
            role="comment",
            title=f"Comment on {ticket.id}",
            content=comment.text,
            timestamp=comment.at,
            author=comment.author,
            facts=Facts(on=ticket.id),
        )


def _next(reply: "Reply") -> str | None:
    return reply.read(Page).next
