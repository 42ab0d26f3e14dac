"""Pages of the site's Confluence, read with the same login."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, cast
from urllib.parse import quote

from attrs import define, field, frozen

from rove_core import (
    JSON,
    ContextItem,
    Facts,
    ItemNotFound,
    ItemRef,
    LoginRefused,
    MalformedReply,
    ScopeMissing,
    adf_to_markdown,
)
from rove_core.json_reader import moment, text
from rove_jira.api import JiraApi, thing
from rove_jira.items import UNKNOWN_TIME

#: What the ids of pages begin with; the rest is Confluence's own number.
PREFIX: Final = "page/"
_NUMBER: Final = re.compile(r"[0-9]+", re.ASCII)
_PLACES: Final = r"/wiki/(?:spaces/[^/\s]+/pages/|pages/viewpage\.action\?pageId=)([0-9]+)(?![0-9])"
_LACKING: Final = "confluence"


@define
class PageMentions:
    """Finds the addresses of pages.

    Attributes:
        hosts: Where the site is.
    """

    hosts: Sequence[str]
    _address: re.Pattern[str] = field(init=False)

    @_address.default
    def _own_pages(self) -> re.Pattern[str]:
        hosts = "|".join(map(re.escape, self.hosts))
        return re.compile(rf"https?://(?:{hosts}){_PLACES}", re.ASCII | re.IGNORECASE)

    def numbers(self, text: str) -> Iterator[str]:
        """Yield the page numbers in a text's addresses, without duplicates."""
        if "/wiki/" in text:
            yield from dict.fromkeys(self._address.findall(text))


@frozen
class ConfluencePages:
    """Reads pages.

    Attributes:
        account: The account's name.
        address: Where people open the site.
        site: The site.
    """

    account: str
    address: str
    site: JiraApi

    def ref(self, number: str) -> ItemRef:
        """Return the reference to a page."""
        url = f"{self.address}/wiki/pages/viewpage.action?pageId={number}"
        return ItemRef(account=self.account, kind="page", id=f"{PREFIX}{number}", url=url)

    async def item(self, number: str) -> ContextItem:
        """Return a page.

        Raises:
            ItemNotFound: There is none, or the login does not open Confluence.
        """
        if not _NUMBER.fullmatch(number) or _LACKING in self.site.lacking:
            raise ItemNotFound(f"page {number} is not found")
        try:
            page = await self._page(number)
        except (LoginRefused, ScopeMissing) as error:
            self.site.lacking.add(_LACKING)
            raise ItemNotFound(f"this login does not open Confluence: {error.message}") from error
        created = moment(page, "createdAt")
        return ContextItem(
            ref=self.ref(number),
            source="jira",
            role="page",
            title=text(page, "title") or f"Page {number}",
            content=adf_to_markdown(_tree(text(page, "body", "atlas_doc_format", "value"))),
            timestamp=moment(page, "version", "createdAt") or created or UNKNOWN_TIME,
            author=await self._name(text(page, "version", "authorId") or text(page, "authorId")),
            facts=Facts(created=created),
        )

    async def _page(self, number: str) -> JSON:
        params = {"body-format": "atlas_doc_format"}
        path = f"wiki/api/v2/pages/{quote(number, safe='')}"
        return thing(await self.site.get_beside(path, kind="wiki/pages/{id}", **params), "body")

    async def _name(self, person: str) -> str:
        """Return the display name of a person, since Confluence returns only ids."""
        with suppress(ItemNotFound, ScopeMissing):
            if person:
                found = await self.site.get("user", kind="user", accountId=person)
                return text(found.json(), "displayName")
        return ""


def _tree(value: str) -> JSON:
    """Return the document tree that Confluence sends as a text."""
    try:
        return cast("JSON", json.loads(value)) if value else None
    except (RecursionError, ValueError) as error:
        raise MalformedReply("Confluence sent a page that is not a document") from error
