"""What a memory survives: many writers, a kill, a full disk, a lock, another Rove's database."""

import os
import resource
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from benchmarks.memory import store_many

from rove_core import Locked, PackageDatabase, RoveError, StoreUnusable
from rove_core.project.local import LocalProject
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.memories import Memories
from rove_memory.memory.text_index import check_index
from rove_memory.store import ProjectStore
from rove_memory.store.migrations import PROJECT_MIGRATIONS

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

#: How much is stored by each of several processes; more with ROVE_EXAMPLES.
STORES: Final = max(10, int(os.environ.get("ROVE_EXAMPLES", "0")))
FORK: Final = get_context("fork")
PROCESSES: Final = 4


def _put(store: ProjectStore, key: str, content: str = "said") -> None:
    draft = MemoryDraft(key=key, content=f"{content} {key}", memory_type="pattern")
    with store.writing() as db:
        Memories(db=db, store=store).put(draft)


def _keys(store: ProjectStore) -> set[str]:
    """Return the keys of all memories; the text index must hold the same."""
    with store.writing() as db:
        check_index(db)
        return {row[0] for row in db.execute("SELECT key FROM memory")}


def _database(store: ProjectStore) -> PackageDatabase:
    known = store.registered()
    assert known
    return store.database(known)


def _store_all(number: int, root: Path, results: "Connection") -> None:
    results.send(store_many(number, root, STORES))


def _store_on(root: Path, results: "Connection") -> None:
    store = ProjectStore.of(LocalProject.at(root))
    for number in range(100_000):
        _put(store, f"k{number}")
        results.send(f"k{number}")


def _fill_the_disk(root: Path, results: "Connection") -> None:
    """Store as much as fits in files of a limited size, and tell how that ended."""
    store = ProjectStore.of(LocalProject.at(root))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    try:
        for number in range(100):
            _put(store, f"k{number}", "word " * 4_000)
            results.send(f"k{number}")
    except RoveError as error:
        results.send(error.code + error.hint)


def _told(work: Callable[..., None], root: Path, *, kill_after: int = 0) -> list[str]:
    """Return what a process tells until it ends, or is killed."""
    ours, theirs = FORK.Pipe(duplex=False)
    process = FORK.Process(target=work, args=(root, theirs))
    process.start()
    theirs.close()
    told = []
    try:
        while True:
            told.append(ours.recv())
            if len(told) == kill_after and process.pid:
                os.kill(process.pid, signal.SIGKILL)
    except EOFError:
        process.join()
    return told


def test_processes_that_store_at_once_lose_nothing(store: ProjectStore) -> None:
    """All that several processes store at once is there, and none is told of a lock."""
    _put(store, "first")
    pipes = [FORK.Pipe(duplex=False) for _ in range(PROCESSES)]
    workers = [
        FORK.Process(target=_store_all, args=(number, store.places.root, theirs))
        for number, (_, theirs) in enumerate(pipes)
    ]
    for worker in workers:
        worker.start()
    errors = [ours.recv() for ours, _ in pipes]
    for worker in workers:
        worker.join()

    assert errors == [[]] * PROCESSES
    assert len(_keys(store)) == PROCESSES * STORES + 1


def test_what_was_acknowledged_survives_a_kill(store: ProjectStore) -> None:
    """After kill -9 in the middle of writing, all that was acknowledged is there and found."""
    _put(store, "first")

    told = _told(_store_on, store.places.root, kill_after=STORES)

    assert len(told) >= STORES
    assert {"first", *told} <= _keys(store)


def test_a_full_disk_is_named_and_loses_nothing(store: ProjectStore) -> None:
    """The error says so, what was acknowledged is kept, and with room again it goes on."""
    _put(store, "first")

    *kept, ended = _told(_fill_the_disk, store.places.root)

    assert ended.startswith("ROVE-SET-")
    assert len(ended) > len("ROVE-SET-006")
    assert {"first", *kept} <= _keys(store)
    _put(store, "later")


def test_a_lock_is_named(store: ProjectStore) -> None:
    """A writer that cannot wait any longer says which file another process holds."""
    _put(store, "first")
    database = _database(store)
    with closing(database.open()) as db, store.writing():
        db.execute("PRAGMA busy_timeout = 1")
        with pytest.raises(Locked, match=r"\.db is in use"), database.transaction(db):
            pass


def test_a_newer_database_is_refused_and_kept(store: ProjectStore) -> None:
    """A Rove that is older than the database says so, and changes nothing in it."""
    _put(store, "first")
    path = _database(store).path
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
        before = db.execute("SELECT key, content FROM memory").fetchall()

    for work in (lambda: _put(store, "second"), lambda: store.reading().__enter__()):
        with pytest.raises(StoreUnusable) as caught:
            work()
        assert "Update Rove and its packages" in caught.value.hint

    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT key, content FROM memory").fetchall() == before


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_a_folder_in_place_of_a_side_file_is_named(store: ProjectStore, suffix: str) -> None:
    """The hint is about that folder; the database needs no update."""
    _put(store, "first")
    path = _database(store).path
    side = path.with_name(f"{path.name}{suffix}")
    side.mkdir()
    with pytest.raises(StoreUnusable, match=f"{side} is a folder") as caught:
        _put(store, "second")

    assert caught.value.hint == "Remove the folder."


def test_a_damaged_database_leads_to_the_doctor(store: ProjectStore) -> None:
    """It cannot be rebuilt, so nobody is told to move it away; SQLite's words are not shown."""
    _put(store, "first")
    path = _database(store).path
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreUnusable) as caught:
        _put(store, "second")

    assert caught.value.message == f"{path} is damaged"
    assert caught.value.hint == "See what helps: rove doctor"


def test_every_earlier_database_opens(store: ProjectStore) -> None:
    """A database of each earlier version is copied and migrated; its memories are found."""
    _put(store, "first")
    database = _database(store)
    with closing(sqlite3.connect(database.path)) as db:
        rows = db.execute("SELECT id, name, path, created_at, last_accessed FROM projects")
        project = rows.fetchone()
    for version in range(1, len(PROJECT_MIGRATIONS)):
        for path in database.path.parent.glob(f"{database.path.name}*"):
            path.unlink()
        older = PackageDatabase(database.path, PROJECT_MIGRATIONS[:version], durable=True)
        with older.writing() as db:
            db.execute(
                "INSERT INTO projects (id, name, path, created_at, last_accessed) "
                "VALUES (?, ?, ?, ?, ?)",
                project,
            )
            db.row_factory = sqlite3.Row
            draft = MemoryDraft(key="old", content="said before", memory_type="decision")
            Memories(db=db, store=store).put(draft)

        _put(store, "new")

        assert _keys(store) == {"old", "new"}
        assert [*database.path.parent.glob(f"{database.path.name}.before-*")]


def test_a_home_that_cannot_be_written_is_named(
    rove: LocalProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be written, the error names the place and a next step."""
    monkeypatch.setenv("ROVE_DATA_DIR", "/dev/null/rove")

    with pytest.raises(RoveError, match="/dev/null/rove") as caught:
        _put(ProjectStore.of(rove), "first")

    assert caught.value.code.startswith("ROVE-SET-")
    assert caught.value.hint
