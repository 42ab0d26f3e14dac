"""Reading one ticket with all that hangs on it, or one thing out of that."""

import asyncio
import re
from collections.abc import Sequence
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
                changes = group.create_task(self._changes(key))
                pages = group.create_task(self._pages(key))
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed
        return Parts(comments.result(), changes.result(), pages.result())

    async def _comments(self, key: str) -> Sequence[JSON]:
        path = ticket_path(key, "comment")
        return await self.site.listed(
            path, "comments", kind="issue/{key}/comment", orderBy="created"
        )

    async def _changes(self, key: str) -> Sequence[JSON]:
        path = ticket_path(key, "changelog")
        return await self.site.listed(path, "values", kind="issue/{key}/changelog")

    async def _pages(self, key: str) -> Sequence[JSON]:
        """Return the pages elsewhere; none where the site has turned links off."""
        with suppress(ItemNotFound, ScopeMissing):
            path = ticket_path(key, "remotelink")
            reply = await self.site.get(path, kind="issue/{key}/remotelink")
            if isinstance(links := reply.json(), list):
                return links
            raise MalformedReply(f"{reply.where} sent no list")
        return ()
