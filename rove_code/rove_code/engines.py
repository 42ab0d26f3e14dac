"""The engines of this process, one per project."""

import atexit
import os
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rove_code.engine import CodeEngine
    from rove_core import ProjectPaths
    from rove_core.clock import Clock

#: So many stay open that nobody is asking at the moment.
_IDLE: Final = 4


@contextmanager
def engine_of(places: "ProjectPaths", clock: "Clock") -> "Iterator[CodeEngine]":
    """Return the project's engine, which stays open.

    Args:
        places: The project's.
        clock: Its clock, if it is not open yet.

    Raises:
        RoveError: What is kept of repositories cannot be used.
    """
    shared = _ENGINES.taken(places, clock)
    try:
        yield shared.engine
    finally:
        _ENGINES.give_back(shared)


def close_engines() -> None:
    """Close the idle engines."""
    _ENGINES.close(0)


@define(eq=False)
class _SharedEngine:
    engine: "CodeEngine"
    file: Path
    inode: int
    users: int = 0


@define(eq=False)
class _Engines:
    _open: dict[Path, _SharedEngine] = field(factory=dict, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)

    def taken(self, places: "ProjectPaths", clock: "Clock") -> _SharedEngine:
        file = places.rove / "code.db"
        with self._lock:
            shared = self._open.pop(file, None)
            if shared and shared.inode != _inode(file):
                # Somebody has removed it: what is open would be lost, and nobody would see it.
                self._dismiss(shared)
                shared = None
            if shared is None:
                shared = self._opened(places, clock, file)
            self._open[file] = shared
            shared.users += 1
            return shared

    def give_back(self, shared: _SharedEngine) -> None:
        with self._lock:
            shared.users -= 1
            if not shared.users and self._open.get(shared.file) is not shared:
                shared.engine.close()
        self.close(_IDLE)

    def close(self, most: int) -> None:
        with self._lock:
            idle = [each for each in self._open.values() if not each.users]
            for each in idle[: max(0, len(idle) - most)]:
                del self._open[each.file]
                each.engine.close()

    def _opened(self, places: "ProjectPaths", clock: "Clock", file: Path) -> _SharedEngine:
        from rove_code.engine import CodeEngine  # noqa: PLC0415  # numpy and grammars come with it
        from rove_code.vectors.embedder_choice import embedding_of  # noqa: PLC0415  # as above
        from rove_core import LocalProject  # noqa: PLC0415  # as above

        places.prepare()
        project = LocalProject(places, clock)
        embedding = embedding_of(
            project.settings,
            os.environ,
            engines=lambda: project.plugins.engines,
            root=places.root,
            clock=clock,
        )
        engine = CodeEngine(places.rove, clock=clock, embedding=embedding)
        return _SharedEngine(engine, file, _inode(file))

    def _dismiss(self, shared: _SharedEngine) -> None:
        if not shared.users:
            shared.engine.close()


def _inode(file: Path) -> int:
    try:
        return file.stat().st_ino
    except OSError:
        return 0


_ENGINES: Final = _Engines()
atexit.register(close_engines)
