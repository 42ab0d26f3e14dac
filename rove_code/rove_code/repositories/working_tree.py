"""Files of a git working tree: tracked ones, and untracked ones that are not ignored.

What git's index says of a file that has not changed since is taken at its word: such a file is not
even opened. Git is not asked which files have changed, because it would run the repository's
filters to find out.
"""

import os
import re
from pathlib import Path
from typing import Final

from attrs import define, field

from rove_code.model import FileVersion, UnreadFile
from rove_code.repositories.git import Git
from rove_code.repositories.objects import why_not_tracked
from rove_code.repositories.tree import Tree, is_text, printable
from rove_code.repositories.working_files import WorkingFiles
from rove_code.skip_reasons import INSTALLED, NAME, NESTED, UNREADABLE, installed_folder, why_not

_LISTED: Final = ("ls-files", "-z", "-t", "--stage", "--debug", "--cached", "--others")
#: What git tells of a file: just its path, or what the index knows of it. Git promises nothing
#: about the last part; without it, files are read to see whether they changed.
_ENTRY: Final = re.compile(
    rb"\? ([^\0]+)\0"
    rb"|. (\d{6}) ([0-9a-f]+) \d\t([^\0]+)\0"
    rb"(?:  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n.*\n.*\n  size: (\d+)\t.*\n)?"
)
_SECOND: Final = 10**9


def working_tree(
    git: Git, working: WorkingFiles, index: Path
) -> tuple[tuple[FileVersion, ...], tuple[UnreadFile, ...]]:
    """Return the files as they are, by path, and those that are not read.

    Args:
        git: Git, in the working tree.
        working: Names the contents that git's index does not.
        index: The file of git's index.
    """
    listing = _FileListing(working, _modified(index))
    with Tree(working.root) as tree:
        for entry in _ENTRY.finditer(git.run(*_LISTED, "--exclude-standard")):
            listing.add(tree, entry)
    files = sorted(listing.files.values(), key=lambda file: file.path)
    skipped = sorted(listing.skipped.items())
    return tuple(files), tuple(UnreadFile(path, why) for path, why in skipped)


def _modified(index: Path) -> int:
    try:
        return index.stat().st_mtime_ns
    except OSError:
        return 0


@define
class _FileListing:
    """The files of a working tree, as they are found.

    Attributes:
        working: Names what the index does not.
        indexed_at: When the index was written: of what changed later it knows nothing.
        files: By path.
        skipped: Why, by path.
    """

    working: WorkingFiles
    indexed_at: int
    files: dict[str, FileVersion] = field(factory=dict)
    skipped: dict[str, str] = field(factory=dict)

    def add(self, tree: Tree, entry: re.Match[bytes]) -> None:
        """Add a file that git lists, if it exists and may be read."""
        untracked, mode, blob, tracked, *index_stats = entry.groups()
        path = os.fsdecode(untracked or tracked)
        if untracked and (folder := installed_folder(path)):
            self.skipped[printable(folder)] = INSTALLED
        elif why := _why_not_untracked(path) if untracked else why_not_tracked(mode, path):
            self.skipped[printable(path.removesuffix("/"))] = why
        elif status := tree.status(path):
            self._add_found(tree, path, status, blob if self._is_as(index_stats, status) else b"")

    def _add_found(self, tree: Tree, path: str, status: os.stat_result, blob: bytes) -> None:
        """Add an existing file; its blob id is empty if unknown."""
        if why := why_not(status):
            self.skipped[path] = why
        elif blob:
            self.files[path] = FileVersion(path, blob.decode(), status.st_size)
        elif file := self.working.name(tree, path, status):
            self.files[path] = file
        else:
            self.skipped[path] = UNREADABLE

    def _is_as(self, index_stats: list[bytes], status: os.stat_result) -> bool:
        """Return whether a file is unchanged since git's index recorded it."""
        if None in index_stats or status.st_mtime_ns >= self.indexed_at:
            return False
        changed, changed_ns, modified, modified_ns, size = map(int, index_stats)
        return (
            modified * _SECOND + modified_ns == status.st_mtime_ns
            and changed * _SECOND + changed_ns == status.st_ctime_ns
            and size == status.st_size
        )


def _why_not_untracked(path: str) -> str:
    if path.endswith("/"):
        return NESTED
    return "" if is_text(path) else NAME
