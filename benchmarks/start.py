"""How much processor time the quick commands take, in multiples of an empty Python's."""

import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

RUNS: Final = 25
TICKET: Final = "TB-123"
ROVE: Final = Path(sysconfig.get_path("scripts"), "rove")
FLOOR: Final = (sys.executable, "-c", "pass")
#: What the project remembers, so that the commands that tell of it have something to tell.
REMEMBERED: Final = (
    ("session", "start", TICKET),
    ("session", "note", "discovery", "Limits are per account"),
    ("session", "end"),
    ("plan", "create", "Read the limit from the headers", "--external-item-id", TICKET),
    ("memory", "store", "limits", "Limits are per account", "warning"),
    # A project of somebody who works with it has a settings file.
    ("settings", "set", "ai.max_hops", "2"),
    ("folder", "link", "../linked"),
    ("folder", "scan"),
)
#: What is measured, and the multiple of the floor it may take.
TARGETS: Final[Mapping[tuple[str, ...], float]] = {
    ("--version",): 2.0,
    ("--find", TICKET): 2.0,
    ("--api-find", TICKET): 2.0,
    ("--status",): 7.0,
    ("--search", "rate limit"): 7.0,
    ("--help",): 7.0,
    ("list",): 7.0,
    ("prime",): 7.0,
    ("prime", "--folder"): 7.0,
    ("show", TICKET): 7.0,
    ("open", TICKET, "--no-browser"): 7.0,
    ("explain", TICKET): 7.0,
    ("cancel", "--all"): 7.0,
    ("settings",): 7.0,
    ("sources", "list"): 7.0,
    ("plan", "list"): 7.0,
    ("ready",): 7.0,
    ("memory", "list"): 7.0,
    ("mirror", "status"): 7.0,
    ("folder", "status"): 7.0,
    ("session", "list"): 7.0,
    ("ac", "status", TICKET): 7.0,
    ("sync", "status"): 7.0,
    ("trust",): 7.0,
    ("help", "build"): 7.0,
    ("man", "build"): 7.0,
    ("--source-plugins",): 7.0,
    ("settings", "get", "ai.max_hops"): 7.0,
    ("settings", "set", "ai.max_hops", "2"): 7.0,
    ("prime", TICKET): 7.0,
    ("session", "start", TICKET): 7.0,
    ("session", "note", "discovery", "Limits are per account"): 7.0,
    ("session", "end"): 7.0,
    ("memory", "store", "limits", "Limits are per account", "warning"): 7.0,
    ("plan", "create", "Read the limit from the headers"): 7.0,
}
#: What is run before a command, unmeasured: a session starts only where none is active.
BEFORE: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = {
    ("session", "start", TICKET): ("session", "end"),
    ("session", "note", "discovery", "Limits are per account"): ("session", "start", TICKET),
    ("session", "end"): ("session", "start", TICKET),
}


def main() -> int:
    """Measure in a project of the sample company; return 1 when a command takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        project = Project(Path(folder))
        project.run(str(ROVE), "--demo", ".")
        for command in REMEMBERED:
            project.run(str(ROVE), *command)
        floor, *costs = _cheapest(project, [(), *TARGETS])
    print(f"{'command':28}{'ms':>8}{'multiple':>10}{'target':>8}")
    print(f"{'python -c pass':28}{floor * 1000:8.1f}{1:10.2f}")
    rows = zip(TARGETS.items(), costs, strict=True)
    return max([_report(args, cost / floor, target, cost) for (args, target), cost in rows])


class Project:
    """A folder to run commands in, with nothing of the user's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "project"
        self._folder.mkdir()
        (folder / "linked").mkdir()
        (folder / "linked" / "brief.md").write_text("# Limits\n\nThey are per account.\n", "utf-8")
        own = {
            "HOME": folder,
            "ROVE_DATA_DIR": folder / "data",
            # An installed Rove is compiled; a checkout may be one that must not be written.
            "PYTHONPYCACHEPREFIX": folder / "compiled",
        }
        self._environment = os.environ | {name: str(place) for name, place in own.items()}
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(self, *command: str, may_fail: bool = False) -> None:
        """Run a command that must succeed, unless it may fail."""
        done = subprocess.run(  # noqa: S603  # our own command, in a folder of our own
            command,
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode and not may_fail:
            sys.exit(f"{' '.join(command)} failed with {done.returncode}:\n{done.stderr}")


def _cheapest(project: Project, commands: Sequence[Sequence[str]]) -> list[float]:
    """Run the commands in turn, many times; return the least time each took."""
    for command in commands:  # The first run compiles, and lists what is installed.
        _cost(project, command)
    rounds = [[_cost(project, command) for command in commands] for _ in range(RUNS)]
    return [min(costs) for costs in zip(*rounds, strict=True)]


def _cost(project: Project, arguments: Sequence[str]) -> float:
    """Return what a command of Rove takes; without any, an empty Python."""
    if earlier := BEFORE.get(tuple(arguments)):
        project.run(str(ROVE), *earlier, may_fail=True)
    before = spent()
    project.run(*((str(ROVE), *arguments) if arguments else FLOOR))
    return spent() - before


def spent() -> float:
    """Return the processor time of the children that have ended, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _report(args: Sequence[str], multiple: float, target: float, seconds: float) -> int:
    over = multiple > target
    command = f"rove {' '.join(args)}"
    word = "over" if over else "ok"
    print(f"{command:28}{seconds * 1000:8.1f}{multiple:10.2f}{target:8.1f}  {word}")
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
