"""Starting, stopping and looking at a project's server, as ``rove`` does it."""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.server.singleton import take
from rove.server.start import running, start, stop
from rove_core.errors import ServerTrouble
from rove_core.project.server_state import server_state

if TYPE_CHECKING:
    from tests.app.conftest import Daemon, Spawn

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")


def test_it_answers_when_the_command_returns(daemon: "Daemon", spawn: "Spawn") -> None:
    """Whoever has started it may call it at once."""
    out, err = spawn("--start-server").communicate()

    assert re.fullmatch(rf"started: process \d+, version \S+, {daemon.places.socket}\n", out)
    assert err == ""
    assert daemon.get("/health") == (200, {"status": "ok", "version": "0.1.0"})


def test_it_answers_curl(daemon: "Daemon") -> None:
    """A socket that is named from within the project is all that a caller needs to know."""
    daemon.start()
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("there is no curl here")

    command = [curl, "-s", "--unix-socket", ".rove/api.sock", "http://localhost/health"]
    out = subprocess.run(command, capture_output=True, check=True).stdout  # noqa: S603  # as the docs say

    assert out == b'{"status": "ok", "version": "0.1.0"}\n'


def test_it_is_started_once(daemon: "Daemon", spawn: "Spawn") -> None:
    """A second start says so, and ends well."""
    first = daemon.start()
    second = spawn("--start-server")

    assert second.communicate()[0].startswith(f"already running: process {first.pid}, ")
    assert second.returncode == 0


def test_many_at_once(daemon: "Daemon", spawn: "Spawn") -> None:
    """Of twenty who start it at the same moment one does, and all others say that it runs."""
    line = 'for _ in $(seq 20); do "$@" & done; wait'
    out, err = spawn("--start-server", line=line).communicate()
    said = sorted(each.partition(":")[0] for each in out.splitlines())

    assert err == ""
    assert said == ["already running"] * 19 + ["started"]
    assert len(set(re.findall(r"process (\d+)", out))) == 1
    assert running(daemon.places)


def test_it_stops(daemon: "Daemon", spawn: "Spawn") -> None:
    """When the command returns, the process, its lock and its socket are gone."""
    daemon.start()
    run = spawn("--stop-server")

    assert run.communicate() == ("stopped\n", "")
    assert run.returncode == 0
    assert not daemon.places.socket.exists()
    assert not server_state(daemon.places.rove).running


def test_nothing_to_stop(daemon: "Daemon", spawn: "Spawn") -> None:
    """Where none runs, to stop it is no error."""
    run = spawn("--stop-server")

    assert run.communicate() == ("not running\n", "")
    assert run.returncode == 0
    assert not daemon.places.rove.exists()


def test_its_status(daemon: "Daemon", spawn: "Spawn") -> None:
    """The exit code tells a script whether it runs."""
    before = spawn("--server-status")
    before.communicate()
    server = daemon.start()
    after = spawn("--server-status", "--json")
    told = json.loads(after.communicate()[0])

    assert (before.returncode, after.returncode) == (6, 0)
    assert told == {
        "running": True,
        "pid": server.pid,
        "version": "0.1.0",
        "socket": str(daemon.places.socket),
    }


def test_nothing_is_left_on_the_terminal(daemon: "Daemon", spawn: "Spawn") -> None:
    """It holds none of the streams of whoever started it: a pipe from the command ends."""
    out, _ = spawn("--start-server", line='"$@" | cat').communicate(timeout=180)
    server = running(daemon.places)
    assert server
    streams = {str(Path(f"/proc/{server.pid}/fd/{number}").readlink()) for number in (1, 2)}

    assert out.startswith("started")
    assert streams == {str(daemon.places.logs / "server.log")}
    assert Path(f"/proc/{server.pid}/cwd").readlink() == Path("/")


@pytest.mark.parametrize("umask", ["000", "022", "077", "777"])
def test_the_socket_is_private(daemon: "Daemon", spawn: "Spawn", umask: str) -> None:
    """Whatever the umask of whoever starts it, nobody else may call it, or read what it writes."""
    spawn("--start-server", line=f'umask {umask}; exec "$@"').communicate()
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (daemon.places.rove, *daemon.places.rove.rglob("*"))
        if path.name != "logs"
    }

    assert modes.pop(".rove") == 0o700
    assert modes["api.sock"] == 0o600
    assert set(modes.values()) <= {0o600}


