"""The text index of memories, updated when words change and not when they are used."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Final

from rove_memory.store.values import placeholders

_COLUMNS: Final = "title, key, content, summary, tags, parts, neighbours"


@contextmanager
def words_changing(db: Connection, identifiers: Sequence[str]) -> Iterator[None]:
    """Keep the index equal to the words of some memories while these change.

    Args:
        db: The database, in a transaction.
        identifiers: Ids of memories, whether they are there before, afterwards or both.
    """
    _write(db, identifiers, "(memory_texts, rowid,", "SELECT 'delete', number,")
    yield
    _write(db, identifiers, "(rowid,", "SELECT number,")


def rebuild_index(db: Connection) -> None:
    """Make the index anew of all memories."""
    db.execute("INSERT INTO memory_texts (memory_texts) VALUES ('rebuild')")


def check_index(db: Connection) -> None:
    """Compare the index with all memories; raise sqlite3.DatabaseError if they differ."""
    db.execute("INSERT INTO memory_texts (memory_texts, rank) VALUES ('integrity-check', 1)")


def _write(db: Connection, identifiers: Sequence[str], into: str, select: str) -> None:
    slots = placeholders(identifiers)
    rows = f"{select} {_COLUMNS} FROM memory WHERE id IN ({slots})"
    db.execute(f"INSERT INTO memory_texts {into} {_COLUMNS}) {rows}", list(identifiers))
