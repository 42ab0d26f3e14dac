"""The files of one folder: which of them are notes, and what they say.

Nothing is read through a link, and nothing that is hidden, huge or neither Markdown nor text.
"""

import os
import re
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

from attrs import field, frozen

from rove_core import ItemNotFound, WrongSetting

MOST_BYTES: Final = 1_000_000
_SUFFIXES: Final = (".md", ".txt")
_FENCED: Final = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"^#{1,6}[ \t]+(\S.{0,199})", re.MULTILINE)


@frozen
class NoteFile:
    """A note that can be read.

    Attributes:
        id: Its path, from the folder's own name on, with ``/``.
        path: Where it is.
        changed: When it was last changed.
    """

    id: str
    path: Path
    changed: datetime


@frozen
class Note:
    """What a note says."""

    title: str
    text: str


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100  # resolve() asks the disk


@frozen
class Folder:
    """A folder of notes.

    Attributes:
        path: Where it is, absolute.
    """

    path: Path = field(converter=_absolute)

    @property
    def name(self) -> str:
        """Its own name, with which the id of every note begins."""
        return self.path.name

    def notes(self) -> list[NoteFile]:
        """Return every note, newest first.

        Raises:
            WrongSetting: There is no such folder.
        """
        if not self.path.is_dir():
            raise WrongSetting(
                f"there is no folder {self.path}", hint="Create it, or change its setting: folder"
            )
        return sorted(self._walk(), key=lambda note: (note.changed, note.id), reverse=True)

    def note(self, identifier: str) -> NoteFile:
        """Return a note by its id, or raise ItemNotFound if there is none that may be read."""
        if self.may_be_id(identifier):
            path = _real(self.path) / PurePosixPath(identifier).relative_to(self.name)
            # A path that leads to itself has no link on its way.
            if _real(path) == path and (found := _note_file(identifier, path)):
                return found
        raise ItemNotFound(f"{identifier!r} is no note in {self.path}")

    def may_be_id(self, text: str) -> bool:
        """Tell whether a text has the shape of a note's id, without a look at any file."""
        first, *rest = text.split("/")
        return first == self.name and bool(rest) and _is_note(text) and all(map(_is_plain, rest))

    def _walk(self) -> Iterator[NoteFile]:
        root = _real(self.path)
        for folder, below, files in os.walk(root, followlinks=False):
            below[:] = [name for name in below if not name.startswith(".")]
            for name in filter(_is_note, files):
                path = Path(folder, name)
                identifier = f"{self.name}/{path.relative_to(root).as_posix()}"
                if self.may_be_id(identifier) and (found := _note_file(identifier, path)):
                    yield found


def read(note: NoteFile) -> Note:
    """Return what a note says; bytes that are no UTF-8 are replaced.

    Raises:
        ItemNotFound: It is gone, or no longer what may be read.
    """
    try:
        descriptor = os.open(note.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        raise ItemNotFound(f"{note.id} cannot be read: {error.strerror}") from error
    text = data.decode("utf-8-sig", errors="replace")
    return Note(_title(note.path, text), text)


def _real(path: Path) -> Path:
    """Return where a path leads to; unlike Path.resolve() this ends where links go in a circle."""
    return Path(os.path.realpath(path))


def _is_note(name: str) -> bool:
    return name.lower().endswith(_SUFFIXES)


def _is_plain(name: str) -> bool:
    return bool(name) and not name.startswith(".") and name.isprintable() and name == name.strip()


def _note_file(identifier: str, path: Path) -> NoteFile | None:
    """Return the file if it is a plain one, no link, and of a note's size."""
    try:
        status = path.lstat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
        return None
    return NoteFile(identifier, path, datetime.fromtimestamp(status.st_mtime, UTC))


def _title(path: Path, text: str) -> str:
    """Return the first heading of Markdown, else the file's name; code has no headings."""
    heading = _HEADING.search(_FENCED.sub("", text)) if path.suffix.lower() == ".md" else None
    return heading[1].rstrip("# \t\r") if heading else path.stem