def test_the_umask_comes_first(
    daemon: "Daemon", spawn: "Spawn", tmp_path: Path, eventually: Callable[..., None]
) -> None:
    """There is no moment at which the socket could be called by others."""
    strace, log = shutil.which("strace"), tmp_path / "calls"
    if strace is None:
        pytest.skip("there is no strace here")
    traced = f'exec {strace} -f -qq -o {log} -e trace=umask,fchmod,bind,listen "$@"'
    run = spawn("--start-server", line=traced)
    eventually(lambda: running(daemon.places))
    stop(daemon.places)
    run.communicate()
    calls = re.findall(
        r"(umask\(\w+\)|fchmod\(\d+, 0600\)|bind\(.*api\.sock|listen)", log.read_text()
    )
    at = next(number for number, call in enumerate(calls) if call.startswith("bind"))

    assert calls[at - 2].startswith("fchmod")
    assert calls[at - 1] == "umask(0177)"


def test_a_start_that_fails_says_why(daemon: "Daemon", spawn: "Spawn") -> None:
    """What the new process says is what the command says."""
    daemon.places.prepare()
    daemon.places.index.write_bytes(b"this is not a database" * 1000)
    run = spawn("--start-server")
    out, err = run.communicate()

    assert (run.returncode, out) == (6, "")
    assert f"the server does not start: {daemon.places.index} is damaged" in err
    assert not daemon.places.socket.exists()


def test_one_that_does_not_answer(daemon: "Daemon", monkeypatch: pytest.MonkeyPatch) -> None:
    """Who holds the lock and does not answer is named, after some time."""
    daemon.places.prepare()
    folder = os.open(daemon.places.rove, os.O_RDONLY)
    lock = take(folder)
    assert lock is not None
    monkeypatch.setattr("rove.server.start._PATIENCE", 0.1)

    with pytest.raises(ServerTrouble, match=r"daemon\.lock, and does not answer"):
        start(daemon.places)
    os.close(lock)
    os.close(folder)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_good_order(
    daemon: "Daemon", eventually: Callable[..., None], number: int
) -> None:
    """It takes its socket away, and says in the log that it ends."""
    os.kill(daemon.start().pid, number)
    eventually(lambda: not server_state(daemon.places.rove).running)

    assert not daemon.places.socket.exists()
    assert "the server ends" in daemon.log
    assert "Traceback" not in daemon.log


def test_a_newer_command_starts_it_anew(daemon: "Daemon") -> None:
    """An older server ends in good order; one that is as new, or newer, stays."""
    old = daemon.start()
    anew = start(daemon.places, version="99.0.0")
    same = start(daemon.places, version="0.0.9")

    assert (anew.is_new, anew.replaced) == (True, "0.1.0")
    assert anew.server.pid != old.pid
    assert (same.is_new, same.server) == (False, anew.server)


@needs_root
def test_a_project_that_cannot_be_written(daemon: "Daemon", spawn: "Spawn") -> None:
    """What reads works, and to start a server is refused with the reason."""
    daemon.start()
    spawn("--stop-server").communicate()
    root = str(daemon.places.root)
    mounted = f'mount --bind -o ro {root} {root} && cd {root} && exec "$@"'
    line = f"exec unshare -m sh -c '{mounted}' sh \"$@\""

    def read_only(*arguments: str) -> tuple[int, str]:
        run = spawn(*arguments, line=line)
        _, err = run.communicate()
        if "unshare" in err or "mount:" in err:
            pytest.skip(f"nothing can be mounted here: {err}")
        return run.returncode, err

    assert read_only("--status")[0] == 0
    assert read_only("--search", "words")[0] == 0
    assert read_only("--find", "TB-1")[0] == 3
    code, err = read_only("--start-server")
    assert (code, "Read-only file system" in err) == (7, True)
