"""Asana's API: objects, lists page by page, and changes."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Final, TypeVar
from urllib.parse import quote

from rove_asana.errors import change_fault, events_fault, fault, is_expired, unpaid_fault
from rove_core import JSON, Http, MalformedReply, Reply
from rove_core.http import Options, Parameters, cursor_pages
from rove_core.json_reader import read_each, text, value_at

#: How Asana counts: all requests of a minute together, and searches apart.
ASKING: Final[Options] = {"kind": "api"}
SEARCHING: Final[Options] = {"kind": "search", "per_minute": 60}

LARGEST_PAGE: Final = 100
_MOST_PAGES: Final = 1_000
#: How often a list is begun anew, when the place in it has expired.
_BEGINNINGS: Final = 3
_BASE: Final = "api/1.0/"

_Shape = TypeVar("_Shape")


class AsanaApi:
    """Asks Asana as one account.

    Args:
        http: The account's requests.
        page_size: How many things to ask for at once.
    """

    def __init__(self, http: Http, page_size: int) -> None:
        self._http = http.reading(fault)
        self._unpaid = http.reading(unpaid_fault)
        self._events = http.reading(events_fault)
        self._changing = http.reading(change_fault)
        self.page_size = min(page_size, LARGEST_PAGE)

    async def one(
        self, path: str, shape: type[_Shape], fields: str = "", **params: str | int | bool
    ) -> _Shape:
        """Return an object.

        Args:
            path: Where it is, without what stands before it in each address.
            shape: What it is read as.
            fields: The fields that are asked for, with commas between.
            params: Further parameters.
        """
        query: Parameters = {**({"opt_fields": fields} if fields else {}), **params}
        return object_of(await self._http.get(_BASE + path, params=query, **ASKING), shape)

    async def list(
        self, path: str, shape: type[_Shape], fields: str, **params: str | int | bool
    ) -> AsyncGenerator[_Shape, None]:
        """Yield the objects of a list, page by page, each once.

        A place in a list expires; the list is begun anew then.

        Args:
            path: As for :meth:`one`, and the following ones, too.
            shape: What each is read as.
            fields: The fields that are asked for.
            params: Further parameters.
        """
        seen: set[str] = set()
        for left in reversed(range(_BEGINNINGS)):
            try:
                async with aclosing(self._pages(path, {"opt_fields": fields, **params})) as pages:
                    async for page in pages:
                        for gid, each in objects_of(page, shape):
                            if gid not in seen:
                                seen.add(gid)
                                yield each
            except MalformedReply as error:
                if not left or not is_expired(error):
                    raise
            else:
                return

    async def search(self, path: str, **params: str | int | bool) -> Reply | None:
        """Return the reply to a search; None if the workspace does not pay for it."""
        reply = await self._unpaid.get(_BASE + path, params=params, **SEARCHING)
        return None if reply.status == 402 else reply

    async def events(self, **params: str) -> Reply:
        """Return recent events; status 412 means that the token has expired."""
        return await self._events.get(_BASE + "events", params=params, **ASKING)

    async def change(
        self,
        method: str,
        path: str,
        data: Mapping[str, JSON],
        *,
        fields: str = "",
        repeatable: bool = False,
    ) -> Reply:
        """Return the reply to a change.

        Args:
            method: ``PUT`` for what is there, ``POST`` for anything else.
            path: What to change.
            data: The fields, as they are to be.
            fields: The fields that the reply is to have.
            repeatable: Whether it changes nothing more when it comes a second time.
        """
        send = self._changing.put if method == "PUT" else self._changing.post
        query = f"?opt_fields={quote(fields, safe=',')}" if fields else ""
        body: JSON = {"data": dict(data)}
        return await send(_BASE + path + query, json=body, repeatable=repeatable, **ASKING)

    async def upload(self, path: str, content: tuple[str, bytes], fields: str) -> Reply:
        """Return the reply to a file."""
        query = f"?opt_fields={quote(fields, safe=',')}"
        return await self._changing.post(_BASE + path + query, content=content, **ASKING)

    async def _pages(self, path: str, params: Parameters) -> AsyncGenerator[Reply, None]:
        async def ask(offset: str | None) -> Reply:
            query: Parameters = {**params, "limit": self.page_size}
            if offset:
                query = {**query, "offset": offset}
            return await self._http.get(_BASE + path, params=query, **ASKING)

        async with aclosing(cursor_pages(ask, _next_offset, most=_MOST_PAGES)) as replies:
            async for reply in replies:
                yield reply


def object_of(reply: Reply, shape: type[_Shape]) -> _Shape:
    """Return the object that a reply has."""
    for each in read_each([value_at(reply.json(), "data")], shape):
        return each
    raise MalformedReply(f"{reply.where} is not an Asana reply: no data")


def objects_of(reply: Reply, shape: type[_Shape]) -> list[tuple[str, _Shape]]:
    """Return the objects of a list, each with its id."""
    data = value_at(reply.json(), "data")
    if not isinstance(data, list):
        raise MalformedReply(f"{reply.where} is not an Asana reply: no list")
    found = [each for each in data if isinstance(each, Mapping)]
    return list(zip((text(each, "gid") for each in found), read_each(found, shape), strict=True))


def segment(gid: str) -> str:
    """Return an id as a part of a path."""
    return quote(gid, safe="")


def _next_offset(reply: Reply) -> str:
    return text(reply.json(), "next_page", "offset")
