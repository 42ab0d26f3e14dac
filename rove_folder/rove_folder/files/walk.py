"""Walk a folder's readable files; files with uninformative names are looked into."""

import os
import stat
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from attrs import define, field

from rove_folder.files.content_kinds import BEGINNING, recognised_kind
from rove_folder.files.guard import open_root
from rove_folder.files.ignore_patterns import IgnorePatterns
from rove_folder.files.kinds import (
    FileKind,
    is_secret,
    is_walked,
    may_be_read,
    promised_kind,
    suffix_of,
)

#: No folder of people's is deeper; a chain of folders without end is an attack.
_DEEPEST: Final = 64
#: The latest time that an integer of SQLite holds, in the year 2262.
_LATEST: Final = 2**63 - 1
#: How many bytes of a list of patterns are read.
_MOST_PATTERNS: Final = 1 << 16
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_IGNORES: Final = ".gitignore"


class FoundFile(NamedTuple):
    """A file as found on disk.

    Attributes:
        path: From the linked folder on, with ``/``.
        kind: What its name promises; where it does not, what its content is.
        size: Its bytes.
        mtime: When its content changed, in nanoseconds since 1970.
        inode: Its number, which a renamed file keeps.
        ctime: When anything about it changed, in nanoseconds since 1970.
    """

    path: str
    kind: FileKind
    size: int
    mtime: int
    inode: int
    ctime: int


@define
class Walk:
    """The result of a walk.

    Attributes:
        files: The files that may be read, by path.
        unsupported: How many files are of no kind that is read, by ending.
        withheld: How many files were left alone because they may hold secrets.
        unnamed: How many have a name that is not text.
        closed: How many folders could not be opened.
        deep: How many folders lie too deep to be looked at.
    """

    files: dict[str, FoundFile] = field(factory=dict)
    unsupported: Mapping[str, int] = field(factory=Counter)
    withheld: int = 0
    unnamed: int = 0
    closed: int = 0
    deep: int = 0


def walk(folder: Path, further: Collection[str] = ()) -> Walk:
    """Return the files of a folder that may be read.

    Links are not followed, and neither are file systems that are mounted below it.

    Args:
        folder: The folder.
        further: The endings of files that installed packages read.

    Raises:
        OSError: The folder cannot be opened.
    """
    found = Walk()
    with open_root(folder) as root:
        _Walker(found, os.fstat(root).st_dev, further).visit(root, "", (), 0)
    return found


_Ignored = tuple[tuple[str, IgnorePatterns], ...]


def storable_time(nanoseconds: int) -> int:
    """Return a file's time within the database's range; some file systems report year 10^9."""
    return max(-_LATEST, min(nanoseconds, _LATEST))


@define
class _Walker:
    found: Walk
    device: int
    further: Collection[str]

    def visit(self, descriptor: int, prefix: str, ignored: _Ignored, depth: int) -> None:
        """Look at one folder, and at those below it."""
        folders: list[str] = []
        with os.scandir(descriptor) as entries:
            listed = list(entries)
        if any(entry.name == _IGNORES for entry in listed):
            ignored = (*ignored, *_patterns(descriptor, prefix))
        for entry in listed:
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                if is_walked(name):
                    folders.append(name)
            elif not ignored or not _is_ignored(prefix + name, ignored, is_folder=False):
                self._take(entry, prefix, descriptor)
        listed.clear()
        for name in folders:
            path = prefix + name
            if _is_ignored(path, ignored, is_folder=True):
                continue
            if depth < _DEEPEST:
                self._enter(descriptor, name, f"{path}/", ignored, depth + 1)
            else:
                self.found.deep += 1

    def _enter(self, parent: int, name: str, path: str, ignored: _Ignored, depth: int) -> None:
        try:
            descriptor = os.open(name, _FOLDER, dir_fd=parent)
        except OSError:
            self.found.closed += 1
            return
        try:
            if os.fstat(descriptor).st_dev == self.device:
                self.visit(descriptor, path, ignored, depth)
        except OSError:
            self.found.closed += 1
        finally:
            os.close(descriptor)

    def _take(self, entry: "os.DirEntry[str]", prefix: str, parent: int) -> None:
        name = entry.name
        kind = promised_kind(name, self.further)
        if kind is None and is_secret(name):
            self.found.withheld += 1
            return
        if kind is None and (kind := _kind_inside(entry, parent)) is None:
            if name[0] != "." and isinstance(self.found.unsupported, Counter):
                self.found.unsupported[suffix_of(name)] += 1
            return
        path = prefix + name
        if not path.isascii() and not is_text(path):
            self.found.unnamed += 1
            return
        with suppress(OSError):  # It went while the folder was read.
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                self.found.files[path] = FoundFile(
                    path,
                    kind,
                    status.st_size,
                    storable_time(status.st_mtime_ns),
                    status.st_ino,
                    storable_time(status.st_ctime_ns),
                )


def _kind_inside(entry: "os.DirEntry[str]", parent: int) -> FileKind | None:
    """Return the kind of a file's content; None if it is unsupported, or no file."""
    if not may_be_read(entry.name) or not entry.is_file(follow_symlinks=False):
        return None
    with suppress(OSError):
        file = os.open(entry.name, _FILE, dir_fd=parent)
        try:
            return recognised_kind(os.read(file, BEGINNING))
        finally:
            os.close(file)
    return None


def is_excluded(root: int, path: str) -> bool:
    """Return whether a walk leaves a file out, or a folder on the way to it.

    Args:
        root: The linked folder, open.
        path: The file, from there on.
    """
    *folders, name = path.split("/")
    if name[:1] == "." or is_secret(name) or not all(is_walked(each) for each in folders if each):
        return True
    opened, ignored, prefix = os.dup(root), tuple[tuple[str, IgnorePatterns], ...](), ""
    try:
        for folder in folders:
            ignored = (*ignored, *_patterns(opened, prefix))
            if _is_ignored(prefix + folder, ignored, is_folder=True):
                return True
            below = os.open(folder, _FOLDER, dir_fd=opened)
            os.close(opened)
            opened, prefix = below, f"{prefix}{folder}/"
        ignored = (*ignored, *_patterns(opened, prefix))
        return _is_ignored(path, ignored, is_folder=False)
    except (OSError, ValueError):
        return False  # Whoever opens the file finds out what is wrong with its path.
    finally:
        os.close(opened)


def is_text(path: str) -> bool:
    """Return whether a path is text, and not bytes of another encoding."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _patterns(descriptor: int, prefix: str) -> Iterator[tuple[str, IgnorePatterns]]:
    """Yield the ignore patterns of a folder."""
    with suppress(OSError):
        file = os.open(_IGNORES, _FILE, dir_fd=descriptor)
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                return
            text = os.read(file, _MOST_PATTERNS).decode("utf-8", "replace")
        finally:
            os.close(file)
        yield prefix, IgnorePatterns.parse(text)


def _is_ignored(path: str, ignored: _Ignored, *, is_folder: bool) -> bool:
    """Return whether patterns leave a path out; the deepest folder has the last word."""
    for prefix, patterns in reversed(ignored):
        decided = patterns.decide(path[len(prefix) :], is_folder=is_folder)
        if decided is not None:
            return decided
    return False
