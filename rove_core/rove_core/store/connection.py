"""Open the database for reading or writing, with Rove's own errors."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from rove_core.errors import DiskTrouble, InternalError, Locked, RoveError, StoreUnusable
from rove_core.store.files import FileLock, close_to_others, kind_of_file
from rove_core.store.lookup import database_uri
from rove_core.store.migrations import MIGRATIONS, apply, is_foreign, version_of
from rove_core.store.values import DamagedValueError

_WAIT: Final = 30.0
_IN_USE: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DISK: Final = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
_CLOSED: Final = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
#: What SQLite puts beside a database.
SIDE_FILES: Final = ("-wal", "-shm", "-journal")
REBUILD: Final = "It can be rebuilt: "
_REBUILD: Final = REBUILD + "move {path} away and run the command again{doctor}."
FIX_PERMISSIONS: Final = "Fix the permissions of the file and of its folder."
UPDATE: Final = "Update Rove, or move the file away: it is rebuilt."
_DAMAGED: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def open_for_writing(
    path: Path, migrations: Sequence[str] = MIGRATIONS, *, is_copied: bool = True
) -> sqlite3.Connection:
    """Return a connection to a database of this Rove's version; create or migrate it if need be.

    It belongs to no thread. Transactions are begun and ended by hand.

    Args:
        path: The database.
        migrations: Its migrations.
        is_copied: Whether an older one is copied before it is migrated.
    """
    with _opening_errors(path), FileLock(path.with_name(f"{path.name}.lock"), timeout=_WAIT):
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        db = _connect(path, "mode=rw")
        try:
            _refuse_newer(version_of(db), len(migrations), path)
            _refuse_foreign(db, path)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            # Overwrite what is deleted, which may be what somebody deleted at a vendor.
            db.execute("PRAGMA secure_delete = ON")
            db.execute("PRAGMA foreign_keys = ON")
            _migrate(db, path, migrations, is_copied=is_copied)
        except BaseException:
            db.close()
            raise
        return db


@contextmanager
def open_for_reading(
    path: Path, migrations: Sequence[str] = MIGRATIONS, *, is_copied: bool = True
) -> Iterator[sqlite3.Connection]:
    """Yield a read-only connection; to an empty database if there is none yet."""
    with _opening_errors(path):
        db = _connect_for_reading(path, migrations, is_copied=is_copied)
    with typed_errors(path), closing(db):
        yield db


@contextmanager
def typed_errors(path: Path) -> Iterator[None]:
    """Raise what SQLite raises as an error of Rove's that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise _rove_error(error, path) from error
    except (DamagedValueError, UnicodeDecodeError) as error:
        raise _damage_error(error, path) from error


def _rebuild(path: Path) -> str:
    doctor = ", or let it be done: rove doctor --fix" if path.name == "index.db" else ""
    return _REBUILD.format(path=path, doctor=doctor)


def _damage_error(error: Exception, path: Path) -> StoreUnusable:
    # SQLite's own words say nothing that helps.
    detail = "" if isinstance(error, sqlite3.Error) else f": {error}"
    return StoreUnusable(f"{path} is damaged{detail}", hint=_rebuild(path))


@contextmanager
def _opening_errors(path: Path) -> Iterator[None]:
    try:
        with typed_errors(path):
            yield
    except OSError as error:
        raise DiskTrouble(f"{path} cannot be opened: {error.strerror}") from error


def _migrate(
    db: sqlite3.Connection, path: Path, migrations: Sequence[str], *, is_copied: bool
) -> None:
    """Bring a database to the newest version in one transaction, after a copy of the old one."""
    if version_of(db) == len(migrations):
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        if (version := version_of(db)) and is_copied:
            _copy(path, path.with_name(f"{path.name}.before-{version + 1}"))
        apply(db, migrations)
        db.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise


def _copy(path: Path, target: Path) -> None:
    """Copy a whole database through a new connection, outside any transaction."""
    draft = target.with_name(f"{target.name}.part")
    draft.unlink(missing_ok=True)
    with closing(_connect(path, "mode=ro")) as db:
        db.execute("VACUUM INTO ?", [str(draft)])
    draft.chmod(0o600)
    draft.replace(target)


def _connect_for_reading(
    path: Path, migrations: Sequence[str], *, is_copied: bool
) -> sqlite3.Connection:
    # A process that was killed before the database had its WAL: only a writer can undo its writes.
    if os.path.lexists(path.with_name(f"{path.name}-journal")):
        open_for_writing(path, migrations, is_copied=is_copied).close()
    if not os.path.lexists(path):
        return _empty(migrations)
    db = _connect(path, _read_uri(path))
    try:
        _refuse_foreign(db, path)
        version = version_of(db)
        _refuse_newer(version, len(migrations), path)
    except BaseException:
        db.close()
        raise
    if version == len(migrations):
        return db
    db.close()
    if version == 0:
        return _empty(migrations)
    open_for_writing(path, migrations, is_copied=is_copied).close()
    return _connect(path, _read_uri(path))


def _read_uri(path: Path) -> str:
    """Return the URI to read a file in a folder where nobody else, or nobody at all, may write."""
    settled = not path.with_name(f"{path.name}-wal").exists()
    effective = os.access in os.supports_effective_ids
    unwritable = not os.access(path.parent, os.W_OK, effective_ids=effective)
    return "mode=ro&immutable=1" if settled and unwritable else "mode=ro"


def _connect(path: Path, options: str) -> sqlite3.Connection:
    for each in (path, *(path.with_name(f"{path.name}{suffix}") for suffix in SIDE_FILES)):
        if (kind := kind_of_file(each)) not in {"", "file"}:
            raise StoreUnusable(f"{each} is a {kind}, not a database", hint=f"Remove the {kind}.")
        # A backup that was restored, or a wide umask of another program, opened it to others.
        close_to_others(each)
    db = sqlite3.connect(
        database_uri(str(path.absolute()), options),
        uri=True,
        timeout=_WAIT,
        isolation_level=None,
        check_same_thread=False,
    )
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def _empty(migrations: Sequence[str]) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    apply(db, migrations)
    return db


def _refuse_newer(version: int, current: int, path: Path) -> None:
    if version > current:
        raise StoreUnusable(
            f"{path} was made by a newer Rove (its version is {version}, this one knows {current})",
            hint=UPDATE,
        )


def _refuse_foreign(db: sqlite3.Connection, path: Path) -> None:
    if is_foreign(db):
        raise StoreUnusable(
            f"{path} is damaged, or belongs to another program: it has tables but no version",
            hint=_rebuild(path),
        )


def _rove_error(error: sqlite3.Error, path: Path) -> RoveError:
    primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF
    if primary in _IN_USE:
        return Locked(f"{path} is in use by another process")
    if primary in _DISK:
        reason = ": the disk is full" if primary == sqlite3.SQLITE_FULL else ""
        return DiskTrouble(f"{path} cannot be read or written{reason}")
    if primary in _CLOSED:
        return StoreUnusable(
            f"{path} cannot be opened or written",
            hint=FIX_PERMISSIONS,
        )
    # Python's own words, without a code of SQLite's.
    if primary in _DAMAGED or str(error).startswith("Could not decode to UTF-8"):
        return _damage_error(error, path)
    if primary in {sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISUSE}:
        return InternalError(f"{path}: {error}")
    return StoreUnusable(f"{path} cannot be used: {error}")
