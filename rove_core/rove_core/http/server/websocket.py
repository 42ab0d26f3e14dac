"""WebSockets on the local server: each message is one request to a route, and its answer.

A route whose method is ``WEBSOCKET`` is asked three kinds of things, by the header
``rove-socket-event``: ``open`` (any answer but 200 refuses the connection), ``message`` and
``close``. ``rove-socket`` tells one connection from another. The answer to a message is a JSON
list; each of its entries is sent as one message.
"""

import asyncio
import json
import logging
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha1
from secrets import token_hex
from typing import TYPE_CHECKING, Final

import attrs
from attrs import define, field

from rove_core.http.server.door import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from wsproto.connection import Connection

#: The method of a route that answers a WebSocket.
WEBSOCKET: Final = "WEBSOCKET"
#: The headers that say which connection it is, and what happened on it.
SOCKET, EVENT = "rove-socket", "rove-socket-event"
#: Bytes of one message: five images of five megabytes each, in base64.
MOST_BYTES: Final = 40 << 20
_PIECE: Final = 1 << 16
_GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_LOG: Final = logging.getLogger("rove.server")

_TOO_LARGE, _FAULT, _NOT_TEXT = 1009, 1011, 1003


def wants_websocket(request: HttpRequest) -> bool:
    """Return whether a request asks for a WebSocket, as RFC 6455 has it."""
    tokens = request.headers.get("connection", "").lower().replace(",", " ").split()
    return (
        request.method == "GET"
        and request.headers.get("upgrade", "").lower() == "websocket"
        and "upgrade" in tokens
        and request.headers.get("sec-websocket-version") == "13"
        and bool(request.headers.get("sec-websocket-key"))
    )


def switching_headers(request: HttpRequest) -> Mapping[str, str]:
    """Return the headers that accept a WebSocket."""
    key = request.headers["sec-websocket-key"].strip().encode("latin-1")
    digest = sha1(key + _GUID)  # noqa: S324  # the protocol has it so; no secret hangs on it
    return {
        "upgrade": "websocket",
        "connection": "upgrade",
        "sec-websocket-accept": b64encode(digest.digest()).decode(),
    }


@define(eq=False)
class WebSocket:
    """A WebSocket connection that a route has accepted.

    It ends when nothing has come for as many seconds as it is given.
    """

    _request: HttpRequest
    _answer: Callable[[HttpRequest], Awaitable[HttpResponse]]
    _idle_seconds: float
    _id: str = field(factory=lambda: token_hex(16), init=False)

    async def opened(self) -> HttpResponse:
        """Return whether the route takes the connection: with 200, or the answer to refuse with."""
        return await self._ask("open")

    async def hold(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, trailing: bytes
    ) -> None:
        """Answer messages until one of the two ends the connection.

        Args:
            reader: What the caller sends.
            writer: Where the answers go.
            trailing: What the caller had sent already.
        """
        from wsproto.connection import (  # noqa: PLC0415  # few servers ever need it
            Connection,
            ConnectionType,
        )

        wire = Connection(ConnectionType.SERVER, trailing_data=trailing)
        talk = _Talk(wire, writer, self._ask)
        try:
            while await talk.answer_frames():
                async with asyncio.timeout(self._idle_seconds):
                    data = await reader.read(_PIECE)
                if not data:
                    return
                wire.receive_data(data)
        finally:
            # The connection may end because the server does: the route is told all the same.
            await asyncio.shield(self._ask("close"))

    async def _ask(self, event: str, body: bytes = b"") -> HttpResponse:
        headers = {**self._request.headers, SOCKET: self._id, EVENT: event}
        request = attrs.evolve(self._request, method=WEBSOCKET, headers=headers, body=body)
        return await self._answer(request)


@define(eq=False)
class _Talk:
    """The messages of a connection."""

    wire: "Connection"
    writer: asyncio.StreamWriter
    ask: Callable[[str, bytes], Awaitable[HttpResponse]]
    parts: list[str] = field(factory=list, init=False)
    length: int = field(default=0, init=False)

    async def answer_frames(self) -> bool:
        """Answer the received frames; return whether the connection continues."""
        from wsproto.events import (  # noqa: PLC0415  # see above
            BytesMessage,
            CloseConnection,
            Ping,
            TextMessage,
        )
        from wsproto.utilities import ProtocolError  # noqa: PLC0415  # see above

        try:
            for event in self.wire.events():
                match event:
                    case TextMessage():
                        if not await self._text(str(event.data), is_last=event.message_finished):
                            return False
                    case BytesMessage():
                        return await self._close(_NOT_TEXT, "send text, not bytes")
                    case Ping():
                        await self._send(self.wire.send(event.response()))
                    case CloseConnection():
                        await self._send(self.wire.send(event.response()))
                        return False
        except ProtocolError as error:
            _LOG.info("a WebSocket broke the protocol: %s", error)
            return False
        return True

    async def _text(self, data: str, *, is_last: bool) -> bool:
        self.parts.append(data)
        self.length += len(data)
        if self.length > MOST_BYTES:
            return await self._close(_TOO_LARGE, f"more than {MOST_BYTES >> 20} MB")
        if not is_last:
            return True
        body = "".join(self.parts).encode()
        self.parts.clear()
        self.length = 0
        reply = await self.ask("message", body)
        if reply.status != 200:
            return await self._close(_FAULT, "the route failed")
        for message in json.loads(reply.body):
            await self._send_text(json.dumps(message, ensure_ascii=False))
        return True

    async def _send_text(self, text: str) -> None:
        from wsproto.events import TextMessage  # noqa: PLC0415  # see above

        await self._send(self.wire.send(TextMessage(data=text)))

    async def _close(self, code: int, reason: str) -> bool:
        from wsproto.events import CloseConnection  # noqa: PLC0415  # see above

        await self._send(self.wire.send(CloseConnection(code=code, reason=reason[:100])))
        return False

    async def _send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()
