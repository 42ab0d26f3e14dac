"""Four tickets at a terminal with the vendors' limits, and a refresh with nothing new."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from docs_src.sandbox import Sandbox, vendors

from rove_sim import Conduct, World
from rove_sim.server import Request

TICKETS: Final = "TB-123,TB-124,TB-125,TB-131"
REFRESHED: Final = "TB-123"
#: How long a vendor takes to answer, in seconds.
LATENCY: Final = 0.2
#: Seconds in which what the terminal shows must change.
MOST_STILL: Final = 3
#: Requests of a refresh with nothing new: of all four accounts, and of one kind.
MOST_REQUESTS: Final = 12
MOST_OF_A_KIND: Final = 1
_TMUX: Final = ("tmux", "-L", "rove-four-tickets")
_LONGEST: Final = 600
_ENDED: Final = "exit-code"


def main() -> int:
    """Print how the screen changed and what was requested; return 1 if a bound is broken."""
    if not shutil.which("tmux"):
        sys.exit("this benchmark needs tmux")
    with tempfile.TemporaryDirectory(prefix="rove-four-") as folder, vendors() as world:
        for vendor in world.vendors.values():
            vendor.conduct = Conduct(limits=True, latency=LATENCY)
        sandbox = Sandbox(Path(folder) / "home", world)
        sandbox.log_in()
        sandbox.project.mkdir(exist_ok=True)
        terminal = _on_terminal(sandbox, f"rove --ticket {TICKETS}")
        requests = _of_refresh(sandbox, world)
    return max(terminal, requests)


def _on_terminal(sandbox: Sandbox, command: str) -> int:
    """Run a command in tmux, look at its screen each second, and report how it changed."""
    code = sandbox.home / _ENDED
    script = f"{command}; echo $? > {code}; sleep 2"
    environment = {**sandbox.environment(), "TERM": "xterm-256color", "ROVE_DAEMON": "1"}
    _tmux(
        environment, "new-session", "-d", "-x", "80", "-y", "30", "-c", str(sandbox.project), script
    )
    screens: list[str] = []
    seconds = threading.Event()  # Nobody sets it: it lets a second pass.
    while not code.exists() and len(screens) < _LONGEST:
        screens.append(_tmux(environment, "capture-pane", "-p").stdout)
        seconds.wait(1)
    ended = code.read_text("utf-8").strip() if code.exists() else "none"
    _tmux(environment, "kill-server")
    still = _longest_still(screens)
    print(f"{command}: exit {ended} after {len(screens)} s")
    print(f"longest without a change on the screen: {still} s (less than {MOST_STILL})")
    return int(ended != "0" or still >= MOST_STILL)


def _of_refresh(sandbox: Sandbox, world: World) -> int:
    """Refresh a document with nothing new, and report its requests by account and kind."""
    before = {kind: len(vendor.exchanges) for kind, vendor in world.vendors.items()}
    sandbox.run(f"rove refresh {REFRESHED}")
    asked = Counter(
        (kind, _kind(each.request))
        for kind, vendor in world.vendors.items()
        for each in vendor.exchanges[before[kind] :]
    )
    for (kind, what), count in sorted(asked.items()):
        print(f"{kind:8} {count:3}  {what}")
    print(f"requests of a refresh with nothing new: {asked.total()} (at most {MOST_REQUESTS})")
    return int(asked.total() > MOST_REQUESTS or max(asked.values()) > MOST_OF_A_KIND)


def _longest_still(screens: Sequence[str]) -> int:
    """Return for how many seconds in a row the screen was the same."""
    longest = still = 0
    for before, after in pairwise(screens):
        still = still + 1 if before == after else 0
        longest = max(longest, still)
    return longest


def _tmux(environment: Mapping[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603  # our own command
        [*_TMUX, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def _kind(request: Request) -> str:
    """Return what a request asks for: its path, or its first GraphQL field."""
    body = request.json() if request.path.endswith("graphql") else {}
    query = str(body.get("query", ""))
    field = re.search(r"\{\s*(?:\w+:\s*)?(\w+)", query)
    return f"{request.method} {request.path} {field[1] if field else ''}".strip()


if __name__ == "__main__":
    raise SystemExit(main())
