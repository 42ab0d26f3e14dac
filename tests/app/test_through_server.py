"""Commands that the project's server carries out: for people it is as if they did it themselves."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.operations.build import BUILD, BuildResults
from rove.server_tasks import waited_for
from rove_core import Unavailable
from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.clock import SYSTEM
from rove_core.operations import Failure
from rove_core.project.local import LocalProject
from rove_core.project.server_state import server_state
from rove_core.store.store import open_store
from rove_core.store.task_changes import cancel_task, claim_task, fail_task
from rove_core.store.tasks import TaskState, list_tasks
from rove_core.tasks.leases import LEASE
from rove_core.tasks.submission import submit
from rove_core.wire.structure import to_json

if TYPE_CHECKING:
    from tests.app.conftest import Daemon, Rove, Spawn, Terminal

_PLUGIN = Path(__file__).parent / "plugins" / "wicked.py"


@pytest.fixture(autouse=True)
def gate(
    install_plugin: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Let commands use a server, and return the file that lets the tickets called WAIT go on."""
    install_plugin("wicked", text=_PLUGIN.read_text("utf-8"))
    monkeypatch.delenv("ROVE_DAEMON")
    monkeypatch.setenv("WICKED_GATE", str(tmp_path / "gate"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("ROVE_SOURCES_USE", "wicked,wicked:tame")
    book = AccountStore(Path(os.environ["ROVE_DATA_DIR"]))
    for name in ("wicked", "wicked:tame"):
        book.add(AccountRecord(name=name, kind="wicked"))
    return tmp_path / "gate"


def _states(daemon: "Daemon") -> list[TaskState]:
    """Return the states of builds; operations with a schedule of their own are tasks as well."""
    with LocalProject(daemon.places).reading() as db:
        return [task.state for task in list_tasks(db) if task.operation == "build"]


@pytest.mark.parametrize(
    "words",
    [
        ["build", "TAME-1", "PRINT-1"],
        ["build", "TAME-1", "--json"],
        ["build", "TAME-1", "--since", "tomorrowish"],
        ["build", "TAME-1", "nonsense!"],
        ["build", "TAME-1", "--source", "nobody"],
        ["refresh", "TAME-404"],
        ["refresh"],
    ],
)
def test_it_is_as_if_done_here(
    rove: "Rove", daemon: "Daemon", monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """The same result, exit code and errors."""
    through = rove(*words)
    state = server_state(daemon.places.rove)
    monkeypatch.setenv("ROVE_DAEMON", "0")
    # A document that is there is refreshed, which tells less.
    here = rove(*words)

    assert state.running
    assert (through.code, _timeless(through.out)) == (here.code, _timeless(here.out))
    assert [line for line in through.err.splitlines() if line.startswith("rove:")] == [
        line for line in here.err.splitlines() if line.startswith("rove:")
    ]


def _timeless(out: str) -> str:
    return "\n".join(line for line in out.splitlines() if "last_updated" not in line)


def test_progress_is_told(rove: "Rove", daemon: "Daemon") -> None:
    """What the worker tells is told here, and a document is there afterwards."""
    outcome = rove("--ticket", "TAME-1")

    assert outcome.code == 0, outcome.err
    assert outcome.out == f"{next(daemon.places.context.iterdir())}\n"
    assert "reading the ticket" in outcome.err
    assert "write     TAME-1_" in outcome.err


def test_the_log_is_printed_when_it_is_wanted(spawn: "Spawn", daemon: "Daemon") -> None:
    """The work is done in another process, which writes the same lines to its own file."""
    command = spawn("-v", "--ticket", "TAME-1")
    _, err = command.communicate()

    assert command.returncode == 0, err
    assert 'DEBUG rove.tasks: build {"tickets":["TAME-1"]}: write TAME-1_' in err
    assert server_state(daemon.places.rove).running


@pytest.mark.usefixtures("daemon")
def test_a_plugin_that_ends_its_worker_is_named(rove: "Rove") -> None:
    """Without it nobody has the ticket; the command says who is left out, and why."""
    outcome = rove("build", "EXIT-1")

    assert outcome.code == 3
    assert "wicked is not connected: rove_item_detail ended its process" in outcome.err


def test_who_detaches_gets_the_tasks(rove: "Rove", daemon: "Daemon", gate: Path) -> None:
    """Their ids are printed, and the server does them."""
    outcome = rove("build", "TAME-1", "WAIT-1", "--detach")
    ids = outcome.out.split()
    again = json.loads(rove("build", "WAIT-1", "--detach", "--json").out)
    gate.touch()

    assert outcome.code == 0
    assert again == ids[1:]
    assert [daemon.ended(each).state for each in ids] == [TaskState.DONE] * 2


def test_ctrl_c_only_ends_the_waiting(
    spawn: "Spawn", daemon: "Daemon", gate: Path, eventually: Callable[..., None]
) -> None:
    """The work goes on, and the message names the commands that show and stop it."""
    process = spawn("build", "WAIT-1")
    eventually(lambda: TaskState.RUNNING in _states(daemon))
    with LocalProject(daemon.places).reading() as db:
        (task,) = [each for each in list_tasks(db) if each.operation == "build"]
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=180)
    gate.touch()
    eventually(lambda: _states(daemon) == [TaskState.DONE])

    assert process.returncode == 130
    assert "the work goes on without you; see it: rove status" in told
    assert f"stop it: rove cancel {task.id}" in " ".join(told.split())


@pytest.mark.parametrize("server", ["", "0"], ids=["through the server", "here"])
def test_a_terminal_says_what_happens_before_anybody_answers(
    spawn: "Spawn", terminal: "Terminal", daemon: "Daemon", gate: Path, server: str
) -> None:
    """A live line is there at once, and names the ticket while its vendor is silent."""
    line = f'TERM=xterm ROVE_DAEMON={server} exec "$@"'
    end = terminal.end
    process = spawn("build", "WAIT-1", line=line, stdin=end, stdout=end, stderr=end)
    terminal.wait_for("starting  0:")
    terminal.wait_for("WAIT-1  0:")
    gate.touch()
    terminal.wait_for("1 document in 0:")

    assert process.wait(timeout=180) == 0, terminal.look()
    assert list(daemon.places.context.glob("WAIT-1*.md"))


def test_a_server_that_is_killed_is_started_again(
    spawn: "Spawn", daemon: "Daemon", gate: Path, eventually: Callable[..., None]
) -> None:
    """Who waits goes on waiting, and gets the document."""
    process = spawn("build", "WAIT-1")
    eventually(lambda: TaskState.RUNNING in _states(daemon))
    killed = server_state(daemon.places.rove).pid
    assert killed
    os.kill(killed, signal.SIGKILL)
    eventually(lambda: server_state(daemon.places.rove).pid not in {None, killed})
    gate.touch()
    path, told = process.communicate(timeout=180)

    assert (process.returncode, told.count("Traceback")) == (0, 0)
    assert Path(path.strip()).is_file()
    assert _states(daemon) == [TaskState.DONE]


def test_a_cancelled_task_is_not_waited_for(
    spawn: "Spawn", daemon: "Daemon", eventually: Callable[..., None]
) -> None:
    """Who waits is told, and the command ends with 6."""
    process = spawn("build", "WAIT-1")
    eventually(lambda: TaskState.RUNNING in _states(daemon))

    async def cancel() -> None:
        async with open_store(daemon.places.index, clock=SYSTEM) as store:
            tasks = await store.read(list_tasks)
            (task,) = (each for each in tasks if each.operation == "build")
            async with store.transaction() as db:
                await cancel_task(db, task.id, now=SYSTEM.now())

    asyncio.run(cancel())
    _, told = process.communicate(timeout=180)

    assert process.returncode == 6
    assert "the task was cancelled" in told


def test_another_environment_does_it_here(
    rove: "Rove", daemon: "Daemon", monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that was started with other logins does not do it; that is told in one line."""
    daemon.start()
    monkeypatch.setenv("ACME_TOKEN", "CANARY-other")
    outcome = rove("build", "TAME-1")

    assert outcome.code == 0
    assert "the server was started in a different environment" in outcome.err
    assert "running without a server" in outcome.err
    assert _states(daemon) == [TaskState.DONE]


def test_where_no_server_can_be_it_is_done_here(rove: "Rove", daemon: "Daemon") -> None:
    """What stands in the socket's place stays, and the document is built."""
    daemon.places.prepare()
    daemon.places.socket.mkdir()
    outcome = rove("build", "TAME-1")

    assert outcome.code == 0
    assert "running without a server" in outcome.err
    assert daemon.places.socket.is_dir()


@pytest.mark.usefixtures("empty")
def test_without_a_server_nobody_can_detach(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody has to do it."""
    monkeypatch.setenv("ROVE_DAEMON", "0")
    outcome = rove("build", "TAME-1", "--detach")

    assert outcome.code == 2
    assert "--detach needs a server" in outcome.err


def test_what_is_only_shown_needs_no_server(rove: "Rove", daemon: "Daemon") -> None:
    """A rehearsal starts none."""
    outcome = rove("build", "TAME-1", "--dry-run")

    assert outcome.code == 0, outcome.err
    assert not server_state(daemon.places.rove).running


def test_what_is_tried_later_is_not_waited_for(empty: Path) -> None:
    """Half an hour is too long to wait: the failure is told, and when it is tried again."""
    project = LocalProject.at(empty)
    project.places.prepare()

    async def failed() -> str:
        async with open_store(project.places.index, clock=SYSTEM) as store:
            (task,) = await submit(store, BUILD, {"tickets": ["TAME-1"]})
            async with store.transaction() as db:
                held = await claim_task(db, "me", now=SYSTEM.now(), lease=LEASE)
                assert held
                error = to_json(Failure.of(Unavailable("the vendor is down")))
                later = SYSTEM.now() + timedelta(minutes=30)
                await fail_task(db, held, error, now=SYSTEM.now(), retry_at=later)
            return task.id

    results = waited_for(project, BUILD, [asyncio.run(failed())], lambda _: None)

    assert isinstance(results, BuildResults)
    assert results.exit_code == 1
    assert results.failed[0].ticket == "TAME-1"
    assert results.failed[0].error.message == "the vendor is down"
    assert "Rove tries again at " in results.failed[0].error.hint
