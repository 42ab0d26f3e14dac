"""Read a ticket with its discussion, or one part of it."""

import asyncio
import re
from collections.abc import Coroutine, Sequence
from typing import Any, Final, TypeVar

from attrs import frozen

from rove_core import (
    JSON,
    ContextItem,
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    RoveError,
    ScopeMissing,
    Unavailable,
    WrongCall,
)
from rove_core.json_reader import elements, integer, text, value_at
from rove_jira.api import JiraApi, PartialList, thing, ticket_path
from rove_jira.development import read_development
from rove_jira.files import AttachedFiles
from rove_jira.issue_reader import IssueReader
from rove_jira.items import JiraItems, TicketParts, name_of, people_in

_One = TypeVar("_One")
_Other = TypeVar("_Other")

#: Where a ticket brings so many comments or changes, Jira may have left out others.
_MOST_INSIDE: Final = 20
#: Nobody reads more comments or changes of a ticket; the newest are kept.
_MOST: Final = 5_000
_MISSING: Final = "not found, or not visible"
#: What may be wrong with an endpoint that Jira specifies nowhere, and no other one has.
_FAULTS: Final = (LoginRefused, MalformedReply, Unavailable, WrongCall)
_NAME: Final = re.compile(
    r"([A-Z][A-Z0-9_]*-[0-9]+|[0-9]+)(?:/change/([0-9]+)|/file/(.+)|/([0-9]+))?",
    re.ASCII | re.IGNORECASE,
)


@frozen
class Fetch:
    """Fetches items by their ids.

    Attributes:
        site: The site.
        tickets: Makes items of what it sends.
        issues: Reads its tickets.
        files: Reads the files attached to them.
    """

    site: JiraApi
    tickets: JiraItems
    issues: IssueReader
    files: AttachedFiles

    async def item(self, name: str) -> ContextItem:
        """Return a ticket or a part of it by its id.

        Args:
            name: A ticket (``TB-1``), a comment (``TB-1/10001``), a change (``TB-1/change/7``) or
                an attached file (``TB-1/file/auth.log``).

        Raises:
            ItemNotFound: There is none, or it is nobody's name.
        """
        found = _NAME.fullmatch(name)
        if not found:
            raise ItemNotFound(f"{name!r} is no name of a ticket or of a part of one")
        key, change, file, comment = found.groups()
        if change:
            return await self._change(key, change)
        if file:
            return await self.files.item(self.tickets.ref(key), file)
        return await (self._comment(key, comment) if comment else self._ticket(key))

    async def _ticket(self, key: str) -> ContextItem:
        gaps: dict[str, str] = {}
        issue, pages = await _concurrently(
            self.issues.read(key), self._part("remote links", self._pages(key), gaps)
        )
        development = await self._part(
            "development panel", read_development(self.site, issue), gaps, optional=_FAULTS
        )
        return await self._read_whole(key, issue, gaps, pages, development)

    async def listed(self, issue: JSON) -> ContextItem:
        """Return a ticket from a list with all fields, and its discussion and history.

        No list brings the pages elsewhere that a ticket points at, nor its development panel.
        """
        return await self._read_whole(name_of(issue), issue, {})

    async def _read_whole(
        self,
        key: str,
        issue: JSON,
        gaps: dict[str, str],
        pages: Sequence[JSON] = (),
        development: Sequence[JSON] = (),
    ) -> ContextItem:
        comments, changes = await _concurrently(
            self._part("comments", self._comments_of(key, issue), gaps),
            self._part("history", self._changes_of(issue, key), gaps),
        )
        # The ticket is there: what it does not have no other one has.
        self.site.lacking |= {name for name, why in gaps.items() if why == _MISSING}
        notes = [f"{name} {why}" for name, why in gaps.items()]
        parts = TicketParts(comments, changes, pages, development, notes)
        return self.tickets.ticket(issue, parts)

    async def _part(
        self,
        name: str,
        read: Coroutine[Any, Any, PartialList],
        gaps: dict[str, str],
        optional: tuple[type[RoveError], ...] = (),
    ) -> Sequence[JSON]:
        """Return a part of a ticket; an unreadable part becomes a note.

        Args:
            name: What it is called in the note.
            read: Reads it.
            gaps: Where the note is put.
            optional: Further errors that do not cost the ticket.
        """
        gap_errors: tuple[type[RoveError], ...] = (ScopeMissing, *optional)
        if name in self.site.lacking:
            read.close()
            gaps[name] = _MISSING
            return ()
        try:
            found = await read
        except ItemNotFound:
            gaps[name] = _MISSING
        except gap_errors as error:
            gaps[name] = f"not read: {error.message}"
        else:
            if found.left_out:
                gaps[name] = f"cut: {found.left_out:,} left out"
            return found.things
        return ()

    async def _comment(self, key: str, own: str) -> ContextItem:
        path = ticket_path(key, "comment", own)
        reply = await self.site.get(path, kind="issue/{key}/comment/{id}")
        comment = thing(reply, "body")
        return self.tickets.comment(key, comment, people_in(comment))

    async def _change(self, key: str, own: str) -> ContextItem:
        is_server = self.site.is_data_center
        found = await (
            self._changes_of(await self.issues.read(key), key) if is_server else self._changes(key)
        )
        for entry in found.things:
            if text(entry, "id") == own:
                return self.tickets.change(key, entry)
        raise ItemNotFound(f"{key} has no change {own}")

    async def _comments_of(self, key: str, issue: JSON) -> PartialList:
        inside = _all_inside(value_at(issue, "fields", "comment"), "comments")
        if inside is not None:
            return PartialList(inside)
        path = ticket_path(key, "comment")
        return (
            await self.site.listed(
                path, "comments", kind="issue/{key}/comment", most=_MOST, orderBy="-created"
            )
        ).reversed()

    async def _changes_of(self, issue: JSON, key: str) -> PartialList:
        if self.site.is_data_center:  # It gives the whole history with the ticket, or none.
            return PartialList(elements(issue, "changelog", "histories"))
        inside = _all_inside(value_at(issue, "changelog"), "histories")
        return await self._changes(key) if inside is None else PartialList(inside[::-1])

    async def _changes(self, key: str) -> PartialList:
        path = ticket_path(key, "changelog")
        return await self.site.listed(path, "values", kind="issue/{key}/changelog", most=_MOST)

    async def _pages(self, key: str) -> PartialList:
        """Return the pages elsewhere; a site that has turned links off answers 404."""
        path = ticket_path(key, "remotelink")
        reply = await self.site.get(path, kind="issue/{key}/remotelink")
        if isinstance(links := reply.json(), list):
            return PartialList(links)
        raise MalformedReply(f"{reply.where} sent no list")


async def _concurrently(
    one: Coroutine[Any, Any, _One], other: Coroutine[Any, Any, _Other]
) -> tuple[_One, _Other]:
    """Return the results of two requests that run at the same time."""
    try:
        async with asyncio.TaskGroup() as group:
            first, second = group.create_task(one), group.create_task(other)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed
    return first.result(), second.result()


def _all_inside(part: JSON, name: str) -> Sequence[JSON] | None:
    """Return a list that the ticket contains completely; else None."""
    found, total = elements(part, name), integer(part, "total")
    return found if total is not None and total <= len(found) < _MOST_INSIDE else None
