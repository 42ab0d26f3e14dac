"""The memory database of a project, shared by all its checkouts."""

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from rove_core import Clock, FileLock, PackageDatabase, WrongCall, state_folder
from rove_memory.store.migrations import PROJECT_MIGRATIONS
from rove_memory.store.registry import (
    PACKAGE,
    RegisteredProject,
    find_project,
    register_project,
)
from rove_memory.store.values import time_text

if TYPE_CHECKING:
    from rove_core import LocalProject, ProjectPaths

Result = TypeVar("Result")


@frozen(kw_only=True, eq=False, repr=False)
class ProjectStore:
    """Sessions, memories, plans and criteria of one project.

    Attributes:
        places: Where the project is here.
        clock: The clock.
        other: Another project of the registry, when not the one that is here.
    """

    places: "ProjectPaths"
    clock: Clock
    other: RegisteredProject | None = None

    @classmethod
    def of(cls, rove: "LocalProject", project_path: str | None = None) -> "ProjectStore":
        """Return the store of a project.

        Args:
            rove: The project that Rove gave.
            project_path: A folder of another project; operations take it from their caller.
        """
        if project_path is None:
            return cls(places=rove.places, clock=rove.clock)
        from rove_core import ProjectPaths  # noqa: PLC0415  # few name a folder

        return cls(places=ProjectPaths.find(project_folder(project_path)), clock=rove.clock)

    def now(self) -> str:
        """Return the time as columns hold it."""
        return time_text(self.clock.now())

    def registered(self) -> RegisteredProject | None:
        """Return the project's entry in the registry; None before anything was stored."""
        if self.other:
            return self.other
        if self.places.is_alone:
            return RegisteredProject(
                id="alone", name=self.places.root.name, path=str(self.places.root)
            )
        return find_project(self.places)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a read-only connection; to empty tables before the first write."""
        # A file that is not there reads as empty tables.
        project = self.registered() or RegisteredProject(id="none", name="", path="")
        with self.database(project).reading() as db:
            db.row_factory = sqlite3.Row
            yield db

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection inside a transaction.

        Keep it short, and await nothing in it.
        """
        with self.opened() as (db, transaction), transaction():
            yield db

    @contextmanager
    def opened(
        self,
    ) -> Iterator[tuple[sqlite3.Connection, Callable[[], AbstractContextManager[None]]]]:
        """Yield a connection, and what begins a transaction on it.

        What writes and then reads need not open the database twice.
        """
        project = self.registered() if self.other or self.places.is_alone else None
        project = project or register_project(self.places, self.clock)
        database = self.database(project)

        @contextmanager
        def transaction() -> Iterator[None]:
            with database.transaction(db):
                self._ensure_project(db, project)
                yield

        with closing(database.open()) as db, database.errors():
            db.row_factory = sqlite3.Row
            yield db, transaction

    @staticmethod
    def project_id(db: sqlite3.Connection) -> str:
        """Return the id of the project that a database is of; empty before anything was stored."""
        row = db.execute("SELECT id FROM projects LIMIT 1").fetchone()
        return str(row[0]) if row else ""

    def database(self, project: RegisteredProject) -> PackageDatabase:
        """Return the database of a project."""
        if self.places.is_alone:
            folder = state_folder(PACKAGE, project=self.places, durable=True)
        else:
            folder = state_folder(PACKAGE) / "projects"
            folder.mkdir(mode=0o700, exist_ok=True)
        return PackageDatabase(folder / f"{project.id}.db", PROJECT_MIGRATIONS, durable=True)

    def lock(self, name: str) -> FileLock:
        """Return a lock between the processes that use this project, in whichever checkout."""
        from urllib.parse import quote  # noqa: PLC0415  # few lock anything

        with self.writing() as db:
            file = f"{self.project_id(db)}.{quote(name, safe='')}.lock"
        project = self.registered()
        assert project  # noqa: S101  # written just now
        return FileLock(self.database(project).path.with_name(file))

    def _ensure_project(self, db: sqlite3.Connection, project: RegisteredProject) -> None:
        if db.execute("SELECT 1 FROM projects").fetchone() is None:
            now = self.now()
            db.execute(
                "INSERT INTO projects (id, name, path, git_remote, created_at, last_accessed) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [project.id, project.name, project.path, project.git_remote or None, now, now],
            )


def project_folder(text: str) -> Path:
    """Return a folder that a caller names, if it is in a project: nothing is made elsewhere.

    Raises:
        WrongCall: It is no such folder.
    """
    from rove_core import project_root  # noqa: PLC0415  # few name a folder

    try:
        folder = Path(text).expanduser()
        root = Path(project_root(str(folder)))
        is_project = folder.is_absolute() and folder.is_dir()
        is_project = is_project and any((root / name).exists() for name in (".git", ".rove"))
    except (OSError, ValueError, RuntimeError):  # too long, a NUL in it, a home nobody has
        is_project = False
    if not is_project:
        from rove_memory.memory.redaction import quoted  # noqa: PLC0415  # errors are rare

        raise WrongCall(
            f"{quoted(text)} is not a folder of a project",
            hint="Give the whole path of a repository, or of a folder in which Rove was used.",
        )
    return folder


async def in_thread(work: Callable[[], Result]) -> Result:
    """Return what some work with files returns, without keeping an event loop waiting for it.

    Without a loop, as when a command runs alone, it is done at once.
    """
    # Whoever has a loop has asyncio; a quick command should not load it to find out.
    if "asyncio" not in sys.modules:
        return work()
    import asyncio  # noqa: PLC0415  # see above

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    return await asyncio.to_thread(work)
