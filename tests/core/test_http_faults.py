import asyncio
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from datetime import timedelta
from functools import partial
from typing import TypeAlias

import pytest

from rove_core.errors import (
    MalformedReply,
    RateLimited,
    RetryLater,
    RoveError,
    TimedOut,
    Unavailable,
)
from rove_core.http import Caps, Http, MemoryLimits, Reply
from rove_core.http.deadline import Deadline
from rove_core.http.gate import Gate
from rove_core.testing.clock import VirtualClock
from rove_core.testing.faults import FAULTS, Fault, FaultProxy, SeenRequest, ServerReply

pytestmark = pytest.mark.anyio

MakeHttp: TypeAlias = Callable[..., Http]

_SLOW = {"drip", "never answers"}
_FOR_TOO_LONG = {"429, three years", "429, a number of 400 digits"}
_UNREADABLE = {
    "1e999",
    "HTML called JSON",
    "HTML instead of JSON",
    "NaN",
    "a number of 5,000 digits",
    "deep JSON",
    "empty body",
    "encoding nobody asked for",
    "gzip bomb",
    "login page with 203",
    "malformed JSON",
    "more than asked for",
    "redirect to another host",
    "redirect to nowhere",
    "wrong content type",
}
_PASSING = sorted(FAULTS.keys() - _SLOW - _FOR_TOO_LONG - _UNREADABLE)


@pytest.mark.parametrize("name", _PASSING)
async def test_a_fault_that_passes_is_survived(name: str, client: MakeHttp) -> None:
    """What happens once costs waiting, and then the reply is there."""
    clock = VirtualClock()
    async with FaultProxy(clock=clock) as proxy:
        proxy.play(FAULTS[name])
        reply = await client(proxy.url, clock=clock).get("thing", deadline=120)

    assert isinstance(reply.json(), dict)


@pytest.mark.parametrize("name", sorted(_UNREADABLE))
async def test_what_cannot_be_read_is_a_malformed_reply(
    name: str, proxy: FaultProxy, client: MakeHttp
) -> None:
    """It is said at once: sending again would bring the same."""
    proxy.play(FAULTS[name], times=None)
    http = client(proxy.url)

    with pytest.raises(MalformedReply):
        (await http.get("thing")).json()
    assert http.counts.retries == 0


@pytest.mark.parametrize("name", sorted(FAULTS))
async def test_a_fault_that_stays_ends_by_the_deadline(
    name: str, proxy: FaultProxy, client: MakeHttp
) -> None:
    """The call returns, with a reply or an error of ours, whatever happens on the wire."""
    proxy.play(FAULTS[name], times=None)

    async with asyncio.timeout(60):
        with suppress(RetryLater, MalformedReply):
            (await client(proxy.url).get("thing", deadline=0.2)).json()


@pytest.mark.parametrize("name", sorted(_SLOW))
async def test_slowness_is_a_timeout(name: str, proxy: FaultProxy, client: MakeHttp) -> None:
    """The deadline is for the whole request, not for the next byte of it."""
    proxy.play(FAULTS[name])

    with pytest.raises(TimedOut, match=r"no answer within 0\.2 s"):
        await client(proxy.url).get("thing", deadline=0.2)


@pytest.mark.parametrize("name", sorted(_FOR_TOO_LONG))
async def test_a_wait_beyond_the_deadline_is_told_at_once(
    name: str, proxy: FaultProxy, client: MakeHttp
) -> None:
    """The error says until when; a wait of years is an hour."""
    clock = VirtualClock()
    proxy.play(FAULTS[name])

    with pytest.raises(RateLimited) as caught:
        await client(proxy.url, clock=clock).get("thing")
    assert caught.value.retry_at == clock.now() + timedelta(hours=1)
    assert clock.monotonic() == 0


async def test_a_limit_holds_for_the_requests_after_it(proxy: FaultProxy, client: MakeHttp) -> None:
    """Who was told to wait does not ask again before the time."""
    proxy.play(FAULTS["429, three years"])
    http = client(proxy.url, clock=VirtualClock())

    for _ in range(3):
        with pytest.raises(RateLimited):
            await http.get("thing")
    assert len(proxy.requests) == 1


async def test_a_limit_holds_for_its_kind_of_endpoint_only(
    proxy: FaultProxy, client: MakeHttp
) -> None:
    """A vendor that limits searches still gives items."""
    proxy.play(FAULTS["429, three years"])
    http = client(proxy.url, clock=VirtualClock())

    with pytest.raises(RateLimited):
        await http.get("search", kind="search")
    assert (await http.get("thing", kind="items")).status == 200


async def test_a_failure_may_ask_to_wait_too(proxy: FaultProxy, client: MakeHttp) -> None:
    """A 503 that names a time beyond the deadline is a limit."""
    proxy.play(Fault(status=503, headers={"retry-after": "60"}), times=None)

    with pytest.raises(RateLimited, match="acme asks to wait until 00:01:00 UTC"):
        await client(proxy.url, clock=VirtualClock()).get("thing")
    assert len(proxy.requests) == 1


