"""Log files with a size limit that several processes may write."""

import fcntl
import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

#: A file is put aside when it is as large as this; the oldest of so many files is given up.
MOST_BYTES: Final = 5_000_000
FILES: Final = 5


def append_line(folder: Path, name: str, line: bytes) -> None:
    """Add a line to a log file, and put the file aside when it is full.

    Every line opens the file anew, so that no process goes on writing into one that another
    put aside. Links are not followed: a clone may bring one.

    Args:
        folder: Where the logs are; it is made if only it is missing.
        name: Which file.
        line: The line, with its end.

    Raises:
        OSError: It cannot be written.
    """
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if _append(place, name, line) >= MOST_BYTES:
            _put_aside(place, name)
    finally:
        os.close(place)


def _append(place: int, name: str, line: bytes) -> int:
    # A pipe of that name would otherwise block until somebody reads it.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(name, flags, 0o600, dir_fd=place)
    try:
        os.write(descriptor, line)
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def _put_aside(place: int, name: str) -> None:
    # Whoever holds the lock, or held it a moment ago, did what this process was about to do.
    with suppress(BlockingIOError, FileNotFoundError):
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.stat(name, dir_fd=place, follow_symlinks=False).st_size >= MOST_BYTES:
            _shift(place, [name, *(f"{name}.{number}" for number in range(1, FILES))])


def _shift(place: int, names: Sequence[str]) -> None:
    for newer, older in reversed(list(pairwise(names))):
        with suppress(FileNotFoundError):
            os.replace(newer, older, src_dir_fd=place, dst_dir_fd=place)  # pathlib knows no dir_fd
