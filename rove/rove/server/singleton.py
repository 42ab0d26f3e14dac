"""The lock that makes a project's server the only one.

Whoever starts a server takes the lock and hands it over to it, open: there is no moment at which
two could start, and none at which nobody holds it. The kernel gives it back when its last holder
dies, however that happens.
"""

import fcntl
import json
import os
from contextlib import suppress
from datetime import datetime
from typing import Final

from rove_core.errors import DiskTrouble

_NAME: Final = "daemon.lock"


def take(folder: int) -> int | None:
    """Return the lock of a project's server as a descriptor, or None if another holds it.

    Args:
        folder: The open ``.rove``.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        lock = os.open(_NAME, flags, 0o600, dir_fd=folder)
    except OSError as error:
        raise DiskTrouble(f".rove/{_NAME} cannot be opened: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    with suppress(OSError):
        os.fchmod(lock, 0o600)  # A strange umask may have taken it from its owner.
    return lock


def sign(lock: int, *, version: str, at: datetime) -> None:
    """Write down who holds the lock, for people alone: nothing relies on it."""
    record = {"pid": os.getpid(), "version": version, "started_at": at.isoformat()}
    with suppress(OSError):
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{json.dumps(record)}\n".encode(), 0)
