"""A checkout with its tickets at a simulated Jira, synced by commands in their own processes."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import attrs
from attrs import frozen

from rove_sim import Company
from rove_sim.company_jira import Ticket
from rove_sim.company_people import Person
from rove_sim.jira import Jira

TOKEN: Final = "token-of-nobody"  # noqa: S105  # the simulator's
BEGIN: Final = datetime(2025, 1, 1, tzinfo=UTC)
#: Runs a command as a child of a small process: Linux counts what the one that starts it holds
#: towards its memory, and the simulator's tickets are here.
_LAUNCH: Final = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as file:
    print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file=file)
sys.exit(code)
"""
_SETTINGS: Final = '[sync]\ncontainers = ["jira/TB"]\nmax_queued_changes = 1000\n'


def jira_of(tickets: int) -> Jira:
    """Return a Jira with so many tickets in a project."""
    me = Person(key="ann", name="Ann Lee", email="ann@northwind.example")
    jira = Jira(Company(name="Northwind", token=TOKEN, me="ann", people=(me,)))
    for number in range(1, tickets + 1):
        at = BEGIN + timedelta(minutes=number)
        text = f"Ticket {number} of the plan.\n\n- [ ] it works\n- [ ] it is tested"
        jira.add_ticket(
            Ticket(
                key=f"TB-{number}",
                title=f"Ticket {number}",
                description=text,
                author="ann",
                created=at,
                updated=at,
            )
        )
    return jira


@frozen(kw_only=True)
class CommandUsage:
    """What a command took: its processor time in seconds, and the most memory of one process."""

    seconds: float
    megabytes: float


@attrs.define
class SyncCheckout:
    """A project in a home of its own.

    Attributes:
        home: The home.
        process: The command that runs, for whoever kills it.
    """

    home: Path
    process: "subprocess.Popen[str] | None" = None

    @property
    def folder(self) -> Path:
        """The project."""
        return self.home / "project"

    def log_in(self, url: str) -> None:
        """Connect the Jira at an address, and list its project."""
        (self.folder / ".rove").mkdir(parents=True)
        (self.folder / ".rove" / "settings.toml").write_text(_SETTINGS, "utf-8")
        words = ["--base-url", url, "--email", "ann@northwind.example", "--token-stdin"]
        self.rove("--add-source", "jira", *words, typed=TOKEN)

    def json(self, *words: str) -> Any:  # noqa: ANN401  # JSON
        """Return what a command answers, whether it is whole or not."""
        return json.loads(self.run(*words, "--json")[1])

    def rove(self, *words: str, typed: str = "") -> str:
        """Return what a command prints that ends well."""
        code, printed = self.run(*words, typed=typed)
        if code:
            raise AssertionError(f"rove {' '.join(words)} ended with {code}: {printed}")
        return printed

    def python(self, script: str) -> None:
        """Run a script that ends well."""
        code, _ = self._run(["-c", script], "")
        if code:
            raise AssertionError(f"a script ended with {code}")

    def run(self, *words: str, typed: str = "") -> tuple[int, str]:
        """Run a command, and return how it ended and what it printed."""
        return self._run(["-m", "rove", *words], typed)

    def _run(self, words: list[str], typed: str) -> tuple[int, str]:
        with subprocess.Popen(  # noqa: S603  # our own interpreter
            [sys.executable, *words],
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        ) as process:
            self.process = process
            printed, _ = process.communicate(typed)
        return process.returncode, printed

    def measured(self, *words: str) -> tuple[str, CommandUsage]:
        """Return what a command prints that ends well, and what it took."""
        used = self.home / "used"
        command = ["-S", "-c", _LAUNCH, str(used), sys.executable, "-m", "rove", *words]
        code, printed = self._run(command, "")
        if code:
            raise AssertionError(f"rove {' '.join(words)} ended with {code}: {printed}")
        seconds, megabytes = map(float, used.read_text("utf-8").split())
        return printed, CommandUsage(seconds=seconds, megabytes=megabytes)

    def _environment(self) -> Mapping[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "ROVE_DAEMON": "0",
            "ROVE_LOAD_PLUGINS": "memory,jira",
        }
