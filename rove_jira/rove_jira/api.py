"""Addresses and requests of an account's Jira."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from functools import partial
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

from attrs import frozen

from rove_core import (
    JSON,
    Account,
    Http,
    LoginNeeded,
    LoginRefused,
    MalformedReply,
    NotFound,
    Reply,
)
from rove_core.http import cursor_pages
from rove_core.json_reader import integer, text, value_at
from rove_jira.errors import change_fault, fault
from rove_jira.settings import DATA_CENTER, JiraSettings

_GATEWAY: Final = "https://api.atlassian.com"
_CLOUDS: Final = (".atlassian.net", ".jira.com")
#: What the gateway calls a site.
CLOUD_ID: Final = re.compile(r"[\w-]+", re.ASCII)
_MOST_PAGES: Final = 1000
_PAGE: Final = 100
_MOST_LISTED: Final = 100_000


@frozen
class PartialList:
    """The part of a list that was read.

    Attributes:
        things: What it holds.
        left_out: How much more of it there is, at least.
    """

    things: Sequence[JSON]
    left_out: int = 0

    def reversed(self) -> "PartialList":
        """Return the same, the last first."""
        return PartialList(self.things[::-1], self.left_out)


class JiraApi:
    """The Jira of an account: at its own address, else behind Atlassian's gateway.

    A token with scopes opens the gateway alone; the site says of it just that it is wrong.

    Args:
        account: Whose it is.
        http: The account's requests.

    Attributes:
        cloud: What the gateway calls the site; empty as long as it answers at its own address.
        is_data_center: Whether the company runs it itself: it speaks the API's second version.
        lacking: What no ticket of this site has: links may be turned off, and what is only like
            Jira may know no history.
    """

    def __init__(self, account: Account[JiraSettings], http: Http) -> None:
        self._http = http.reading(partial(fault, account))
        self._writer = http.reading(partial(change_fault, account))
        self._gateway = gateway(account.base_url)
        workspace = account.identity.workspace if account.identity else ""
        self.is_data_center = workspace == DATA_CENTER
        self.cloud = "" if self.is_data_center else workspace
        self.lacking: set[str] = set()

    async def get(self, path: str, *, kind: str, **params: str | int) -> Reply:
        """Return the reply to a GET.

        Args:
            path: Where to, below the address of the site's API.
            kind: The class of endpoint that Jira limits as one: the path, with names for ids.
            params: The query.
        """
        return await self.get_beside(self._of_api(path), kind=kind, **params)

    async def get_beside(self, path: str, *, kind: str, **params: str | int) -> Reply:
        """Return the reply to a GET outside of the API, as :meth:`get` does.

        Args:
            path: Where to, below the address of the site.
            kind: As for :meth:`get`.
            params: The query.
        """
        return await self._ask(
            path, lambda url: self._http.get(url, params=params, kind=f"GET {kind}")
        )

    async def post(self, path: str, body: Mapping[str, JSON]) -> Reply:
        """Return the reply to a POST that only asks."""
        return await self._ask(
            self._of_api(path),
            lambda url: self._http.post(url, json=body, repeatable=True, kind=f"POST {path}"),
        )

    async def change(self, path: str, body: Mapping[str, JSON], *, kind: str) -> Reply:
        """Return the reply to a POST that changes something; it is sent once."""
        return await self._ask(
            self._of_api(path),
            lambda url: self._writer.post(url, json=dict(body), kind=f"POST {kind}"),
        )

    async def upload(self, path: str, content: tuple[str, bytes], *, kind: str) -> Reply:
        """Return the reply to a POST of a form with a file; it is sent once."""
        # Without this header Jira takes it for a form of another page.
        headers = {"x-atlassian-token": "no-check"}
        return await self._ask(
            self._of_api(path),
            lambda url: self._writer.post(
                url, content=content, headers=headers, kind=f"POST {kind}"
            ),
        )

    async def put(self, path: str, body: Mapping[str, JSON], *, kind: str) -> Reply:
        """Return the reply to a PUT, which is sent only once because of concurrent changes."""
        return await self._ask(
            self._of_api(path),
            lambda url: self._writer.put(url, json=dict(body), kind=f"PUT {kind}"),
        )

    async def listed(
        self, path: str, name: str, *, kind: str, most: int = _MOST_LISTED, **params: str
    ) -> PartialList:
        """Return the content of a list over all its pages.

        Args:
            path: Where to, as for :meth:`get`.
            name: What the list is called in a page.
            kind: As for :meth:`get`.
            most: How much of it is read.
            params: The query, besides what pages need.
        """
        start, found = 0, list[JSON]()

        async def page(cursor: str | None) -> Reply:
            nonlocal start
            start = int(cursor or 0)
            return await self.get(path, kind=kind, **params, startAt=start, maxResults=_PAGE)

        def following(reply: Reply) -> str | None:
            return _next_start(reply, name, start)

        async with aclosing(cursor_pages(page, following, most=_MOST_PAGES)) as replies:
            async for reply in replies:
                found += items(reply, name)
                if len(found) >= most and following(reply):
                    total = integer(reply.json(), "total") or 0
                    return PartialList(found, max(total - len(found), 1))
        return PartialList(found)

    async def _ask(self, path: str, send: Callable[[str], Awaitable[Reply]]) -> Reply:
        cloud = self.cloud
        try:
            return await send(self._address(cloud, path) + path)
        except LoginRefused as refused:
            if cloud or self.is_data_center or not (self.cloud or await self._found_cloud()):
                raise
            first = refused
        try:
            return await send(self._address(self.cloud, path) + path)
        except LoginRefused:
            self.cloud = ""
            raise first from None

    def _of_api(self, path: str) -> str:
        if path.startswith("rest/"):  # Boards have an API of their own.
            return path
        return f"rest/api/{2 if self.is_data_center else 3}/{path}"

    def _address(self, cloud: str, path: str) -> str:
        product = "confluence" if path.startswith("wiki/") else "jira"
        return f"{self._gateway}/ex/{product}/{cloud}/" if cloud else ""

    async def _found_cloud(self) -> bool:
        """Look up the site's cloud id at the gateway; return whether it has one."""
        with suppress(LoginNeeded, MalformedReply, NotFound):
            reply = await self._http.get("_edge/tenant_info", kind="GET tenant_info")
            if CLOUD_ID.fullmatch(cloud := text(reply.json(), "cloudId")):
                self.cloud = cloud
        return bool(self.cloud)


