"""A small HTTP server for the simulators: loopback only, one handler for every request."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias
from urllib.parse import parse_qsl, urlsplit

import h11
from attrs import field, frozen

from rove_core.clock import SYSTEM, Clock
from rove_core.wire.json_types import JSON

_CHUNK = 65536
_WORTH_PACKING = 512


@frozen
class Request:
    """What a client asks.

    Attributes:
        path: As it came, percent-encoded.
        query: Each name once; of a repeated one the last counts.
        headers: By their names in small letters.
    """

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def origin(self) -> str:
        """Where the client believes it talks to, like ``http://127.0.0.1:8000``."""
        return f"http://{self.headers.get('host', '127.0.0.1')}"

    @property
    def media(self) -> str:
        """The kind of its body, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def json(self) -> dict[str, JSON]:
        """Return the body as a JSON object; an empty one when it is none."""
        value = json.loads(self.body or b"{}")
        return value if isinstance(value, dict) else {}

    def form(self) -> dict[str, str]:
        """Return the body as a form."""
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))


@frozen
class Response:
    """What the simulator answers.

    Attributes:
        value: JSON; a text of another kind says so in its ``content-type``. None is no body.
        delay: How many seconds pass before it is sent.
    """

    value: JSON
    status: int = 200
    headers: Mapping[str, str] = field(factory=dict)
    delay: float = 0.0

    def body(self) -> bytes:
        """Return what is sent, before it is packed."""
        if self.value is None:
            return b""
        if isinstance(self.value, str) and "content-type" in self.headers:
            return self.value.encode()
        return json.dumps(self.value, ensure_ascii=False).encode()


Handler: TypeAlias = Callable[[Request], Response]


@asynccontextmanager
async def serve(handler: Handler, *, clock: Clock = SYSTEM, port: int = 0) -> AsyncIterator[str]:
    """Serve on a loopback port, a free one when none is named, and give the base URL."""
    open_now: dict[asyncio.StreamWriter, asyncio.Event] = {}

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        over = open_now[writer] = asyncio.Event()
        # A client that goes away is no concern of a simulator.
        with suppress(ConnectionError, h11.RemoteProtocolError):
            await _Conversation(handler, clock, reader, writer).hold()
        writer.close()
        over.set()

    server = await asyncio.start_server(talk, "127.0.0.1", port)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for writer in open_now:
            writer.close()
        await asyncio.gather(*(over.wait() for over in open_now.values()))


@frozen
class _Conversation:
    """One connection, with one request after the other."""

    handler: Handler
    clock: Clock
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def hold(self) -> None:
        connection = h11.Connection(h11.SERVER)
        while request := await self._receive(connection):
            response = self.handler(request)
            if response.delay:
                await self.clock.sleep(response.delay)
            await self._send(connection, request, response)
            if connection.our_state is not h11.DONE:
                return
            connection.start_next_cycle()

    async def _receive(self, connection: h11.Connection) -> Request | None:
        head: h11.Request | None = None
        body = b""
        while True:
            match connection.next_event():
                case h11.NEED_DATA:
                    connection.receive_data(await self.reader.read(_CHUNK))
                case h11.Request() as event:
                    head = event
                case h11.Data() as event:
                    body += bytes(event.data)
                case h11.EndOfMessage() if head:
                    return _request(head, body)
                case _:
                    return None

    async def _send(self, connection: h11.Connection, asked: Request, response: Response) -> None:
        body = response.body()
        headers = {"content-type": "application/json;charset=UTF-8", **response.headers}
        if len(body) >= _WORTH_PACKING and "gzip" in asked.headers.get("accept-encoding", ""):
            body = gzip.compress(body, mtime=0)
            headers["content-encoding"] = "gzip"
        headers["content-length"] = str(len(body))
        head = h11.Response(status_code=response.status, headers=list(headers.items()))
        events = [head, h11.Data(data=body), h11.EndOfMessage()]
        # A reply that says that nothing changed has no body, whatever its length.
        for event in events if body else (head, h11.EndOfMessage()):
            self.writer.write(connection.send(event) or b"")
        await self.writer.drain()


def _request(head: h11.Request, body: bytes) -> Request:
    target = urlsplit(head.target.decode())
    headers = {name.decode().lower(): value.decode() for name, value in head.headers}
    query = dict(parse_qsl(target.query, keep_blank_values=True))
    return Request(head.method.decode(), target.path, query, headers, body)
