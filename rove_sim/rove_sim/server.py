"""A small HTTP server for the simulators: loopback only, one handler for every request."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias
from urllib.parse import parse_qsl, urlsplit

import h11
from attrs import field, frozen

from rove_core.plain import JSON

_CHUNK = 65536


@frozen
class Request:
    """What a client asks."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> dict[str, JSON]:
        """Return the body as a JSON object; an empty one when it is none."""
        value = json.loads(self.body or b"{}")
        return value if isinstance(value, dict) else {}

    def form(self) -> dict[str, str]:
        """Return the body as a form."""
        return dict(parse_qsl(self.body.decode()))


@frozen
class Response:
    """What the simulator answers: JSON."""

    value: JSON
    status: int = 200
    headers: Mapping[str, str] = field(factory=dict)


Handler: TypeAlias = Callable[[Request], Response]


@asynccontextmanager
async def serve(handler: Handler) -> AsyncIterator[str]:
    """Serve on a free loopback port and give the base URL."""
    open_now: dict[asyncio.StreamWriter, asyncio.Event] = {}

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        over = open_now[writer] = asyncio.Event()
        # A client that goes away is no concern of a simulator.
        with suppress(ConnectionError, h11.RemoteProtocolError):
            await _converse(handler, reader, writer)
        writer.close()
        over.set()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for writer in open_now:
            writer.close()
        await asyncio.gather(*(over.wait() for over in open_now.values()))


async def _converse(
    handler: Handler, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    connection = h11.Connection(h11.SERVER)
    while request := await _receive(connection, reader):
        response = handler(request)
        body = json.dumps(response.value).encode()
        headers = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            **response.headers,
        }
        head = h11.Response(status_code=response.status, headers=list(headers.items()))
        for event in (head, h11.Data(data=body), h11.EndOfMessage()):
            writer.write(connection.send(event) or b"")
        await writer.drain()
        if connection.our_state is not h11.DONE:
            return
        connection.start_next_cycle()


async def _receive(connection: h11.Connection, reader: asyncio.StreamReader) -> Request | None:
    head: h11.Request | None = None
    body = b""
    while True:
        match connection.next_event():
            case h11.NEED_DATA:
                connection.receive_data(await reader.read(_CHUNK))
            case h11.Request() as event:
                head = event
            case h11.Data() as event:
                body += bytes(event.data)
            case h11.EndOfMessage() if head:
                return _request(head, body)
            case _:
                return None


def _request(head: h11.Request, body: bytes) -> Request:
    target = urlsplit(head.target.decode())
    headers = {name.decode().lower(): value.decode() for name, value in head.headers}
    return Request(head.method.decode(), target.path, dict(parse_qsl(target.query)), headers, body)
