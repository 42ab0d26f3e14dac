"""The server's home: the project's ``.rove`` folder, its socket and its open index."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from rove.server import address
from rove_core.project.layout import ProjectPaths

_Identity: TypeAlias = tuple[int, int]


class Home:
    """The folder in which a server listens, as long as it is that folder.

    Args:
        places: The project.

    Attributes:
        listener: The socket that it listens on.
    """

    def __init__(self, places: ProjectPaths) -> None:
        self._rove, self._database = places.rove, places.index
        self._folder = address.open_folder(places.rove)
        self.listener = address.bind(self._folder, places.rove)
        self._socket = address.identity(self._folder)
        self._index: _Identity | None = None

    def settle(self) -> None:
        """Remember which index is in use from now on."""
        self._index = _identity(self._database)

    def is_there(self) -> bool:
        """Return whether the project's files are still there: they may be moved or removed."""
        there = os.fstat(self._folder)
        return (
            _identity(self._rove) == (there.st_dev, there.st_ino)
            and address.identity(self._folder) == self._socket
            and _identity(self._database) == self._index
        )

    def leave(self) -> None:
        """Remove the socket."""
        address.remove(self._folder, self._socket)


def _identity(path: Path) -> _Identity | None:
    with suppress(OSError):
        found = path.lstat()
        return found.st_dev, found.st_ino
    return None
