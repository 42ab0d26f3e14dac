"""What is kept of files, by their content."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rove_code import store as store_module
from rove_code.model import FORMAT
from rove_code.repositories import Commit
from rove_code.store import CodeStore, ContentRecord
from rove_core.errors import StoreUnusable
from rove_core.testing.clock import VirtualClock

_DAY = 86_400
#: The tables of ``.rove/code.db`` as the first release made them.
_FIRST_RELEASE = """
CREATE TABLE contents (
    id INTEGER PRIMARY KEY,
    blob BLOB NOT NULL,
    language TEXT NOT NULL,
    format INTEGER NOT NULL,
    skipped TEXT NOT NULL,
    added INTEGER NOT NULL,
    UNIQUE (blob, language, format)
);
CREATE TABLE made (
    id INTEGER PRIMARY KEY REFERENCES contents(id) ON DELETE CASCADE,
    features BLOB NOT NULL,
    parsed BLOB NOT NULL
);
CREATE TABLE versions (
    repository TEXT NOT NULL,
    name TEXT NOT NULL,
    asked INTEGER NOT NULL,
    contents BLOB NOT NULL,
    PRIMARY KEY (repository, name)
) WITHOUT ROWID;
CREATE TABLE commits (name BLOB PRIMARY KEY, at INTEGER NOT NULL, told BLOB NOT NULL)
    WITHOUT ROWID;
