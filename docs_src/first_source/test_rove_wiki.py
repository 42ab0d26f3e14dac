"""The compliance suite of Rove, against a wiki of two pages."""

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from rove_core.testing import FaultProxy, SeenRequest, ServerReply, SourceTests, Vendor

PAGES: dict[str, dict[str, str | list[dict[str, str]]]] = {
    "WIKI-1": {
        "id": "WIKI-1",
        "title": "How we log in",
        "text": "Partners log in with a key.",
        "author": "Ann",
        "changed": "2024-12-10T09:00:00Z",
        "comments": [
            {"id": "7", "author": "Ben", "text": "Until June.", "at": "2024-12-11T09:00:00Z"}
        ],
    },
    "WIKI-2": {
        "id": "WIKI-2",
        "title": "Pilot",
        "text": "Two customers log in with OAuth2, see WIKI-1.",
        "author": "Ben",
        "changed": "2024-12-12T09:00:00Z",
    },
}


def wiki(seen: SeenRequest) -> ServerReply:
    """Answer as the wiki does."""
    url = urlsplit(seen.path)
    if seen.headers.get("authorization") != "Bearer open-sesame":
        return ServerReply(status=401)
    if url.path == "/api/me":
        return _json({"name": "Robin Doe"})
    if url.path == "/api/pages":
        query = parse_qs(url.query)
        words, first = query["q"][0].lower(), int(query.get("from", ["0"])[0])
        found = [page for page in PAGES.values() if words in str(page["text"]).lower()]
        found.sort(key=lambda page: str(page["changed"]), reverse=True)
        rest = f"?{urlencode({'q': words, 'from': first + 1})}" if found[first + 1 :] else None
        return _json({"pages": found[first : first + 1], "next": rest})
    page = PAGES.get(url.path.removeprefix("/api/pages/"))
    return _json(page) if page else ServerReply(status=404)


def _json(body: object) -> ServerReply:
    return ServerReply(body=json.dumps(body).encode())


class TestWiki(SourceTests):
    """The wiki is a source as Rove wants it."""

    kind = "wiki"
    known, known_kind, unknown = "WIKI-1", "page", "WIKI-999"
    query = "log in"
    mentions = ("see WIKI-1", "(WIKI-1)", "{base_url}/WIKI-1")

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give a wiki that answers on this machine."""
        return _running()


@asynccontextmanager
async def _running() -> AsyncIterator[Vendor]:
    async with FaultProxy(wiki) as server:
        yield Vendor(base_url=server.url, answers={"token": "open-sesame"})
