"""Read another project's database, or a copy of one, for an import."""

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rove_core import PackageDatabase, WrongCall
from rove_memory.memory.exchange import dump_tables
from rove_memory.store.migrations import PROJECT_MIGRATIONS


def is_project_database(path: Path) -> bool:
    """Return whether a SQLite file is the database of a project, of any version.

    Raises:
        WrongCall: It cannot be read.
    """
    with _opened(path) as db:
        table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'memory_versions'"
        return _checked(path, db, table) is not None


def read_project_database(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return every row of a project's database.

    The file stays as it is: an older one is migrated in a copy.

    Raises:
        WrongCall: It cannot be read.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        with _opened(path) as db:
            _checked(path, db, "VACUUM INTO ?", str(copy))
        with PackageDatabase(copy, PROJECT_MIGRATIONS).reading() as db:
            db.row_factory = sqlite3.Row
            return dump_tables(db)


def _opened(path: Path) -> "closing[sqlite3.Connection]":
    return closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True))


def _checked(path: Path, db: sqlite3.Connection, sql: str, *values: str) -> object:
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        return db.execute(sql, values).fetchone()
    except sqlite3.Error as error:
        raise WrongCall(f"{path} cannot be read: {error}") from error
