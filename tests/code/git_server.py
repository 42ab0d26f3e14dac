"""A server of git repositories on this machine, as vendors have them: git's own program answers."""

import os
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit
from zlib import compress

from attrs import define, field


@define
class GitServer:
    """What a server does, and what it has seen.

    Attributes:
        root: Where its repositories are.
        login: Who may read them, as ``user:password``; everybody unless given.
        fault: What is wrong with it: it may be ``cut`` in the middle, or ``endless``.
        sends_on: Where it sends everybody on to; nowhere unless given.
        port: Where it answers.
        logins: What logins came with the requests.
        commands: What ran on this machine meanwhile.
    """

    root: Path
    login: str = ""
    fault: str = ""
    sends_on: str = ""
    port: int = 0
    logins: list[str] = field(factory=list)
    commands: set[str] = field(factory=set)

    def address(self, login: str = "") -> str:
        """Return where the shop's repository is."""
        return f"http://{login and f'{login}@'}127.0.0.1:{self.port}/shop/.git"

    @property
    def wanted(self) -> str:
        """What the head of a request must say."""
        return f"Basic {b64encode(self.login.encode()).decode()}" if self.login else ""


@contextmanager
def git_server(root: Path) -> Iterator[GitServer]:
    """Serve the repositories in a folder."""
    server = GitServer(root)
    handler = type("Handler", (_Handler,), {"git": server})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        server.port = http.server_address[1]
        Thread(target=http.serve_forever, daemon=True).start()
        yield server
        http.shutdown()


class _Handler(BaseHTTPRequestHandler):
    git: GitServer

    def do_GET(self) -> None:
        """Answer, unless the login is wrong or the repository is elsewhere."""
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        said = self.headers.get("Authorization", "")
        self.git.logins.append(said)
        self.git.commands.update(_commands())
        if self.git.sends_on:
            self._reply(302, [("Location", f"{self.git.sends_on}{self.path}")])
        elif said != self.git.wanted:
            self._reply(401, [("WWW-Authenticate", "Basic")])
        elif self.git.fault and b"command=fetch" in body:
            self._fail(body)
        else:
            self._reply(200, *self._answered(body))

    do_POST = do_GET  # noqa: N815  # so it is looked for

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _answered(self, body: bytes) -> tuple[list[tuple[str, str]], bytes]:
        """Return the head and the body of what git's own program answers."""
        url = urlsplit(self.path)
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.git.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REQUEST_METHOD": self.command,
            "PATH_INFO": url.path,
            "QUERY_STRING": url.query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
        }
        done = subprocess.run(
            ["git", "-c", "safe.directory=*", "http-backend"],  # noqa: S607  # whichever git
            env=environment,
            input=body,
            capture_output=True,
            check=True,
        )
        head, _, answer = done.stdout.partition(b"\r\n\r\n")
        lines = [line.partition(": ") for line in head.decode().split("\r\n")]
        return [(name, value) for name, _, value in lines], answer

    def _reply(self, status: int, headers: list[tuple[str, str]], answer: bytes = b"") -> None:
        self.send_response(status)
        for name, value in (*headers, ("Content-Length", str(len(answer)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    def _fail(self, body: bytes) -> None:
        headers, answer = self._answered(body)
        self.send_response(200)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        with suppress(OSError):
            if self.git.fault == "cut":
                self.wfile.write(answer[: len(answer) // 2])
            else:
                self.wfile.writelines(_endless_pack())


def _endless_pack() -> Iterator[bytes]:
    """Yield objects without an end, as git sends them."""
    yield b"000dpackfile\n"
    yield _packet(b"PACK" + (2).to_bytes(4, "big") + (10**6).to_bytes(4, "big"))
    # A blob of 2^15 bytes: its kind, and its size in two more bytes.
    yield from repeat(_packet(b"\xb0\x80\x10" + compress(os.urandom(1 << 15), 0)))


def _packet(data: bytes) -> bytes:
    return b"%04x\x01" % (len(data) + 5) + data


def _commands() -> list[str]:
    done = subprocess.run(
        ["ps", "-axww", "-o", "args"],  # noqa: S607  # any
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    return done.stdout.splitlines()
