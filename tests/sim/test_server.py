"""The simulators' HTTP server, over real sockets."""

import gzip
from collections.abc import AsyncIterator

import httpx
import pytest

from rove_core.testing import VirtualClock
from rove_sim.etags import revalidate
from rove_sim.server import Request, Response, serve

pytestmark = pytest.mark.anyio


def answer(request: Request) -> Response:
    """Tell what was asked, or what the path says."""
    if request.path == "/long":
        return Response("x" * 10_000)
    if request.path == "/tagged":
        return revalidate(request, Response({"n": 1}))
    if request.path == "/text":
        return Response("plain", 401, {"content-type": "text/plain"})
    if request.path == "/late":
        return Response({}, delay=30)
    return Response({"path": request.path, "query": dict(request.query), "origin": request.origin})


@pytest.fixture
async def client(clock: VirtualClock) -> AsyncIterator[httpx.AsyncClient]:
    """Give a client of a server that tells what it was asked."""
    async with (
        serve(answer, clock=clock) as base_url,
        httpx.AsyncClient(base_url=base_url, trust_env=False) as client,
    ):
        yield client


async def test_tells_where_it_is(client: httpx.AsyncClient) -> None:
    """Links that it makes lead back to where the client found it."""
    reply = (await client.get("/a%2Fb?q=x&empty=")).json()

    assert reply == {
        "path": "/a%2Fb",
        "query": {"q": "x", "empty": ""},
        "origin": str(client.base_url).rstrip("/"),
    }


async def test_packs_what_is_long(client: httpx.AsyncClient) -> None:
    """When the client can unpack it."""
    packed = await client.get("/long")
    async with client.stream("GET", "/long") as raw:
        body = b"".join([part async for part in raw.aiter_raw()])
    plain = await client.get("/long", headers={"accept-encoding": "identity"})

    assert packed.json() == plain.json()
    assert (len(body) < 200, len(gzip.decompress(body))) == (True, 10_002)
    assert "content-encoding" not in plain.headers


async def test_sends_what_changed(client: httpx.AsyncClient) -> None:
    """A reply that the client has already is not sent again."""
    tag = (await client.get("/tagged")).headers["etag"]
    again = await client.get("/tagged", headers={"if-none-match": tag})

    assert (again.status_code, again.content) == (304, b"")
    assert (await client.get("/tagged")).json() == {"n": 1}


async def test_sends_text(client: httpx.AsyncClient) -> None:
    """A vendor's error need not be JSON."""
    reply = await client.get("/text")

    assert (reply.status_code, reply.text) == (401, "plain")


async def test_is_late_on_the_clock(client: httpx.AsyncClient, clock: VirtualClock) -> None:
    """Nobody waits for it really."""
    await client.get("/late")

    assert clock.monotonic() == 30
