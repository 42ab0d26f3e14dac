"""A server that closes leaves no connection open, however young the connection is."""

import asyncio
import socket
from contextlib import suppress

import pytest

from rove_core.http.server import Connections, HttpRequest, HttpResponse, RequestLimits
from rove_core.testing import FaultProxy

#: Steps of the event loop between a client's connection and the end of the server.
STEPS = range(8)


async def answer(_: HttpRequest) -> HttpResponse:
    """Answer with nothing."""
    return HttpResponse(204, {}, b"")


def is_closed(client: socket.socket) -> bool:
    """Return whether the other side has closed, without waiting for a garbage collector."""
    client.settimeout(60)
    with suppress(ConnectionError):
        return client.recv(1) == b""
    return True


async def wait_for_steps(steps: int) -> None:
    """Let the event loop take a number of steps."""
    for _ in range(steps):
        await asyncio.sleep(0)  # noqa: TID251  # a step of the loop is no time


@pytest.mark.parametrize("steps", STEPS)
def test_server_closes_young_connections(steps: int) -> None:
    """A connection is closed even when its task had no time to start."""

    async def serve() -> socket.socket:
        listener = socket.create_server(("127.0.0.1", 0))
        connections = Connections(answer, RequestLimits())
        await connections.listen(listener)
        client = socket.create_connection(listener.getsockname())
        await wait_for_steps(steps)
        await connections.aclose(0.0)
        return client

    with asyncio.run(serve()) as client:
        assert is_closed(client)


@pytest.mark.parametrize("steps", STEPS)
def test_fault_proxy_closes_young_connections(steps: int) -> None:
    """A connection is closed even when its task had no time to start."""

    async def serve() -> socket.socket:
        async with FaultProxy() as proxy:
            client = socket.create_connection(("127.0.0.1", proxy.port))
            await wait_for_steps(steps)
        return client

    with asyncio.run(serve()) as client:
        assert is_closed(client)
