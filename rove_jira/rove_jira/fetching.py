"""Reading one ticket with all that hangs on it, or one thing out of that."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from attrs import frozen

from rove_core import JSON, ContextItem, ItemNotFound, MalformedReply, ScopeMissing
from rove_jira.reading import text
from rove_jira.site import Site, thing, ticket_path
from rove_jira.tickets import Parts, Tickets, people_in

_NAME: Final = re.compile(
    r"([A-Z][A-Z0-9_]*-[0-9]+|[0-9]+)(?:/change/([0-9]+)|/([0-9]+))?", re.ASCII | re.IGNORECASE
)


@frozen
class Fetch:
    """Fetches items by their ids.

    Attributes:
        site: The site.
        tickets: Makes items of what it sends.
    """

    site: Site
    tickets: Tickets

    async def item(self, name: str) -> ContextItem:
        """Return a ticket (``TB-1``), a comment (``TB-1/10001``), a change (``TB-1/change/7``).

        Raises:
            ItemNotFound: There is none, or it is nobody's name.
        """
        found = _NAME.fullmatch(name)
        if not found:
            raise ItemNotFound(f"{name!r} is no name of a ticket or of a part of one")
        key, change, comment = found.groups()
        if change:
            return await self._change(key, change)
        return await (self._comment(key, comment) if comment else self._ticket(key))

    async def _ticket(self, key: str) -> ContextItem:
        asked = {"fields": "*all", "expand": "names,schema"}
        reply = await self.site.get(ticket_path(key), kind="issue/{key}", **asked)
        return self.tickets.ticket(thing(reply, "fields"), await self._parts(key))

    async def _comment(self, key: str, own: str) -> ContextItem:
        path = ticket_path(key, "comment", own)
        reply = await self.site.get(path, kind="issue/{key}/comment/{id}")
        comment = thing(reply, "body")
        return self.tickets.comment(key, comment, people_in(comment))

    async def _change(self, key: str, own: str) -> ContextItem:
        for entry in await self._changes(key):
            if text(entry, "id") == own:
                return self.tickets.change(key, entry)
        raise ItemNotFound(f"{key} has no change {own}")

    async def _parts(self, key: str) -> Parts:
        try:
            async with asyncio.TaskGroup() as group:
                comments = group.create_task(self._comments(key))
                changes = group.create_task(self._if_there("changelog", key, self._changes))
                pages = group.create_task(self._if_there("remotelink", key, self._pages))
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed
        told = {"changelog": changes.result(), "remotelink": pages.result()}
        # The ticket is there, as its comments are: what it does not have no other one has.
        self.site.lacking |= {name for name, parts in told.items() if parts is None}
        return Parts(comments.result(), told["changelog"] or (), told["remotelink"] or ())

    async def _if_there(
        self, name: str, key: str, read: Callable[[str], Awaitable[Sequence[JSON]]]
    ) -> Sequence[JSON] | None:
        """Return what hangs on a ticket; None where the site does not know such a thing."""
        if name not in self.site.lacking:
            with suppress(ItemNotFound):
                return await read(key)
        return None

    async def _comments(self, key: str) -> Sequence[JSON]:
        path = ticket_path(key, "comment")
        return await self.site.listed(
            path, "comments", kind="issue/{key}/comment", orderBy="created"
        )

    async def _changes(self, key: str) -> Sequence[JSON]:
        path = ticket_path(key, "changelog")
        return await self.site.listed(path, "values", kind="issue/{key}/changelog")

    async def _pages(self, key: str) -> Sequence[JSON]:
        """Return the pages elsewhere; a site that has turned links off answers 404."""
        with suppress(ScopeMissing):
            path = ticket_path(key, "remotelink")
            reply = await self.site.get(path, kind="issue/{key}/remotelink")
            if isinstance(links := reply.json(), list):
                return links
            raise MalformedReply(f"{reply.where} sent no list")
        return ()
