"""Find out which documents came with a git checkout, without running git."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rove_core.project.paths import own_git_folder
from rove_core.store.files import read_file

if TYPE_CHECKING:
    from rove_core.project.layout import ProjectPaths

#: Ends each path in the list.
_END: Final = b"\0"


def tracked_documents(places: "ProjectPaths") -> bytes:
    """Return git's list of tracked files, as bytes to search; empty without git."""
    folder = own_git_folder(str(places.root))
    with suppress(OSError):
        return read_file(Path(folder, "index")) if folder else b""
    return b""


def is_tracked(tracked: bytes, filename: str) -> bool:
    """Return whether git tracks a document: then it may have come with a clone.

    Args:
        tracked: What :func:`tracked_documents` returned.
        filename: The document.
    """
    return f".context/{filename}".encode("utf-8", "surrogateescape") + _END in tracked
