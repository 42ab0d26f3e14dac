"""Track the last use of each document.

It is on the fastest path of all: one file of no length is touched for each document.
"""

# pathlib takes longer to import than the whole answer may take.

import os

from rove_core.project.paths import is_own_folder


def record_use(rove: str, filename: str) -> None:
    """Record that a document was requested just now, unless the disk is read-only.

    Args:
        rove: The project's ``.rove``.
        filename: The document's name.
    """
    folder = f"{rove}/asked"
    try:
        if not is_own_folder(folder):
            os.mkdir(folder, 0o700)
        path = f"{folder}/{os.path.basename(filename)}"
        try:
            os.utime(path, follow_symlinks=False)
        except FileNotFoundError:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        pass


def last_uses(rove: str) -> dict[str, float]:
    """Return when each document was last requested, in seconds since 1970."""
    try:
        with os.scandir(f"{rove}/asked") as entries:
            return {entry.name: entry.stat(follow_symlinks=False).st_mtime for entry in entries}
    except OSError:
        return {}
