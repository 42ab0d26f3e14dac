"""The linked folder of an open project: its database, its settings and its row."""

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from rove_core import (
    DiskTrouble,
    FileLock,
    FolderNotLinked,
    LocalProject,
    PackageDatabase,
    QuotaExceeded,
    WrongSetting,
    project_id,
)
from rove_folder import phrases
from rove_folder.storage import projects
from rove_folder.storage.projects import LinkedProject
from rove_folder.storage.tables import folder_database
from rove_folder.storage.usage import TokenAccount, milliseconds, monthly_usage, reset_date

if TYPE_CHECKING:
    from rove_folder.settings import FolderSettings

#: What to do about a linked folder that is gone.
RELINK: Final = "Link another one: rove folder link FOLDER; or none: rove folder unlink"


def is_gone(project: LinkedProject) -> bool:
    """Return whether a project's folder is no longer there, or a link is in its place."""
    path = Path(str(project.folder_path))
    return not path.is_dir() or os.path.realpath(path) != str(path)


@frozen
class ProjectFolder:
    """The linked folder of a project, if any.

    Attributes:
        rove: The project.
        id: The project's id.
        database: Where everything about linked folders is stored.
    """

    rove: LocalProject
    id: str
    database: PackageDatabase
    _settings: "FolderSettings | None" = None

    @classmethod
    def of(cls, rove: LocalProject) -> "ProjectFolder":
        """Return the linked folder of a project."""
        return cls(rove, project_id(rove.places.root), folder_database(rove.places))

    @property
    def settings(self) -> "FolderSettings":
        """Scan settings: the project's unless others were given."""
        from rove_folder.settings import FOLDER  # noqa: PLC0415  # without a folder nobody asks

        return self._settings or self.rove.settings.section(FOLDER)

    @property
    def now(self) -> int:
        """The time, in milliseconds since 1970."""
        return milliseconds(self.rove.clock.now())

    @property
    def scan_lock(self) -> Path:
        """The lock file of the running scan."""
        return self.database.path.with_name(f"{self.id}.scan.lock")

    def find(self) -> LinkedProject | None:
        """Return the project's row; None when no folder is linked."""
        with self.database.reading() as db:
            found = projects.read_project(db, self.id, self.now)
        if found and found.status == "scanning" and not self._is_scanned():
            found = evolve(found, status="error", error=projects.INTERRUPTED, lease_owner="")
        return found if found and found.folder_path else None

    def _is_scanned(self) -> bool:
        """Return whether a process scans the folder: one that was killed gave back its lock."""
        lock = FileLock(self.scan_lock)
        try:
            is_free = lock.try_acquire()
        except DiskTrouble:
            return True  # Nobody can tell. Its lease will run out.
        lock.release()
        return not is_free

    def linked(self) -> LinkedProject:
        """Return the project's row.

        Raises:
            FolderNotLinked: It has no folder.
        """
        found = self.find()
        if found is None:
            raise FolderNotLinked(phrases.not_linked(self.id))
        return found

    def link(self, folder: str, *, relative_to: Path) -> LinkedProject:
        """Link a folder, in place of another one."""
        from rove_folder.files.places import linkable_folder  # noqa: PLC0415  # few link one

        path = linkable_folder(folder, relative_to=relative_to, rove=self.rove.places.rove)
        root = self.rove.places.root
        with self.database.writing() as db:
            projects.link(db, self.id, name=root.name, root=str(root), folder=str(path))
        return self.linked()

    @contextmanager
    def reading(self, project: LinkedProject) -> Iterator[Path]:
        """Yield a project's folder for reading.

        Raises:
            WrongSetting: It is gone, or the user may not open it.
        """
        from rove_folder.files.guard import can_open  # noqa: PLC0415  # few commands open it

        path = Path(str(project.folder_path))
        try:
            yield path
        except OSError as error:
            if can_open(path):
                raise
            if isinstance(error, PermissionError) and not is_gone(project):
                hint = f"Make it readable: chmod u+rx {shlex.quote(str(path))}"
                raise WrongSetting(phrases.closed(str(path)), hint=hint) from error
            raise WrongSetting(phrases.folder_gone(str(path)), hint=RELINK) from error

    def unlink(self) -> bool:
        """Forget the folder and its manifest; return whether there was one."""
        with self.database.writing() as db:
            return projects.unlink(db, self.id)

    def check_quota(self, files: int, *, asks_model: bool) -> None:
        """Raise :class:`QuotaExceeded` when a folder of so many files may not be scanned."""
        cap = self.settings.file_cap
        if 0 <= cap < files:
            by_tier = self.settings.max_files is None
            what = phrases.too_big(self.settings.tier, cap) if by_tier else ""
            raise QuotaExceeded(what or phrases.beyond_setting(cap))
        if not asks_model or self.settings.token_cap < 0:
            return
        now = self.rove.clock.now()
        with self.database.reading() as db:
            usage = monthly_usage(db, TokenAccount(), now)
        if usage.used + usage.reserved >= self.settings.token_cap:
            raise QuotaExceeded(phrases.exhausted(reset_date(now)))