CREATE TABLE ancestors (repository TEXT PRIMARY KEY, names TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1;
"""


def blob(number: int) -> str:
    """Return a name as git gives it."""
    return f"{number:040x}"


def made(number: int, language: str = "python") -> ContentRecord:
    """Return what was made of a content."""
    return ContentRecord(blob(number), language, b"features %d" % number, b"parsed %d" % number)


@pytest.fixture
def clock() -> VirtualClock:
    """Make a clock that the test moves."""
    return VirtualClock()


@pytest.fixture
def store(tmp_path: Path, clock: VirtualClock) -> Iterator[CodeStore]:
    """Open a store."""
    with CodeStore(tmp_path / "code.db", clock=clock) as opened:
        yield opened


def test_what_was_added_is_found(store: CodeStore) -> None:
    """Features and parsed files come back, in the order that they are asked for."""
    store.add(made(number) for number in range(1200))
    keys = [(blob(number), "python") for number in (1100, 3, 700)]

    rows = store.find(keys)

    numbers = [rows[key].number for key in keys]
    assert list(store.features(numbers)) == [b"features 1100", b"features 3", b"features 700"]
    assert list(store.parsed(numbers)) == [b"parsed 1100", b"parsed 3", b"parsed 700"]


def test_a_store_of_the_first_release_opens(tmp_path: Path) -> None:
    """What it made in an older format is not used, and the new result is kept beside it."""
    path = tmp_path / "code.db"
    with closing(sqlite3.connect(path)) as old:
        old.executescript(_FIRST_RELEASE)
        old.execute(
            "INSERT INTO contents VALUES (1, ?, 'python', 2, '', 1795525001)",
            [bytes.fromhex(blob(1))],
        )
        old.execute("INSERT INTO made VALUES (1, X'00', X'00')")
        old.commit()

    with CodeStore(path) as store:
        before = store.find([(blob(1), "python")])
        store.add([made(1)])
        after = store.find([(blob(1), "python")])

        assert before == {}
        assert list(store.parsed([after[blob(1), "python"].number])) == [b"parsed 1"]


def test_a_language_is_part_of_the_key(store: CodeStore) -> None:
    """Equal content in two languages was taken apart in two ways."""
    store.add([made(1, "c")])

    assert store.find([(blob(1), "cpp")]) == {}
    assert len(store.find([(blob(1), "c"), (blob(2), "c")])) == 1


def test_what_another_format_made_is_not_found(
    store: CodeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where files are taken apart otherwise, all of them are new."""
    store.add([made(1)])
    monkeypatch.setattr(store_module, "FORMAT", FORMAT + 1)
    key = (blob(1), "python")

    assert store.find([key]) == {}
    store.add([made(1)])
    assert key in store.find([key])


def test_why_nothing_was_made_is_kept(store: CodeStore) -> None:
    """A file that turned out to be binary is not read again to see that."""
    store.add([ContentRecord(blob(1), "", b"", b"", "binary")])

    (row,) = store.find([(blob(1), "")]).values()

    assert row.skipped == "binary"


def test_the_first_to_add_wins(store: CodeStore, tmp_path: Path) -> None:
    """Two processes that make the same do not disturb each other."""
    key = (blob(1), "python")
    with CodeStore(tmp_path / "code.db") as other:
        store.add([made(1)])
        other.add([made(1), made(2)])

    assert len(store.find([key, (blob(2), "python")])) == 2


def test_a_failed_batch_leaves_nothing(store: CodeStore) -> None:
    """What is added together is there together, or not at all."""

    def failing() -> Iterator[ContentRecord]:
        yield made(1)
        raise LookupError

    with pytest.raises(LookupError):
        store.add(failing())

    assert store.find([(blob(1), "python")]) == {}
    store.add([made(1)])


def numbers(store: CodeStore, *contents: int) -> list[int]:
    """Return the rows of contents that are there."""
    found = store.find([(blob(each), "python") for each in contents])
    return [row.number for row in found.values()]


def test_what_no_version_has_is_removed(store: CodeStore, clock: VirtualClock) -> None:
    """The last versions that were asked for keep what they have; the rest goes."""
    for number in range(1, 10):
        store.add([made(number)])
        clock.advance(_DAY / 2)

        assert store.hold("/shop", str(number), numbers(store, number))

    assert numbers(store, 1, 2, 3, 4, 5) == []
    assert len(numbers(store, 6, 7, 8, 9)) == 4


def test_what_another_process_may_be_at_stays(store: CodeStore, clock: VirtualClock) -> None:
    """It is no version's yet, but it was made just now."""
    store.add([made(each) for each in range(9)])
    store.hold("/shop", "one", numbers(store, 1))
    young = len(numbers(store, *range(9)))
    clock.advance(2 * 3600)
    store.hold("/shop", "two", numbers(store, 2))

    assert young == 9
    assert len(numbers(store, *range(9))) == 2


def test_a_version_that_nobody_asks_for_is_forgotten(store: CodeStore, clock: VirtualClock) -> None:
    """After a month what only another repository had is gone, too."""
    store.add([made(1), made(2)])
    store.hold("/shop", "one", numbers(store, 1))
    clock.advance(31 * _DAY)
    store.hold("/other", "one", numbers(store, 2))

    assert numbers(store, 1) == []


def test_what_is_not_there_is_not_kept(store: CodeStore) -> None:
    """Whoever wants to keep it has to make it anew."""
    store.add([made(1)])

    assert not store.hold("/shop", "one", [*numbers(store, 1), 99])


def test_keeping_the_same_again_writes_nothing(store: CodeStore) -> None:
    """Who asks often does not write each time."""
    store.add([made(1)])
    store.hold("/shop", "one", numbers(store, 1))
    before = (store.path.with_name("code.db-wal")).stat().st_size

    store.hold("/shop", "one", numbers(store, 1))

    assert (store.path.with_name("code.db-wal")).stat().st_size == before


def test_commits_come_back(store: CodeStore) -> None:
    """A commit is kept with its message, its time and its paths, whatever is in them."""
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    commits = [
        Commit(blob(1), at, "Mend it\n\nü \U0001f600", ("a b.py", "line\nbreak.py")),
        Commit(blob(2), at, "", ()),
    ]
    store.add_commits(commits)
    store.add_commits(commits)

    assert store.commits([blob(2), blob(1), blob(3)]) == {each.id: each for each in commits}


def test_threads_share_a_store(store: CodeStore) -> None:
    """Many threads add and find at once."""

    def work(number: int) -> bytes:
        store.add([made(number)])
        (row,) = store.find([(blob(number), "python")]).values()
        return next(store.features([row.number]))

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(work, range(64)))

    assert found == [b"features %d" % number for number in range(64)]


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    """A damaged file is an error that says that it can be made anew."""
    path = tmp_path / "code.db"
    path.write_bytes(b"no database" * 1000)

    with pytest.raises(StoreUnusable, match=r"code\.db is damaged") as error:
        CodeStore(path)

    assert "move" in error.value.hint


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    """What a newer Rove made is not touched."""
    path = tmp_path / "code.db"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()

    with pytest.raises(StoreUnusable, match="newer"):
        CodeStore(path)
