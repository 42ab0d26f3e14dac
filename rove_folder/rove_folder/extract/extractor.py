"""Extract text from files in child processes that may crash."""

import os
import select
import struct
import subprocess
import sys
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from types import TracebackType
from typing import Final, Self

from attrs import define, field, frozen

from rove_core import Clock, TextExtractor
from rove_folder.extract.content import ExtractedContent
from rove_folder.extract.messages import Job, packed_job, unpacked_result
from rove_folder.files.content_kinds import is_pdf
from rove_folder.files.kinds import suffix_of

_MOST_OUTPUT: Final = 16 << 20
_HEAD: Final = struct.Struct(">II")
#: What a reading process may know of the environment; no login is among it.
_ENVIRONMENT: Final = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LD_LIBRARY_PATH")


@frozen(kw_only=True)
class ReadingLimits:
    """Limits of reading one file.

    Attributes:
        memory: Bytes of address space.
        cpu: Seconds of processor time.
        wall: Seconds until an answer must be there.
    """

    memory: int = 1 << 30
    cpu: int = 20
    wall: float = 30.0


_CONTENT: Final = TextExtractor(
    name="content", suffixes=(), function="rove_folder.extract.dispatch:read_content"
)
_PDF: Final = TextExtractor(
    name="pdf", suffixes=(".pdf",), function="rove_folder.extract.pdf:read_pdf"
)


@define(eq=False)
class Extractor:
    """Reads files, in one reusable process per file type.

    Use it as a context manager: at its end no process is left. It is for one thread at a time.

    Attributes:
        clock: The clock.
        plugins: What installed packages read instead, by the endings they name.
        limits: What one file may take.
    """

    clock: Clock
    plugins: Sequence[TextExtractor] = ()
    limits: ReadingLimits = ReadingLimits()
    _children: dict[str, "_Child"] = field(factory=dict, init=False)
    _by_suffix: Mapping[str, TextExtractor] = field(init=False)

    @_by_suffix.default
    def _index(self) -> Mapping[str, TextExtractor]:
        return {suffix: each for each in self.plugins for suffix in each.suffixes}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A call that was cancelled may still read in its thread, and take its own out.
        while self._children:
            with suppress(KeyError):
                self._children.popitem()[1].end()

    def read(self, name: str, data: bytes) -> ExtractedContent | str:
        """Return the content of a file; a text says why there is none."""
        reader = self._by_suffix.get(suffix_of(name)) or (_PDF if is_pdf(data) else _CONTENT)
        child = self._children.get(reader.name)
        if child is None:
            child = self._children[reader.name] = _Child(reader, self.limits, self.clock)
        try:
            return child.read(Job(name, data))
        except (OSError, ValueError, TimeoutError) as error:
            child.end()
            self._children.pop(reader.name, None)
            late = isinstance(error, TimeoutError)
            return f"Could not extract text: {_LATE if late else _ENDED}"


def further_suffixes(extractors: Sequence[TextExtractor]) -> Iterator[str]:
    """Yield the endings of the files that installed packages read."""
    return chain.from_iterable(each.suffixes for each in extractors)


_LATE: Final = "it takes too long"
_ENDED: Final = "its reader ended"


class _Child:
    """One reading process."""

    def __init__(self, reader: TextExtractor, limits: ReadingLimits, clock: Clock) -> None:
        self._wall = limits.wall
        self._clock = clock
        orders = (
            reader.function,
            str(reader.memory or limits.memory),
            str(limits.cpu),
            "open" if reader.opens_files else "closed",
        )
        self._process = subprocess.Popen(  # noqa: S603  # our own
            [sys.executable, "-P", "-m", "rove_folder.extract.child", *orders],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
        )
        # Whoever is cancelled while it reads forgets it without a word.
        self._ended = weakref.finalize(self, _end, self._process)
        for pipe in (self._in, self._out):
            os.set_blocking(pipe, False)  # its one way to be called

    @property
    def _in(self) -> int:
        return self._process.stdin.fileno() if self._process.stdin else -1

    @property
    def _out(self) -> int:
        return self._process.stdout.fileno() if self._process.stdout else -1

    def read(self, job: Job) -> ExtractedContent | str:
        """Return a file's content from the child process."""
        deadline = self._clock.monotonic() + self._wall
        self._send(packed_job(job), deadline)
        head, text = _HEAD.unpack(self._receive(_HEAD.size, deadline))
        if head + text > _MOST_OUTPUT:
            raise ValueError("too much output")
        return unpacked_result(self._receive(head, deadline), self._receive(text, deadline))

    def end(self) -> None:
        """End the process, and wait until it is no more."""
        self._ended()

    def _send(self, data: bytes, deadline: float) -> None:
        rest = memoryview(data)
        while rest:
            self._wait(self._in, select.POLLOUT, deadline)
            with suppress(BlockingIOError):
                rest = rest[os.write(self._in, rest) :]

    def _receive(self, count: int, deadline: float) -> bytes:
        parts: list[bytes] = []
        while count:
            self._wait(self._out, select.POLLIN, deadline)
            with suppress(BlockingIOError):
                part = os.read(self._out, min(count, 1 << 20))
                if not part:
                    raise OSError("the process ended")
                parts.append(part)
                count -= len(part)
        return b"".join(parts)

    def _wait(self, pipe: int, event: int, deadline: float) -> None:
        left = deadline - self._clock.monotonic()
        # Not select(), which knows no descriptor above 1,023.
        poll = select.poll()
        poll.register(pipe, event)
        if left <= 0 or not poll.poll(left * 1_000):
            raise TimeoutError


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with suppress(OSError):
                pipe.close()
    process.wait()
