import json
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeAlias

import pytest

from rove_core.errors import ItemNotFound, MalformedReply
from rove_core.http import CachedReply, Http, MemoryCache
from rove_core.http.call_time import Patience, Stopwatch
from rove_core.login import Credential
from rove_core.safety.secret import Secret
from rove_core.testing import VirtualClock
from rove_core.testing.faults import Fault, FaultProxy, SeenRequest, ServerReply

pytestmark = pytest.mark.anyio

MakeHttp: TypeAlias = Callable[..., Http]


def _vendor(seen: SeenRequest) -> ServerReply:
    """Answer with what never changes: 304 to who has it."""
    headers = {"etag": '"v1"', "content-type": "application/json", "link": "<?page=2>; rel=next"}
    if seen.headers.get("if-none-match") == '"v1"':
        return ServerReply(status=304, headers={"etag": '"v1"', "x-left": "9"}, body=b"")
    return ServerReply(headers=headers, body=b'{"id": 1}')


def _login(token: str) -> Callable[[], Awaitable[Credential]]:
    async def give() -> Credential:
        hosts = ("127.0.0.1",)
        return Credential(headers={"Authorization": Secret(token)}, hosts=hosts)

    return give


async def test_what_has_not_changed_is_not_sent_again(client: MakeHttp) -> None:
    """The second reply is the first one, with the newer headers."""
    async with FaultProxy(_vendor) as proxy:
        http = client(proxy.url, cache=MemoryCache())
        first = await http.get("thing")
        second = await http.get("thing")

    assert (second.status, second.body, second.url) == (200, first.body, first.url)
    assert (second.headers["link"], second.headers["x-left"]) == (first.headers["link"], "9")
    assert (http.counts.requests, http.counts.not_modified) == (2, 1)


async def test_a_call_can_forbid_to_keep_its_replies(client: MakeHttp) -> None:
    """As the update of a mirror does: what it copies is stored in the mirror alone."""
    clock, cache = VirtualClock(), MemoryCache()

    async def tell(_: datetime) -> None:
        """Nobody waits."""

    watch = Stopwatch(clock)
    patience = Patience(work=watch, waits=watch, longest=0.0, report=tell, keeps_replies=False)
    async with FaultProxy(_vendor) as proxy:
        http = client(proxy.url, cache=cache)
        with patience.working():
            await http.get("thing")
        await http.get("thing")
        await http.get("thing")

    conditional = ["if-none-match" in each.headers for each in proxy.requests]
    assert conditional == [False, False, True]


async def test_the_date_of_a_change_is_a_condition_too(client: MakeHttp) -> None:
    """For vendors that name no state."""
    date = "Fri, 20 Nov 2026 10:00:00 GMT"
    async with FaultProxy(ServerReply(headers={"last-modified": date})) as proxy:
        http = client(proxy.url, cache=MemoryCache())
        await http.get("thing")
        await http.get("thing")

    assert proxy.requests[1].headers["if-modified-since"] == date


@pytest.mark.parametrize(
    ("path", "headers"), [("thing?page=2", {}), ("other", {}), ("thing", {"accept": "text/plain"})]
)
async def test_another_request_is_another_reply(
    path: str, headers: dict[str, str], client: MakeHttp
) -> None:
    """The whole address and what is accepted make the key."""
    async with FaultProxy(_vendor) as proxy:
        http = client(proxy.url, cache=MemoryCache())
        await http.get("thing")
        await http.get(path, headers=headers)

    assert "if-none-match" not in proxy.requests[1].headers


async def test_a_login_does_not_see_what_another_was_sent(client: MakeHttp) -> None:
    """Two people may share a machine's cache."""
    cache = MemoryCache()
    async with FaultProxy(_vendor) as proxy:
        for token in ("one", "two"):
            credential = Credential(headers={"Authorization": Secret(token)}, hosts=(proxy.host,))

            async def give(credential: Credential = credential) -> Credential:
                return credential

            await client(proxy.url, cache=cache, credential=give).get("thing")

    assert "if-none-match" not in proxy.requests[1].headers


async def test_a_post_is_never_answered_from_what_is_kept(client: MakeHttp) -> None:
    """Its body is not in its address."""
    async with FaultProxy(_vendor) as proxy:
        http = client(proxy.url, cache=MemoryCache())
        await http.post("search", json={"q": 1})
        await http.post("search", json={"q": 2})

    assert "if-none-match" not in proxy.requests[1].headers


