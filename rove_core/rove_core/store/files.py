"""Atomic file writes, private folders, and locks between processes."""

import errno
import fcntl
import os
import select
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from rove_core.errors import DiskTrouble, Locked, UnsafePlace

_SUFFIX: Final = ".rove-new"
_PAUSE: Final = 0.02
#: No file that Rove reads whole is larger.
_MOST_BYTES: Final = 256_000_000
_KINDS: Final = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "folder",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
}


def write_atomic(
    path: Path, data: bytes, *, mode: int = 0o600, unless: Callable[[], bool] = lambda: False
) -> bool:
    """Replace a file so that every reader, and every crash, sees the old one or the new one.

    What a killed writer of the same file left behind is removed.

    Args:
        path: The file; its folder exists.
        data: The whole content of the file.
        mode: Its permissions, whatever the umask.
        unless: Is asked at the last moment whether to leave the file as it is after all.

    Returns:
        Whether the file was replaced.
    """
    try:
        _remove_leftovers(path)
        temporary, descriptor = _create_beside(path, mode)
        try:
            _write_all(descriptor, data)
            os.fsync(descriptor)
            if unless():
                temporary.unlink()
                return False
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        finally:
            os.close(descriptor)
        _sync_folder(path.parent)
    except OSError as error:
        raise DiskTrouble(
            f"{path} ({len(data)} bytes) cannot be written: {error.strerror}",
            hint=way_out(error, path),
        ) from error
    return True


def remove_leftovers(folder: Path, *, only_count: bool = False) -> int:
    """Remove what killed writers left behind in a folder, and return how many files that are.

    Args:
        folder: The folder; what lies in folders below it stays.
        only_count: Remove nothing.
    """
    left = 0
    with suppress(OSError):
        for name in (path for path in folder.iterdir() if path.name.endswith(_SUFFIX)):
            with suppress(OSError):
                left += _is_abandoned(name, remove=not only_count)
    return left


def read_file(path: Path, *, most: int = _MOST_BYTES) -> bytes:
    """Return the bytes of a regular file; a pipe or a device would keep its reader waiting.

    Args:
        path: The file; links to it are followed.
        most: The size limit in bytes.

    Raises:
        OSError: It is not there, cannot be read, is too large, or is no regular file.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "Not a regular file", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def kind_of_file(path: Path) -> str:
    """Return the kind of a path: ``file``, ``link``, ``pipe`` and so on; empty if missing."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    return _KINDS.get(stat.S_IFMT(mode), "device")


def close_to_others(path: Path) -> None:
    """Let only its user read and write a file; leave it as it is if that is impossible."""
    with suppress(OSError):
        mode = stat.S_IMODE(path.lstat().st_mode)
        if mode & 0o077:
            path.chmod(mode & 0o700)


def way_out(error: OSError, path: Path | None = None) -> str:
    """Return what helps where the advice of the error's class does not; else nothing.

    Args:
        error: What happened.
        path: The file that was meant; the one that the error names by default.
    """
    if not isinstance(error, IsADirectoryError):
        return ""
    place = path or error.filename
    return f"There is a folder in its place. Move it away: mv {place} {place}.old"


def private_folder(path: Path) -> Path:
    """Return a folder that only its user can access; create it if it is missing.

    The folders above it that are not there either are created in the same way.
    """
    try:
        missing = [each for each in (path, *path.parents) if not os.path.lexists(each)]
        for each in reversed(missing):
            with suppress(FileExistsError):
                each.mkdir(mode=0o700)
        status = path.lstat()
    except OSError as error:
        raise DiskTrouble(f"the folder {path} cannot be made: {error.strerror}") from error
    if not stat.S_ISDIR(status.st_mode):
        kind = "a link" if stat.S_ISLNK(status.st_mode) else "not a folder"
        raise UnsafePlace(f"{path} is {kind}")
    if status.st_uid != os.geteuid():
        raise UnsafePlace(
            f"{path} belongs to user {status.st_uid}, not to {os.geteuid()}",
            hint="Run Rove as that user, or use a folder of your own.",
        )
    return path


class FileLock:
    """A lock between processes, on a file that serves nothing else; only its holder removes it.

    The kernel gives it back when its holder dies, however that happens. Use it as a context
    manager; who may not block tries and waits in a way of its own.

    Args:
        path: The file; its folder exists.
        timeout: How many seconds the context manager waits before it raises Locked.
    """

    def __init__(self, path: Path, *, timeout: float = 30.0) -> None:
        self._path = path
        self._timeout = timeout
        self._descriptor = -1

    def __enter__(self) -> Self:
        waits = int(self._timeout / _PAUSE)
        while not self.try_acquire():
            if waits <= 0:
                raise Locked(f"{self._path} is locked by another process")
            waits -= 1
            select.select((), (), (), _PAUSE)
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def try_acquire(self) -> bool:
        """Try to take the lock, and return whether it was taken."""
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            taken = False
            try:
                # Who held it may have removed the file, which then keeps nobody out.
                taken = _try_flock(descriptor) and os.fstat(descriptor).st_nlink > 0
            finally:
                if not taken:
                    os.close(descriptor)
        except OSError as error:
            raise DiskTrouble(f"{self._path} cannot be locked: {error.strerror}") from error
        if taken:
            self._descriptor = descriptor
        return taken

    def release(self) -> None:
        """Release the lock."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def _create_beside(path: Path, mode: int) -> tuple[Path, int]:
    """Create a temporary file that is not taken for a leftover while open."""
    while True:
        temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}{_SUFFIX}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        descriptor = os.open(temporary, flags, mode)
        try:
            os.fchmod(descriptor, mode)
            # Another writer may have taken it for a leftover before it was locked.
            if _try_flock(descriptor) and os.fstat(descriptor).st_nlink:
                return temporary, descriptor
        except BaseException:
            os.close(descriptor)
            temporary.unlink(missing_ok=True)
            raise
        os.close(descriptor)


def _remove_leftovers(path: Path) -> None:
    prefix = f".{path.name}."
    with os.scandir(path.parent) as entries:
        names = [entry.name for entry in entries if entry.name.startswith(prefix)]
    for name in names:
        if name.endswith(_SUFFIX):
            with suppress(OSError):
                _is_abandoned(path.with_name(name), remove=True)


def _is_abandoned(temporary: Path, *, remove: bool) -> bool:
    """Return whether no living writer holds a temporary file; its name is never used twice."""
    descriptor = os.open(temporary, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        abandoned = _try_flock(descriptor)
        if abandoned and remove:
            temporary.unlink()
        return abandoned
    finally:
        os.close(descriptor)


def _try_flock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some file systems cannot do this for a folder, and need not.
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(descriptor)
