"""What plugins print: standard output is for results, and the document names who prints."""

import io
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from typing import BinaryIO, Final, TextIO

from rove_core.plugins.reports import note_in_process
from rove_core.plugins.watchdog import after_steps, running, running_hook

_LOG: Final = logging.getLogger("rove.printed")
_STDOUT: Final = 1
#: Bytes of what was written at once that anybody reads.
_MOST: Final = 10_000


class PluginOutput(io.TextIOBase):
    """Standard output while plugins run: what is printed there goes to another stream.

    Args:
        stream: Where to.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def buffer(self) -> BinaryIO:
        """What takes bytes; whoever asks for it writes some."""
        _note()
        return self._stream.buffer

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a class attribute there
        """How characters become bytes."""
        return self._stream.encoding

    def writable(self) -> bool:
        """Return that it can be written."""
        return True

    def write(self, text: str) -> int:
        """Write to the other stream, and note which plugin did."""
        _note()
        return self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:  # type: ignore[override]  # wider there
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Flush the other stream."""
        self._stream.flush()


def log_what_is_printed() -> None:
    """Send what is printed in this process, on either stream and by whomever, to the log."""
    collect_descriptor(lambda said: _LOG.debug("%s", said.decode(errors="replace").strip()))
    sys.stdout = sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(_LoggedStream()),
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=True,
    )


def collect_descriptor(tell: Callable[[bytes], object]) -> None:
    """Send what is written to the descriptor of standard output elsewhere, from now on.

    C code and the processes of plugins write there. It is looked at after each step of a plugin.

    Args:
        tell: Takes what was written.
    """
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), _STDOUT)
    seen = 0

    def look() -> None:
        nonlocal seen
        if (size := os.fstat(_STDOUT).st_size) > seen:
            _note()
            tell(os.pread(_STDOUT, min(size - seen, _MOST), seen))
            seen = size

    after_steps(look)


class _LoggedStream(io.RawIOBase):
    """A stream that logs what is written to it; lines that come together are logged together."""

    def writable(self) -> bool:
        return True

    def write(self, data: memoryview) -> int:  # type: ignore[override]  # what its buffer gives
        _note()
        if text := bytes(data).decode(errors="replace").strip():
            _LOG.debug("%s", text)
        return len(data)


def _note() -> None:
    if name := running():
        note_in_process(name, running_hook(), "prints; only results may be printed")
