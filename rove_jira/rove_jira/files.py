"""Files attached to a ticket, read on demand."""

from typing import Final
from urllib.parse import quote

from attrs import frozen

from rove_core import (
    JSON,
    ContextItem,
    Facts,
    ItemNotFound,
    ItemRef,
    NewAttachment,
    RoveError,
    file_to_markdown,
)
from rove_core.http import multipart_body
from rove_core.json_reader import elements, integer, moment, text
from rove_jira.api import JiraApi, ticket_path
from rove_jira.issue_reader import IssueReader
from rove_jira.items import UNKNOWN_TIME, name_of

#: Larger files are named and not downloaded.
_MOST_BYTES: Final = 1_000_000


@frozen
class AttachedFiles:
    """Reads the files of a site's tickets, and attaches new ones.

    Attributes:
        site: The site.
        issues: Reads its tickets.
    """

    site: JiraApi
    issues: IssueReader

    async def item(self, ticket: ItemRef, name: str) -> ContextItem:
        """Return a file by its name, the newest of several.

        Raises:
            ItemNotFound: The ticket has no such file.
        """
        issue = await self.issues.read(ticket.id)
        files = _files_named(issue, name)
        if not files:
            raise ItemNotFound(f"{ticket.id} has no file {name!r}")
        file = max(files, key=lambda each: moment(each, "created") or UNKNOWN_TIME)
        key = name_of(issue)
        return ContextItem(
            ref=ticket.file(name),
            source="jira",
            role="file",
            title=name,
            content=await self._content(file),
            timestamp=moment(file, "created") or UNKNOWN_TIME,
            author=text(file, "author", "displayName"),
            facts=Facts(on=key, created=moment(file, "created")),
        )

    async def attach(self, ticket: ItemRef, new: NewAttachment) -> ItemRef:
        """Attach a file unless the same file is there, since Jira stores no key for it."""
        fields: dict[str, str] = {"fields": "attachment"}
        issue = await self.site.get(ticket_path(ticket.id), kind="issue/{key}", **fields)
        for each in _files_named(issue.json(), new.name):
            if integer(each, "size") == len(new.content) and await self._holds(each, new.content):
                return ticket.file(new.name)
        content = multipart_body(
            new.content, field="file", name=new.name, media_type=new.media_type
        )
        path, kind = ticket_path(ticket.id, "attachments"), "issue/{key}/attachments"
        await self.site.upload(path, content, kind=kind)
        return ticket.file(new.name)

    async def _holds(self, file: JSON, content: bytes) -> bool:
        """Return whether a file holds just this; if it cannot be read, its size has to do."""
        try:
            return await self._download(file) == content
        except RoveError:
            return True

    async def _content(self, file: JSON) -> str:
        """Return a file's text, or why none is shown."""
        size, kind = integer(file, "size") or 0, text(file, "mimeType") or "unknown type"
        if size > _MOST_BYTES:
            return f"{kind}, {size:,} bytes: not read, only files up to {_MOST_BYTES:,} bytes are"
        if kind.startswith(("image/", "video/", "audio/")):
            return f"{kind}, {size:,} bytes: no text"
        body = await self._download(file)
        return file_to_markdown(text(file, "filename"), body, media_type=kind) or (
            f"{kind}, {size:,} bytes: no text"
        )

    async def _download(self, file: JSON) -> bytes:
        own = quote(text(file, "id"), safe="")
        if self.site.is_data_center:
            name = quote(text(file, "filename"), safe="")
            path = f"secure/attachment/{own}/{name}"
            return (await self.site.get_beside(path, kind="secure/attachment/{id}")).body
        # By default Jira redirects to a host of its own for files, which is none of the account's.
        path = f"attachment/content/{own}"
        kind = "attachment/content/{id}"
        return (await self.site.get(path, kind=kind, redirect="false")).body


def _files_named(issue: JSON, name: str) -> list[JSON]:
    """Return the files of a ticket that have a name."""
    files = elements(issue, "fields", "attachment")
    return [each for each in files if text(each, "filename") == name]
