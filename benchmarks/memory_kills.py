"""Whether a memory keeps what it acknowledged when its writer dies at any call that writes."""

import argparse
import os
import shutil
import signal
import subprocess
import sys

from benchmarks.campaign.strace import CALLS
from benchmarks.memory import a_project, lost_of, whole_lines, writer_command


def main() -> int:
    """Kill a writer at its first call of each kind, its second, and so on; each starts anew."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks memory_kills", description=__doc__)
    parser.add_argument("--calls", type=int, default=30, help="how many of each kind")
    options = parser.parse_args()
    if shutil.which("strace") is None:
        print("strace is not installed")
        return 1
    kills = total = lost = 0
    for name, call in CALLS.items():
        for nth in range(1, options.calls + 1):
            # Most of the first openat calls are Python's own, before the writer begins.
            found = killed_at(call, nth if name != "openat" else 40 * nth)
            if found is None:
                break
            kills, total, lost = kills + 1, total + found[0], lost + found[1]
    print(f"{kills} kills at calls that write: {total} stores and notes acknowledged, {lost} lost")
    return int(lost > 0)


def killed_at(call: str, nth: int) -> tuple[int, int] | None:
    """Return what a writer acknowledged that dies at a call, and what of it is lost.

    None when it makes fewer such calls.
    """
    inject = ["-e", f"trace={call}", "-e", f"inject={call}:signal=SIGKILL:when={nth}"]
    with a_project() as store:
        command = ["strace", "-f", "-o", "/dev/null", *inject, *writer_command(store)]
        printed, most = list[str](), 4 * nth + 40
        with _started(command) as writer:
            assert writer.stdout  # noqa: S101  # it is a pipe
            for line in writer.stdout:
                printed.append(line)
                if len(printed) > most:
                    os.killpg(writer.pid, signal.SIGKILL)
                    break
        if len(printed) > most:
            return None
        if writer.returncode not in (-signal.SIGKILL, 128 + signal.SIGKILL):
            raise RuntimeError(f"the writer was not killed: it ended with {writer.returncode}")
        acknowledged = whole_lines(printed)
        return len(acknowledged), lost_of(store, acknowledged)


def _started(command: list[str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(  # noqa: S603  # our own
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


if __name__ == "__main__":
    sys.exit(main())
