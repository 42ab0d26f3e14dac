"""The table of task events, in order."""

import sqlite3
from typing import TYPE_CHECKING, Final

from rove_core.events import Event
from rove_core.store.values import exact_text, moment, storable

if TYPE_CHECKING:
    import aiosqlite

_APPEND: Final = """
INSERT INTO events (task, seq, at, account, stage, done, total, note)
SELECT :task, coalesce(max(seq), 0) + 1, :at, :account, :stage, :done, :total, :note
FROM events WHERE task = :task
"""


def read_events(db: sqlite3.Connection, task: str, since: int = 0) -> tuple[Event, ...]:
    """Return a task's events, oldest first.

    Args:
        db: Where.
        task: The task's id.
        since: How many of them the reader has already seen.
    """
    rows = db.execute(
        "SELECT at, account, stage, done, total, note FROM events"
        " WHERE task = ? AND seq > ? ORDER BY seq",
        [task, since],
    )
    return tuple(
        Event(
            task=task,
            at=moment(at),
            account=account,
            stage=stage,
            done=done,
            total=total,
            note=note,
        )
        for at, account, stage, done, total, note in rows
    )


async def append_event(db: "aiosqlite.Connection", event: Event) -> None:
    """Add an event to its task."""
    values = {
        "task": event.task,
        "at": exact_text(event.at),
        "account": event.account,
        "stage": event.stage,
        "done": event.done,
        "total": event.total,
        "note": storable(event.note),
    }
    await db.execute(_APPEND, values)
