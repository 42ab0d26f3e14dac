"""What the tests of the command line share: a project with a document, and ``rove`` itself."""

import asyncio
import codecs
import io
import os
import pty
import select
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING

import pytest
from attrs import frozen

from rove.__main__ import main
from rove.demo import demo
from rove.server.arguments import Bounds
from rove.server.client import call
from rove.server.start import RunningServer, start, stop
from rove_core import run
from rove_core.clock import SYSTEM
from rove_core.project.layout import ProjectPaths
from rove_core.store.connection import open_for_reading
from rove_core.store.tasks import Task, find_task
from rove_core.terminal.screen import PREFERENCES, Preferences
from rove_sim import World, running, sample_company

if TYPE_CHECKING:
    from rove_core.wire.json_types import JSON


@frozen
class Outcome:
    """What a run of ``rove`` gave."""

    code: int
    out: str
    err: str


class Terminal:
    """A terminal with somebody at it."""

    def __init__(self) -> None:
        self._person, self.end = pty.openpty()
        # A character may come in two pieces.
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.seen = ""

    def wait_for(self, text: str) -> None:
        """Look until a text appears."""
        while text not in self.seen:
            assert select.select([self._person], [], [], 180)[0], self.seen
            self.seen += self._decoder.decode(os.read(self._person, 1000))

    def look(self) -> str:
        """Return all that was seen, with what is there now."""
        while select.select([self._person], [], [], 0)[0]:
            self.seen += self._decoder.decode(os.read(self._person, 1000))
        return self.seen

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self._person, f"{text}\n".encode())

    def close(self) -> None:
        """Leave."""
        os.close(self._person)
        os.close(self.end)


Rove = Callable[..., Outcome]
#: Starts the same in a process of its own.
Spawn = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="session")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sample company's document once."""
    folder = tmp_path_factory.mktemp("demonstration")
    run(demo(folder, lambda _: None))
    return folder


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a project in which nothing has happened yet."""
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def project(demonstration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a project of one's own that has the sample company's document."""
    folder = tmp_path / "project"
    shutil.copytree(demonstration, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def rove(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    leaks: Callable[[str | bytes], bool],
) -> Rove:
    """Return what runs ``rove`` with arguments, as its console script does; it prints no login."""
    # What it sets in this process ends with the test.
    monkeypatch.setattr("rove.isolation._is_requested", False)
    for name in Preferences.__annotations__:
        monkeypatch.setattr(PREFERENCES, name, getattr(PREFERENCES, name))

    def call(*arguments: str, typed: str = "") -> Outcome:
        monkeypatch.setattr("sys.argv", ["rove", *arguments])
        monkeypatch.setenv("ROVE_ISOLATION", "0")  # It runs in the process of the tests.
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        code = main()
        outcome = Outcome(code, *capsys.readouterr())
        assert not leaks(outcome.out + outcome.err)
        return outcome

    return call


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    """Return what starts ``rove`` with arguments in a process of its own, by a line of shell."""
    with ExitStack() as stack:

        def call(
            *arguments: str | bytes,
            line: str = 'exec "$@"',
            stdin: int = subprocess.DEVNULL,
            stdout: int = subprocess.PIPE,
            stderr: int = subprocess.PIPE,
        ) -> "subprocess.Popen[str]":
            process = subprocess.Popen(  # noqa: S603  # our own
                ["/bin/sh", "-c", line, "sh", sys.executable, "-m", "rove", *arguments],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                encoding="utf-8",
                errors="surrogateescape",
                start_new_session=True,
            )
            return stack.enter_context(process)

        yield call


class Daemon:
    """A project, and its server if it runs."""

    def __init__(self, root: Path) -> None:
        self.places = ProjectPaths.at(root)

    def start(self, bounds: Bounds | None = None) -> RunningServer:
        """Start it, with bounds of its own if need be."""
        return start(self.places, bounds or Bounds()).server

    def get(self, path: str) -> tuple[int, "JSON"]:
        """Ask it."""
        return call(self.places, "GET", path)

    def post(self, path: str, body: "JSON" = None) -> tuple[int, "JSON"]:
        """Tell it something."""
        return call(self.places, "POST", path, body)

    def submit(self, operation: str, **arguments: "JSON") -> str:
        """Ask for a task, and return its id."""
        asked: JSON = {"operation": operation, "arguments": arguments}
        status, told = call(self.places, "POST", "/tasks", asked)
        assert status == 202, told
        assert isinstance(told, list)
        assert isinstance(told[0], dict)
        return str(told[0]["id"])

    def task(self, task_id: str) -> Task:
        """Return a task as it is now."""
        with open_for_reading(self.places.index) as db:
            task = find_task(db, task_id)
        assert task
        return task

    def ended(self, task_id: str) -> Task:
        """Wait until a task has ended, and return it."""
        eventually(lambda: not self.task(task_id).active)
        return self.task(task_id)

    def workers(self, pid: int) -> list[int]:
        """Return the processes that a server has started, as the system knows them."""
        told = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8")
        return [int(each) for each in told.split()]

    @property
    def log(self) -> str:
        """All that was logged."""
        return (self.places.logs / "debug.log").read_text("utf-8")


def eventually(holds: Callable[[], object], seconds: float = 180) -> None:
    """Look again and again until something holds; it has to, within some time."""
    until = SYSTEM.monotonic() + seconds
    while not holds():
        assert SYSTEM.monotonic() < until
        select.select((), (), (), 0.02)


@pytest.fixture(name="eventually")
def _eventually() -> Callable[..., None]:
    """Return what waits for something to hold."""
    return eventually


@pytest.fixture
def daemon(empty: Path) -> Iterator[Daemon]:
    """Give the server of an empty project, which a test starts; it ends with the test."""
    opened = Daemon(empty)
    yield opened
    stop(opened.places)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """Give a terminal."""
    opened = Terminal()
    yield opened
    opened.close()


@pytest.fixture
def world() -> Iterator[World]:
    """Run the sample company's simulators in a thread of their own."""
    started: Queue[World] = Queue()
    stop = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(_serve(started, stop)))
    thread.start()
    yield started.get(timeout=180)
    stop.set()
    thread.join()


