"""What plugins print in a process without a terminal: it goes to the project's log."""

import io
import logging
import sys
from typing import Final

_LOG: Final = logging.getLogger("rove.printed")


def log_what_is_printed() -> None:
    """Send each line that is printed in this process, on either stream, to the log."""
    sys.stdout = sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(_Lines()),
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=True,
    )


class _Lines(io.RawIOBase):
    """A stream that logs what is written to it; lines that come together are logged together."""

    def writable(self) -> bool:
        return True

    def write(self, data: memoryview) -> int:  # type: ignore[override]  # what its buffer gives
        if text := bytes(data).decode(errors="replace").strip():
            _LOG.debug("%s", text)
        return len(data)
