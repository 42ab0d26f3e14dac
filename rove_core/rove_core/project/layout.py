"""The files and folders of a project, and of its user."""

import errno
import os
import stat
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Final, Self

from attrs import frozen

from rove_core.errors import DiskTrouble, UnsafePlace
from rove_core.project.paths import config_dir, data_dir, git_folder, is_own_folder, project_root
from rove_core.store.files import kind_of_file, private_folder, read_file, write_atomic

#: Lets git overlook all of ``.rove`` but the settings.
GITIGNORE: Final = b"*\n!.gitignore\n!settings.toml\n"
_EXCLUDED: Final = b".context/"


@frozen(kw_only=True)
class ProjectPaths:
    """Paths of a project.

    Attributes:
        root: The project's folder.
        data_dir: Where what cannot be rebuilt lives, for all projects of this user.
        config_dir: Where the user's own settings live.
        is_alone: Whether nothing is written outside of the project's folder.
    """

    root: Path
    data_dir: Path
    config_dir: Path
    is_alone: bool = False

    @classmethod
    def find(cls, start: Path) -> Self:
        """Return the paths of the project that a folder belongs to, without creating any.

        Raises:
            UnsafePlace: Its ``.rove`` or ``.context`` is a link, or another user's.
        """
        return cls.at(Path(project_root(str(start))))

    @classmethod
    def at(cls, root: Path) -> Self:
        """Return the paths of the project in a folder, without creating any.

        Raises:
            UnsafePlace: Its ``.rove`` or ``.context`` is a link, or another user's.
        """
        places = cls(root=root.absolute(), data_dir=Path(data_dir()), config_dir=Path(config_dir()))
        _refuse_foreign(places.rove)
        _refuse_foreign(places.context)
        return places

    @classmethod
    def unchecked(cls, start: Path) -> Self:
        """Return the paths of a folder's project without checks, even without a home folder.

        Without a home folder, what would lie in it lies below one in which nothing can be.
        """
        try:
            data, config = data_dir(), config_dir()
        except DiskTrouble:
            data = config = f"{os.devnull}/rove"
        return cls(
            root=Path(project_root(str(start))), data_dir=Path(data), config_dir=Path(config)
        )

    @property
    def rove(self) -> Path:
        """Rove's own folder; all but the settings can be rebuilt."""
        return self.root / ".rove"

    @property
    def context(self) -> Path:
        """The documents."""
        return self.root / ".context"

    @property
    def settings_file(self) -> Path:
        """The project's settings."""
        return self.rove / "settings.toml"

    @property
    def user_settings_file(self) -> Path:
        """The user's own settings, below the project's."""
        return self.config_dir / "settings.toml"

    @property
    def index(self) -> Path:
        """The database."""
        return self.rove / "index.db"

    @property
    def logs(self) -> Path:
        """The log files."""
        return self.rove / "logs"

    @property
    def bases(self) -> Path:
        """Saved bases of the documents; they cannot be rebuilt."""
        own = self.rove / "documents"
        if self.is_alone or is_own_folder(str(own)):
            return own
        from rove_core.project.identity import (  # noqa: PLC0415  # most commands need none
            checkout_id,
            project_id,
        )

        return self.data_dir / "documents" / project_id(self.root) / checkout_id(self.root)

    @property
    def mirrors(self) -> Path:
        """The local copies of accounts; never in a repository but of a project that is alone."""
        return (self.rove if self.is_alone else self.data_dir) / "mirrors"

    @property
    def weights_file(self) -> Path:
        """Weights learned from this project's own links."""
        return self.rove / "weights.json"

    @property
    def schedule_file(self) -> Path:
        """Intervals of recurring operations, as last learned by the server."""
        return self.rove / "schedule.json"

    @property
    def socket(self) -> Path:
        """The server's socket."""
        return self.rove / "api.sock"

    def prepare(self) -> None:
        """Create the project's ``.rove``, private and ignored by git.

        Raises:
            UnsafePlace: It, ``.context`` or something in it is a link, or another user's.
            DiskTrouble: It cannot be made here.
        """
        private_folder(self.rove)
        _refuse_foreign(self.context)
        try:
            _refuse_special_files(self.rove)
            self.rove.chmod(0o700)
        except OSError as error:
            raise DiskTrouble(f"{self.rove} cannot be set up: {error.strerror}") from error
        if _shows_more(self.rove / ".gitignore"):
            write_gitignore(self.rove)


def write_gitignore(rove: Path) -> None:
    """Make git ignore a project's ``.rove``, except its settings."""
    write_atomic(rove / ".gitignore", GITIGNORE)


def exclude_documents(root: Path) -> bool:
    """Make git ignore a project's documents; return whether that was new."""
    folders = (git_folder(str(folder)) for folder in (root, *root.parents))
    if (git := next(filter(None, folders), None)) is None:
        return False
    # A read-only repository only means that git goes on showing the documents.
    with suppress(OSError):
        if _shows_documents(root / ".gitignore"):
            # The repository's own list has more to say than what a person excludes, and the
            # list of the folder itself has the last word.
            write_atomic(root / ".context" / ".gitignore", b"*\n")
        return _append_once(Path(git, "info", "exclude"), _EXCLUDED)
    return False


def documents_excluded(root: Path, *, undo: bool = False) -> Path | None:
    """Return the file by which git overlooks the documents of a project; None if none does.

    Args:
        root: The project's folder.
        undo: Take the line out again.
    """
    folders = (git_folder(str(folder)) for folder in (root, *root.parents))
    with suppress(OSError):
        path = Path(next(filter(None, folders), ""), "info", "exclude")
        lines = read_file(path).splitlines(keepends=True)
        rest = [line for line in lines if line.strip() != _EXCLUDED]
        if len(rest) < len(lines):
            if undo:
                write_atomic(path, b"".join(rest), mode=path.stat().st_mode & 0o777)
            return path
    return None


def _shows_more(gitignore: Path) -> bool:
    """Return whether ``.rove/.gitignore`` is missing, or shows git more than the settings."""
    try:
        lines = read_file(gitignore).splitlines()
    except OSError:
        return True
    return lines[:1] != [b"*"] or not {*lines[1:]} <= {*GITIGNORE.splitlines(), b""}


def _shows_documents(gitignore: Path) -> bool:
    """Return whether a repository's list takes back that git overlooks the documents."""
    try:
        lines = read_file(gitignore).decode("utf-8", "replace").splitlines()
    except OSError:
        return False
    shown = (line[1:].strip().strip("/").removeprefix("**/") for line in lines if line[:1] == "!")
    return any(fnmatch(".context", each.partition("/")[0]) for each in shown)


def _append_once(path: Path, line: bytes) -> bool:
    path.parent.mkdir(exist_ok=True)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o644)
    with os.fdopen(descriptor, "r+b") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Not a regular file", str(path))
        old = file.read()
        if line in map(bytes.strip, old.splitlines()):
            return False
        file.write((b"" if old.endswith(b"\n") or not old else b"\n") + line + b"\n")
    return True


def _refuse_foreign(folder: Path) -> None:
    if os.path.lexists(folder) and not is_own_folder(str(folder)):
        raise UnsafePlace(f"{folder} is a link, a file or another user's folder")


def _refuse_special_files(folder: Path) -> None:
    # A clone can bring `.rove/logs/error.log` as a link to any file of the user's.
    for entry in (*folder.iterdir(), *folder.glob("*/*")):
        if (kind := kind_of_file(entry)) not in {"", "file", "folder", "socket"}:
            raise UnsafePlace(
                f"{entry} is a {kind}", hint=f"Remove it: Rove creates no {kind}s there."
            )
