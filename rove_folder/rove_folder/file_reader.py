"""Read one file of a linked folder, safely."""

import os
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen

from rove_folder.files.content_kinds import content_kind
from rove_folder.files.guard import AccessDeniedError, open_below, open_root
from rove_folder.files.kinds import MOST_BYTES, MOST_IMAGE_BYTES, FileKind
from rove_folder.files.walk import is_excluded, storable_time

Trouble: TypeAlias = Literal["denied", "missing", "closed"]


@frozen(kw_only=True)
class FileContent:
    """The bytes of a file.

    Attributes:
        data: As many as are read at most.
        size: How many there are.
        kind: What they are.
        mtime: When they changed, in nanoseconds since 1970.
    """

    data: bytes
    size: int
    kind: FileKind
    mtime: int

    @property
    def is_whole(self) -> bool:
        """Whether it is complete."""
        return len(self.data) >= self.size


def read_below(folder: Path, relative: str) -> FileContent:
    """Return the content of a file below a folder.

    Raises:
        AccessDeniedError: The path leads elsewhere, or to what is never read.
        FileNotFoundError: There is no such file.
        PermissionError: The user may not read it.
    """
    with open_root(folder) as root:
        if is_excluded(root, relative):
            raise AccessDeniedError(f"{relative!r} is never read")
        with open_below(root, relative) as file:
            data = file.read(MOST_IMAGE_BYTES)
            kind = content_kind(data)
            status = os.fstat(file.descriptor)
    most = MOST_IMAGE_BYTES if kind == "image" else MOST_BYTES
    return FileContent(
        data=data[:most],
        size=max(status.st_size, len(data)),
        kind=kind,
        mtime=storable_time(status.st_mtime_ns),
    )
