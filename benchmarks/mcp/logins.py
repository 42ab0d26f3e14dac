"""Logging in to an MCP server, by commands: a browser, 16 processes at once, a revoked login."""

import asyncio
import os
import pty
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from tests.mcp.authorization import Authorization
from tests.mcp.servers import app_of, serving, wiki

from benchmarks.mcp.checks import OutsideCheck, check_output
from benchmarks.mcp.programs import OutsidePrograms
from benchmarks.mcp.sample import user_folder

_PROCESSES: Final = 16
_ROUNDS: Final = 1
_LOGIN_NEEDED: Final = 4
#: Seconds that a command may take, and say nothing: 16 of them share the machine.
_PATIENCE: Final = 200.0
_BROWSER: Final = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1]).read()"


def login_checks(programs: OutsidePrograms) -> Iterator[OutsideCheck]:
    """Log in in a browser, renew in many processes, lose the login, and log in again."""
    guard = Authorization(app_of(wiki()))
    with user_folder() as folder, _vendor(guard) as origin:
        project = folder / "project"
        (project / ".rove").mkdir(parents=True)
        browser = folder / "browser.py"
        browser.write_text(_BROWSER, "utf-8")
        opened = {"BROWSER": f"{sys.executable} {browser} %s", "ROVE_DAEMON": "0"}

        def run(command: list[str]) -> "subprocess.CompletedProcess[str]":
            return programs.run(command, cwd=project, timeout=_PATIENCE, **opened)

        add = [
            "rove",
            "--add-source",
            "mcp:wiki",
            "--way=oauth",
            f"--url={origin}/mcp",
        ]
        search = ["rove", "sources", "search", "mcp:wiki", "token"]
        environment = programs.environment(**opened)
        added = _at_terminal(add, project, environment)
        yield check_output("discovery, registration, consent in a browser", added, "can read")
        yield check_output("a search with the login", run(search), "Tokens")
        for number in range(_ROUNDS):
            yield _renewed(number, guard, partial(run, search))
        guard.access.clear()
        guard.refresh.clear()
        lost = run(search)
        is_told = (
            lost.returncode == _LOGIN_NEEDED and "Log in with: rove --add-source" in lost.stderr
        )
        yield OutsideCheck("a revoked login is told, with the command", is_told, lost.stderr[:200])
        yield check_output("and one may log in again", _at_terminal(add, project, environment), "")
        yield check_output("  and search", run(search), "Tokens")


def _renewed(
    number: int, guard: Authorization, search: Callable[[], "subprocess.CompletedProcess[str]"]
) -> OutsideCheck:
    """Let no access token work any more, and many processes notice at once."""
    guard.access.clear()
    before = len(guard.asked)
    with ThreadPoolExecutor(_PROCESSES) as pool:
        done = [pool.submit(search) for _ in range(_PROCESSES)]
        ended = [each.result() for each in done]
    grants = len(guard.asked) - before
    found = sum("Tokens" in each.stdout for each in ended)
    note = f"{found} searches found, {grants} exchanges, refresh tokens left: {len(guard.refresh)}"
    lost = next((each for each in ended if "Tokens" not in each.stdout), None)
    note += f"; one ended with {lost.returncode}: {lost.stderr[:200].strip()}" if lost else ""
    is_fine = found == _PROCESSES and grants == 1 and len(guard.refresh) == 1
    return OutsideCheck(f"expiry {number + 1} in {_PROCESSES} processes", is_fine, note)


def _at_terminal(
    command: list[str], project: Path, environment: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run a command as a person who sits at a terminal, and types nothing."""
    person, end = pty.openpty()
    shown = bytearray()
    with subprocess.Popen(  # noqa: S603  # our own command
        command, cwd=project, env=environment, stdin=end, stdout=end, stderr=end
    ) as process:
        os.close(end)
        with suppress(OSError):  # It is closed when the command has ended.
            while select.select([person], [], [], _PATIENCE)[0]:
                shown += os.read(person, 4_000)
        process.kill()
    os.close(person)
    output = shown.decode("utf-8", "replace")
    return subprocess.CompletedProcess(command, process.returncode, output, output)


@contextmanager
def _vendor(guard: Authorization) -> Iterator[str]:
    """Serve in a thread of its own, as the commands are processes."""
    ready, over = threading.Event(), threading.Event()
    origins = list[str]()

    async def serve() -> None:
        async with serving(guard) as origin:
            origins.append(origin)
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield origins[0]
    finally:
        over.set()
        thread.join()
