"""The server's address: a socket in ``.rove``, however long its path is."""

import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from rove_core.errors import DiskTrouble, UnsafePlace

_NAME: Final = "api.sock"
#: Seconds for whoever has a socket here to take a call.
_PATIENCE: Final = 2.0
#: How many callers may wait to be let in.
_BACKLOG: Final = 128
#: By this a process of Linux reaches what is in a folder that it holds open.
_OPEN_FOLDERS: Final = Path("/proc/self/fd")


def open_folder(rove: Path) -> int:
    """Return a descriptor of a project's ``.rove``, which stays that folder whatever is renamed.

    Raises:
        FileNotFoundError: There is none.
        UnsafePlace: It is a link, no folder, or another user's.
        DiskTrouble: It cannot be opened.
    """
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        folder = os.open(rove, flags)
    except FileNotFoundError:
        raise
    except NotADirectoryError as error:
        raise UnsafePlace(f"{rove} is a link or not a folder") from error
    except OSError as error:
        raise DiskTrouble(f"{rove} cannot be opened: {error.strerror}") from error
    if (owner := os.fstat(folder).st_uid) != os.geteuid():
        os.close(folder)
        raise UnsafePlace(f"{rove} belongs to user {owner}, not to {os.geteuid()}")
    return folder


def bind(folder: int, rove: Path) -> socket.socket:
    """Return a socket that listens in a project's ``.rove``, and that only this user may call.

    Whoever calls this holds the lock of :mod:`rove.server.singleton`: a socket that is left over
    is nobody's then, and is removed. Anything else that lies there stays.

    Args:
        folder: The open ``.rove``.
        rove: Its path, for people.

    Raises:
        UnsafePlace: Something else lies there.
        DiskTrouble: It cannot be made here.
    """
    _remove_stale(folder, rove / _NAME)
    listener = socket.socket(socket.AF_UNIX)
    try:
        _bind_privately(listener, folder)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise DiskTrouble(f"{rove / _NAME} cannot be made: {error.strerror or error}") from error
    return listener


def connect(folder: int, *, timeout: float = _PATIENCE) -> socket.socket:
    """Return a connection to the socket in a project's open ``.rove``, or raise OSError."""
    caller = socket.socket(socket.AF_UNIX)
    try:
        caller.settimeout(timeout)
        with _short_path(folder) as path:
            caller.connect(path)
    except BaseException:
        caller.close()
        raise
    return caller


def identity(folder: int) -> tuple[int, int] | None:
    """Return the identity of the socket in an open folder; None if there is no socket."""
    try:
        found = os.stat(_NAME, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def remove(folder: int, mine: tuple[int, int] | None) -> None:
    """Remove the socket from an open folder, if it is still this one."""
    if mine is not None and identity(folder) == mine:
        with suppress(OSError):
            os.unlink(_NAME, dir_fd=folder)  # pathlib knows no dir_fd


def _bind_privately(listener: socket.socket, folder: int) -> None:
    # Some systems ignore the one, some the other: together they leave no moment open to others.
    with suppress(OSError):
        os.fchmod(listener.fileno(), 0o600)
    before = os.umask(0o177)
    try:
        with _short_path(folder) as path:
            listener.bind(path)
    finally:
        os.umask(before)


def _remove_stale(folder: int, path: Path) -> None:
    try:
        found = os.stat(_NAME, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    look = f"Check it, then move it away: ls -ld {path}"
    if not stat.S_ISSOCK(found.st_mode):
        raise UnsafePlace(f"{path} is {_kind(found.st_mode)}, not a socket", hint=look)
    if found.st_uid != os.geteuid():
        raise UnsafePlace(f"{path} belongs to user {found.st_uid}", hint=look)
    try:
        connect(folder).close()
    except ConnectionRefusedError:
        os.unlink(_NAME, dir_fd=folder)  # pathlib knows no dir_fd
    except OSError as error:
        reason = error.strerror or error
        raise UnsafePlace(f"{path} is not a socket of Rove's: {reason}", hint=look) from error
    else:
        raise UnsafePlace(f"another program answers at {path}", hint=look)


def _kind(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a link"
    return "a folder" if stat.S_ISDIR(mode) else "a file"


@contextmanager
def _short_path(folder: int) -> Iterator[str]:
    """Yield a short path of the socket: systems allow about a hundred bytes."""
    if _OPEN_FOLDERS.is_dir():
        yield f"{_OPEN_FOLDERS}/{folder}/{_NAME}"
        return
    before = os.open(".", os.O_RDONLY)
    try:
        os.fchdir(folder)
        yield _NAME
    finally:
        os.fchdir(before)
        os.close(before)
