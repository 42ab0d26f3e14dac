"""HTTP/1.1 on one connection, one request after another, within limits."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing, suppress
from http import HTTPStatus
from typing import Final, TypeAlias

import attrs
import h11
from attrs import define, field, frozen

from rove_core.errors import RoveError, TimedOut, WrongCall
from rove_core.http.server.door import HttpRequest, HttpResponse, failure, failure_of
from rove_core.http.server.websocket import (
    WEBSOCKET,
    WebSocket,
    switching_headers,
    wants_websocket,
)

Answer: TypeAlias = Callable[[HttpRequest], Awaitable[HttpResponse]]

_PIECE: Final = 65_536
_REASONS: Final = {int(status): status.phrase for status in HTTPStatus}
_LAST: Final = {"connection": "close"}
#: Seconds in which a caller that was refused may go on sending.
_LINGERING: Final = 1.0


@frozen(kw_only=True)
class RequestLimits:
    """Size and time limits of incoming requests.

    Attributes:
        head: How many bytes the request line and the headers may have.
        body: How many bytes the body of a request to a path may have.
        head_seconds: How long a head may take to arrive, from its first byte.
        body_seconds: How long a body may take to arrive, or an answer to be taken.
        idle_seconds: How long a connection is kept on which nothing comes.
        socket_seconds: The same of a WebSocket, whose caller may have work to do between messages.
    """

    head: int = 8 * 1024
    body: Callable[[str], int] = lambda _: 64 * 1024
    head_seconds: float = 5.0
    body_seconds: float = 30.0
    idle_seconds: float = 30.0
    socket_seconds: float = 600.0


class _Refused(Exception):  # noqa: N818  # it is an answer
    def __init__(self, status: int, error: RoveError) -> None:
        super().__init__(error.message)
        self.answer = failure(status, error)


@define(eq=False)
class HttpConnection:
    """One connection of a caller.

    Attributes:
        is_busy: Whether a request is being answered, or a message of a WebSocket.
    """

    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    _answer: Answer
    _limits: RequestLimits
    is_busy: bool = field(default=False, init=False)
    _http: h11.Connection = field(init=False)

    @_http.default
    def _server(self) -> h11.Connection:
        return h11.Connection(h11.SERVER, max_incomplete_event_size=self._limits.head)

    async def hold(self, refusal: RoveError | None = None) -> None:
        """Answer requests until either side closes; or refuse, with the reason."""
        # A caller that goes away, or that takes no answer, has done harm to nobody.
        with closing(self._writer), suppress(OSError, TimeoutError):
            if refusal:
                await self._send_last(failure(503, refusal))
                return
            while request := await self._request():
                self.is_busy = True
                if wants_websocket(request) and await self._run_websocket(request):
                    return
                is_bare, request = request.method == "HEAD", _as_get(request)
                await self._send(await self._answer_to(request), has_body=not is_bare)
                self.is_busy = False
                if self._http.our_state is h11.MUST_CLOSE:
                    return
                self._http.start_next_cycle()

    async def _run_websocket(self, request: HttpRequest) -> bool:
        """Run a WebSocket if the route accepts it, and return whether it did."""
        socket = WebSocket(request, self._answered_message, self._limits.socket_seconds)
        reply = await socket.opened()
        if reply.status in {404, 405}:
            return False
        if reply.status != 200:
            await self._send_last(reply)
            return True
        headers = [*switching_headers(request).items()]
        await self._write(h11.InformationalResponse(status_code=101, headers=headers))
        self.is_busy = False
        await socket.hold(self._reader, self._writer, self._http.trailing_data[0])
        return True

    async def _answered_message(self, request: HttpRequest) -> HttpResponse:
        """Answer a message; between two of them the connection only waits for its caller."""
        was_busy, self.is_busy = self.is_busy, True
        try:
            return await self._answer_to(request)
        finally:
            self.is_busy = was_busy

    async def _request(self) -> HttpRequest | None:
        """Return the next request, or None when there is none, or none that could be answered."""
        try:
            head = await self._head()
            return None if head is None else await self._read_body(head)
        except _Refused as refused:
            await self._send_last(refused.answer)
        except h11.RemoteProtocolError as error:
            # Half a request and then the end is nobody who waits for an answer.
            if self._http.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
                what = WrongCall(
                    f"this is no HTTP/1.1: {error}", hint="Send a valid request, as curl does."
                )
                await self._send_last(failure(error.error_status_hint, what))
        return None

    async def _head(self) -> h11.Request | None:
        loop, limits = asyncio.get_running_loop(), self._limits
        has_begun = bool(self._http.trailing_data[0])
        try:
            first = limits.head_seconds if has_begun else limits.idle_seconds
            async with asyncio.timeout(first) as deadline:
                while (event := self._http.next_event()) is h11.NEED_DATA:
                    self._http.receive_data(await self._reader.read(limits.head))
                    if not has_begun:
                        has_begun = True
                        deadline.reschedule(loop.time() + limits.head_seconds)
        except TimeoutError:
            if has_begun:
                what = TimedOut(f"no complete request head after {limits.head_seconds:g} s")
                raise _Refused(408, what) from None
            return None
        if not isinstance(event, h11.Request):
            return None
        if _size(event) > limits.head:
            raise _Refused(431, WrongCall(f"the head has more than {limits.head} bytes"))
        return event

    async def _read_body(self, head: h11.Request) -> HttpRequest:
        host, target = _target(head)
        path, _, query = target.partition("?")
        method, headers = head.method.decode(), {**_headers(head), **host}
        if method == WEBSOCKET:
            raise _Refused(501, WrongCall(f"{method} is not an HTTP method"))
        body = await self._body(self._limits.body(path), headers)
        return HttpRequest(method, path, query, headers, body)

    async def _body(self, most: int, headers: Mapping[str, str]) -> bytes:
        if "content-length" not in headers and "transfer-encoding" not in headers:
            self._http.next_event()
            return b""
        too_large = _Refused(413, WrongCall(f"the body has more than {most} bytes"))
        if int(headers.get("content-length", 0)) > most:
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while isinstance(event := await self._event(), h11.Data):
                    body += event.data
                    if len(body) > most:
                        raise too_large
        except TimeoutError:
            what = TimedOut(f"incomplete body after {self._limits.body_seconds:g} s")
            raise _Refused(408, what) from None
        return bytes(body)

    async def _event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                await self._write(h11.InformationalResponse(status_code=100, headers=[]))
            self._http.receive_data(await self._reader.read(_PIECE))
        return event

    async def _answer_to(self, request: HttpRequest) -> HttpResponse:
        try:
            return await self._answer(request)
        except Exception as error:  # noqa: BLE001  # it is logged, and told
            return failure_of(request, error)

    async def _send(self, response: HttpResponse, *, has_body: bool = True) -> None:
        headers = [*response.headers.items(), ("content-length", str(len(response.body)))]
        head = h11.Response(
            status_code=response.status, headers=headers, reason=_REASONS.get(response.status, "")
        )
        body = [h11.Data(data=response.body)] if has_body else []
        await self._write(head, *body, h11.EndOfMessage())

    async def _send_last(self, response: HttpResponse) -> None:
        """Answer and drain the request, or a client that is still sending would miss the answer."""
        await self._send(attrs.evolve(response, headers={**response.headers, **_LAST}))
        self._writer.write_eof()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGERING):
                while await self._reader.read(_PIECE):
                    pass

    async def _write(self, *events: h11.Event) -> None:
        self._writer.write(b"".join(self._http.send(event) or b"" for event in events))
        if self._writer.transport.get_write_buffer_size():
            async with asyncio.timeout(self._limits.body_seconds):
                await self._writer.drain()


def _as_get(request: HttpRequest) -> HttpRequest:
    """Return a request for a head alone as one for the whole, which is answered the same."""
    return attrs.evolve(request, method="GET") if request.method == "HEAD" else request


def _size(head: h11.Request) -> int:
    """Return about how many bytes a head had."""
    return len(head.target) + sum(len(name) + len(value) + 4 for name, value in head.headers)


def _headers(head: h11.Request) -> Mapping[str, str]:
    headers: dict[str, str] = {}
    for name, value in head.headers:
        key, text = name.decode("ascii"), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _target(head: h11.Request) -> tuple[Mapping[str, str], str]:
    """Return path and query; who names the host before them means that one, whatever Host says."""
    target = head.target.decode("ascii")
    _, is_absolute, rest = target.partition("://")
    if not is_absolute or target[0] == "/":
        return {}, target
    host, _, path = rest.partition("/")
    return {"host": host}, f"/{path}"
