"""Read private files: links, foreign owners and open permissions are refused."""

import os
import shlex
import stat
from pathlib import Path

from rove_core.errors import DiskTrouble, UnsafePlace


def read_private(path: Path) -> bytes | None:
    """Return the content of a private file, or None if there is none.

    Raises:
        UnsafePlace: It is a link, no file, another user's, or open to others.
        DiskTrouble: It cannot be read.
    """
    try:
        status = path.lstat()
        _check_kind(path, "file", is_right=stat.S_ISREG(status.st_mode))
        _check_access(path, status, 0o600)
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise DiskTrouble(f"{path} cannot be read: {error.strerror}") from error


def check_folder(path: Path, *, allowed: int = 0o700) -> None:
    """Refuse a folder, if there is one, in which others could read or replace a file.

    Args:
        path: The folder.
        allowed: The permissions it may have at most.

    Raises:
        UnsafePlace: It is a link, no folder, another user's, or open to others.
        DiskTrouble: It cannot be looked at.
    """
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise DiskTrouble(f"{path} cannot be read: {error.strerror}") from error
    _check_kind(path, "folder", is_right=stat.S_ISDIR(status.st_mode))
    _check_access(path, status, allowed)


def _check_kind(path: Path, kind: str, *, is_right: bool) -> None:
    if not is_right:
        raise UnsafePlace(
            f"{path} is a link or not a {kind}",
            hint=f"Check it with: ls -ld {_quoted(path)}; then put a {kind} of your own there.",
        )


def _check_access(path: Path, status: os.stat_result, allowed: int) -> None:
    user = os.geteuid()
    if status.st_uid != user:
        raise UnsafePlace(
            f"{path} belongs to user {status.st_uid}, not to {user}",
            hint=f"If you know why, take ownership: sudo chown {user} {_quoted(path)}",
        )
    if stat.S_IMODE(status.st_mode) & 0o077 & ~allowed:
        raise UnsafePlace(
            f"{path} is open to other users ({stat.filemode(status.st_mode)})",
            hint=f"Close it with: rove doctor --fix; or: chmod {allowed:o} {_quoted(path)}",
        )


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