@pytest.mark.parametrize(
    "fault",
    [
        Fault(headers={"cache-control": "private, no-store"}),
        Fault(status=203),
        Fault(headers={"etag": "\xff"}),
    ],
)
async def test_what_may_not_be_kept_is_not(fault: Fault, client: MakeHttp) -> None:
    """Because the vendor says so, or it is no plain reply, or the state cannot be named."""
    async with FaultProxy(_vendor) as proxy:
        proxy.play(fault)
        http = client(proxy.url, cache=MemoryCache())
        await http.get("thing")
        await http.get("thing")

    assert "if-none-match" not in proxy.requests[1].headers


_TABLE = "| Host | Password |\n| --- | --- |\n| db1 | Winter2025 |"


def _cell(text: str) -> object:
    paragraph = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
    return {"type": "tableCell", "content": [paragraph]}


def _rows(*rows: tuple[str, ...]) -> object:
    content = [{"type": "tableRow", "content": [_cell(text) for text in row]} for row in rows]
    return {"type": "doc", "version": 1, "content": [{"type": "table", "content": content}]}


@pytest.mark.parametrize(
    ("body", "requests"),
    [
        ({"body": _TABLE}, 0),
        ({"body": "||Host||Password||\r\n|db1|Winter2025|"}, 0),
        ({"body": "<table><tr><th>Password</th></tr><tr><td>Winter2025</td></tr></table>"}, 0),
        ({"values": [{"comment": {"body": _TABLE}}]}, 0),
        ({"fields": {"description": _rows(("Host", "Password"), ("db1", "Winter2025"))}}, 0),
        ({"fields": {"description": _rows(("Host", "Release"), ("db1", "Winter2025"))}}, 1),
        ({"body": "| Host | Release |\n| --- | --- |\n| db1 | Winter2025 |"}, 1),
    ],
)
async def test_a_password_in_a_table_is_not_kept(
    client: MakeHttp, body: object, requests: int
) -> None:
    """The name and the value stand in different cells of what a person reads."""
    headers = {"etag": '"v1"', "content-type": "application/json"}
    async with FaultProxy(ServerReply(headers=headers, body=json.dumps(body).encode())) as proxy:
        http = client(proxy.url, cache=MemoryCache())
        await http.get("thing")
        await http.get("thing")

    conditional = [seen for seen in proxy.requests if "if-none-match" in seen.headers]
    assert len(conditional) == requests


async def test_an_error_is_not_kept(client: MakeHttp) -> None:
    """Not even one that comes with status 200."""
    async with FaultProxy(_vendor) as proxy:
        http = client(proxy.url, cache=MemoryCache())
        with pytest.raises(ItemNotFound):
            await http.reading(lambda _: ItemNotFound("not there")).get("thing")
        await http.get("thing")

    assert "if-none-match" not in proxy.requests[1].headers


async def test_a_304_that_nobody_asked_for_is_malformed(
    proxy: FaultProxy, client: MakeHttp
) -> None:
    """There is nothing it could stand for."""
    proxy.play(Fault(status=304, body=b""))

    with pytest.raises(MalformedReply, match="answered 304"):
        await client(proxy.url, cache=MemoryCache()).get("thing")


def _cached(body: bytes) -> CachedReply:
    return CachedReply(etag='"1"', last_modified="", headers={}, body=body)


async def test_what_was_not_used_for_longest_is_forgotten() -> None:
    """The bodies together stay within the bound."""
    cache = MemoryCache(most_bytes=10)
    await cache.put("a", _cached(b"1234"))
    await cache.put("b", _cached(b"1234"))
    await cache.get("a")
    await cache.put("c", _cached(b"1234"))

    assert await cache.get("a")
    assert not await cache.get("b")
    assert await cache.get("c")


async def test_a_newer_reply_takes_the_place_of_the_older() -> None:
    """It is counted once."""
    cache = MemoryCache(most_bytes=10)
    await cache.put("a", _cached(b"12345678"))
    await cache.put("a", _cached(b"123456"))
    await cache.put("b", _cached(b"1234"))

    assert await cache.get("a") == _cached(b"123456")


async def test_what_is_larger_than_all_is_not_kept() -> None:
    """It would push out everything and not fit then."""
    cache = MemoryCache(most_bytes=10)
    await cache.put("a", _cached(b"1" * 11))

    assert await cache.get("a") is None
