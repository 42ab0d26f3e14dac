from collections.abc import Callable
from typing import TypeAlias

import pytest

from rove_core.errors import MalformedReply
from rove_core.http import Http, Reply, cursor_pages, next_link
from rove_core.testing.faults import FaultProxy, SeenRequest, ServerReply

pytestmark = pytest.mark.anyio

MakeHttp: TypeAlias = Callable[..., Http]


def _linking(*links: str) -> Callable[[SeenRequest], ServerReply]:
    """Answer each page with the next of these links."""
    following = iter(links)

    def answer(_: SeenRequest) -> ServerReply:
        link = next(following)
        return ServerReply(headers={"link": f"<{link}>; rel=next"} if link else {})

    return answer


async def _urls(http: Http, first: str) -> list[str]:
    return [reply.url async for reply in http.pages(first, next_link, params={"per_page": 2})]


async def test_pages_follow_the_links(client: MakeHttp) -> None:
    """They are asked verbatim, and may be relative."""
    async with FaultProxy(_linking("/repositories/1/issues?page=2", "?after=X", "")) as proxy:
        urls = await _urls(client(proxy.url), "repos/acme/api/issues")

    assert [url.removeprefix(proxy.url) for url in urls] == [
        "/repos/acme/api/issues?per_page=2",
        "/repositories/1/issues?page=2",
        "/repositories/1/issues?after=X",
    ]


@pytest.mark.parametrize(
    "links", [["?per_page=2"], ["#top"], ["?page=2", "?page=2"], ["?page=2", "?page=3", "?page=2"]]
)
async def test_a_page_that_comes_again_ends_it(links: list[str], client: MakeHttp) -> None:
    """What came before is kept, and nothing is asked twice."""
    found: list[Reply] = []

    async def gather(http: Http) -> None:
        async for reply in http.pages("things", next_link, params={"per_page": 2}):
            found.append(reply)  # noqa: PERF401  # what came before the error is the point

    async with FaultProxy(_linking(*links, "")) as proxy:
        with pytest.raises(MalformedReply, match="repeats page"):
            await gather(client(proxy.url))
    assert len(found) == len(proxy.requests) == len(links)


@pytest.mark.parametrize(
    "link", ["http://localhost:1/things?page=2", "//evil.example/things", "https://127.0.0.1/"]
)
async def test_a_page_on_another_host_is_not_followed(link: str, client: MakeHttp) -> None:
    """Not even on another port, or with another scheme."""
    async with FaultProxy(_linking(link)) as proxy:
        with pytest.raises(MalformedReply, match="on another host"):
            await _urls(client(proxy.url), "things")

    assert len(proxy.requests) == 1


async def test_a_page_with_another_scheme_is_not_followed(client: MakeHttp) -> None:
    """A host that is asked in another way is another place."""

    def link(seen: SeenRequest) -> ServerReply:
        return ServerReply(headers={"link": f"<https://{seen.headers['host']}/2>; rel=next"})

    async with FaultProxy(link) as proxy:
        with pytest.raises(MalformedReply, match="on another host"):
            await _urls(client(proxy.url), "things")


async def test_what_is_no_address_is_not_followed(client: MakeHttp) -> None:
    """A vendor's nonsense is its own error, not a traceback."""
    async with FaultProxy() as proxy:
        pages = client(proxy.url).pages("things", lambda _: "http://[")

        with pytest.raises(MalformedReply, match="no valid next page"):
            [reply async for reply in pages]


async def test_pages_have_an_end(proxy: FaultProxy, client: MakeHttp) -> None:
    """A vendor that always has one more is stopped."""
    pages = client(proxy.url).pages("things", lambda reply: f"{reply.url}1", most=7)

    with pytest.raises(MalformedReply, match="more than 7 pages"):
        [reply async for reply in pages]
    assert len(proxy.requests) == 7


def _page(cursor: str | None) -> Reply:
    return Reply(200, f"https://acme.example/search?{cursor}", {}, (cursor or "").encode())


async def test_cursors_are_followed() -> None:
    """The first page has none; an empty one comes after the last."""
    after = {"": "b", "b": "c", "c": ""}

    async def fetch(cursor: str | None) -> Reply:
        return _page(cursor)

    pages = [page.text async for page in cursor_pages(fetch, lambda page: after[page.text])]

    assert pages == ["", "b", "c"]


async def test_a_cursor_that_comes_again_ends_it() -> None:
    """The message names the host and the path."""
    after = {"": "b", "b": "c", "c": "b"}

    async def fetch(cursor: str | None) -> Reply:
        return _page(cursor)

    with pytest.raises(MalformedReply, match=r"acme\.example/search repeats page 3"):
        [page async for page in cursor_pages(fetch, lambda page: after[page.text])]
