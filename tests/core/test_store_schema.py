import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from rove_core.errors import DiskTrouble, Locked, RoveError, StoreUnusable
from rove_core.store.connection import open_for_reading, open_for_writing, typed_errors
from rove_core.store.migrations import MIGRATIONS, VERSION, version_of

_NEXT = (*MIGRATIONS, "ALTER TABLE etags ADD COLUMN colour TEXT;\n")
_WRONG = (*MIGRATIONS, "CREATE TABLE shapes (x);\nCREATE TABLE shapes (x);\n")

_DIE_WITHOUT_WAL = """
import os, signal, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = DELETE")
db.execute("PRAGMA cache_size = 1")
db.execute("BEGIN")
db.executemany(
    "INSERT INTO events VALUES ('t', ?, '', '', '', 0, NULL, ?)",
    [(number, "x" * 2000) for number in range(2, 99)],
)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a database that does not exist yet."""
    return tmp_path / "index.db"


@pytest.fixture
def old(path: Path) -> Path:
    """Give a database with one row."""
    with closing(open_for_writing(path)) as db:
        db.execute("INSERT INTO events VALUES ('t', 1, '', '', 'gather', 0, NULL, '')")
    return path


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", [table])]


def test_a_new_database_has_the_newest_version(path: Path) -> None:
    """It is its user's alone, and readers do not hold up writers."""
    with closing(open_for_writing(path)) as db:
        (journal,) = db.execute("PRAGMA journal_mode").fetchone()

        assert version_of(db) == VERSION
        assert journal == "wal"
        assert path.stat().st_mode & 0o777 == 0o600


def test_the_documents_have_the_columns_they_were_promised(path: Path) -> None:
    """Other tools may read them: these names stay."""
    with closing(open_for_writing(path)) as db:
        indexes = {name for (_, name, *_) in db.execute("PRAGMA index_list(context_files)")}
        promised = ["id", "ticket_id", "filename", "keywords", "last_updated", "created_at"]

        assert promised == _columns(db, "context_files")[:6]
        assert indexes >= {"idx_ticket_id", "idx_filename"}
        assert _columns(db, "fetch_history") == ["context_file_id", "source", "last_fetched"]


def test_a_migration_keeps_the_rows(old: Path) -> None:
    """What was there is there, in the new shape."""
    with closing(open_for_writing(old, _NEXT)) as db:
        (rows,) = db.execute("SELECT count(*) FROM events").fetchone()

        assert rows == 1
        assert version_of(db) == VERSION + 1
        assert "colour" in _columns(db, "etags")


def test_a_migration_leaves_a_copy_of_the_old_file(old: Path) -> None:
    """An older Rove can use it."""
    open_for_writing(old, _NEXT).close()

    with open_for_reading(old.with_name(f"index.db.before-{VERSION + 1}")) as db:
        (rows,) = db.execute("SELECT count(*) FROM events").fetchone()

        assert version_of(db) == VERSION
        assert rows == 1


def test_a_copy_that_a_killed_process_began_is_begun_again(old: Path) -> None:
    """Half a copy is not taken for one."""
    part = old.with_name(f"index.db.before-{VERSION + 1}.part")
    part.write_bytes(b"half")

    open_for_writing(old, _NEXT).close()

    assert not part.exists()


def test_a_migration_that_fails_changes_nothing(old: Path) -> None:
    """The database stays of the old version, with all its rows and no table more."""
    with pytest.raises(StoreUnusable, match="table shapes already exists"):
        open_for_writing(old, _WRONG)

    with open_for_reading(old) as db:
        (rows,) = db.execute("SELECT count(*) FROM events").fetchone()

        assert version_of(db) == VERSION
        assert rows == 1
        assert _columns(db, "shapes") == []


def test_many_migrate_at_once_and_one_does_it(old: Path) -> None:
    """The others wait; a second ``ADD COLUMN`` would fail."""
    with ThreadPoolExecutor(8) as threads:
        opened = list(threads.map(lambda _: open_for_writing(old, _NEXT), range(8)))
    versions = {version_of(db) for db in opened}
    for db in opened:
        db.close()

    assert versions == {VERSION + 1}


def test_many_create_the_database_at_once(path: Path) -> None:
    """Nobody is told that it is locked."""
    with ThreadPoolExecutor(8) as threads:
        opened = list(threads.map(lambda _: open_for_writing(path), range(16)))
    versions = {version_of(db) for db in opened}
    for db in opened:
        db.close()

    assert versions == {VERSION}


def test_a_newer_database_is_refused(old: Path) -> None:
    """Neither a writer nor a reader guesses at what it means."""
    open_for_writing(old, _NEXT).close()

    with pytest.raises(StoreUnusable, match="made by a newer Rove"):
        open_for_writing(old)
    with pytest.raises(StoreUnusable, match="made by a newer Rove"), open_for_reading(old):
        pass


