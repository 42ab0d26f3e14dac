"""Plugins that block, end or fill their process: it costs their own task, and is told by name."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.server.arguments import Bounds
from rove.server.client import call
from rove.server.start import running, stop
from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.clock import SYSTEM
from rove_core.project.server_state import server_state
from rove_core.store.store import open_store
from rove_core.store.task_changes import cancel_task
from rove_core.store.tasks import Task, TaskState
from rove_core.tasks.leases import owner_pid

if TYPE_CHECKING:
    from tests.app.conftest import Daemon

_PLUGIN = Path(__file__).parent / "plugins" / "wicked.py"
#: What a ticket does, and how the plugin is named for it.
DEEDS = {
    "BLOCK-1": "wicked is not connected: rove_item_detail blocked its thread for 5 s",
    "EXIT-1": "wicked is not connected: rove_item_detail ended its process (exit code 3)",
    "CRASH-1": "wicked is not connected: rove_item_detail ended its process (signal 6)",
}


@pytest.fixture(autouse=True)
def _wicked(
    install_plugin: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Install the plugin, and use two accounts of its kind."""
    install_plugin("wicked", text=_PLUGIN.read_text("utf-8"))
    monkeypatch.setenv("WICKED_GATE", str(tmp_path / "gate"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("ROVE_SOURCES_USE", "wicked,wicked:tame")
    book = AccountStore(Path(os.environ["ROVE_DATA_DIR"]))
    for name in ("wicked", "wicked:tame"):
        book.add(AccountRecord(name=name, kind="wicked"))


def message(task: Task) -> str:
    """Return why a task failed."""
    assert isinstance(task.error, dict)
    return str(task.error["message"])


@pytest.mark.parametrize("ticket", DEEDS)
def test_it_is_named(daemon: "Daemon", ticket: str) -> None:
    """Its ticket cannot be read without it, and it is named; a task beside it is done.

    If it ended its process while that task ran, the document says that an account is missing.
    """
    daemon.start(Bounds(blocked=5.0))
    wicked = daemon.submit("build", tickets=[ticket])
    tame = daemon.submit("build", tickets=["TAME-1"])

    assert daemon.ended(tame).state in {TaskState.DONE, TaskState.PARTIAL}
    assert daemon.ended(wicked).state is TaskState.FAILED
    assert DEEDS[ticket] in message(daemon.task(wicked))


def test_it_is_kept_off(daemon: "Daemon") -> None:
    """The account is not asked again, and documents say so, until the server restarts."""
    daemon.start(Bounds(blocked=5.0))
    daemon.ended(daemon.submit("build", tickets=["EXIT-1"]))
    again = daemon.ended(daemon.submit("build", tickets=["PRINT-1"], source="wicked"))
    daemon.ended(daemon.submit("build", tickets=["TAME-1"]))
    (document,) = daemon.places.context.glob("TAME-1_*.md")

    assert again.state is TaskState.FAILED
    assert "it is not called again until the server restarts" in message(again)
    assert "it is not called again until the server restarts" in document.read_text("utf-8")


def test_what_it_eats(daemon: "Daemon") -> None:
    """Two gigabytes are more than a worker has: that fails in the worker, and the machine lives."""
    daemon.start()
    wicked = daemon.ended(daemon.submit("build", tickets=["EAT-1"]))
    tame = daemon.ended(daemon.submit("build", tickets=["TAME-1"]))

    assert (wicked.state, tame.state) == (TaskState.FAILED, TaskState.DONE)
    assert message(wicked) == "wicked: rove_item_detail: MemoryError"


def test_the_server_answers_throughout(daemon: "Daemon", eventually: Callable[..., None]) -> None:
    """While a plugin blocks its worker, questions are answered."""
    daemon.start(Bounds(blocked=60.0, drain=0.1))
    task = daemon.submit("build", tickets=["BLOCK-1"])
    eventually(Path(os.environ["WICKED_GATE"]).exists)
    answers = [daemon.get("/health")[0] for _ in range(20)]

    assert answers == [200] * 20
    assert daemon.task(task).state is TaskState.RUNNING


def test_a_request_that_is_wicked(daemon: "Daemon") -> None:
    """Its caller is told who it was; the next one finds a server without the plugin."""
    daemon.start(Bounds(blocked=5.0))
    status, told = wicked_request(daemon, "EXIT-1")
    after, _ = wicked_request(daemon, "PRINT-1")

    assert (status, after) == (502, 404)
    assert "wicked/wicked: its code ended its process (exit code 3)" in str(told)


def wicked_request(daemon: "Daemon", deed: str) -> tuple[int, object]:
    """Ask for what the plugin answers itself."""
    return call(daemon.places, "POST", "/wicked", deed)


def test_what_it_prints(daemon: "Daemon") -> None:
    """It is in the log, and nowhere else."""
    daemon.start()
    daemon.ended(daemon.submit("build", tickets=["PRINT-1"]))

    assert "rove.printed" in daemon.log
    assert "what a plugin prints" in daemon.log


def test_settings_that_are_wrong(daemon: "Daemon") -> None:
    """A worker that cannot open the project says why, in the answer and in the task."""
    daemon.start()
    task = daemon.submit("build", tickets=["WAIT-1"])
    stop(daemon.places)
    daemon.places.settings_file.write_text("this is no TOML")
    daemon.start()
    status, told = daemon.get("/operations")

    assert (status, "settings.toml" in str(told)) == (503, True)
    assert daemon.ended(task).state is TaskState.FAILED
    assert "settings.toml" in message(daemon.task(task))


def test_a_drain_gives_back(daemon: "Daemon", eventually: Callable[..., None]) -> None:
    """What is being done when the server ends is queued again, and done by the next one."""
    # On a busy machine a worker stands still for a while, and takes its time to stop.
    server = daemon.start(Bounds(drain=120, blocked=120, begin=240))
    task = daemon.submit("build", tickets=["WAIT-1"])
    eventually(lambda: daemon.task(task).state is TaskState.RUNNING)
    os.kill(server.pid, signal.SIGTERM)
    eventually(lambda: not server_state(daemon.places.rove).running)
    between = daemon.task(task)
    Path(os.environ["WICKED_GATE"]).touch()
    daemon.start()
    after = daemon.ended(task)

    assert (between.state, between.attempt) == (TaskState.QUEUED, 0)
    assert (after.state, after.attempt) == (TaskState.DONE, 1)


@pytest.mark.parametrize("victim", ["worker", "server"])
def test_killed_at_work(daemon: "Daemon", eventually: Callable[..., None], victim: str) -> None:
    """What a killed process was doing is done again, by itself or by the next server."""
    server = daemon.start()
    task = daemon.submit("build", tickets=["WAIT-1"])
    eventually(lambda: daemon.task(task).state is TaskState.RUNNING)
    doing = owner_pid(daemon.task(task).owner)
    assert doing
    Path(os.environ["WICKED_GATE"]).touch()
    os.kill(doing if victim == "worker" else server.pid, signal.SIGKILL)
    if victim == "server":
        eventually(lambda: running(daemon.places) is None)
        daemon.start()
    after = daemon.ended(task)

    assert (after.state, after.attempt) == (TaskState.DONE, 2)
    assert len(tuple(daemon.places.context.glob("WAIT-1_*.md"))) == 1


def test_cancelled_by_its_user(daemon: "Daemon", eventually: Callable[..., None]) -> None:
    """The work stops, and the worker has its next task."""
    daemon.start()
    task = daemon.submit("build", tickets=["WAIT-1"])
    eventually(lambda: daemon.task(task).state is TaskState.RUNNING)
    asyncio.run(cancelled(daemon, task))
    tame = daemon.submit("build", tickets=["TAME-1"])

    assert daemon.ended(tame).state is TaskState.DONE
    assert daemon.task(task).state is TaskState.CANCELLED


async def cancelled(daemon: "Daemon", task: str) -> None:
    """Cancel a task, as another process does."""
    async with (
        open_store(daemon.places.index, clock=SYSTEM) as store,
        store.transaction() as db,
    ):
        await cancel_task(db, task, now=SYSTEM.now())
