"""Open files below a folder, and nothing outside it.

Linux 5.6 and later resolve the whole path in one step (``openat2``). Elsewhere each part is
opened below the last one without following links. Either way, whoever swaps a folder for a link
between a check and its use gains nothing: there is no check before the use.
"""

import ctypes
import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen

#: A link is not followed, and a pipe does not block its reader.
_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
#: A folder on the way to another one need not be readable.
_PASSED: Final = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPENAT2: Final = 437
_RESOLVE_NO_MAGICLINKS: Final = 0x02
_RESOLVE_NO_SYMLINKS: Final = 0x04
_RESOLVE_BENEATH: Final = 0x08
_LONGEST_NAME: Final = 255


class AccessDeniedError(Exception):
    """A path that is not a plain file below the folder."""


class _OpenHow(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


@frozen
class OpenedFile:
    """A regular file, open for reading.

    Attributes:
        descriptor: Its descriptor; whoever opened it closes it.
        status: What the file system says of it.
    """

    descriptor: int
    status: os.stat_result

    def read(self, most: int) -> bytes:
        """Return the first bytes of the file, at most this many."""
        parts, left = [], most
        while left > 0 and (part := os.read(self.descriptor, min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)


@contextmanager
def open_root(folder: Path) -> Iterator[int]:
    """Open a folder as a descriptor; raise OSError if it is a link.

    The folder was resolved when it was linked. A link in its place, or in that of a folder above
    it, came later, perhaps with a change of the repository: it leads where nobody looked.
    """
    flags = _FLAGS | os.O_DIRECTORY
    above = os.open("/", _PASSED)
    try:
        path = str(folder.absolute()).strip("/") or "."
        if has_openat2():
            root = _openat2(above, path, flags)
        else:
            root = open_step_by_step(above, path, flags)
    finally:
        os.close(above)
    try:
        yield root
    finally:
        os.close(root)


def can_open(folder: Path) -> bool:
    """Return whether a folder is still where it was linked."""
    try:
        with open_root(folder):
            return True
    except OSError:
        return False


@contextmanager
def open_below(root: int, relative: str) -> Iterator[OpenedFile]:
    """Open a file below a folder.

    Args:
        root: The folder's descriptor.
        relative: The path from there, with ``/``.

    Raises:
        AccessDeniedError: The path is not one of a plain file below the folder.
        FileNotFoundError: There is no such file.
        PermissionError: The user may not read it.
    """
    descriptor = _descriptor(root, checked_path(relative))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise AccessDeniedError(f"{relative!r} is not a regular file")
        yield OpenedFile(descriptor, status)
    finally:
        os.close(descriptor)


def checked_path(relative: str) -> str:
    """Return a relative path, or raise :class:`AccessDeniedError` for one that leads elsewhere."""
    parts = relative.split("/")
    if not relative or "\0" in relative or any(part in {"", ".", ".."} for part in parts):
        raise AccessDeniedError(f"{relative!r} is not a path below the folder")
    # What no file system holds is not asked for, and what has no bytes cannot be.
    try:
        encoded = [os.fsencode(part) for part in parts]
    except UnicodeEncodeError as error:
        raise AccessDeniedError(f"{relative!r} is not a path") from error
    if any(len(part) > _LONGEST_NAME for part in encoded):
        raise FileNotFoundError(errno.ENOENT, "No such file", relative)
    return relative


@cache
def has_openat2() -> bool:
    """Return whether the kernel resolves a whole path below a folder in one step."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        os.close(_openat2(os.open("/", os.O_RDONLY | os.O_CLOEXEC), ".", os.O_PATH, closes=True))
    except (OSError, AttributeError):
        return False
    return True


def _descriptor(root: int, relative: str) -> int:
    try:
        if has_openat2():
            return _openat2(root, relative, _FLAGS)
        return open_step_by_step(root, relative)
    except OSError as error:
        # A link (ELOOP), a way out (EXDEV), a file where a folder should be, a device nobody has.
        if error.errno in {errno.ELOOP, errno.EXDEV, errno.ENXIO, errno.ENODEV}:
            raise AccessDeniedError(f"{relative!r} points outside the folder") from error
        if error.errno in {errno.ENOTDIR, errno.ENAMETOOLONG}:
            raise FileNotFoundError(errno.ENOENT, "No such file", relative) from error
        raise


def open_step_by_step(root: int, relative: str, flags: int = _FLAGS) -> int:
    """Return a descriptor of a path below a folder, on systems without ``openat2``."""
    *folders, name = relative.split("/")
    parent = root
    try:
        for each in folders:
            below = os.open(each, _PASSED, dir_fd=parent)
            if parent != root:
                os.close(parent)
            parent = below
        return os.open(name, flags, dir_fd=parent)
    except OSError as error:
        # A link where a folder should be is ENOTDIR here: O_DIRECTORY is looked at first.
        if error.errno == errno.ENOTDIR and _is_link(each if folders else name, parent):
            raise OSError(errno.ELOOP, "A link", relative) from error
        raise
    finally:
        if parent != root:
            os.close(parent)


def _is_link(name: str, parent: int) -> bool:
    try:
        status = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISLNK(status.st_mode)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _openat2(root: int, relative: str, flags: int, *, closes: bool = False) -> int:
    how = _OpenHow(
        flags=flags, resolve=_RESOLVE_BENEATH | _RESOLVE_NO_SYMLINKS | _RESOLVE_NO_MAGICLINKS
    )
    try:
        descriptor = _libc().syscall(
            _OPENAT2, root, os.fsencode(relative), ctypes.byref(how), ctypes.sizeof(how)
        )
    finally:
        if closes:
            os.close(root)
    if descriptor < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), relative)
    return int(descriptor)
