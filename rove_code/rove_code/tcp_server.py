"""Serve ``/coderag`` on a loopback port, to clients that have the token.

A page in a browser can send requests to any port of this machine. It does not know the token; and
one that has its own name lead here is known by that name.
"""

import ipaddress
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from attrs import frozen

from rove_code.access import OWNER, Access, Visitor
from rove_code.query_log import QueryLog
from rove_code.routes import ANSWERS
from rove_code.wire import token_of
from rove_core import HttpRequest, HttpResponse, Locked, RoveError, WrongCall
from rove_core.http.server import Connections, RequestLimits, failure, json_reply

if TYPE_CHECKING:
    from rove_core import Project

_LOG: Final = logging.getLogger("rove.code")
_ADDRESS: Final = "127.0.0.1"
#: A long conversation fits; nobody sends a repository.
_BODY: Final = 8 * 1024 * 1024
_CLOSING: Final = 5.0
_HOST_HINT: Final = f"Ask for {_ADDRESS} or localhost."
_SITE_HINT: Final = "A page of another site may not ask, whatever token it has."
_PATHS_HINT: Final = f"There is: {', '.join(f'POST {path}' for path in ANSWERS)}"


@frozen
class TcpDoor:
    """Answers requests on a port that every user of this machine can reach.

    Attributes:
        rove: The project that is asked.
        access: Who may ask, and what.
        log: Where it is written down what others ask; nowhere unless given.
    """

    rove: "Project"
    access: Access
    log: QueryLog | None = None

    async def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a request; the log gets its path without the query, and no body."""
        try:
            response = await self._answered(request)
        except RoveError as error:
            response = failure(error.http_status, error)
        _LOG.info("%s %s %s", request.method, request.path, response.status)
        return response

    async def _answered(self, request: HttpRequest) -> HttpResponse:
        if not _is_loopback(request.headers.get("host", "")):
            return failure(403, WrongCall("the request is for another host", hint=_HOST_HINT))
        if not _is_from_here(request):
            return failure(403, WrongCall("the request is from another site", hint=_SITE_HINT))
        visitor = Visitor.of(self.access, _token(request))
        if request.path == "/" and request.method == "GET":
            return json_reply(200, {"status": "ok", "paths": list(ANSWERS)})
        answer = ANSWERS.get(request.path)
        if answer is None:
            return failure(404, WrongCall(f"no endpoint {request.path}", hint=_PATHS_HINT))
        if request.method != "POST":
            what = f"{request.method} is not allowed at {request.path}: use POST"
            return failure(405, WrongCall(what), allow="POST")
        try:
            response = await answer(request, self.rove, visitor)
        except RoveError as error:
            self._note(request, visitor, failure(error.http_status, error))
            raise
        self._note(request, visitor, response)
        return response

    def _note(self, request: HttpRequest, visitor: Visitor, response: HttpResponse) -> None:
        if self.log is not None and visitor.user.name != OWNER:
            self.log.add(visitor.user.name, request, response, token=_token(request))


@asynccontextmanager
async def serving(door: TcpDoor, port: int = 0) -> AsyncIterator[int]:
    """Answer on a port of this machine, and give its number.

    Args:
        door: What answers.
        port: The port; default: any free one.

    Raises:
        Locked: Somebody else has the port.
    """
    connections = Connections(door, RequestLimits(body=lambda _: _BODY))
    with _bound(port) as listener:
        await connections.listen(listener)
        try:
            yield listener.getsockname()[1]
        finally:
            await connections.aclose(_CLOSING)


def _bound(port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise WrongCall(f"{port} is no port: give 0 to 65535")
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((_ADDRESS, port))
    except OSError as error:
        listener.close()
        what = f"port {port} of {_ADDRESS} cannot be used: {error.strerror}"
        raise Locked(what, hint="Take another: --port 0 takes any that is free.") from error
    return listener


def _is_loopback(host: str) -> bool:
    """Return whether a Host header names this machine unambiguously."""
    name = host.partition("]")[0].strip("[") if host.startswith("[") else host.partition(":")[0]
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_from_here(request: HttpRequest) -> bool:
    """Return whether a request does not come from a page of another site."""
    origin = request.headers.get("origin")
    if origin is not None and not _is_loopback(origin.partition("://")[2]):
        return False
    return request.headers.get("sec-fetch-site", "none") in {"none", "same-origin", "same-site"}


def _token(request: HttpRequest) -> str:
    """Return the token that a request has: in its head, its address or its body."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    for value in parse_qs(request.query).get("token", ()):
        return value
    return token_of(request.body)
