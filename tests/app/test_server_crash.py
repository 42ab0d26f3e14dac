"""Servers that are killed, and projects that go: nothing stays behind, nothing is in the way."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.server.arguments import Bounds
from rove.server.start import running
from rove.server.worker_handle import WorkerEnded, WorkerHandle
from rove_core.clock import SYSTEM
from rove_core.project.server_state import server_state

if TYPE_CHECKING:
    from tests.app.conftest import Daemon


def is_alive(pid: int) -> bool:
    """Tell whether a process is there, and not only waits to be looked at."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_killed_and_started_again(daemon: "Daemon", eventually: Callable[..., None]) -> None:
    """What a killed server leaves behind hinders nobody."""
    pids = set()
    for _ in range(3):
        server = daemon.start()
        pids.add(server.pid)
        os.kill(server.pid, signal.SIGKILL)
        eventually(lambda: not server_state(daemon.places.rove).running)
        assert daemon.places.socket.is_socket()

    assert daemon.start().pid not in pids
    assert len(pids) == 3
    assert daemon.get("/health")[0] == 200


def test_workers_die_with_it(daemon: "Daemon", eventually: Callable[..., None]) -> None:
    """No worker outlives a server that is killed."""
    server = daemon.start()
    assert daemon.get("/operations")[0] == 200
    workers = daemon.workers(server.pid)
    os.kill(server.pid, signal.SIGKILL)

    # There may be a second one: operations with a schedule of their own need workers as well.
    assert workers
    eventually(lambda: not any(map(is_alive, workers)))


def test_a_worker_that_has_nothing_to_do(daemon: "Daemon", eventually: Callable[..., None]) -> None:
    """It ends by itself, and another one is there for the next request."""
    server = daemon.start(Bounds(idle=0.2))
    for _ in range(2):
        assert daemon.get("/operations")[0] == 200
        eventually(lambda: not daemon.workers(server.pid))


def test_a_killed_worker(daemon: "Daemon") -> None:
    """The next request has the next worker."""
    server = daemon.start()
    assert daemon.get("/operations")[0] == 200
    for worker in daemon.workers(server.pid):
        os.kill(worker, signal.SIGKILL)

    assert daemon.get("/health")[0] == 200
    assert daemon.get("/operations")[0] in {200, 503}
    assert daemon.get("/operations")[0] == 200


def test_what_killed_writers_left_behind(daemon: "Daemon") -> None:
    """A file that was being written when its writer was killed is removed at the next start."""
    daemon.places.context.mkdir()
    left = daemon.places.context / ".TB-1_words.md.0123456789ab.rove-new"
    left.write_text("half a docu")
    daemon.start()

    assert not left.exists()


def test_a_number_that_is_used_again(daemon: "Daemon") -> None:
    """What stands in the lock file is for people: whose number it is now does not matter."""
    daemon.places.prepare()
    told = f'{{"pid": {os.getpid()}, "version": "9", "started_at": "2026-01-01T00:00:00Z"}}'
    (daemon.places.rove / "daemon.lock").write_text(told)

    assert running(daemon.places) is None
    assert daemon.start().pid != os.getpid()


def test_a_worker_gives_way(daemon: "Daemon") -> None:
    """Where the processor is short, the server has it first: it answers while there is work."""
    server = daemon.start()
    daemon.get("/operations")
    first, *_ = daemon.workers(server.pid)  # the others may only just begin

    priorities = [os.getpriority(os.PRIO_PROCESS, pid) for pid in (first, server.pid)]
    assert priorities[0] == min(priorities[1] + 5, 19)  # no process gives way any further


@pytest.mark.anyio
async def test_a_worker_brings_no_project_back(tmp_path: Path) -> None:
    """One that begins when the project has just gone ends, and makes nothing."""
    root = tmp_path / "gone"
    worker = await WorkerHandle.start(root, stamp=0, bounds=Bounds(), kept_off={}, clock=SYSTEM)
    with pytest.raises(WorkerEnded):
        await worker.ask("renew")
    await worker.aclose(5)

    assert not root.exists()


@pytest.mark.anyio
async def test_a_worker_that_has_not_begun_is_not_waited_for(
    empty: Path, install_plugin: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that ends while its worker still loads plugins ends at once."""
    install_plugin("slow_to_load", text="import time\n\ntime.sleep(600)\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    (empty / ".rove").mkdir()
    worker = await WorkerHandle.start(empty, stamp=0, bounds=Bounds(), kept_off={}, clock=SYSTEM)

    async with asyncio.timeout(60):
        await worker.aclose(600)

    assert worker.has_ended


@pytest.mark.parametrize("how", ["removed", "replaced", "moved", "without a socket"])
def test_the_project_goes(daemon: "Daemon", eventually: Callable[..., None], how: str) -> None:
    """A server ends when what it serves is no longer where it was."""
    server = daemon.start(Bounds(watch=0.1))
    rove = daemon.places.rove
    if how == "moved":
        daemon.places.root.rename(daemon.places.root.with_name("elsewhere"))
    elif how == "without a socket":
        daemon.places.socket.unlink()
    else:
        shutil.rmtree(rove)
    if how == "replaced":
        rove.mkdir(mode=0o700)

    eventually(lambda: not is_alive(server.pid))


def test_a_request_shows_that_the_project_is_gone(
    daemon: "Daemon", eventually: Callable[..., None]
) -> None:
    """Whoever calls a server by an old way learns it at once."""
    server = daemon.start(Bounds(watch=3600))
    elsewhere = daemon.places.root.with_name("elsewhere")
    daemon.places.root.rename(elsewhere)
    daemon.places.root.mkdir()
    moved = type(daemon)(elsewhere)
    moved.get("/health")

    eventually(lambda: not is_alive(server.pid))


def test_told_twice(daemon: "Daemon", eventually: Callable[..., None]) -> None:
    """Whoever says twice that it shall end means at once."""
    server = daemon.start()
    os.kill(server.pid, signal.SIGSTOP)
    os.kill(server.pid, signal.SIGTERM)
    os.kill(server.pid, signal.SIGINT)
    os.kill(server.pid, signal.SIGCONT)

    eventually(lambda: not is_alive(server.pid))


def test_it_is_started_by_who_is_killed(daemon: "Daemon", eventually: Callable[..., None]) -> None:
    """A command that is killed while it starts a server leaves one that answers, or none."""
    command = [sys.executable, "-m", "rove", "--start-server"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as run:  # noqa: S603  # our own
        eventually(lambda: server_state(daemon.places.rove).running)
        run.kill()

    assert daemon.start().pid
    assert daemon.get("/health")[0] == 200
