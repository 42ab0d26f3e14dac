"""Stored form of times, lists and ids."""

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from sqlite3 import Connection
from typing import Any, Final

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_SHORTEST: Final = 5


def time_text(at: datetime) -> str:
    """Return a time as text that sorts."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def read_time(text: str | None) -> datetime | None:
    """Return the time of a column; None if it holds none."""
    return datetime.fromisoformat(text) if text else None


def time_of(text: str) -> datetime:
    """Return the time of a column that always holds one."""
    return datetime.fromisoformat(text)


def json_text(value: object) -> str:
    """Return JSON for a column."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_json(text: str | None, default: Any = None) -> Any:  # noqa: ANN401  # any JSON
    """Return the value of a JSON column."""
    return json.loads(text) if text else default


def read_names(text: str | None) -> tuple[str, ...]:
    """Return a JSON list of texts."""
    return tuple(read_json(text, ()))


def new_id(db: Connection, table: str, prefix: str) -> str:
    """Return an id that no row of a table has, like ``p-7k2f9``; it grows with the table.

    Two machines hardly ever choose the same one, unlike numbers that count up.

    Args:
        db: The database.
        table: The table; its column is ``id``.
        prefix: What its ids begin with.
    """
    # The largest row number is at least the number of rows, and needs no look at all of them.
    (rows,) = db.execute(f"SELECT coalesce(max(rowid), 0) FROM {table}").fetchone()  # noqa: S608  # our own name
    length = _SHORTEST
    while len(_DIGITS) ** length < 1_000 * (rows + 1):
        length += 1
    while True:
        identifier = f"{prefix}-{_random_digits(length)}"
        taken = db.execute(f"SELECT 1 FROM {table} WHERE id = ?", [identifier]).fetchone()  # noqa: S608  # our own name
        if not taken:
            return identifier
        length += 1


def _random_digits(length: int) -> str:
    """Return random digits; :mod:`secrets` would load OpenSSL for them."""
    number = int.from_bytes(os.urandom(16))
    return "".join(
        _DIGITS[number // len(_DIGITS) ** place % len(_DIGITS)] for place in range(length)
    )


def placeholders(values: Sequence[object]) -> str:
    """Return ``?, ?, ?`` for values."""
    return ", ".join("?" * len(values))
