"""Store parsed files by content hash, so that each content is parsed once.

Equal files of all branches, versions, worktrees and repositories are one row. Several processes
may read and add at once. What none of the versions that were asked for lately has is removed.
"""

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final, Self, TypeVar

from attrs import frozen

from rove_code.cleanup import keep, packed
from rove_code.model import FORMAT
from rove_code.repositories.repository import Commit
from rove_core import PackageDatabase
from rove_core.clock import SYSTEM, Clock

Each = TypeVar("Each")

_TABLES: Final = """
CREATE TABLE contents (
    id INTEGER PRIMARY KEY,
    blob BLOB NOT NULL,
    language TEXT NOT NULL,
    format INTEGER NOT NULL,
    skipped TEXT NOT NULL,  -- why nothing was made of it; empty if something was
    added INTEGER NOT NULL,  -- seconds since 1970
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
    asked INTEGER NOT NULL,  -- seconds since 1970; up to a day late
    contents BLOB NOT NULL,  -- the ids of what it has
    PRIMARY KEY (repository, name)
) WITHOUT ROWID;

CREATE TABLE commits (
    name BLOB PRIMARY KEY,
    at INTEGER NOT NULL,  -- seconds since 1970
    told BLOB NOT NULL  -- the message and the paths
) WITHOUT ROWID;

CREATE TABLE ancestors (
    repository TEXT PRIMARY KEY,
    names TEXT NOT NULL  -- of the version that was asked for last
) WITHOUT ROWID;
"""
MIGRATIONS: Final = (_TABLES,)
_AT_ONCE: Final = 500
#: So many bytes are written before they are put in their place, in pages of so many.
_LOG: Final = 1 << 20
_PAGE: Final = 4096
#: After so many seconds: to write down each time who asked would cost more than it tells.
_NOTED_EVERY: Final = 86_400


@frozen
class ContentRecord:
    """The stored parse result of a file's content.

    Attributes:
        blob: What git calls the content.
        language: What it is written in; the path tells, so that it is part of the key.
        features: What it is found by.
        parsed: It, taken apart.
        skipped: Why there is nothing of that; empty if there is.
    """

    blob: str
    language: str
    features: bytes
    parsed: bytes
    skipped: str = ""


@frozen
class Row:
    """The state of a file's content in the store.

    Attributes:
        number: By which the rest is found.
        skipped: Why there is no rest; empty if there is.
    """

    number: int
    skipped: str


