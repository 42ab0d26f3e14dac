from collections.abc import Callable
from typing import TypeAlias

import pytest

from rove_core.errors import MalformedReply
from rove_core.http import Http
from rove_core.testing import FAULTS, FaultProxy
from rove_core.testing.clock import VirtualClock
from rove_core.testing.faults import Fault, SeenRequest, ServerReply

pytestmark = pytest.mark.anyio

MakeHttp: TypeAlias = Callable[..., Http]


def _echo(seen: SeenRequest) -> ServerReply:
    body = f"{seen.method} {seen.path} {seen.headers['accept']} {seen.body.decode()}"
    return ServerReply(status=201, headers={"x-from": "behind"}, body=body.encode())


async def test_requests_and_replies_pass_as_they_are(client: MakeHttp) -> None:
    """The server behind sees what the client sent, and the client what it answered."""
    async with FaultProxy(_echo) as behind, FaultProxy(("127.0.0.1", behind.port)) as proxy:
        reply = await client(proxy.url).post("things?q=1", form={"a": "b"})

    assert (reply.status, reply.headers["x-from"]) == (201, "behind")
    assert reply.text == "POST /things?q=1 application/json a=b"
    assert [seen.path for seen in proxy.requests] == ["/things?q=1"]


@pytest.mark.parametrize(
    "fault", [Fault(length="header"), Fault(length="chunks"), Fault(length="not at all")]
)
async def test_a_reply_passes_however_its_length_is_told(fault: Fault, client: MakeHttp) -> None:
    """Chunks too, and what ends with the connection."""
    async with FaultProxy(ServerReply(body=b"x" * 200_000)) as behind:
        behind.play(fault)
        async with FaultProxy(("127.0.0.1", behind.port)) as proxy:
            reply = await client(proxy.url).get("thing")

    assert reply.body == b"x" * 200_000


async def test_a_fault_happens_so_many_times(proxy: FaultProxy, client: MakeHttp) -> None:
    """Then everything is as before."""
    proxy.play(Fault(body=b"[1]"), times=2)
    http = client(proxy.url)

    assert [(await http.get("thing")).text for _ in range(3)] == ["[1]", "[1]", "{}"]


async def test_faults_happen_in_the_order_they_were_asked_for(
    proxy: FaultProxy, client: MakeHttp
) -> None:
    """A play has acts."""
    proxy.play(Fault(body=b"[1]"))
    proxy.play(Fault(body=b"[2]"), times=None)
    http = client(proxy.url)

    assert [(await http.get("thing")).text for _ in range(3)] == ["[1]", "[2]", "[2]"]


async def test_a_fault_happens_to_some_requests(proxy: FaultProxy, client: MakeHttp) -> None:
    """The others are answered meanwhile."""
    proxy.play(Fault(body=b"[1]"), when=lambda seen: seen.path.startswith("/search"))
    http = client(proxy.url)

    assert [(await http.get(path)).text for path in ("thing", "search", "search")] == [
        "{}",
        "[1]",
        "{}",
    ]


async def test_slowness_is_on_the_clock(client: MakeHttp) -> None:
    """A test need not wait for it."""
    clock = VirtualClock()
    async with FaultProxy(ServerReply(body=b"x" * 100), clock=clock) as proxy:
        proxy.play(Fault(latency=7, drip=10))
        await client(proxy.url).get("thing")

    assert clock.monotonic() == 17


async def test_a_fault_adds_to_the_answer(proxy: FaultProxy, client: MakeHttp) -> None:
    """What it does not name stays."""
    proxy.play(Fault(headers={"x-more": "{path} on {port}"}))
    reply = await client(proxy.url).get("thing")

    assert (reply.status, reply.body) == (200, b"{}")
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["x-more"] == f"/thing on {proxy.port}"


async def test_a_bomb_is_small_until_it_is_opened(client: MakeHttp) -> None:
    """It is one stream of gzip, as any client would take it."""
    body = FAULTS["gzip bomb"].body
    assert callable(body)
    async with FaultProxy() as proxy:
        proxy.play(FAULTS["gzip bomb"])

        with pytest.raises(MalformedReply):
            await client(proxy.url).get("thing")
    assert len(body()) < 100_000
