"""A small HTTP server for the simulators: loopback only, one handler for every request."""

import gzip
import json
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final, TypeAlias
from urllib.parse import parse_qsl

from attrs import field, frozen

from rove_core import JSON, HttpRequest, HttpResponse
from rove_core.clock import SYSTEM, Clock
from rove_core.http.server import Connections, RequestLimits

_WORTH_PACKING = 512
#: A vendor takes longer questions than our own server, and more callers.
_LIMITS: Final = RequestLimits(head=64 * 1024, body=lambda _: 16 * 1024 * 1024)
_MOST: Final = 1_000


@frozen
class Request:
    """A client's request.

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
    """The simulator's response.

    Attributes:
        value: JSON; a text of another kind says so in its ``content-type``. None is no body.
        delay: How many seconds pass before it is sent.
    """

    value: JSON
    status: int = 200
    headers: Mapping[str, str] = field(factory=dict)
    delay: float = 0.0

    def body(self) -> bytes:
        """Return the body before compression."""
        if self.value is None:
            return b""
        if isinstance(self.value, str) and "content-type" in self.headers:
            return self.value.encode()
        return json.dumps(self.value, ensure_ascii=False).encode()


Handler: TypeAlias = Callable[[Request], Response]


@asynccontextmanager
async def serve(handler: Handler, *, clock: Clock = SYSTEM, port: int = 0) -> AsyncIterator[str]:
    """Serve on a loopback port, a free one when none is named, and give the base URL."""

    async def answer(http_request: HttpRequest) -> HttpResponse:
        request = _request(http_request)
        response = handler(request)
        if response.delay:
            await clock.sleep(response.delay)
        return _packed(request, response)

    connections = Connections(answer, _LIMITS, most=_MOST)
    listener = socket.create_server(("127.0.0.1", port))
    await connections.listen(listener)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        await connections.aclose(0.0)


def _request(request: HttpRequest) -> Request:
    query = dict(parse_qsl(request.query, keep_blank_values=True))
    return Request(request.method, request.path, query, request.headers, request.body)


def _packed(request: Request, response: Response) -> HttpResponse:
    body = response.body()
    headers = {"content-type": "application/json;charset=UTF-8", **response.headers}
    if len(body) >= _WORTH_PACKING and "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, mtime=0)
        headers["content-encoding"] = "gzip"
    return HttpResponse(response.status, headers, body)