class CodeStore:
    """The database, open. All threads of a process may use one.

    Args:
        path: The file, ``.rove/code.db``; its folder exists. It can always be made anew.
        clock: The clock, to find out what is old.

    Raises:
        StoreUnusable: It is damaged, of a newer Rove, or cannot be written.
    """

    def __init__(self, path: Path, *, clock: Clock = SYSTEM) -> None:
        self.path = path
        self._clock = clock
        self._read_turn = threading.Lock()
        self._write_turn = threading.Lock()
        self._database = PackageDatabase(path, MIGRATIONS)
        with ExitStack() as stack:
            self._writer = self._database.open()
            stack.callback(self._writer.close)
            # What is written and not yet in its place would else take as much again.
            self._writer.execute(f"PRAGMA wal_autocheckpoint = {_LOG // _PAGE}")
            self._writer.execute(f"PRAGMA journal_size_limit = {_LOG}")
            self._reader = stack.enter_context(self._database.reading())
            self._open = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store and keep its content."""
        self._open.close()

    def find(self, keys: Collection[tuple[str, str]]) -> dict[tuple[str, str], Row]:
        """Return what there is of contents, each named by its blob and language."""
        query = "SELECT blob, language, format, id, skipped FROM contents WHERE blob IN"
        found = {}
        for blob, language, made_by, *row in self._rows(query, {bytes.fromhex(b) for b, _ in keys}):
            key = (blob.hex(), language)
            if made_by == FORMAT and key in keys:
                found[key] = Row(*row)
        return found

    def features(self, numbers: Sequence[int]) -> Iterator[bytes]:
        """Yield the features of rows, in their order."""
        return self._column("SELECT id, features FROM made WHERE id IN", numbers)

    def parsed(self, numbers: Sequence[int]) -> Iterator[bytes]:
        """Yield what rows' contents were taken apart into, in their order."""
        return self._column("SELECT id, parsed FROM made WHERE id IN", numbers)

    def add(self, made: Iterable[ContentRecord]) -> None:
        """Store records, unless another process already did."""
        now = self._now()
        with self._writing() as db:
            for each in made:
                key = (bytes.fromhex(each.blob), each.language, FORMAT, each.skipped, now)
                added = db.execute(
                    "INSERT OR IGNORE INTO contents (blob, language, format, skipped, added)"
                    " VALUES (?, ?, ?, ?, ?)",
                    key,
                )
                if added.rowcount and not each.skipped:
                    row = (added.lastrowid, each.features, each.parsed)
                    db.execute("INSERT INTO made (id, features, parsed) VALUES (?, ?, ?)", row)

    def hold(self, repository: str, name: str, rows: Collection[int]) -> bool:
        """Store the content ids of a version, and remove unused content.

        Args:
            repository: The version's repository.
            name: What the version is called there.
            rows: What it has.

        Returns:
            Whether all of it is there; if not, what is missing has to be made anew.
        """
        now = self._now()
        query = "SELECT asked, contents FROM versions WHERE name = ? AND repository IN"
        row = next(self._rows(query, [repository], name), None)
        if row and row[1] == packed(rows) and now - row[0] < _NOTED_EVERY:
            return True
        with self._writing() as db:
            return keep(db, (repository, name), rows, now)

    def commits(self, names: Collection[str]) -> dict[str, Commit]:
        """Return the stored commits among some names."""
        found = {}
        query = "SELECT name, at, told FROM commits WHERE name IN"
        for name, at, data in self._rows(query, map(bytes.fromhex, names)):
            message, *paths = data.decode().split("\0")
            when = datetime.fromtimestamp(at, UTC)
            found[name.hex()] = Commit(name.hex(), when, message, tuple(paths))
        return found

    def add_commits(self, commits: Iterable[Commit]) -> None:
        """Keep commits."""
        rows = (
            (bytes.fromhex(each.id), int(each.at.timestamp()), _commit_bytes(each))
            for each in commits
        )
        with self._writing() as db:
            db.executemany("INSERT OR IGNORE INTO commits VALUES (?, ?, ?)", rows)

    def ancestors(self, repository: str) -> tuple[str, ...]:
        """Return the stored history of a repository, newest first."""
        query = "SELECT names FROM ancestors WHERE repository IN"
        return tuple(name for (names,) in self._rows(query, [repository]) for name in names.split())

    def keep_ancestors(self, repository: str, names: Sequence[str]) -> None:
        """Replace the stored history of a repository."""
        with self._writing() as db:
            row = (repository, " ".join(names))
            db.execute("INSERT OR REPLACE INTO ancestors VALUES (?, ?)", row)

    def _column(self, query: str, numbers: Sequence[int]) -> Iterator[bytes]:
        for some in _parts(numbers):
            found = dict(self._rows(query, some))
            yield from (found[number] for number in some)

    def _rows(
        self, query: str, values: Iterable[object], *others: object
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query that ends where the values that one may have begin."""
        for some in _parts(values):
            # While one thread reads, others on the same connection would see what it sees.
            with self._read_turn, self._database.errors():
                found = self._reader.execute(f"{query} ({_marks(some)})", [*others, *some])
                rows = found.fetchall()
            yield from rows

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Yield the connection inside a transaction."""
        with self._write_turn, self._database.transaction(self._writer) as db:
            yield db

    def _now(self) -> int:
        return int(self._clock.now().timestamp())


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _commit_bytes(commit: Commit) -> bytes:
    return "\0".join((commit.message, *commit.paths)).encode()


def _parts(values: Iterable[Each]) -> Iterator[list[Each]]:
    rest = iter(values)
    while some := list(islice(rest, _AT_ONCE)):
        yield some
