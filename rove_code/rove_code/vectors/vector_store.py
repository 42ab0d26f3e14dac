"""Stored vectors, by content and embedder.

They are a database beside the code's own: without it, or while another process writes to it,
questions are answered by words.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from attrs import frozen

from rove_code.model import FORMAT
from rove_core import PackageDatabase

_TABLES: Final = """
CREATE TABLE embedders (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimension INTEGER NOT NULL,  -- how many numbers each vector has; 0 while there is none
    trouble TEXT NOT NULL  -- why the last attempt gave none; empty if it gave some
);

CREATE TABLE contents (
    id INTEGER PRIMARY KEY,
    embedder INTEGER NOT NULL REFERENCES embedders(id) ON DELETE CASCADE,
    name TEXT NOT NULL,  -- of the content, its language, and how it was taken apart
    UNIQUE (embedder, name)
);

CREATE TABLE vectors (
    content INTEGER NOT NULL REFERENCES contents(id) ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    numbers BLOB NOT NULL,  -- a byte each
    PRIMARY KEY (content, chunk)
) WITHOUT ROWID;
"""
MIGRATIONS: Final = (_TABLES,)
_AT_ONCE: Final = 500
#: Changed whenever other texts would be made of the same chunks.
_PREPARED: Final = 1


@frozen
class Vector:
    """A chunk's vector.

    Attributes:
        key: What its content and language are called.
        chunk: Its number there.
        numbers: It.
    """

    key: str
    chunk: int
    numbers: bytes


@frozen
class VectorStore:
    """The database, opened anew each time it is needed.

    Attributes:
        path: The file; it is made when there is something to keep.
    """

    path: Path

    def dimension(self, embedder: str) -> int:
        """Return the dimension of an embedder's vectors; 0 if there are none."""
        return self._embedder_state(embedder)[0]

    def trouble(self, embedder: str) -> str:
        """Return why an embedder's last attempt gave nothing; empty if it gave something."""
        return self._embedder_state(embedder)[1]

    def counts(self, embedder: str) -> Mapping[str, int]:
        """Return of how many chunks of each content vectors are kept."""
        query = (
            "SELECT contents.name, count(*) FROM contents"
            " JOIN embedders ON embedders.id = contents.embedder AND embedders.name = ?"
            " JOIN vectors ON vectors.content = contents.id GROUP BY contents.id"
        )
        with self._reading() as db:
            rows = db.execute(query, [embedder]).fetchall()
        return {_key(name): count for name, count in rows if _is_current(name)}

    def find(self, embedder: str, keys: Collection[str]) -> Iterator[Vector]:
        """Yield the vectors that are kept of contents."""
        query = (
            "SELECT contents.name, chunk, numbers FROM contents"
            " JOIN embedders ON embedders.id = contents.embedder AND embedders.name = ?"
            " JOIN vectors ON vectors.content = contents.id WHERE contents.name IN"
        )
        with self._reading() as db:
            for some in _parts(map(_name, keys)):
                marks = ", ".join("?" * len(some))
                for name, chunk, numbers in db.execute(f"{query} ({marks})", [embedder, *some]):
                    yield Vector(_key(name), chunk, numbers)

    def add(self, embedder: str, dimension: int, vectors: Iterable[Vector]) -> None:
        """Store vectors; existing ones of the same chunk stay."""
        chunks: dict[str, list[Vector]] = defaultdict(list)
        for each in vectors:
            chunks[_name(each.key)].append(each)
        with self._writing() as db:
            number = _noted(db, embedder, "")
            db.execute(
                "UPDATE embedders SET dimension = ? WHERE id = ? AND dimension = 0",
                [dimension, number],
            )
            for name, own in chunks.items():
                db.execute(
                    "INSERT OR IGNORE INTO contents (embedder, name) VALUES (?, ?)", [number, name]
                )
                query = "SELECT id FROM contents WHERE embedder = ? AND name = ?"
                (content,) = db.execute(query, [number, name]).fetchone()
                rows = [(content, each.chunk, each.numbers) for each in own]
                db.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", rows)

    def note(self, embedder: str, trouble: str) -> None:
        """Keep why there is nothing new; empty if there is."""
        with self._writing() as db:
            _noted(db, embedder, trouble)

    def sweep(self, is_there: Callable[[AbstractSet[str]], AbstractSet[str]]) -> None:
        """Remove the vectors of contents that are no longer there.

        Args:
            is_there: Gives those of some contents' keys that are.
        """
        with self._reading() as db:
            rows = db.execute("SELECT id, name FROM contents").fetchall()
        there = is_there({_key(name) for _, name in rows})
        gone = [(row,) for row, name in rows if not _is_current(name) or _key(name) not in there]
        if gone:
            with self._writing() as db:
                db.executemany("DELETE FROM contents WHERE id = ?", gone)

    def _embedder_state(self, embedder: str) -> tuple[int, str]:
        with self._reading() as db:
            query = "SELECT dimension, trouble FROM embedders WHERE name = ?"
            return db.execute(query, [embedder]).fetchone() or (0, "")

    def _reading(self) -> AbstractContextManager[Connection]:
        return PackageDatabase(self.path, MIGRATIONS).reading()

    def _writing(self) -> AbstractContextManager[Connection]:
        return PackageDatabase(self.path, MIGRATIONS).writing()


def _noted(db: Connection, embedder: str, trouble: str) -> int:
    db.execute(
        "INSERT INTO embedders (name, dimension, trouble) VALUES (?, 0, ?)"
        " ON CONFLICT (name) DO UPDATE SET trouble = excluded.trouble",
        [embedder, trouble],
    )
    (number,) = db.execute("SELECT id FROM embedders WHERE name = ?", [embedder]).fetchone()
    return int(number)


def _name(key: str) -> str:
    return f"{FORMAT}.{_PREPARED}:{key}"


def _key(name: str) -> str:
    return name.partition(":")[2]


def _is_current(name: str) -> bool:
    return name.startswith(_name(""))


def _parts(values: Iterable[str]) -> Iterator[Sequence[str]]:
    rest = iter(values)
    while some := list(islice(rest, _AT_ONCE)):
        yield some
