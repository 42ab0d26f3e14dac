"""Make a queued task due now; a quick command does so, hence this module loads little."""

import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rove_core.store.task_keys import recurring_key
from rove_core.store.values import exact_text, storable

if TYPE_CHECKING:
    import aiosqlite

    from rove_core.project.layout import ProjectPaths

_HASTEN: Final = "UPDATE tasks SET due_at = ?1 WHERE key = ?2 AND state = 'queued' AND due_at > ?1"


async def hasten_task(db: "aiosqlite.Connection", key: str, *, now: datetime) -> None:
    """Make a queued task due now."""
    await db.execute(_HASTEN, [exact_text(now), storable(key)])


def run_soon(places: "ProjectPaths", operation: str, now: datetime) -> None:
    """Make a recurring operation due at the server's next look.

    Nothing happens where no server has planned it, or where the index cannot be written now: the
    operation runs anyway, later. It waits for nobody.

    Args:
        places: The project.
        operation: The operation's name.
        now: The time.
    """
    with suppress(sqlite3.Error, OSError):
        uri = f"{places.index.as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, uri=True, timeout=0.05, isolation_level=None)) as db:
            db.execute(_HASTEN, [exact_text(now), storable(recurring_key(operation))])
