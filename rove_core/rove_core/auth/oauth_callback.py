"""Receive the OAuth redirect: one request on loopback."""

import asyncio
import errno
import hmac
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlsplit

from attrs import define, field

from rove_core.auth.oauth._app import REDIRECT_PATH
from rove_core.errors import Locked, LoginRefused, TimedOut
from rove_core.login import LoginRedirect
from rove_core.safety.secret import Secret

if TYPE_CHECKING:
    from rove_core.http.server.door import HttpRequest, HttpResponse

#: Seconds for a person to find a password and agree.
PATIENCE: Final = 300.0

_LARGEST_HEAD: Final = 16_384
_SECONDS_FOR_A_HEAD: Final = 10.0
#: The page that says that all is well is sent though nobody waits for it any more.
_SECONDS_FOR_AN_ANSWER: Final = 1.0
#: A machine without IPv6 says one of these.
_NO_IPV6: Final = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT})
_HEADERS: Final = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "connection": "close",
}
_PAGE: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Rove</title><p>{}</p></html>\n'
)


@define(eq=False)
class Loopback:
    """Waits for the one redirect that ends a login.

    Attributes:
        uri: The address to which the vendor sends the browser.
        state: What it has to bring back.
    """

    uri: str
    state: str = field(factory=lambda: secrets.token_urlsafe(32), repr=False)
    _came: "asyncio.Future[LoginRedirect]" = field(factory=asyncio.Future, init=False, repr=False)
    _strayed: bool = field(default=False, init=False)

    def take(self, address: str) -> bool:
        """Accept a redirect address; return whether it belongs to this login.

        Args:
            address: The whole of it, or its path and query.
        """
        parameters = self._parameters(address)
        if not parameters or self._came.done():
            return False
        if not hmac.compare_digest(parameters.get("state", "").encode(), self.state.encode()):
            self._strayed = True
            return False
        fields = {name: Secret(value) for name, value in parameters.items()}
        self._came.set_result(LoginRedirect(self.uri, fields))
        return True

    async def redirected(self, *, patience: float = PATIENCE) -> LoginRedirect:
        """Return what came back.

        Args:
            patience: How many seconds to wait for it.

        Raises:
            LoginRefused: Only the end of another login came.
            TimedOut: Nothing came.
        """
        try:
            async with asyncio.timeout(patience):
                return await self._came
        except TimeoutError:
            pass
        if self._strayed:
            raise LoginRefused(
                "the browser came back from another login: its state does not match",
                hint="Close old pages of the vendor",
            )
        raise TimedOut(
            f"the browser did not return from the vendor's page within {patience:g} s",
            hint="Run the same command again, and approve the login on the page it prints.",
        )

    async def answer(self, request: "HttpRequest") -> "HttpResponse":
        """Answer a browser's request without showing or logging its content."""
        from rove_core.http.server.door import HttpResponse  # noqa: PLC0415  # few log in

        status, message = self._reply(request)
        return HttpResponse(status, _HEADERS, _PAGE.format(message).encode())

    def _reply(self, request: "HttpRequest") -> tuple[int, str]:
        # Of several hosts, all are told in one: that is none of ours.
        if request.headers.get("host", "").lower() not in self._hosts:
            return 421, "Not a valid address."
        if request.method != "GET":
            return 405, "This page only answers GET."
        if request.path != REDIRECT_PATH:
            return 404, "Nothing here."
        if not self.take(f"{request.path}?{request.query}"):
            return 400, "This is not the login that Rove is waiting for."
        return 200, "Rove has the vendor's answer. Close this page and return to the terminal."

    @property
    def _hosts(self) -> tuple[str, ...]:
        port = urlsplit(self.uri).port
        return tuple(f"{name}:{port}" for name in ("localhost", "127.0.0.1", "[::1]"))

    def _parameters(self, address: str) -> dict[str, str]:
        """Return the parameters of a redirect; empty if it is not ours or repeats one."""
        try:
            parts = urlsplit(address.strip())
            pairs = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True)
        except ValueError:
            return {}
        own = not parts.netloc or (parts.scheme == "http" and parts.netloc.lower() in self._hosts)
        if not own or parts.path != REDIRECT_PATH or len(dict(pairs)) != len(pairs):
            return {}
        return dict(pairs)


@asynccontextmanager
async def listening(port: int = 0) -> AsyncIterator[Loopback]:
    """Listen on this machine, as long as the context is open.

    Args:
        port: Where; on any free port if 0.

    Raises:
        Locked: The port is taken.
    """
    from rove_core.http.server.connections import Connections  # noqa: PLC0415  # few log in
    from rove_core.http.server.http1 import RequestLimits  # noqa: PLC0415  # as above

    sockets = _sockets(port)
    loopback = Loopback(f"http://localhost:{sockets[0].getsockname()[1]}{REDIRECT_PATH}")
    limits = RequestLimits(head=_LARGEST_HEAD, head_seconds=_SECONDS_FOR_A_HEAD, body=lambda _: 0)
    connections = Connections(loopback.answer, limits)
    for each in sockets:
        await connections.listen(each)
    try:
        yield loopback
    finally:
        await connections.aclose(_SECONDS_FOR_AN_ANSWER)


def _sockets(port: int) -> list[socket.socket]:
    """Return a socket for each way in which a browser may read ``localhost``.

    Were the second left to others, they could be sent what is meant for this process.
    """
    try:
        first = socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise _port_taken(port) from error
    try:
        there = ("::1", first.getsockname()[1])
        return [first, socket.create_server(there, family=socket.AF_INET6)]
    except OSError as error:
        if error.errno in _NO_IPV6:
            return [first]
        first.close()
        raise _port_taken(port) from error


def _port_taken(port: int) -> Locked:
    return Locked(
        f"port {port} of this machine, needed for the vendor's redirect, is in use",
        hint="Stop the program that uses it, or set another port in your app and here: "
        "--set redirect_port=PORT",
    )
