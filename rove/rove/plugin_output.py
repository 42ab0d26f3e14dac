"""Keep plugins' output away from standard output, and name the plugins that print."""

import io
import os
import sys
from collections.abc import Callable, Iterable
from typing import BinaryIO, Final, TextIO

#: What is printed is logged under this name.
_LOGGER: Final = "rove.printed"
_STDOUT: Final = 1
#: Bytes of what was written at once that anybody reads.
_MOST: Final = 10_000


class PluginOutput(io.TextIOBase):
    """Standard output while plugins run, redirected to another stream.

    Args:
        stream: Where to.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def buffer(self) -> BinaryIO:
        """The binary stream; using it counts as printing."""
        _note()
        return self._stream.buffer

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a class attribute there
        """The encoding."""
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
    """Redirect everything this process prints, on either stream, to the log."""
    collect_descriptor(_log)
    sys.stdout = sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(_LoggedStream()),
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=True,
    )


def collect_descriptor(on_data: Callable[[bytes], object]) -> None:
    """Redirect the file descriptor of standard output from now on.

    C code and the processes of plugins write there. It is looked at after each step of a plugin.

    Args:
        on_data: Takes what was written.
    """
    import tempfile  # noqa: PLC0415  # every command has this module, few have plugins

    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), _STDOUT)
    seen = 0

    def look() -> None:
        nonlocal seen
        if (size := os.fstat(_STDOUT).st_size) > seen:
            _note()
            on_data(os.pread(_STDOUT, min(size - seen, _MOST), seen))
            seen = size

    from rove_core.plugins.watchdog import after_steps  # noqa: PLC0415  # as below

    after_steps(look)


class _LoggedStream(io.RawIOBase):
    """A stream that logs what is written to it, one entry per burst of lines."""

    def writable(self) -> bool:
        return True

    def write(self, data: memoryview) -> int:  # type: ignore[override]  # what its buffer gives
        _note()
        _log(bytes(data))
        return len(data)


def _log(printed: bytes) -> None:
    import logging  # noqa: PLC0415  # the server's workers alone log it

    if text := printed.decode(errors="replace").strip():
        logging.getLogger(_LOGGER).debug("%s", text)


def _note() -> None:
    # Every command has this module, and hardly one has a plugin that prints.
    from rove_core.plugins.reports import note_in_process  # noqa: PLC0415  # it loads asyncio
    from rove_core.plugins.watchdog import running, running_hook  # noqa: PLC0415  # the same

    if name := running():
        note_in_process(name, running_hook(), "prints; only results may be printed")
