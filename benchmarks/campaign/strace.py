"""Faults in the system calls of a running process, by strace."""

import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Final

from attrs import frozen

from benchmarks.campaign.run import Run

#: The system calls that write, by the name that reports give them.
CALLS: Final = {
    "openat": "openat",
    "write": "write",
    "pwrite64": "pwrite64",
    "fsync": "fsync",
    "fdatasync": "fdatasync",
    "rename": "?rename,?renameat,?renameat2",
    "ftruncate": "ftruncate",
    "mkdir": "?mkdir,?mkdirat",
    "unlink": "?unlink,?unlinkat",
}

#: What does not pass by itself: a full disk stays full.
LASTING: Final = frozenset({"ENOSPC", "EDQUOT", "EROFS"})


@frozen
class SystemCallFault:
    """The n-th call of one kind, in each thread, fails or is the process's last.

    After an error that lasts, all later calls of the kind fail too.

    Attributes:
        call: Which kind.
        effect: An error's name, or ``SIGKILL``.
        nth: Which of them, from 1.
    """

    call: str
    effect: str
    nth: int

    def arm(self) -> None:
        """Do nothing in the process itself."""

    def release(self, run: Run) -> None:
        """Release a process with the fault in its way; return when it has ended."""
        what = f"signal={self.effect}" if self.effect == "SIGKILL" else f"error={self.effect}"
        when = f"{self.nth}+" if self.effect in LASTING else str(self.nth)
        inject = f"inject={CALLS[self.call]}:{what}:when={when}"
        why_not = _trace(run, "-o", "/dev/null", "-e", f"trace={CALLS[self.call]}", "-e", inject)
        if why_not:
            raise RuntimeError(f"strace worked before, and now: {why_not}")


def unavailable(run: Run) -> str:
    """Return why strace cannot be used here, or nothing; the process is released anyway."""
    if shutil.which("strace") is None:
        run.release()
        return "strace is not installed"
    return _trace(run, "-o", "/dev/null", "-e", "trace=none")


def count_calls(run: Run, log: Path) -> dict[str, int]:
    """Return how many calls of each kind the busiest thread of a process makes."""
    traced = ",".join(CALLS.values())
    _trace(run, "-o", str(log), "-e", f"trace={traced}")
    counts: Counter[tuple[str, str]] = Counter()
    for line in log.read_text("utf-8", "replace").splitlines():
        thread, _, rest = line.partition(" ")
        counts[rest.strip().partition("(")[0], thread] += 1
    return {call: max(_of(call, counts), default=0) for call in CALLS}


def _of(call: str, counts: Counter[tuple[str, str]]) -> list[int]:
    names = CALLS[call].replace("?", "").split(",")
    return [count for (name, _), count in counts.items() if name in names]


def _trace(run: Run, *options: str) -> str:
    """Attach strace to a process, release it, and return why that was not possible."""
    command = ["strace", "-f", *options, "-p", str(run.pid)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:  # noqa: S603  # our own words
        first = tracer.stderr.readline() if tracer.stderr else ""
        run.release()
        tracer.communicate()
    return "" if "attached" in first else first.strip()
