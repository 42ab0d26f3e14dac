"""Paths of projects and user data; cheap to import."""
# pathlib takes longer to import than the whole answer may take.

import os
import stat
import sys

#: What git opens and reads to its end when it looks at a working folder.
_GIT_READS = (
    *("HEAD", "config", "config.worktree", "commondir", "gitdir", "index", "packed-refs"),
    *("shallow", "info/exclude", "info/attributes", "info/grafts", "info/sparse-checkout"),
    "objects/info/alternates",
)
_GIT_READS_OUTSIDE = (".gitignore", ".gitattributes", ".gitmodules", ".mailmap")
_GIT_READS_OF_USER = ("config", "ignore", "attributes")


def project_root(start: str) -> str:
    """Return the root folder of the project that contains a folder.

    That is the nearest one, going up, with a ``.rove`` or a ``.git``; of a git worktree
    without its own ``.rove`` it is the main worktree; else it is the folder itself. The home
    folder and what lies above it are never the project of a folder below.
    """
    start = folder = os.path.abspath(start)
    home = os.path.expanduser("~")
    homes = (home, os.path.realpath(home))
    while folder == start or folder not in homes:
        if os.path.lexists(f"{folder}/.rove"):
            return folder
        if os.path.exists(f"{folder}/.git"):
            return _main_worktree(folder) or folder
        if folder == (folder := os.path.dirname(folder)):
            break
    return start


def is_own_folder(path: str) -> bool:
    """Return whether a path is a folder of this user's, and no link to one."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def data_dir() -> str:
    """Return where what cannot be rebuilt lives: accounts, logins, trust."""
    if sys.platform == "darwin":
        return _user_dir("ROVE_DATA_DIR", "XDG_DATA_HOME", "Library/Application Support")
    return _user_dir("ROVE_DATA_DIR", "XDG_DATA_HOME", ".local/share")


def config_dir() -> str:
    """Return where the user's own settings live."""
    return _user_dir("ROVE_CONFIG_DIR", "XDG_CONFIG_HOME", ".config")


def git_folder(folder: str) -> str | None:
    """Return the ``.git`` that all worktrees of a working folder share; None without git."""
    private = own_git_folder(folder)
    if private is None:
        return None
    shared = first_line(f"{private}/commondir")
    return os.path.normpath(os.path.join(private, shared)) if shared else private


def own_git_folder(folder: str) -> str | None:
    """Return the git folder of this very checkout; None without git."""
    entry = f"{folder}/.git"
    return entry if os.path.isdir(entry) else _linked_git_folder(folder)


def git_obstacle(folder: str) -> str | None:
    """Return a pipe or device that git would wait for in a working folder; None without one."""
    own, shared = own_git_folder(folder), git_folder(folder)
    tops = dict.fromkeys(filter(None, (own, shared)))
    names = [f"{top}/{name}" for top in tops for name in _GIT_READS]
    names += [f"{folder}/{name}" for name in _GIT_READS_OUTSIDE]
    home = os.path.expanduser("~")
    base = os.environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    names += [f"{home}/.gitconfig", *(f"{base}/git/{name}" for name in _GIT_READS_OF_USER)]
    if own and (head := first_line(f"{own}/HEAD")).startswith("ref: "):
        names += [f"{top}/{head.removeprefix('ref: ')}" for top in tops]
    return next(filter(_is_special, names), None)


def _is_special(path: str) -> bool:
    """Return whether a path leads to something that is neither a file nor a folder."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _main_worktree(folder: str) -> str | None:
    private = _linked_git_folder(folder)
    # Git writes the way back when it makes a worktree. A folder that came in an archive can
    # point at anybody's repository, but none points back at it.
    if private is None or not _is_same(first_line(f"{private}/gitdir"), f"{folder}/.git"):
        return None
    shared = git_folder(folder)
    if shared is None or os.path.basename(shared) != ".git":
        return None
    return os.path.dirname(shared)


def _linked_git_folder(folder: str) -> str | None:
    line = first_line(f"{folder}/.git")
    if not line.startswith("gitdir: "):
        return None
    return os.path.normpath(os.path.join(folder, line.removeprefix("gitdir: ")))


def first_line(path: str) -> str:
    """Return the first line of a regular file; empty when it cannot be read."""
    try:
        # To open a pipe would wait for whoever writes into it.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return ""
            return os.fsdecode(file.readline(4096).rstrip(b"\r\n"))
    except OSError:
        return ""


def _is_same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _user_dir(own: str, standard: str, below_home: str) -> str:
    if path := os.environ.get(own):
        return os.path.abspath(path)
    base = os.environ.get(standard, "")
    if os.path.isabs(base):
        return f"{base}/rove"
    home = os.path.expanduser("~")
    if os.path.isabs(home):
        return f"{home}/{below_home}/rove"
    from rove_core.errors import DiskTrouble  # noqa: PLC0415  # the fast path never comes here

    raise DiskTrouble(
        "no home folder: HOME is not set, and this user has no entry in the user database",
        hint="Set HOME, or both ROVE_DATA_DIR and ROVE_CONFIG_DIR.",
    )
