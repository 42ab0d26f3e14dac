"""Files below a folder, read without following links."""

import os
import stat
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Final, Self

from rove_code.model import UnreadFile
from rove_code.skip_reasons import (
    DEEP,
    DEEPEST,
    HIDDEN,
    INSTALLED,
    LARGEST,
    NAME,
    UNREADABLE,
    installed_folder,
    why_not,
)
from rove_core import RepositoryNotFound

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
#: A pipe in a file's place must not hold anybody up.
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Tree:
    """An open folder. Reading in path order opens each subfolder once.

    Args:
        root: The folder.
    """

    def __init__(self, root: Path) -> None:
        # The folders that are open, from the root on, and how they are called in one another.
        try:
            self._open = [os.open(root, _FOLDER)]
        except OSError as error:
            raise RepositoryNotFound(f"{root} cannot be read: {error.strerror}") from error
        self._names: list[str] = []
        self._folder = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self._open:
            os.close(descriptor)

    def status(self, path: str) -> os.stat_result | None:
        """Return a file's status; None if it is missing or behind a link."""
        folder, _, name = path.rpartition("/")
        try:
            return os.stat(name, dir_fd=self._enter(folder), follow_symlinks=False)
        except OSError:
            return None

    def read(self, path: str) -> bytes | None:
        """Return a file's content; None if it is not a file that is read, or not there."""
        folder, _, name = path.rpartition("/")
        try:
            descriptor = os.open(name, _FILE, dir_fd=self._enter(folder))
        except OSError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            if why_not(os.fstat(descriptor)):
                return None
            try:
                data = file.read(LARGEST + 1)
            except OSError:
                return None
        return data if len(data) <= LARGEST else None

    def walk(self) -> Iterator[tuple[str, os.stat_result] | UnreadFile]:
        """Yield all files, and the folders that are not entered."""
        folders = [""]
        while folders:
            folder = folders.pop()
            try:
                found = self._listed(folder)
            except OSError:
                yield UnreadFile(printable(folder), UNREADABLE)
                continue
            for path, status in found:
                is_folder = stat.S_ISDIR(status.st_mode)
                if why := _why_not_entered(path, is_folder=is_folder):
                    yield UnreadFile(printable(path), why)
                elif is_folder:
                    folders.append(path)
                else:
                    yield path, status

    def _listed(self, folder: str) -> list[tuple[str, os.stat_result]]:
        """Return the entries of a folder in reverse order, for a stack."""
        with os.scandir(self._enter(folder)) as entries:
            names = sorted((entry.name for entry in entries), reverse=True)
        paths = (f"{folder}/{name}" if folder else name for name in names)
        return [(path, status) for path in paths if (status := self.status(path))]

    def _enter(self, folder: str) -> int:
        if folder == self._folder:
            return self._open[-1]
        parts = folder.split("/") if folder else []
        if ".." in parts:
            raise FileNotFoundError(folder)
        same = takewhile(lambda names: names[0] == names[1], zip(self._names, parts, strict=False))
        shared = sum(1 for _ in same)
        while len(self._names) > shared:
            self._names.pop()
            os.close(self._open.pop())
        self._folder = "/".join(self._names)
        for name in parts[shared:]:
            self._open.append(os.open(name, _FOLDER, dir_fd=self._open[-1]))
            self._names.append(name)
            self._folder = "/".join(self._names)
        return self._open[-1]


def is_text(path: str) -> bool:
    """Return whether a path is text, as all but a few are."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def printable(path: str) -> str:
    """Return a path as text, with replacement characters for invalid bytes."""
    return os.fsencode(path).decode(errors="replace")


def _why_not_entered(path: str, *, is_folder: bool) -> str:
    name = path.rpartition("/")[2]
    if name.startswith("."):
        return HIDDEN
    if not is_text(name):
        return NAME
    if not is_folder:
        return ""
    if path.count("/") >= DEEPEST:
        return DEEP
    return INSTALLED if installed_folder(f"{path}/") else ""
