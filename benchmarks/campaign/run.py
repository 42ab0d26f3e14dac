"""One run of a scenario in a process of its own, which may be broken from outside."""

import ctypes
import os
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from attrs import frozen

from benchmarks.campaign.scenarios import Scenario
from rove_core.errors import RoveError

_PATIENCE: Final = 60.0
_PR_SET_PTRACER: Final = 0x59616D61


@frozen
class Outcome:
    """What a run said.

    Attributes:
        acknowledged: The numbers of the states it said were written.
        refusal: The typed error with which it ended; empty when it ended well or was killed.
        complaint: Whatever else it said, or that it hung.
    """

    acknowledged: tuple[int, ...]
    refusal: str
    complaint: str


class Run:
    """A process that writes numbered states, one after the other, once it is released.

    Args:
        scenario: What it writes.
        folder: Where.
        numbers: Which states.
        arm: What the process does before it begins.
    """

    def __init__(
        self,
        scenario: Scenario,
        folder: Path,
        numbers: Iterable[int],
        arm: Callable[[], None] = lambda: None,
    ) -> None:
        gate, self._gate = os.pipe()
        self._output, output = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._gate)
            os.dup2(output, sys.stderr.fileno())
            _let_others_trace()
            os.write(output, b"\n")
            os.read(gate, 1)
            os._exit(_write_states(scenario, folder, numbers, arm=arm, output=output))
        os.close(gate)
        os.close(output)
        os.read(self._output, 1)

    def release(self) -> None:
        """Let the process begin."""
        # Processes that were started later hold the pipe open as well: closing it says nothing.
        os.write(self._gate, b"\n")
        os.close(self._gate)

    def kill_after(self, seconds: float) -> None:
        """Kill the process as the kernel does when memory is short."""
        select.select([], [], [], seconds)
        os.kill(self.pid, signal.SIGKILL)

    def outcome(self) -> Outcome:
        """Wait for the end of the process, and return what it said."""
        output = b""
        while select.select([self._output], [], [], _PATIENCE)[0]:
            piece = os.read(self._output, 1 << 16)
            if not piece:
                break
            output += piece
        else:
            os.kill(self.pid, signal.SIGKILL)
            output += b"it hangs\n"
        os.close(self._output)
        _, status = os.waitpid(self.pid, 0)
        if os.waitstatus_to_exitcode(status) > 0:
            output += b"it failed\n"
        return _outcome(output.decode(errors="replace").splitlines())


def _let_others_trace() -> None:
    """Lift the rule of many systems that only its parents may trace a process."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PTRACER, ctypes.c_long(-1), 0, 0, 0)


def _write_states(
    scenario: Scenario,
    folder: Path,
    numbers: Iterable[int],
    *,
    arm: Callable[[], None],
    output: int,
) -> int:
    """Return the exit code: 1 for an error that is none of Rove's."""
    try:
        arm()
        for number in numbers:
            scenario.write(folder, number)
            _say(output, f"ACK {number}")
    except RoveError as error:
        _say(output, f"REFUSED {error.code} {error}")
    except BaseException:  # noqa: BLE001  # whatever else comes out is what we look for
        _say(output, traceback.format_exc())
        return 1
    return 0


def _say(output: int, text: str) -> None:
    # The fault may strike here too: then nothing was acknowledged.
    with suppress(OSError):
        os.write(output, f"{text}\n".encode())


def _outcome(lines: Iterable[str]) -> Outcome:
    by_word: dict[str, list[str]] = {"ACK": [], "REFUSED": [], "": []}
    for line in lines:
        word, _, rest = line.partition(" ")
        by_word[word if word in by_word else ""].append(rest if word in by_word else line)
    return Outcome(
        acknowledged=tuple(map(int, by_word["ACK"])),
        refusal="\n".join(by_word["REFUSED"]),
        complaint="\n".join(by_word[""]),
    )
