"""Open the repository or folder at a path."""

import os
import shlex
from pathlib import Path
from typing import Final

from rove_code.repositories.folder import PlainFolder
from rove_code.repositories.git import Git, GitFailed, available
from rove_code.repositories.git_repository import GitRepository
from rove_code.repositories.repository import Repository
from rove_code.repositories.tree_stamps import GitFolders
from rove_code.repositories.working_files import WorkingFiles
from rove_core import RepositoryNotFound, RepositoryUnusable, git_obstacle, read_file
from rove_core.clock import SYSTEM, Clock

_FACTS: Final = ("--absolute-git-dir", "--git-common-dir", "--show-object-format")
_NO_REPOSITORY: Final = "not a git repository"
_ANOTHERS: Final = "dubious ownership"


def open_repository(path: Path, *, clock: Clock = SYSTEM) -> Repository:
    """Return what code is read from: a git repository or, where there is none, a folder.

    Without git on this machine, a repository is the folder of its working tree.

    Args:
        path: A repository's top folder or, if it is bare, the repository; or any other folder.
        clock: The clock, to find out how long a file has been left alone.

    Raises:
        RepositoryNotFound: There is no such folder.
        RepositoryUnusable: It is another user's repository, or git cannot read it.
    """
    try:
        root = path.resolve(strict=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise RepositoryNotFound(f"there is no folder {path}") from error
    if not root.is_dir():
        raise RepositoryNotFound(f"{root} is not a folder")
    git = _git_of(root) if available() else None
    found = _opened(git, clock) if git else None
    return found or PlainFolder(root, WorkingFiles(root, "sha1", clock))


def _git_of(root: Path) -> Git | None:
    if os.path.lexists(root / ".git"):
        return Git(root, work_tree=root)
    is_bare = all((root / name).exists() for name in ("HEAD", "objects", "refs"))
    return Git(root) if is_bare else None


def _opened(git: Git, clock: Clock) -> GitRepository | None:
    root = git.folder
    if obstacle := git_obstacle(str(root)):
        raise RepositoryUnusable(
            f"git would wait for {obstacle}, which is a pipe or a device",
            hint=f"If nobody needs it: rm {shlex.quote(obstacle)}",
        )
    try:
        output = git.run("rev-parse", *_FACTS)
    except GitFailed as error:
        if _NO_REPOSITORY in error.output:
            return None
        if _ANOTHERS not in error.output:
            raise
        raise RepositoryUnusable(
            f"the repository {root} belongs to another user",
            hint=f"If you trust them: git config --global --add safe.directory {root}",
        ) from error
    own, shared, algorithm = os.fsdecode(output).splitlines()[-3:]
    folders = GitFolders(root, Path(own), (root / shared).resolve())
    if not _belongs(git, folders.own, folders.shared):
        return None
    files = WorkingFiles(root, algorithm, clock)
    return GitRepository(root, git, folders=folders, files=files)


def _belongs(git: Git, own: Path, shared: Path) -> bool:
    """Return whether git's folder belongs to this folder.

    A folder that came in an archive can point at anybody's repository. Only one that git itself
    made, a worktree or a submodule, is pointed at from there.
    """
    root = git.folder
    if git.work_tree is None:
        return own == shared == root
    if not (root / ".git").is_symlink() and own == root / ".git":
        return shared == own
    return own != root / ".git" and (_is_worktree(root, own) or _is_submodule(git, own))


def _is_worktree(root: Path, own: Path) -> bool:
    try:
        back = read_file(own / "gitdir").decode().removesuffix("\n")
    except (OSError, ValueError):
        return False
    return (own / back).resolve() == root / ".git"


def _is_submodule(git: Git, own: Path) -> bool:
    try:
        output = git.run("config", "--file", str(own / "config"), "--get", "core.worktree")
    except GitFailed:
        return False
    return (own / os.fsdecode(output).removesuffix("\n")).resolve() == git.folder