async def _serve(started: Queue[World], stop: threading.Event) -> None:
    async with running(sample_company()) as world:
        started.put(world)
        await asyncio.to_thread(stop.wait)


@frozen
class Tracker:
    """A small vendor: what it answers by path, and what it was asked.

    Attributes:
        url: Where it answers.
        replies: What it answers: a status, a content type and a body.
        asked: The method and the path of each request with the right token.
    """

    url: str
    replies: dict[str, tuple[int, str, str]]
    asked: list[str]


@pytest.fixture
def tracker(install_plugin: Callable[..., None]) -> Iterator[Tracker]:
    """Install a plugin for a tracker, and run it; it lets in whoever says ``CANARY-key``."""
    install_plugin("tracker", text=(Path(__file__).parent / "plugins/tracker.py").read_text())
    asked: list[str] = []
    replies = {path: (200, "application/json", text) for path, text in _TRACKER.items()}
    with ThreadingHTTPServer(("127.0.0.1", 0), _answering(replies, asked)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield Tracker(f"http://127.0.0.1:{server.server_port}", replies, asked)
        server.shutdown()
        thread.join()


@pytest.fixture
def tracking(rove: Rove, tracker: Tracker, empty: Path) -> Path:
    """Connect the tracker, and return the project."""
    outcome = rove(
        "--add-source", "tracker", "--base-url", tracker.url, "--token-stdin", typed="CANARY-key\n"
    )

    assert outcome.code == 0, outcome.err
    tracker.asked.clear()
    return empty


_TRACKER = {
    "/me": '{"name": "Robin Doe", "projects": ["TR"]}',
    "/revoke": "{}",
    "/tickets/TR-1": '{"id": "TR-1", "title": "Keys", "changed": "2024-12-10T09:00:00Z"}',
    "/tickets?q=keys&fields=&page=1": """{"tickets": [
        {"id": "TR-1", "title": "Keys", "changed": "2024-12-10T09:00:00Z"},
        {"id": "TR-2", "title": "More keys", "changed": "2024-12-12T09:00:00Z"}]}""",
    "/tickets?q=none&fields=ticket_title&page=1": '{"tickets": []}',
    "/tickets?q=torn&fields=&page=1": """{"more": true, "tickets": [
        {"id": "TR-1", "title": "Keys", "changed": "2024-12-10T09:00:00Z"}]}""",
    "/tickets?q=torn&fields=&page=2": '{"tickets": [',
}


def _answering(
    replies: dict[str, tuple[int, str, str]], asked: list[str]
) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.replace("%2C", ",")
            status, kind, text = replies.get(path, (404, "application/json", "{}"))
            if kind == "application/json" and self.headers["Authorization"] != "Bearer CANARY-key":
                status, text = 401, "{}"
            else:
                asked.append(f"{self.command} {self.path}")
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        do_POST = do_GET  # noqa: N815  # the server's own name for it

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
