"""Stamps of everything that a version of a repository depends on.

Listing a working tree starts git several times and compares each file with git's index. As long as
nothing has a new stamp, the listing is the same, and comparing stamps takes a fraction of the time.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import accumulate
from pathlib import Path
from typing import Final, Self, TypeAlias

from attrs import evolve, frozen

from rove_code.model import Version
from rove_code.repositories.git import Git, GitFailed
from rove_code.skip_reasons import installed_folder
from rove_core import read_file
from rove_core.clock import Clock

_Stamp: TypeAlias = tuple[int, int, int, int] | None

#: What changed so short ago may change again without a new stamp: clocks of disks are coarse.
_SETTLED: Final = timedelta(seconds=2)
#: After so many seconds git lists the files in any case: of settings that are not in the
#: repository, such as a user's list of ignored names, there is no stamp.
_VALID: Final = 60.0
#: A repository with more files and folders is always listed.
_MOST: Final = 200_000
#: Git is asked so many times which folders it ignores: once for each level of new ones.
_ROUNDS: Final = 4
#: What git's own folders have that a version depends on: of the working tree, and of all of them.
_OWN: Final = ("HEAD", "index", "config.worktree", "reftable/tables.list")
_SHARED: Final = ("config", "info/exclude", "packed-refs", "reftable/tables.list")
_REFERENCE: Final = "ref: "
_MOST_REFERENCES: Final = 5


@frozen
class GitFolders:
    """The folders of a git repository.

    Attributes:
        root: The working tree; of a bare repository its own folder.
        own: What git keeps of this working tree.
        shared: What git keeps of all working trees of the repository.
    """

    root: Path
    own: Path
    shared: Path


@frozen(eq=False)
class TreeStamps:
    """Stamps of everything that a version of a repository depends on.

    Attributes:
        paths: Absolute paths.
        stamps: The stamp of each; None for what is not there.
        valid_until: When git has to list the files in any case, in seconds.
    """

    paths: tuple[str, ...]
    stamps: tuple[_Stamp, ...]
    valid_until: float
    _clock: Clock

    @classmethod
    def of_head(cls, folders: GitFolders, clock: Clock) -> Self | None:
        """Return the stamps that the newest commit depends on; None if they are too new."""
        return cls._settled(folders, [], clock)

    @classmethod
    def of_tree(cls, folders: GitFolders, git: Git, version: Version, clock: Clock) -> Self | None:
        """Return the stamps that the files of a working tree depend on.

        They are taken before the files are listed once more: they hold for a listing that was made
        later and is equal to this version.

        Args:
            folders: Where the repository is.
            git: Git, in the working tree.
            version: Its files as they were listed before.
            clock: The clock, to find out whether everything has been left alone for a while.

        Returns:
            The stamps; None if one is too new to be relied on, or there are too many.
        """
        paths = [file.path for file in version.files] + [file.path for file in version.skipped]
        try:
            found = list(_folders(folders.root, git, paths))
        except (OSError, GitFailed):
            return None
        ignoring = (f"{folder}/.gitignore" if folder else ".gitignore" for folder in found)
        relative = (*found, *ignoring, *paths)
        return cls._settled(folders, [f"{folders.root}/{path}" for path in relative], clock)

    @classmethod
    def _settled(cls, folders: GitFolders, others: Sequence[str], clock: Clock) -> Self | None:
        paths = [*_paths_of_head(folders), *others]
        # Old repositories have a link to the branch there, whose own stamp never changes.
        if len(paths) > _MOST or (folders.own / "HEAD").is_symlink():
            return None
        latest = (clock.now() - _SETTLED).timestamp() * 1e9
        stamps = _stamps(paths)
        if any(stamp and max(stamp[:2]) >= latest for stamp in stamps):
            return None
        return cls(tuple(paths), stamps, clock.monotonic() + _VALID, clock)

    def renewed(self) -> Self | None:
        """Return the same stamps, valid anew; None if anything has another one."""
        if _stamps(self.paths) != self.stamps:
            return None
        return evolve(self, valid_until=self._clock.monotonic() + _VALID)

    def are_current(self) -> bool:
        """Return whether nothing has a new stamp."""
        return self._clock.monotonic() < self.valid_until and _stamps(self.paths) == self.stamps


def _stamps(paths: Iterable[str]) -> tuple[_Stamp, ...]:
    return tuple(map(_stamp, paths))


def _stamp(path: str) -> _Stamp:
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    return status.st_ctime_ns, status.st_mtime_ns, status.st_size, status.st_ino


def _paths_of_head(folders: GitFolders) -> list[str]:
    """Return what the newest commit and the settings of the repository depend on."""
    paths = [folders.root, folders.root / ".git"]
    paths += [folders.own / name for name in _OWN]
    paths += [folders.shared / name for name in _SHARED]
    return [str(path) for path in (*paths, *_references(folders))]


def _references(folders: GitFolders) -> Iterator[Path]:
    """Yield the files in which git may keep the branch that is checked out."""
    name = "HEAD"
    for _ in range(_MOST_REFERENCES):
        text = next(
            filter(None, (_text(base / name) for base in (folders.own, folders.shared))), ""
        )
        name = text.removeprefix(_REFERENCE).strip()
        if name == text.strip() or ".." in name or name.startswith("/"):
            return
        yield from (folders.own / name, folders.shared / name)


def _text(path: Path) -> str:
    try:
        return read_file(path).decode()
    except (OSError, ValueError):
        return ""


def _folders(root: Path, git: Git, paths: Iterable[str]) -> Iterator[str]:
    """Yield the folders in which a new file would be listed: those that git does not ignore."""
    listed = {folder for path in paths for folder in accumulate(path.split("/")[:-1], _below)}
    waiting, new = [""], list[str]()
    for _ in range(_ROUNDS):
        while waiting:
            folder = waiting.pop()
            yield folder
            for inner in _inside(root, folder):
                (waiting if inner in listed else new).append(inner)
        if not new:
            return
        ignored = _ignored(git, new)
        waiting, new = [folder for folder in new if folder not in ignored], []
    if waiting:
        raise OSError(f"{root} has too many folders without files")


def _below(folder: str, name: str) -> str:
    return f"{folder}/{name}"


def _inside(root: Path, folder: str) -> Iterator[str]:
    """Yield the folders in a folder, unless they are another repository's or installed."""
    if folder and os.path.lexists(f"{root}/{folder}/.git"):
        return
    with os.scandir(f"{root}/{folder}") as entries:
        names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    for name in names:
        path = f"{folder}/{name}" if folder else name
        if name != ".git" and not installed_folder(f"{path}/"):
            yield path


def _ignored(git: Git, folders: Iterable[str]) -> set[str]:
    stdin = b"".join(os.fsencode(f"./{folder}") + b"\0" for folder in folders)
    output = git.run("check-ignore", "-z", "--stdin", stdin=stdin, allowed=(0, 1))
    return {os.fsdecode(path).removeprefix("./") for path in output.split(b"\0")}