def gateway(base_url: str) -> str:
    """Return the gateway address of a site; other servers are their own gateway.

    So no address but Atlassian's and the account's own is ever sent a login.
    """
    here = urljoin(base_url, "/").rstrip("/")
    return _GATEWAY if is_site(base_url) or not here else here


def is_site(base_url: str) -> bool:
    """Return whether an address is that of one site of Atlassian's."""
    return (urlsplit(base_url).hostname or "").endswith(_CLOUDS)


def ticket_path(key: str, *parts: str) -> str:
    """Return where a ticket is, or a part of it."""
    return "/".join(["issue", *(quote(part, safe="") for part in (key, *parts))])


def items(reply: Reply, name: str) -> Sequence[JSON]:
    """Return the list of a page, or raise :class:`MalformedReply`: without one it is no page."""
    found = value_at(reply.json(), name)
    if not isinstance(found, list):
        raise MalformedReply(f"{reply.where} sent a page without {name}")
    return found


def thing(reply: Reply, name: str) -> JSON:
    """Return an object that has a required attribute, or raise :class:`MalformedReply`."""
    found = reply.json()
    if value_at(found, name) is None:
        raise MalformedReply(f"{reply.where} sent something without {name}")
    return found


def _next_start(reply: Reply, name: str, start: int) -> str | None:
    """Return where the next page of a list begins; None after the last."""
    page, count = reply.json(), len(items(reply, name))
    begun, total = integer(page, "startAt"), integer(page, "total")
    end = (start if begun is None else begun) + count
    if not count or value_at(page, "isLast") is True or (total is not None and end >= total):
        return None
    return str(end)