async def test_a_limit_that_the_body_names_is_kept(client: MakeHttp) -> None:
    """A vendor's own fault can say until when, where headers do not."""
    clock = VirtualClock()
    until = clock.now() + timedelta(seconds=9)

    def in_its_words(reply: Reply) -> RoveError | None:
        if reply.text == "wait" and clock.now() < until:
            return RateLimited("it asks to wait", retry_at=until)
        return None

    async with FaultProxy(ServerReply(body=b"wait")) as proxy:
        await client(proxy.url, clock=clock).reading(in_its_words).get("thing")

    assert clock.now() == until


async def test_a_limit_that_the_body_names_holds_for_the_requests_after_it(
    proxy: FaultProxy, client: MakeHttp
) -> None:
    """Like one that a header names; and years are an hour."""
    clock = VirtualClock()
    in_years = clock.now() + timedelta(days=999)
    http = client(proxy.url, clock=clock)
    limited = http.reading(lambda _: RateLimited("it asks to wait", retry_at=in_years))

    with pytest.raises(RateLimited) as caught:
        await limited.get("thing")
    assert caught.value.retry_at == clock.now() + timedelta(hours=1)
    with pytest.raises(RateLimited):
        await http.get("thing")
    assert len(proxy.requests) == 1


async def test_a_request_is_sent_three_times(proxy: FaultProxy, client: MakeHttp) -> None:
    """Then the vendor is not there, and the error says where that was."""
    proxy.play(FAULTS["500"], times=None)
    http = client(proxy.url, clock=VirtualClock())

    with pytest.raises(Unavailable, match=f"{proxy.host}/thing answered 500") as caught:
        await http.get("thing", params={"q": "the ticket's words"})
    assert caught.value.account == "acme"
    assert (len(proxy.requests), http.counts.retries) == (3, 2)


async def test_a_host_that_nobody_knows(client: MakeHttp, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next step is to look at the address: no vendor has a status page for a slip."""

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    with pytest.raises(Unavailable, match=r"acme\.invalid/thing") as caught:
        await client("https://acme.invalid", clock=VirtualClock()).get("thing")
    assert caught.value.hint.startswith("The host acme.invalid was not found: check the address")


async def test_a_post_is_not_repeated(proxy: FaultProxy, client: MakeHttp) -> None:
    """Nobody knows what it did before the connection broke."""
    proxy.play(FAULTS["closed without a reply"])

    with pytest.raises(Unavailable):
        await client(proxy.url, clock=VirtualClock()).post("things", json={})
    assert len(proxy.requests) == 1


async def test_a_post_that_only_asks_is_repeated(proxy: FaultProxy, client: MakeHttp) -> None:
    """A search is a question, although it is a POST."""
    proxy.play(FAULTS["closed without a reply"])
    http = client(proxy.url, clock=VirtualClock())

    assert (await http.post("search", json={}, repeatable=True)).status == 200


async def test_a_bomb_stops_at_the_cap(proxy: FaultProxy, client: MakeHttp) -> None:
    """No byte beyond the cap is ever made, however small the compressed body is."""
    proxy.play(FAULTS["gzip bomb"])
    http = client(proxy.url, caps=Caps(body=100_000))

    with pytest.raises(MalformedReply, match=r"sent more than 0\.1 MB"):
        await http.get("thing")
    assert http.counts.bytes == 100_001


async def test_a_body_as_large_as_the_cap_is_taken(client: MakeHttp) -> None:
    """The cap is the largest size that is allowed."""
    async with FaultProxy(ServerReply(body=b"[" + b" " * 98 + b"]")) as proxy:
        reply = await client(proxy.url, caps=Caps(body=100)).get("thing")

    assert len(reply.body) == 100


async def test_an_error_page_of_a_proxy_is_a_failure_in_any_vendors_words(
    proxy: FaultProxy, client: MakeHttp
) -> None:
    """A vendor's fault that cannot read the page does not hide the status."""

    def in_its_words(reply: Reply) -> None:
        reply.json()

    proxy.play(FAULTS["502"], times=None)

    with pytest.raises(Unavailable, match="answered 502"):
        await client(proxy.url, clock=VirtualClock()).reading(in_its_words).get("thing")


async def test_cancelling_ends_a_request(proxy: FaultProxy, client: MakeHttp) -> None:
    """A caller that goes away is not made to wait, and the client is as good as before."""
    arrived = asyncio.Event()

    def arrives(_: SeenRequest) -> bool:
        arrived.set()
        return True

    proxy.play(FAULTS["never answers"], when=arrives)
    http = client(proxy.url)
    request = asyncio.create_task(http.get("thing"))
    await arrived.wait()
    request.cancel()

    with pytest.raises(asyncio.CancelledError):
        await request
    assert (await http.get("thing")).status == 200


async def test_no_more_than_eight_requests_are_under_way() -> None:
    """The ninth waits until one of them is done."""
    clock = VirtualClock()
    gate = Gate(account="acme", caps=Caps(), limits=MemoryLimits(clock=clock), clock=clock)
    turn = partial(gate.open, "kind", Deadline(clock, 30))

    async with AsyncExitStack() as first:
        for _ in range(8):
            await first.enter_async_context(turn())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0), turn():
                pass
    async with turn():
        assert gate.counts.requests == 9
