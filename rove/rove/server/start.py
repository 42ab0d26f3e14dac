"""Start and stop a project's server from another process, whatever its state."""

import json
import os
import re
import select
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Final

from attrs import frozen

from rove import __version__
from rove.server.address import open_folder
from rove.server.arguments import Bounds, ServerOrders
from rove.server.client import call, connect_safely
from rove.server.peers import peer_of
from rove.server.singleton import take
from rove.streams import print_line
from rove_core.clock import SYSTEM
from rove_core.errors import ServerTrouble
from rove_core.project.layout import ProjectPaths
from rove_core.project.server_state import server_state

#: Seconds that a server has to begin to answer, and that another one has to end.
_PATIENCE: Final = 30.0
_PAUSE: Final = 0.02
#: Seconds within which a server that is well says so.
_MOMENT: Final = 10.0
#: Seconds after which a server that was told to end is told again, and then killed.
_HARDER: Final = ((signal.SIGTERM, 12.0), (signal.SIGTERM, 2.0), (signal.SIGKILL, 2.0))
_LAST_LINES: Final = 5
_DEFAULT: Final = Bounds()


@frozen(kw_only=True)
class RunningServer:
    """A server that answers.

    Attributes:
        pid: Its process; 0 if that is hidden from here.
        version: Of which Rove it is.
    """

    pid: int
    version: str


@frozen(kw_only=True)
class ServerStart:
    """The result of starting a server.

    Attributes:
        server: The one that answers now.
        is_new: Whether it was started now.
        replaced: The version of an older one that was ended for it; empty if there was none.
    """

    server: RunningServer
    is_new: bool
    replaced: str = ""


def running(places: ProjectPaths) -> RunningServer | None:
    """Return a project's server, if one answers."""
    try:
        with connect_safely(places, timeout=_MOMENT) as connection:
            pid = peer_of(connection).pid
        status, health = call(places, "GET", "/health", timeout=_MOMENT)
    except OSError:
        return None
    if status != 200 or not isinstance(health, dict):
        return None
    return RunningServer(pid=pid, version=str(health.get("version", "")))


def ensure_server(places: ProjectPaths) -> ServerStart:
    """Return a project's server that answers and is not older than this Rove; start it if need be.

    That an older one was ended for it is told.

    Raises:
        RoveError: None can be started here.
    """
    started = start(places)
    if started.replaced:
        print_line(f"rove: the server of version {started.replaced} was replaced")
    return started


def start(
    places: ProjectPaths, bounds: Bounds = _DEFAULT, *, version: str = __version__
) -> ServerStart:
    """Start a project's server unless one answers; an older version is stopped first.

    Of any number who do this at a time, one starts it, and all return when it answers.

    Args:
        places: The project.
        bounds: Its limits.
        version: Of which Rove it has to be, at least.

    Raises:
        ServerTrouble: It does not start; the message says why.
        UnsafePlace: The project's folders are not such that it could.
        DiskTrouble: Nothing can be written there.
    """
    places.prepare()
    folder, replaced = open_folder(places.rove), ""
    until = SYSTEM.monotonic() + _PATIENCE
    try:
        while SYSTEM.monotonic() < until:
            if (lock := take(folder)) is not None:
                return ServerStart(
                    server=_spawn(places, lock, bounds), is_new=True, replaced=replaced
                )
            there = running(places)
            if there and (replaced or not _is_older(there.version, version)):
                return ServerStart(server=there, is_new=False, replaced=replaced)
            if there:
                stop(places)
                replaced = there.version
            _pause()
    finally:
        os.close(folder)
    raise ServerTrouble(
        f"another server{_log_name(places)} holds {places.rove}/daemon.lock, and does not answer",
        hint="Stop it: rove server stop",
    )


def stop(places: ProjectPaths) -> bool:
    """End a project's server in good order, and return whether one was there, when it is gone.

    Raises:
        ServerTrouble: It does not end.
    """
    if not server_state(places.rove).running:
        return False
    for number, seconds in _HARDER:
        if (pid := _listening_process(places)) is not None:
            _send(pid, number)
        if _is_gone(places, seconds):
            return True
    raise ServerTrouble(
        f"the server{_log_name(places)} does not stop", hint="Kill that process and try again."
    )


def _spawn(places: ProjectPaths, lock: int, bounds: Bounds) -> RunningServer:
    """Start the process, hand the lock over to it, and wait until it answers."""
    pipe, ready = os.pipe()
    try:
        orders = ServerOrders(root=str(places.root), bounds=bounds, lock=lock, ready=ready)
        process = subprocess.Popen(  # noqa: S603  # our own
            [sys.executable, "-P", "-m", "rove.server.server", orders.to_text()],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=ready,
            pass_fds=(lock, ready),
            start_new_session=True,
        )
    finally:
        os.close(ready)
        os.close(lock)
    try:
        version = _version_in(_read_report(pipe))
    except BaseException:
        process.kill()
        process.wait()
        raise
    # It outlives this process: Python would warn that nobody waits for it.
    process.returncode = 0
    return RunningServer(pid=process.pid, version=version)


def _read_report(pipe: int) -> str:
    """Return all that a starting server says, until it has no more to say."""
    output, until = b"", SYSTEM.monotonic() + _PATIENCE
    try:
        while (left := until - SYSTEM.monotonic()) > 0 and select.select([pipe], [], [], left)[0]:
            if not (piece := os.read(pipe, 65_536)):
                break
            output += piece
    finally:
        os.close(pipe)
    return output.decode(errors="replace").strip()


def _version_in(output: str) -> str:
    """Return the version of a server that is ready, or raise its error."""
    lines = output.splitlines()
    try:
        report = json.loads(lines[-1])
        if refused := report.get("refused"):
            raise ServerTrouble(
                f"the server does not start: {refused['message']}", hint=refused["hint"]
            )
        return str(report["version"])
    except (ValueError, IndexError, AttributeError, KeyError):
        last = "\n".join(lines[-_LAST_LINES:]) or "it printed nothing"
        raise ServerTrouble(f"the server does not start: {last}") from None


def _listening_process(places: ProjectPaths) -> int | None:
    """Return the process that listens on a project's socket, according to the kernel."""
    try:
        with connect_safely(places, timeout=_MOMENT) as connection:
            return peer_of(connection).pid or None
    except OSError:
        return None


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _is_gone(places: ProjectPaths, seconds: float) -> bool:
    """Wait for the lock to be released, within a time limit, and return whether it was."""
    until = SYSTEM.monotonic() + seconds
    while server_state(places.rove).running:
        if SYSTEM.monotonic() > until:
            return False
        _pause()
    return True


def _pause() -> None:
    select.select((), (), (), _PAUSE)


def _is_older(version: str, than: str) -> bool:
    return _numbers(version) < _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def _log_name(places: ProjectPaths) -> str:
    pid = server_state(places.rove).pid
    return f" (process {pid})" if pid else ""
