"""Damaged databases and what lies in the place of one: nobody waits, and there is a way out."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rove_core.errors import StoreUnusable
from rove_core.store.check import find_damage
from rove_core.store.connection import open_for_reading, open_for_writing
from rove_core.store.documents import list_documents
from rove_core.store.lookup import find_filename

ROW = (
    "INSERT INTO context_files (account, ticket_id, filename, title, url, keywords, last_updated,"
    " created_at) VALUES ('a', 'TB-1', 'TB-1_x.md', 'x', '', '[\"x\"]', '2026-01-02T00:00:00Z',"
    " '2026-01-02T00:00:00Z')"
)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Give an index that lists one document."""
    path = tmp_path / "index.db"
    with closing(open_for_writing(path)) as db:
        db.execute(ROW)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def read(path: Path) -> object:
    """Read the list of documents."""
    with open_for_reading(path) as db:
        return list_documents(db)


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_no_file(index: Path, suffix: str, make: Callable[[Path], None]) -> None:
    """What is not a file is refused by name; a pipe would keep SQLite waiting for ever."""
    path = index.with_name(f"index.db{suffix}")
    path.unlink(missing_ok=True)
    make(path)

    assert find_filename(str(index), "TB-1") is None
    for attempt in (open_for_writing, read):
        with pytest.raises(StoreUnusable, match=f"{path} is a") as caught:
            attempt(index)
        assert caught.value.hint.startswith("Remove the ")


def test_tables_without_a_version(index: Path) -> None:
    """Such a database is not read, not migrated, and not taken for an empty one."""
    with closing(sqlite3.connect(index)) as db:
        db.execute("PRAGMA user_version = 0")

    for attempt in (open_for_writing, read):
        with pytest.raises(StoreUnusable, match="tables but no version") as caught:
            attempt(index)
        assert "rove doctor --fix" in caught.value.hint


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("keywords", "[\"x'"),
        ("last_updated", "2026-01-02T00:00:0\u017eZ"),
        ("title", b"\xff\xfe"),
    ],
)
def test_a_flipped_bit(index: Path, column: str, value: str | bytes) -> None:
    """What SQLite does not see is a damaged database, too, and the check names the table."""
    with closing(sqlite3.connect(index)) as db, db:
        db.execute(f"UPDATE context_files SET {column} = CAST(? AS TEXT)", [value])  # noqa: S608  # ours

    with pytest.raises(StoreUnusable, match="is damaged"):
        read(index)
    with open_for_reading(index) as db:
        assert find_damage(db).startswith("in table context_files: ")


def test_a_whole_database(index: Path) -> None:
    """Nothing is wrong with a database that Rove wrote."""
    with open_for_reading(index) as db:
        assert find_damage(db) == ""
