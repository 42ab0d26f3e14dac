"""A vendor whose refresh tokens work once: who shows one twice loses the whole login."""

import json
import os
import signal
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import TracebackType
from typing import Any, ClassVar, Final, Self
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

from attrs import asdict, define

from rove_core.clock import SYSTEM

#: Seconds in which a token that has been used is forgiven, at a vendor that forgives.
GRACE: Final = 600.0


@define
class Family:
    """The tokens that descend from one login.

    Attributes:
        grace: Seconds in which the token before the last still works.
        last: The number of the last token that was given.
        spent: The number of the token that it was given for.
        spent_at: When that was first shown.
        grants: How often the last token was exchanged.
        repeats: How often the one before was shown once more, and forgiven.
        revoked: Whether the login is lost.
    """

    grace: float
    last: int = 0
    spent: int = -1
    spent_at: float = 0.0
    grants: int = 0
    repeats: int = 0
    revoked: bool = False

    def exchange(self, shown: int) -> int | None:
        """Return the number of a token's successor; None if it is refused."""
        now = SYSTEM.monotonic()
        is_forgiven = shown == self.spent and now - self.spent_at < self.grace
        if self.revoked or not (shown == self.last or is_forgiven):
            self.revoked = True
            return None
        if shown == self.last:
            self.spent, self.spent_at = shown, now
            self.grants += 1
        else:
            self.repeats += 1
        self.last += 1
        return self.last


class RotatingVendor:
    """The vendor in a process of its own, which outlives all its clients.

    Args:
        grace: Seconds in which the token before the last still works; 0 at a strict vendor.
    """

    def __init__(self, grace: float) -> None:
        self._server = HTTPServer(
            ("127.0.0.1", 0), type("Vendor", (_Handler,), {"family": Family(grace)})
        )
        self.url: Final = f"http://127.0.0.1:{self._server.server_port}"
        self._pid = 0

    def __enter__(self) -> Self:
        self._pid = os.fork()
        if self._pid == 0:
            self._server.serve_forever()
        self._server.server_close()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)

    def log_in(self) -> str:
        """Begin a new family, and return its first token."""
        return str(self._asked("login")["refresh"])

    def family(self) -> Mapping[str, Any]:
        """Return what has become of the family."""
        return self._asked("family")

    def _asked(self, path: str) -> Mapping[str, Any]:
        with urlopen(f"{self.url}/{path}", timeout=60) as reply:  # noqa: S310  # it is a loopback address
            answer: Mapping[str, Any] = json.load(reply)
        return answer


def number_of(refresh: str) -> int:
    """Return the number of a token."""
    return int(refresh.rpartition("-")[2])


class _Handler(BaseHTTPRequestHandler):
    """Answers one request, about the one family there is."""

    family: ClassVar[Family]
    families: ClassVar = 0

    def do_GET(self) -> None:
        """Let somebody log in, or say what has become of the login."""
        if urlsplit(self.path).path == "/login":
            type(self).family = Family(self.family.grace)
            type(self).families += 1
            self._give(0)
        else:
            self._answer(200, asdict(self.family))

    def do_POST(self) -> None:
        """Exchange a token."""
        form = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        if "refresh" not in form:  # Its client was killed while it asked.
            return
        number = self.family.exchange(number_of(form["refresh"][0]))
        if number is None:
            self._answer(401, {})
        else:
            self._give(number)

    def _give(self, number: int) -> None:
        self._answer(200, {"refresh": f"refresh-{self.families}-{number}"})

    def _answer(self, status: int, body: Mapping[str, object]) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def handle(self) -> None:
        """Answer; a client that was killed does not wait for it."""
        try:
            super().handle()
        except ConnectionError:
            self.close_connection = True
