"""Git worktrees, each confirmed by its repository."""

import os
from pathlib import Path

from rove_core import git_folder, own_git_folder, read_file


def is_worktree_of(folder: Path, repository: Path) -> bool:
    """Return whether a folder is a checkout of a repository: its main worktree or another.

    The repository must list the worktree, and the worktree must point back: a folder that came in
    an archive can claim to belong to any repository, but none lists it.

    Args:
        folder: The folder, without links.
        repository: The repository's folder or one of its worktrees, without links.
    """
    shared, own = _path(git_folder(str(repository))), _path(own_git_folder(str(folder)))
    if shared is None or own is None or _path(git_folder(str(folder))) != shared:
        return False
    if own == shared:
        return folder / ".git" == shared
    back = _way_back(own)
    return own.parent == shared / "worktrees" and _path(back) == folder / ".git"


def _way_back(own: Path) -> str:
    """Return the ``.git`` that git says a worktree has; empty if it says nothing."""
    try:
        return os.fsdecode(read_file(own / "gitdir")).strip()
    except OSError:
        return ""


def _path(found: str | None) -> Path | None:
    """Return a folder without links; None if there is none."""
    try:
        return Path(found).resolve(strict=True) if found else None
    except OSError:
        return None
