"""Current files of a folder, with the blob ids that git would give them."""

import os
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

from rove_code.model import FileVersion
from rove_code.repositories.objects import blob_of
from rove_code.repositories.tree import Tree
from rove_core.clock import Clock

#: A file that changed just before it was read may change again unseen: clocks of disks are coarse.
_SETTLED: Final = timedelta(seconds=2)


@frozen
class Stamp:
    """A stamp that changes when the file does.

    Attributes:
        changed: When anything about it did, in nanoseconds.
        modified: When its content did.
        size: In bytes.
    """

    changed: int
    modified: int
    size: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Stamp":
        """Return that of a file."""
        return cls(status.st_ctime_ns, status.st_mtime_ns, status.st_size)


@define
class WorkingFiles:
    """The files of a folder, and the names of those contents that were read before.

    Attributes:
        root: The folder.
        algorithm: How git names a content: ``sha1`` or ``sha256``.
        clock: The clock, to find out whether a file has been left alone for a while.
    """

    root: Path
    algorithm: str
    clock: Clock
    _named: dict[str, tuple[Stamp, str]] = field(init=False, factory=dict)

    def name(self, tree: Tree, path: str, status: os.stat_result) -> FileVersion | None:
        """Return a file with the name of its content; None if it is gone."""
        stamp = Stamp.of(status)
        old_stamp, blob = self._named.get(path, (None, ""))
        if old_stamp == stamp:
            return FileVersion(path, blob, stamp.size)
        latest = self.clock.now() - _SETTLED
        data = tree.read(path)
        if data is None:
            return None
        blob = blob_of(data, self.algorithm)
        if max(stamp.modified, stamp.changed) < latest.timestamp() * 1e9:
            self._named[path] = (stamp, blob)
        return FileVersion(path, blob, len(data))

    def read(self, files: Iterable[FileVersion]) -> Iterator[tuple[FileVersion, bytes | None]]:
        """Yield files with their content; None if it changed meanwhile."""
        with Tree(self.root) as tree:
            for file in files:
                data = tree.read(file.path)
                same = data is not None and blob_of(data, self.algorithm) == file.blob
                yield file, data if same else None
