"""MCP over streamable HTTP: on loopback with a token, and on the project's socket."""

import asyncio
import contextlib
import hmac
import os
import secrets
import socket
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import uvicorn
from attrs import define, field
from mcp.server.transport_security import TransportSecuritySettings

from rove_core import DiskTrouble, HttpRequest, HttpResponse, WrongCall, read_file, state_folder
from rove_mcp.server.server import McpServer
from rove_mcp.toolsets import DEFAULT_TOOLSETS

if TYPE_CHECKING:
    from pathlib import Path

    from rove_core import Clock, OperationClient, Project

PATH: Final = "/mcp"
_HOST: Final = "127.0.0.1"
_LARGEST: Final = 4 * 1024 * 1024
_PRIVATE: Final = 0o600

_Asgi = Callable[[Any, Any, Any], Awaitable[None]]
_servers: "WeakKeyDictionary[Project, SocketDoor]" = WeakKeyDictionary()


async def serve_http(
    server: McpServer, *, port: int, token: str, ready: Callable[[str], None]
) -> None:
    """Serve clients with the token, on loopback, until the process is stopped.

    Args:
        server: Answers.
        port: The port; any free one if 0.
        token: What callers have to show.
        ready: Is given the address once it is known.

    Raises:
        WrongCall: The port is taken.
    """
    app = server.lowlevel().streamable_http_app(host=_HOST, max_request_body_size=_LARGEST)
    try:
        listener = socket.create_server((_HOST, port))
        # A head and its body are sent apart: waiting for the first to be confirmed takes 40 ms.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        raise WrongCall(f"port {port} cannot be used: {error.strerror}") from error
    config = uvicorn.Config(behind(app, token), log_level="warning", ws="none")
    ready(f"http://{_HOST}:{listener.getsockname()[1]}{PATH}")
    try:
        await uvicorn.Server(config).serve(sockets=[listener])
    finally:
        listener.close()
        await server.aclose()


def own_token(project: "Path") -> tuple[str, "Path"]:
    """Return the token of a project's server, and its file, which only this user may read.

    It is not in the project, where it could come with a checkout.
    """
    place = state_folder("mcp", project=project, durable=True) / "token"
    try:
        with contextlib.suppress(FileExistsError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            with os.fdopen(os.open(place, flags, _PRIVATE), "w") as file:
                file.write(secrets.token_urlsafe(32))
        place.chmod(_PRIVATE)
        return read_file(place).decode("ascii", "replace").strip(), place
    except OSError as error:
        raise DiskTrouble(f"{place} cannot be written: {error.strerror}") from error


def behind(app: _Asgi, token: str) -> _Asgi:
    """Return an application that requires the token."""
    expected = f"Bearer {token}".encode()

    async def guarded(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  # ASGI
        shown = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] != "http" or hmac.compare_digest(shown, expected):
            await app(scope, receive, send)
            return
        headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return guarded


async def answer(request: HttpRequest, rove: "Project") -> HttpResponse:
    """Answer a request on the project's socket, which only this user can call."""
    door = _servers.get(rove)
    if door is None:
        if rove.client is None:
            raise WrongCall("MCP is served by the project's server", hint="Run: rove mcp serve")
        door = _servers[rove] = SocketDoor(rove.client, rove.clock)
    return await door.answer(request)


@define(eq=False)
class SocketDoor:
    """Answers single requests, without sessions: one JSON reply for each."""

    _client: "OperationClient"
    _clock: "Clock"
    _app: _Asgi | None = field(default=None, init=False)
    _keeper: "asyncio.Task[None] | None" = field(default=None, init=False)

    async def answer(self, request: HttpRequest) -> HttpResponse:
        """Answer a request."""
        app = await self._open()
        status, headers, body = 500, dict[str, str](), bytearray()

        async def send(event: Any) -> None:  # noqa: ANN401  # ASGI
            nonlocal status
            if event["type"] == "http.response.start":
                status = event["status"]
                headers.update((n.decode().lower(), v.decode()) for n, v in event["headers"])
            else:
                body.extend(event.get("body", b""))

        messages = iter([{"type": "http.request", "body": request.body, "more_body": False}])

        async def receive() -> Any:  # noqa: ANN401  # ASGI
            return next(messages, None) or await asyncio.Event().wait()

        await app(_scope(request), receive, send)
        headers.pop("content-length", None)
        return HttpResponse(status, headers, bytes(body))

    async def _open(self) -> _Asgi:
        if self._app is None:
            ready: asyncio.Future[_Asgi] = asyncio.get_running_loop().create_future()
            self._keeper = asyncio.create_task(self._keep(ready))
            self._app = await ready
        return self._app

    async def _keep(self, ready: "asyncio.Future[_Asgi]") -> None:
        lowlevel = McpServer(self._client, DEFAULT_TOOLSETS, self._clock).lowlevel()
        app = lowlevel.streamable_http_app(
            json_response=True,
            stateless_http=True,
            # The socket's caller is this user: its process has been looked at.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        async with lowlevel.session_manager.run():
            ready.set_result(app)
            await asyncio.Event().wait()


def _scope(request: HttpRequest) -> dict[str, object]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": request.query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in request.headers.items()],
        "client": None,
        "server": ("localhost", None),
        "root_path": "",
    }
