"""Parse files in child processes."""

import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from typing import Final, Self

from rove_code.content_record import SourceContent, make_all
from rove_code.store import ContentRecord

#: No module is looked for in the folder that somebody happens to be in: it may be anybody's.
_COMMAND: Final = ("-P", "-m", "rove_code.content_record")
#: What says that a process has ended, or never was what it should be.
_BROKEN: Final = (OSError, EOFError, pickle.UnpicklingError)


def made_by(count: int, batches: Iterable[list[SourceContent]]) -> Iterator[list[ContentRecord]]:
    """Yield batches of records, made by several processes."""
    with ExitStack() as stack:
        idle: SimpleQueue[_Maker | None] = SimpleQueue()
        for _ in range(count):
            maker = _started()
            idle.put(maker and stack.enter_context(maker))
        pool = ThreadPoolExecutor(count)
        stack.callback(pool.shutdown, cancel_futures=True)
        waiting: deque[Future[list[ContentRecord]]] = deque()
        for batch in batches:
            waiting.append(pool.submit(_made, batch, idle))
            # Little is held at once, however large the repository is.
            if len(waiting) > 2 * count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


class _Maker:
    """A process that makes one batch after the other."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        # What was still to be written goes nowhere.
        with suppress(OSError):
            self._process.communicate()

    def make(self, batch: list[SourceContent]) -> list[ContentRecord]:
        """Return the records of files, or raise that the process has ended."""
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError(self._process.args)
        pickle.dump(batch, self._process.stdin)
        self._process.stdin.flush()
        made: list[ContentRecord] = pickle.load(self._process.stdout)  # noqa: S301  # our own process's
        return made


def _started() -> _Maker | None:
    """Return a process; None where none can be started."""
    try:
        process = subprocess.Popen(  # noqa: S603  # this very Python
            [sys.executable, *_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None
    return _Maker(process)


def _made(batch: list[SourceContent], idle: "SimpleQueue[_Maker | None]") -> list[ContentRecord]:
    """Return the features of files, computed here if no process can be used."""
    maker = idle.get()
    try:
        made = maker.make(batch) if maker else None
    except _BROKEN:
        maker = made = None
    finally:
        idle.put(maker)
    return make_all(batch) if made is None else made
