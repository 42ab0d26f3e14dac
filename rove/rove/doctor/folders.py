"""Check Rove's folders: owner, permissions and leftovers."""

import os
import shlex
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rove.doctor.findings import FIX, Finding, fixed, ok, problem, warning
from rove.doctor.subject import Subject
from rove_core.errors import DiskTrouble, UnsafePlace
from rove_core.project.layout import GITIGNORE, ProjectPaths, write_gitignore
from rove_core.project.paths import data_dir, git_folder
from rove_core.store.context_files import ContextFile, context_files
from rove_core.store.files import kind_of_file, read_file, remove_leftovers
from rove_core.terminal.tables import counted

#: What is meant to be read by others: git.
_PUBLIC: Final = frozenset({".gitignore", "settings.toml"})
_OPEN: Final = 0o077
_WORK_ELSEWHERE: Final = "Fix its permissions, or work in a folder of your own."
_KEEP_ELSEWHERE: Final = "Fix its permissions, or set ROVE_DATA_DIR."


def check_project(subject: Subject) -> Iterator[Finding]:
    """Yield whether the project's folders are this user's own, closed to others, and ignored."""
    places = subject.places
    try:
        ProjectPaths.at(places.root)
    except UnsafePlace as error:
        subject.is_safe = False
        yield problem("project", error.message, error.hint)
        return
    if not places.rove.exists():
        message = f"{places.root}; Rove has not been used here yet"
        yield _cannot_be_made("project", places.rove, _WORK_ELSEWHERE) or ok("project", message)
        return
    yield ok("project", str(places.root))
    for link in (path for path in _paths_below(places.rove) if path.is_symlink()):
        step = f"Remove it (Rove never creates links): rm {shlex.quote(str(link))}"
        yield problem("project", f"{link} is a link", step)
    yield from _check_private("project", [places.rove, *_paths_below(places.rove)], fix=subject.fix)
    yield from _check_private("project", _documents(places), fix=subject.fix)
    yield from _check_ignored(places, fix=subject.fix)


def check_home(subject: Subject) -> Iterator[Finding]:
    """Yield whether the user's folders exist and are private."""
    try:
        folder = Path(data_dir())
    except DiskTrouble as error:
        yield problem("your folders", error.message, error.hint)
        return
    if not os.path.lexists(folder):
        message = f"{folder} does not exist yet"
        yield _cannot_be_made("your folders", folder, _KEEP_ELSEWHERE) or ok(
            "your folders", message
        )
        return
    if folder.is_symlink() or not folder.is_dir():
        yield problem("your folders", f"{folder} is a link or no folder", f"ls -ld {folder}")
        return
    if not os.access(folder, os.W_OK | os.X_OK):
        yield problem("your folders", f"{folder} cannot be written", f"chmod 700 {folder}")
    yield from _check_private("your folders", [folder, *_paths_below(folder)], fix=subject.fix)
    yield ok("your folders", f"{folder}, {subject.places.config_dir}")


def check_leftovers(subject: Subject) -> Iterator[Finding]:
    """Yield how many files were left behind by writers that were killed."""
    places, data = subject.places, subject.places.data_dir
    own = (places.rove, places.rove / "logs", places.context) if subject.is_safe else ()
    folders = (*own, data, data / "trust", data / "logins")
    left = sum(remove_leftovers(folder, only_count=not subject.fix) for folder in folders)
    files = f"{counted(left, 'file')} of writers that were killed"
    if not left:
        yield ok("leftovers", "none")
    elif subject.fix:
        yield fixed("leftovers", f"{files}: removed")
    else:
        yield warning("leftovers", files, FIX)


def _cannot_be_made(name: str, folder: Path, step: str) -> Finding | None:
    """Return a problem if a folder that is not there cannot be made when it is needed."""
    above = next(each for each in folder.parents if os.path.lexists(each))
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        return None
    return problem(name, f"{folder} cannot be made: {above} cannot be written", step)


def _documents(places: ProjectPaths) -> list[Path]:
    """Return the documents: older versions of Rove let others read them."""
    files = context_files(places.context)
    return [places.context / each.filename for each in files if isinstance(each, ContextFile)]


def _check_private(name: str, paths: Sequence[Path], *, fix: bool) -> Iterator[Finding]:
    """Yield which of some paths are not this user's, or open to others; the first is the folder."""
    status = {path: path.lstat() for path in paths if path.name not in _PUBLIC}
    for path in (path for path, each in status.items() if each.st_uid != os.geteuid()):
        step = (
            f"If you know why, take ownership: sudo chown {os.geteuid()} {shlex.quote(str(path))}"
        )
        yield problem(name, f"{path} belongs to user {status[path].st_uid}", step)
    opened = [path for path, each in status.items() if _is_open(each)]
    if not opened:
        return
    summary = f"{len(opened)} of its files and folders, like {opened[0]}"
    if not fix:
        # What lies in a closed folder is out of reach, and should be closed all the same.
        tell = problem if opened[0].is_dir() and opened[0] == paths[0] else warning
        yield tell(name, f"{summary}, are readable by others", FIX)
        return
    for path in opened:
        _close(path)
    yield fixed(name, f"{summary}, were readable by others; fixed")


def _close(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        os.fchmod(descriptor, stat.S_IMODE(os.fstat(descriptor).st_mode) & ~_OPEN)
    finally:
        os.close(descriptor)


def _is_open(status: os.stat_result) -> bool:
    is_own = status.st_uid == os.geteuid() and (
        stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)
    )
    return is_own and bool(status.st_mode & _OPEN)


def _paths_below(folder: Path) -> list[Path]:
    """Return all paths below a folder, without following links."""
    return [Path(top, name) for top, *names in os.walk(folder) for name in (*names[0], *names[1])]


def _check_ignored(places: ProjectPaths, *, fix: bool) -> Iterator[Finding]:
    """Yield whether git ignores Rove's files in the project."""
    if not any(git_folder(str(folder)) for folder in (places.root, *places.root.parents)):
        return
    path = places.rove / ".gitignore"
    if (kind := kind_of_file(path)) not in {"", "file"}:
        yield problem(
            "project", f"{path} is a {kind}", f"Remove it: rm -r {shlex.quote(str(path))}"
        )
    elif not kind:
        if fix:
            write_gitignore(places.rove)
            yield fixed("project", f"{path} was missing; written now")
        else:
            yield warning("project", f"{path} is missing: git would track Rove's data", FIX)
    elif b"*" not in map(bytes.strip, read_file(path).splitlines()):
        lines = " ".join(GITIGNORE.decode().split())
        step = f"Give it these lines: {lines}"
        yield warning("project", f"{path} lets git track Rove's data", step)
