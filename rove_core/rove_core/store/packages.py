"""A package's own storage: a private folder, and databases with numbered migrations."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from attrs import field, frozen

from rove_core.errors import StoreUnusable, WrongCall
from rove_core.project.identity import project_id
from rove_core.project.layout import ProjectPaths
from rove_core.project.paths import data_dir
from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.store.connection import (
    REBUILD,
    UPDATE,
    open_for_reading,
    open_for_writing,
    typed_errors,
)
from rove_core.store.files import private_folder

_STATE: Final = "state"
_NAME: Final = lazy_pattern(r"[a-z][a-z0-9-]*")


def state_folder(
    name: str, *, project: ProjectPaths | Path | None = None, durable: bool = False
) -> Path:
    """Return a package's private folder; create it if needed.

    Args:
        name: The package's plugin: ``memory``.
        project: The project it is for: its paths or its folder; None for all of the user's.
        durable: Whether what lies in it cannot be rebuilt. Then it is in the user's data
            directory, by the project's remote: it survives the checkout, and all checkouts of
            the project share it. Else it is in the project's ``.rove``, and anybody may remove it.
    """
    if not _NAME.fullmatch(name):
        raise WrongCall(f"{name!r} is not a plugin name, like memory")
    if project is None:
        return private_folder(Path(data_dir()) / _STATE / name / "user")
    places = ProjectPaths.at(project) if isinstance(project, Path) else project
    if not durable or places.is_alone:
        places.prepare()
        return private_folder(places.rove / _STATE / name)
    return private_folder(places.data_dir / _STATE / name / project_id(places.root))


@frozen(eq=False, repr=False)
class PackageDatabase:
    """A SQLite database of a package's own. All processes and threads may use one at a time.

    It is created when something is written for the first time, readable by its user alone, in
    WAL mode and with foreign keys on. One that others may read is closed to them when it is
    opened. An older one is copied and then migrated in one transaction, when it is opened; one of
    a newer package is refused and stays as it is.

    Attributes:
        path: The file; its folder exists (see :func:`state_folder`).
        migrations: SQL scripts, each the next version of the tables. One that was released is
            never changed: add another one.
        durable: Whether it cannot be rebuilt; else its user is told that it may be removed.
        is_copied: Whether an older one is copied before it is migrated. A large one that can be
            rebuilt need not be: that would take seconds, and as much space again.
    """

    path: Path
    migrations: Sequence[str]
    durable: bool = field(default=False, kw_only=True)
    is_copied: bool = field(default=True, kw_only=True)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a read-only connection; to empty tables before the first write."""
        opened = open_for_reading(self.path, self.migrations, is_copied=self.is_copied)
        with self._hints(), opened as db:
            yield db

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection inside a transaction.

        Keep it short, and await nothing in it: other writers wait.
        """
        with closing(self.open()) as db, self.transaction(db):
            yield db

    def open(self) -> sqlite3.Connection:
        """Return a long-lived connection for writing, which the caller closes.

        It belongs to no thread, and no transaction has begun: see :meth:`transaction`.
        """
        with self._hints():
            return open_for_writing(self.path, self.migrations, is_copied=self.is_copied)

    @contextmanager
    def transaction(self, db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
        """Run writes of an open connection in a transaction."""
        with self.errors():
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                db.rollback()
                raise

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Raise what SQLite raises as an error of Rove's that names the file and a next step."""
        with self._hints(), typed_errors(self.path):
            yield

    @contextmanager
    def _hints(self) -> Iterator[None]:
        """Fix error hints: durable data must not be removed."""
        try:
            yield
        except StoreUnusable as error:
            if self.durable and error.hint == UPDATE:
                error.hint = "Update Rove and its packages. The file stays as it is."
            elif self.durable and error.hint.startswith(REBUILD):
                error.hint = "See what helps: rove doctor"
            raise
