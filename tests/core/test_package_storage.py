"""Folders and databases of packages."""

import sqlite3
import stat
import subprocess
from contextlib import closing, suppress
from pathlib import Path

import attrs
import pytest
from docs_src.keep_state import rove_bookmarks

from rove_core import PackageDatabase, StoreUnusable, WrongCall, open_project, state_folder
from rove_core.auth.credentials import MemoryStore
from rove_core.project.layout import ProjectPaths

OLD = ("CREATE TABLE notes (text TEXT NOT NULL);",)
NEW = (*OLD, "ALTER TABLE notes ADD COLUMN stars INTEGER NOT NULL DEFAULT 0;")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the place of a database that does not exist yet."""
    return tmp_path / "notes.db"


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _write(database: PackageDatabase, text: str) -> None:
    with database.writing() as db:
        db.execute("INSERT INTO notes (text) VALUES (?)", [text])


def _texts(database: PackageDatabase) -> list[str]:
    with database.reading() as db:
        return [text for (text,) in db.execute("SELECT text FROM notes ORDER BY text")]


def test_what_is_written_is_read(path: Path) -> None:
    """The file is there from the first write on, for its user alone; before it, all is empty."""
    database = PackageDatabase(path, OLD)
    before = _texts(database)
    was_there = path.exists()
    _write(database, "one")

    assert (before, was_there, _texts(database), _mode(path)) == ([], False, ["one"], 0o600)


def test_one_that_others_may_read_is_closed_to_them(path: Path) -> None:
    """A restored backup is for its user alone again as soon as it is opened."""
    database = PackageDatabase(path, OLD)
    _write(database, "one")
    path.chmod(0o666)

    assert (_texts(database), _mode(path)) == (["one"], 0o600)


def test_it_is_in_wal_mode_with_foreign_keys(path: Path) -> None:
    """Readers do not wait for a writer, and references hold."""
    with PackageDatabase(path, OLD).writing() as db:
        (mode,) = db.execute("PRAGMA journal_mode").fetchone()
        (keys,) = db.execute("PRAGMA foreign_keys").fetchone()

    assert (mode, keys) == ("wal", 1)


def test_a_transaction_that_fails_leaves_nothing(path: Path) -> None:
    """All of it happens, or nothing."""
    database = PackageDatabase(path, OLD)
    with suppress(ZeroDivisionError), database.writing() as db:
        db.execute("INSERT INTO notes (text) VALUES ('half')")
        raise ZeroDivisionError

    assert _texts(database) == []


def test_an_older_one_is_copied_and_migrated(path: Path) -> None:
    """What was there is there afterwards, and once more as it was."""
    _write(PackageDatabase(path, OLD), "one")
    new = PackageDatabase(path, NEW)
    _write(new, "two")
    copy = PackageDatabase(path.with_name("notes.db.before-2"), OLD)

    assert (_texts(new), _texts(copy)) == (["one", "two"], ["one"])
    assert _mode(copy.path) == 0o600


def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    """The old version can go on with it."""
    _write(PackageDatabase(path, OLD), "one")
    with pytest.raises(StoreUnusable, match=r"notes\.db"):
        _write(PackageDatabase(path, (*OLD, "ALTER TABLE other ADD COLUMN stars;")), "two")

    assert _texts(PackageDatabase(path, OLD)) == ["one"]


@pytest.mark.parametrize("durable", [False, True])
def test_a_newer_one_is_refused(path: Path, *, durable: bool) -> None:
    """It stays as it is; one that cannot be rebuilt is not to be moved away."""
    _write(PackageDatabase(path, NEW), "one")
    old = PackageDatabase(path, OLD, durable=durable)
    with pytest.raises(StoreUnusable, match="was made by a newer") as caught:
        _write(old, "two")

    assert ("move the file away" in caught.value.hint) is not durable
    assert ("The file stays" in caught.value.hint) is durable
    assert _texts(PackageDatabase(path, NEW)) == ["one"]


def test_durable_data_without_permission_needs_permission(path: Path) -> None:
    """A database that cannot be written leads to its permissions, not to an update."""
    database = PackageDatabase(path, OLD, durable=True)
    _write(database, "one")

    with (
        closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db,
        pytest.raises(StoreUnusable, match="cannot be opened or written") as caught,
        database.errors(),
    ):
        db.execute("INSERT INTO notes (text) VALUES ('two')")

    assert "Fix the permissions" in caught.value.hint


def test_a_damaged_one_is_named(path: Path) -> None:
    """Whoever reads it is told which file it is."""
    path.write_bytes(b"no database at all" * 100)

    with pytest.raises(StoreUnusable, match=r"notes\.db is damaged"):
        _texts(PackageDatabase(path, OLD))


def test_an_error_in_a_kept_connection_is_typed(path: Path) -> None:
    """Who keeps a connection open gets Rove's errors, too."""
    database = PackageDatabase(path, OLD)
    db = database.open()
    try:
        with pytest.raises(StoreUnusable, match=r"notes\.db"), database.transaction(db):
            db.execute("INSERT INTO nothing VALUES (1)")
    finally:
        db.close()


def test_the_three_folders(places: ProjectPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can be rebuilt is beside the project, the rest in the user's data directory."""
    monkeypatch.setenv("ROVE_DATA_DIR", str(places.data_dir))
    user = state_folder("memory")
    cache = state_folder("memory", project=places)
    durable = state_folder("memory", project=places, durable=True)

    assert user == places.data_dir / "state" / "memory" / "user"
    assert cache == places.rove / "state" / "memory"
    assert durable.parent == user.parent
    assert {_mode(each) for each in (user, cache, durable)} == {0o700}


def test_checkouts_of_one_remote_share_what_is_durable(places: ProjectPaths) -> None:
    """The project is known by its remote, not by its place."""
    config = places.root / ".git" / "config"
    for root in (places.root, places.root.parent / "again"):
        subprocess.run(["git", "init", "-q", root], check=True)  # noqa: S603, S607  # ours
        text = '[remote "origin"]\n\turl = https://forge.example/acme/api.git\n'
        (root / ".git" / "config").write_text(text, "utf-8")
    again = attrs.evolve(places, root=places.root.parent / "again")

    assert config.is_file()
    assert state_folder("memory", project=places, durable=True) == state_folder(
        "memory", project=again, durable=True
    )


def test_a_program_with_nothing_of_the_user_s(places: ProjectPaths) -> None:
    """It writes nothing outside the project."""
    alone = attrs.evolve(places, is_alone=True)
    folder = state_folder("memory", project=alone, durable=True)

    assert folder == places.rove / "state" / "memory"
    assert not places.data_dir.exists()


@pytest.mark.parametrize("name", ["", "Memory", "../trust", "a/b"])
def test_a_name_that_is_none(name: str) -> None:
    """A package cannot get at another folder."""
    with pytest.raises(WrongCall, match="is not a plugin name"):
        state_folder(name)


@pytest.mark.anyio
async def test_the_example_keeps_bookmarks(tmp_path: Path) -> None:
    """The operation of the page does what it says, twice."""
    async with open_project(
        tmp_path, accounts=(), plugins=[rove_bookmarks], credentials=MemoryStore()
    ) as rove:
        await rove_bookmarks.bookmark(rove, ticket="TB-2")
        found = await rove_bookmarks.bookmark(rove, ticket="TB-1", note="first")
        with sqlite3.connect(rove_bookmarks.bookmarks_of(rove).path) as db:
            (note,) = db.execute("SELECT note FROM bookmarks WHERE ticket = 'TB-1'").fetchone()

    assert (found, note) == (("TB-1", "TB-2"), "first")
