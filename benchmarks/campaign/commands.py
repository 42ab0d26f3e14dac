"""Commands of ``rove`` as processes of their own, in a project without a server."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from attrs import frozen

#: Seconds after which a command counts as one that never ends, on the slowest machine.
_PATIENCE: Final = 120
#: What a command prints only if Rove itself is wrong.
_FAULTS: Final = ("ROVE-BUG", "Traceback (most recent call last)")


@frozen
class Ended:
    """How a command ended.

    Attributes:
        command: Its words, without the program.
        code: Its exit code; None if it did not end by itself.
        text: The end of what it printed.
    """

    command: str
    code: int | None
    text: str

    def __str__(self) -> str:
        return f"rove {self.command}: {self.code} {self.text}"

    @property
    def failed_by_itself(self) -> bool:
        """Whether it never ended, or failed by a fault of Rove's own."""
        return self.code is None or any(each in self.text for each in _FAULTS)

    @property
    def names_way_out(self) -> bool:
        """Whether it names a file or a command."""
        return "rove " in self.text or "/" in self.text


def begin(command: str, project: Path) -> "subprocess.Popen[str]":
    """Start a command in a project."""
    return subprocess.Popen(  # noqa: S603  # our own
        [sys.executable, "-m", "rove", *command.split()],
        cwd=project,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )


def end(command: str, process: "subprocess.Popen[str]") -> Ended:
    """Wait for a command that was started."""
    try:
        text, _ = process.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        text, _ = process.communicate()
        return Ended(command, None, text[-600:])
    return Ended(command, process.returncode, text[-1200:].strip())


def rove(command: str, project: Path) -> Ended:
    """Run a command in a project."""
    return end(command, begin(command, project))
