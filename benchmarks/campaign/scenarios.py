"""What is broken: what writes a numbered state, and what tells which state is there."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from attrs import frozen

from rove_core.auth.credentials.encrypted_file import EncryptedFileStore
from rove_core.clock import SYSTEM
from rove_core.items import ContextItem, ItemRef
from rove_core.login import Credential
from rove_core.safety.secret import Secret
from rove_core.store.connection import open_for_reading, open_for_writing
from rove_core.store.documents import (
    DocumentRecord,
    find_documents,
    read_fetch_history,
    save_document,
)
from rove_core.store.files import write_atomic
from rove_core.store.items import read_items, save_items
from rove_core.store.migrations import MIGRATIONS, apply, version_of
from rove_core.store.store import open_store

#: The state of a folder in which nothing was written yet.
NOTHING: Final = -1

_START: Final = datetime(2026, 11, 20, tzinfo=UTC)
#: What stood in a database of the first version.
_OLD_ROWS: Final = """
INSERT INTO context_files (
    ticket_id, filename, keywords, last_updated, account, title, url
) VALUES ('TB-1', 'TB-1_x.md', '[]', '2026-01-01T00:00:00Z', 'jira', 'Title', '');
INSERT INTO tasks VALUES (
    't', 'build', '{}', 'k', 'running', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', NULL, NULL,
    1, 'node/1/1', NULL, NULL, 'null', 'null', 'null'
);
INSERT INTO events VALUES ('t', 1, '', '', '', 0, NULL, '');
"""
_REFS: Final = tuple(
    ItemRef(account="jira", kind="comment", id=f"TB-1/{number}") for number in range(20)
)


class Broken(Exception):  # noqa: N818  # it says what it is
    """What a reader found is neither the old state nor the new one."""


@frozen
class Scenario:
    """One thing that is written.

    Attributes:
        name: How it is called in reports.
        write: Replaces what is in a folder by the state of a number.
        read: Tells the number of the state in a folder, or raises.
        files: Patterns of what may lie in the folder after a run that was not broken.
    """

    name: str
    write: Callable[[Path, int], None]
    read: Callable[[Path], int]
    files: tuple[str, ...]

    def strays(self, folder: Path) -> list[str]:
        """Return what lies in the folder and should not."""
        names = (str(path.relative_to(folder)) for path in folder.rglob("*"))
        return [name for name in names if not any(fnmatch(name, pattern) for pattern in self.files)]


def _write_store(folder: Path, number: int) -> None:
    asyncio.run(_save(folder / "index.db", number))


async def _save(path: Path, number: int) -> None:
    """Write a document, its history and its items in one transaction."""
    moment = _START + timedelta(seconds=number)
    document = DocumentRecord(
        account="jira",
        ticket_id="TB-1",
        filename="TB-1_login.md",
        title=str(number),
        last_updated=moment,
        created_at=_START,
    )
    items = [
        ContextItem(
            ref=ref,
            source="jira",
            role="page",
            title="",
            content=str(number) * 200,
            timestamp=moment,
        )
        for ref in _REFS
    ]
    async with open_store(path, clock=SYSTEM) as store, store.transaction() as db:
        await save_items(db, items, moment)
        await save_document(db, document, {"jira": moment})


def _read_store(folder: Path) -> int:
    with open_for_reading(folder / "index.db") as db:
        _check_integrity(db)
        documents = find_documents(db, "TB-1")
        history = read_fetch_history(db, "jira", "TB-1")
        items = read_items(db, _REFS)
    if not documents:
        if items:
            raise Broken("items without their document")
        return NOTHING
    number = int(documents[0].title)
    if history != {"jira": _START + timedelta(seconds=number)}:
        raise Broken(f"document {number} with the history {history}")
    if [item.content for item in items] != [str(number) * 200] * len(_REFS):
        raise Broken(f"document {number} with other items")
    return number


def _write_migration(folder: Path, number: int) -> None:
    """Bring a database from the first version to another one; there are more than Rove has."""
    path, versions = folder / "index.db", _versions(number)
    with closing(open_for_writing(path, versions)) as db:
        if number == 0:
            db.executescript(_OLD_ROWS)


def _read_migration(folder: Path) -> int:
    copies = folder.glob("index.db.before-*[0-9]")
    versions = [_version_in(path) for path in (*copies, folder / "index.db")]
    return versions[-1] - 1


def _version_in(path: Path) -> int:
    """Return the version of a database that is whole: its tables are that version's."""
    with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(":memory:")) as model:
        _check_integrity(db)
        version = version_of(db)
        apply(model, _versions(version - 1))
        if _tables(db) != _tables(model):
            raise Broken(f"version {version} with other tables: {_tables(db)}")
        for table in ("context_files", "tasks", "events"):
            if db.execute(f"SELECT count(*) FROM {table}").fetchone() != (1,):  # noqa: S608  # a constant
                raise Broken(f"the old row of {table} is gone")
    return version


def _versions(number: int) -> Sequence[str]:
    """Return the migrations up to a state, of which those of Rove come first."""
    more = [f"CREATE TABLE step_{step} (x);\n" for step in range(number)]
    return [*MIGRATIONS, *more][: number + 1]


def _tables(db: sqlite3.Connection) -> Sequence[object]:
    return db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()


def _check_integrity(db: sqlite3.Connection) -> None:
    (verdict,) = db.execute("PRAGMA integrity_check").fetchone()
    if verdict != "ok":
        raise Broken(verdict)


def _write_file(folder: Path, number: int) -> None:
    write_atomic(folder / "TB-1.md", f"{number}\n".encode() * 50_000)


def _read_file(folder: Path) -> int:
    path = folder / "TB-1.md"
    if not path.exists():
        return NOTHING
    lines = path.read_text("utf-8").splitlines()
    if len(lines) != 50_000 or len(set(lines)) != 1:  # as many as are written
        raise Broken(f"a file of {len(lines)} lines")
    return int(lines[0])


def _write_credential(folder: Path, number: int) -> None:
    credential = Credential(headers={}, hosts=(), access=Secret(str(number) * 500))
    asyncio.run(EncryptedFileStore(folder / "data").set("jira", credential))


def _read_credential(folder: Path) -> int:
    credential = asyncio.run(EncryptedFileStore(folder / "data").get("jira"))
    if credential is None:
        return NOTHING
    text = credential.access.reveal() if credential.access else ""
    number = text[: len(text) // 500]
    if number * 500 != text:
        raise Broken("another credential than was written")
    return int(number)


# Readers, who may not write, leave the two files of a WAL behind: SQLite takes them over.
_DATABASE: Final = ("index.db", "index.db-wal", "index.db-shm", "index.db.lock")

STORE: Final = Scenario("store", _write_store, _read_store, _DATABASE)
MIGRATION: Final = Scenario(
    "migration", _write_migration, _read_migration, (*_DATABASE, "index.db.before-*[0-9]")
)
FILE: Final = Scenario("file", _write_file, _read_file, ("TB-1.md",))
CREDENTIALS: Final = Scenario(
    "credentials",
    _write_credential,
    _read_credential,
    ("data", "data/master.key", "data/credentials.enc", "data/credentials.lock"),
)
