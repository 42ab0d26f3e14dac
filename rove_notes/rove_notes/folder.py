"""The notes in one folder, and their content.

Nothing is read through a link below the folder, whoever puts one there meanwhile, and nothing
that is hidden or of another kind. Of what is huge the beginning is read.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from attrs import field, frozen

from rove_core import ItemNotFound, WrongSetting

MOST_BYTES: Final = 1_000_000
#: Folders below each other that are looked into.
_MOST_DEEP: Final = 40
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
SUFFIXES: Final = (".md", ".txt", ".vtt", ".srt")
#: A link is not followed, and a pipe does not keep one waiting.
_SAFELY: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


class NoteState(NamedTuple):
    """A stamp that changes when the note does.

    Attributes:
        changed: When it was changed, in nanoseconds since 1970.
        size: How many bytes it has.
    """

    changed: int
    size: int


@frozen
class NoteFile:
    """The content of a note file.

    Attributes:
        id: Its path, from the folder's own name on, with ``/``.
        changed: When it was last changed.
        data: Its bytes.
        cut: Whether there is more, which is not read.
    """

    id: str
    changed: datetime
    data: bytes
    cut: bool

    @property
    def name(self) -> str:
        """Return the file's name without its suffix."""
        return self.id.rpartition("/")[2].rpartition(".")[0]

    @property
    def suffix(self) -> str:
        """Return the file's suffix in lower case (``.md``)."""
        return "." + self.id.rpartition(".")[2].lower()


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100  # resolve() asks the disk


@frozen
class NotesFolder:
    """A folder of notes.

    Attributes:
        path: Where it is, absolute. It may itself be a link.
    """

    path: Path = field(converter=_absolute)

    @property
    def name(self) -> str:
        """Its own name, with which the id of every note begins."""
        return self.path.name

    def ids(self) -> list[str]:
        """Return the ids of what may be notes.

        Raises:
            WrongSetting: There is no such folder.
        """
        with self._open() as root:
            return sorted(self._walk(root))

    def states(self) -> "dict[str, NoteState]":
        """Return of each note when it was changed and how long it is, without reading it."""
        with self._open() as root:
            found = {}
            for name in self._walk(root):
                with suppress(OSError):
                    status = os.stat(name.partition("/")[2], dir_fd=root, follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        found[name] = NoteState(status.st_mtime_ns, status.st_size)
            return found

    def may_be_id(self, text: str) -> bool:
        """Return whether a text has the shape of a note's id, without a look at any file."""
        first, *rest = text.split("/")
        if not 0 < len(rest) <= _MOST_DEEP + 1:
            return False
        return first == self.name and _is_note(text) and all(map(_is_plain, rest))

    def read(self, identifier: str) -> NoteFile:
        """Return the content of a note.

        Raises:
            ItemNotFound: There is none of this id that may be read.
        """
        if not self.may_be_id(identifier):
            raise ItemNotFound(f"{identifier!r} is not a note in {self.path}")
        try:
            with self._open() as root:
                return _read(identifier, root)
        except OSError as error:
            raise ItemNotFound(f"{identifier} cannot be read: {error.strerror}") from error

    @contextmanager
    def _open(self) -> Iterator[int]:
        try:
            root = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise WrongSetting(
                f"no folder {self.path}",
                hint="Create it, or change its setting: folder",
            ) from error
        try:
            yield root
        finally:
            os.close(root)

    def _walk(self, root: int) -> Iterator[str]:
        left: list[tuple[str, ...]] = [()]
        while left:
            folders = left.pop()
            # A folder that is gone meanwhile, or closed, has no notes.
            with suppress(OSError), _open_folders(folders, root) as descriptor:
                with os.scandir(descriptor) as entries:
                    found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
                for name, is_folder in found:
                    identifier = "/".join((self.name, *folders, name))
                    if not is_folder and self.may_be_id(identifier):
                        yield identifier
                    elif is_folder and _is_plain(name) and len(folders) < _MOST_DEEP:
                        left.append((*folders, name))


def _read(identifier: str, root: int) -> NoteFile:
    _, *folders, name = identifier.split("/")
    with _open_folders(folders, root) as folder:
        descriptor = os.open(name, _SAFELY, dir_fd=folder)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise ItemNotFound(f"{identifier} is not a regular file")
            data = _read_bounded(descriptor)
        finally:
            os.close(descriptor)
    changed = _EPOCH
    with suppress(OverflowError, ValueError):  # Some file systems can tell of the year 100,000.
        changed = datetime.fromtimestamp(status.st_mtime, UTC)
    return NoteFile(identifier, changed, data[:MOST_BYTES], cut=len(data) > MOST_BYTES)


@contextmanager
def _open_folders(folders: Sequence[str], root: int) -> Iterator[int]:
    """Open one folder after the other, each below the last, and give the last."""
    opened = [root]
    try:
        for folder in folders:
            opened.append(os.open(folder, _SAFELY | os.O_DIRECTORY, dir_fd=opened[-1]))
        yield opened[-1]
    finally:
        for descriptor in opened[1:]:
            os.close(descriptor)


def _read_bounded(descriptor: int) -> bytes:
    """Return as much as is read of a file, and a byte more if there is more."""
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return file.read(MOST_BYTES + 1)


def _is_note(name: str) -> bool:
    return name.lower().endswith(SUFFIXES)


def _is_plain(name: str) -> bool:
    return bool(name) and not name.startswith(".") and name.isprintable() and name == name.strip()
