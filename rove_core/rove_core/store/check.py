"""Check that every value of a database is readable; SQLite does not notice flipped bits in text."""

import sqlite3
from collections.abc import Iterator
from typing import Final

from rove_core.store.items import item_of
from rove_core.store.values import DamagedValueError, json_value, moment

_JSON: Final = frozenset(
    {"keywords", "headers", "arguments", "checkpoint", "result", "error", "traces", "merged"}
)


def find_damage(db: sqlite3.Connection) -> str:
    """Return the first value that cannot be read, and why; empty if all can."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"
    for (table,) in db.execute(tables).fetchall():
        try:
            for name, kind, value in _values(db, table):
                _check(name, kind, value)
        except (DamagedValueError, UnicodeDecodeError, sqlite3.OperationalError) as error:
            return f"in table {table}: {error}"
    return ""


def _values(db: sqlite3.Connection, table: str) -> Iterator[tuple[str, str, object]]:
    quoted = table.replace('"', '""')
    columns = [(row[1], row[2]) for row in db.execute(f'PRAGMA table_info("{quoted}")')]
    for row in db.execute(f'SELECT * FROM "{quoted}"'):  # noqa: S608  # the database's own name
        yield from ((name, kind, value) for (name, kind), value in zip(columns, row, strict=True))


def _check(name: str, kind: str, value: object) -> None:
    if not isinstance(value, str) or not value:
        return
    if kind == "TIMESTAMP":
        moment(value)
    elif name == "body":
        item_of(value)
    elif name in _JSON:
        json_value(value)
