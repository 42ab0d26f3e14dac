"""The REST API of an organization: paths, versions, pages."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from json import dumps
from typing import Final
from urllib.parse import quote, urlencode

from rove_azure.errors import change_faults_of, faults_of
from rove_azure.fields import DELETED, ID
from rove_azure.settings import AzureSettings
from rove_core import JSON, Account, Http, MalformedReply, Reply
from rove_core.http import Options, cursor_pages
from rove_core.json_reader import elements, text, value_at

_VERSION: Final = "7.1"
_COMMENTS: Final = "7.1-preview.4"
_PREVIEW: Final = "7.1-preview"
#: Azure counts all requests of a person as one, and redirects to no page for people.
_OPTIONS: Final[Options] = {
    "kind": "azure",
    "headers": {"X-TFS-FedAuthRedirect": "Suppress"},
}
_PATCH: Final = "application/json-patch+json"
#: The most that each list gives at once, and the most work items.
PAGE: Final = 200
MOST_AT_ONCE: Final = 200
_MOST_PAGES: Final = 1_000


class AzureApi:
    """Asks an organization as one account.

    Args:
        account: Whose it is.
        http: The account's requests.
    """

    def __init__(self, account: Account[AzureSettings], http: Http) -> None:
        self._http = http.reading(faults_of(account))
        self._changing = http.reading(change_faults_of(account))

    async def get(self, path: str, *, version: str = _VERSION, **params: str | int | bool) -> Reply:
        """Return the reply to a GET.

        Args:
            path: Where to, below the organization.
            version: The version of the API.
            params: The query; ``top`` stands for ``$top``.
        """
        return await self._http.get(_path(path, version, params), **_OPTIONS)

    async def ask(self, path: str, body: JSON, **params: str | int | bool) -> Reply:
        """Return the reply to a POST that only asks; arguments as for :meth:`get`."""
        where = _path(path, _VERSION, params)
        return await self._http.post(where, json=body, repeatable=True, **_OPTIONS)

    async def me(self) -> Reply:
        """Return who the login is."""
        return await self.get("_apis/connectionData", version=_PREVIEW)

    async def found(self, query: str, *, most: int) -> list[int]:
        """Return the numbers of the work items that a query finds, in its order."""
        reply = await self.ask("_apis/wit/wiql", {"query": query}, top=most, timePrecision=True)
        numbers = [value_at(each, "id") for each in listed(reply, "workItems")]
        return [each for each in numbers if isinstance(each, int)]

    async def batch(self, numbers: Sequence[int], *fields: str) -> Reply:
        """Return the work items that exist among some numbers.

        Args:
            numbers: Which ones, at most 200.
            fields: Their fields that are wanted; all of them with their relations otherwise.
        """
        body: dict[str, JSON] = {"ids": [*numbers], "errorPolicy": "omit"}
        body |= {"fields": [*fields]} if fields else {"$expand": "relations"}
        return await self.ask("_apis/wit/workitemsbatch", body)

    async def projects(self) -> AsyncGenerator[Reply, None]:
        """Yield the pages of the projects."""

        async def ask(token: str | None) -> Reply:
            params: dict[str, str] = {"continuationToken": token} if token else {}
            return await self.get("_apis/projects", top=PAGE, **params)

        def following(reply: Reply) -> str | None:
            return reply.headers.get("x-ms-continuationtoken") or None

        async with aclosing(cursor_pages(ask, following, most=_MOST_PAGES)) as pages:
            async for page in pages:
                yield page

    async def updates(self, number: int, revision: int) -> AsyncGenerator[Reply, None]:
        """Yield the pages of a work item's history, oldest first.

        Args:
            number: The work item's.
            revision: The number of its latest revision: there are at least as many updates.
        """
        start = 0

        async def ask(cursor: str | None) -> Reply:
            path = f"_apis/wit/workItems/{number}/updates"
            return await self.get(path, top=PAGE, skip=int(cursor or 0))

        def following(reply: Reply) -> str | None:
            nonlocal start
            count = len(listed(reply, "value"))
            start += count
            # Azure may give less than was asked for.
            is_last = not count or (count < PAGE and start >= revision)
            return None if is_last else str(start)

        async with aclosing(cursor_pages(ask, following, most=_MOST_PAGES)) as pages:
            async for page in pages:
                yield page

    async def comments(self, project: str, number: int) -> AsyncGenerator[Reply, None]:
        """Yield the pages of a work item's comments, oldest first."""
        path = f"{part(project)}/_apis/wit/workItems/{number}/comments"

        async def ask(token: str | None) -> Reply:
            params: dict[str, str] = {"continuationToken": token} if token else {}
            return await self.get(path, version=_COMMENTS, top=PAGE, order="asc", **params)

        def following(reply: Reply) -> str | None:
            return text(reply.json(), "continuationToken") or None

        async with aclosing(cursor_pages(ask, following, most=_MOST_PAGES)) as pages:
            async for page in pages:
                yield page

    async def revisions(self, token: str, **since: str) -> AsyncGenerator[Reply, None]:
        """Yield the pages of the log of revisions, each work item at its latest.

        Args:
            token: Where to begin; empty to begin at a time.
            since: That time, as ``startDateTime``.
        """
        path = "_apis/wit/reporting/workitemrevisions"
        shown = f"{ID},{DELETED}"

        async def ask(place: str | None) -> Reply:
            begin = {"continuationToken": place} if place else since
            return await self.get(
                path, includeDeleted=True, includeLatestOnly=True, fields=shown, **begin
            )

        def following(reply: Reply) -> str | None:
            is_last = value_at(reply.json(), "isLastBatch") is not False
            return None if is_last else text(reply.json(), "continuationToken")

        pages = cursor_pages(ask, following, first=token or None, most=_MOST_PAGES)
        async with aclosing(pages) as replies:
            async for page in replies:
                yield page

    async def patch(self, path: str, operations: Sequence[JSON]) -> Reply:
        """Return the reply to a change of a work item, which is sent once.

        Args:
            path: The work item.
            operations: What to change.
        """
        content = _PATCH, dumps(operations).encode()
        where = _path(path, _VERSION, {"expand": "relations"})
        return await self._changing.patch(where, content=content, **_OPTIONS)

    async def create(self, project: str, kind: str, operations: Sequence[JSON]) -> Reply:
        """Return the reply to the creation of a work item, which is sent once."""
        path = f"{part(project)}/_apis/wit/workitems/${part(kind)}"
        content = _PATCH, dumps(operations).encode()
        where = _path(path, _VERSION, {"expand": "relations"})
        return await self._changing.post(where, content=content, **_OPTIONS)

    async def add_comment(self, project: str, number: int, html: str) -> Reply:
        """Return the reply to a new comment, which is sent once."""
        path = f"{part(project)}/_apis/wit/workItems/{number}/comments"
        where = _path(path, _COMMENTS, {"format": "html"})
        return await self._changing.post(where, json={"text": html}, **_OPTIONS)

    async def edit(self, project: str, number: int, comment: int, html: str) -> Reply:
        """Return the reply to other words of a comment."""
        path = f"{part(project)}/_apis/wit/workItems/{number}/comments/{comment}"
        where = _path(path, _COMMENTS, {"format": "html"})
        body: JSON = {"text": html}
        return await self._changing.patch(where, json=body, repeatable=True, **_OPTIONS)

    async def upload(self, project: str, name: str, content: bytes) -> Reply:
        """Return the reply to an uploaded file."""
        where = _path(f"{part(project)}/_apis/wit/attachments", _VERSION, {"fileName": name})
        return await self._changing.post(
            where, content=("application/octet-stream", content), repeatable=True, **_OPTIONS
        )


def part(name: str) -> str:
    """Return a name as a part of a path."""
    return quote(name, safe="")


def listed(reply: Reply, name: str) -> Sequence[JSON]:
    """Return the list of a page, or raise :class:`MalformedReply`: without one it is no page."""
    found = value_at(reply.json(), name)
    if not isinstance(found, list):
        raise MalformedReply(f"{reply.where} sent a page without {name}")
    return elements(found)


def _path(path: str, version: str, params: Mapping[str, str | int | bool]) -> str:
    """Return a path with its query; OData parameters get their dollar sign."""
    arguments = {
        f"${name}" if name in _ODATA else name: _query_value(each) for name, each in params.items()
    }
    query = urlencode({**arguments, "api-version": version}, quote_via=quote, safe="$")
    return f"{path}?{query}"


_ODATA: Final = frozenset({"depth", "expand", "skip", "top"})


def _query_value(value: str | int | bool) -> str:  # noqa: FBT001  # a value of a query
    return str(value).lower() if isinstance(value, bool) else str(value)
