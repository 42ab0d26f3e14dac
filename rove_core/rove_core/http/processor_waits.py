"""Measure how long this thread was ready to run, and had no processor.

On a busy machine that is nobody's fault, so a call's deadline does not count it. Only Linux says
how long it was; elsewhere all time counts.
"""

from pathlib import Path
from typing import Final

#: Where the system shows the times of the thread that reads it.
OF_THIS_THREAD: Final = Path("/proc/thread-self/schedstat")
_NANOSECONDS: Final = 1e9


class ProcessorWaits:
    """The waits of the current thread for a processor, from now on.

    Args:
        file: Where the system shows them; its usual place unless given.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or OF_THIS_THREAD
        self._seen = self._total()

    def more(self) -> float:
        """Return the seconds waited since the last call."""
        before, self._seen = self._seen, self._total()
        return max(0.0, self._seen - before)

    def _total(self) -> float:
        try:
            return int(self._file.read_text("ascii").split()[1]) / _NANOSECONDS
        except (OSError, IndexError, ValueError):
            return 0.0
