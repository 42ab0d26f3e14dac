"""What the tests of the command line share: a project with a document, and ``rove`` itself."""

import asyncio
import io
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import Queue

import pytest
from attrs import frozen

from rove.__main__ import main
from rove.demo import demo
from rove_core import run
from rove_sim import World, running, sample_company


@frozen
class Outcome:
    """What a run of ``rove`` gave."""

    code: int
    out: str
    err: str


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
def rove(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Rove:
    """Return what runs ``rove`` with arguments, as its console script does."""

    def call(*arguments: str, typed: str = "") -> Outcome:
        monkeypatch.setattr("sys.argv", ["rove", *arguments])
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        code = main()
        return Outcome(code, *capsys.readouterr())

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


@pytest.fixture
def world() -> Iterator[World]:
    """Run the sample company's simulators in a thread of their own."""
    started: Queue[World] = Queue()
    stop = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(_serve(started, stop)))
    thread.start()
    yield started.get(timeout=30)
    stop.set()
    thread.join()


async def _serve(started: Queue[World], stop: threading.Event) -> None:
    async with running(sample_company()) as world:
        started.put(world)
        await asyncio.to_thread(stop.wait)