def test_an_older_database_is_migrated_before_it_is_read(old: Path) -> None:
    """Reading functions know the newest shape alone."""
    with open_for_reading(old, _NEXT) as db:
        assert "colour" in _columns(db, "etags")


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\0" + b"x" * 5000])
def test_what_is_no_database_is_refused(path: Path, content: bytes) -> None:
    """The error names the file and says how to mend it; the file is left alone."""
    path.write_bytes(content)

    with pytest.raises(StoreUnusable, match=r"index\.db is damaged") as caught:
        open_for_writing(path)
    with pytest.raises(StoreUnusable, match=r"index\.db is damaged"), open_for_reading(path):
        pass

    assert f"move {path} away" in caught.value.hint
    assert path.read_bytes() == content


def test_a_database_damaged_inside_is_told_when_it_is_read(old: Path) -> None:
    """SQLite finds it late; it is the same error."""
    content = bytearray(old.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    old.write_bytes(content)

    with (
        pytest.raises(StoreUnusable, match="is damaged"),
        open_for_reading(old) as db,
    ):
        db.execute("SELECT * FROM events").fetchall()


def test_a_link_is_no_database(old: Path, tmp_path: Path) -> None:
    """A cloned repository could lead Rove to any other file."""
    link = tmp_path / "link.db"
    link.symlink_to(old)

    with pytest.raises(StoreUnusable, match="is a link"):
        open_for_writing(link)


def test_a_project_without_a_database_reads_as_an_empty_one(path: Path) -> None:
    """To read creates nothing."""
    with open_for_reading(path) as db:
        assert db.execute("SELECT * FROM context_files").fetchall() == []

    assert not path.exists()


def test_a_file_that_a_killed_process_just_created_reads_as_an_empty_one(path: Path) -> None:
    """The next writer fills it."""
    path.touch()

    with open_for_reading(path) as db:
        assert db.execute("SELECT * FROM context_files").fetchall() == []


def test_what_a_killed_process_left_undone_is_undone_before_it_is_read(old: Path) -> None:
    """The new file was not yet one that readers can mend."""
    command = [sys.executable, "-c", _DIE_WITHOUT_WAL, str(old)]
    subprocess.run(command, check=False)  # noqa: S603  # our own program, above
    assert old.with_name("index.db-journal").exists()

    with open_for_reading(old) as db:
        assert db.execute("SELECT count(*) FROM events").fetchone() == (1,)


def test_a_reader_cannot_write(old: Path) -> None:
    """Not even by mistake."""
    with pytest.raises(StoreUnusable), open_for_reading(old) as db:
        db.execute("DELETE FROM events")
    with open_for_reading(old) as db:
        assert db.execute("SELECT count(*) FROM events").fetchone() == (1,)


@pytest.mark.usefixtures("ordinary_user")
def test_a_database_in_a_read_only_folder_is_read(old: Path) -> None:
    """Agents' sandboxes let them read; SQLite would have to create files beside it."""
    old.parent.chmod(0o500)
    with open_for_reading(old) as db:
        (rows,) = db.execute("SELECT count(*) FROM events").fetchone()
    old.parent.chmod(0o700)

    assert rows == 1


@pytest.mark.usefixtures("ordinary_user")
def test_a_database_in_a_read_only_folder_is_not_written(old: Path) -> None:
    """The error names what cannot be written."""
    old.parent.chmod(0o500)
    try:
        with pytest.raises(RoveError, match=r"index\.db"):
            open_for_writing(old)
    finally:
        old.parent.chmod(0o700)


def test_a_folder_with_special_characters_is_found(tmp_path: Path) -> None:
    """They mean something in the URI by which SQLite opens a file."""
    folder = tmp_path / "50% off? #1 é"
    folder.mkdir()

    open_for_writing(folder / "index.db").close()

    assert (folder / "index.db").stat().st_size > 0


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    """It is not made by the way."""
    with pytest.raises(DiskTrouble, match="No such file"):
        open_for_writing(tmp_path / "gone" / "index.db")


def test_a_database_in_use_is_a_lock(old: Path) -> None:
    """The same call may work later."""
    with (
        closing(open_for_writing(old)) as busy,
        closing(sqlite3.connect(old, timeout=0)) as other,
    ):
        busy.execute("BEGIN IMMEDIATE")

        with pytest.raises(Locked, match=r"index\.db is in use"), typed_errors(old):
            other.execute("BEGIN IMMEDIATE")


def test_a_full_disk_is_told_as_such(old: Path) -> None:
    """The hint is to make room, not to throw the database away."""
    with closing(open_for_writing(old)) as db:
        db.execute("PRAGMA max_page_count = 1")

        with pytest.raises(DiskTrouble, match="full"), typed_errors(old):
            db.execute("INSERT INTO events VALUES ('t', 2, '', '', '', 0, NULL, ?)", ["x" * 9999])
