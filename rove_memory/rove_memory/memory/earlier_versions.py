"""Add texts from elsewhere to the earlier versions of a memory."""

from collections.abc import Mapping, Sequence
from sqlite3 import Connection
from typing import Any

from rove_memory.store.values import placeholders


def add_earlier_versions(
    db: Connection, identifier: str, texts: Sequence[Mapping[str, Any]], now: str
) -> int:
    """Put texts that a memory never had before its current version; return how many.

    Args:
        db: The database, in a transaction.
        identifier: The memory.
        texts: Rows with the columns of a version, the first one first.
        now: The time.
    """
    (current,) = db.execute("SELECT version FROM memory WHERE id = ?", [identifier]).fetchone()
    versions = db.execute(
        "SELECT version, content FROM memory_versions WHERE memory_id = ?", [identifier]
    ).fetchall()
    own = {row["content"] for row in versions}
    new = list({row["content"]: row for row in texts if row["content"] not in own}.values())
    if not new:
        return 0
    last = max((row["version"] for row in versions if row["version"] != current), default=0)
    moved = last + len(new) + 1
    db.execute(
        "UPDATE memory_versions SET version = ? WHERE memory_id = ? AND version = ?",
        [moved, identifier, current],
    )
    db.execute("UPDATE memory SET version = ? WHERE id = ?", [moved, identifier])
    db.executemany(
        "INSERT INTO memory_versions (memory_id, version, memory_type, content, summary, "  # noqa: S608  # question marks
        "importance, confidence, tags, related_items, valid_from, valid_to, recorded_at, "
        "session_id) "
        f"VALUES ({placeholders(range(13))})",
        [
            (
                identifier,
                number,
                row["memory_type"],
                row["content"],
                row.get("summary"),
                row.get("importance", 2),
                row.get("confidence", 1.0),
                row.get("tags", "[]"),
                row.get("related_items", "[]"),
                row["valid_from"],
                row.get("valid_to", now),
                now,
                row.get("session_id"),
            )
            for number, row in enumerate(new, last + 1)
        ],
    )
    return len(new)
