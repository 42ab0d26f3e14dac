"""Changes of tasks: queue, claim, and report."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from rove_core.store.task_keys import PLANNED, RECURRING
from rove_core.store.tasks import (
    COLUMNS,
    IS_DUE,
    SELECT,
    Task,
    TaskState,
    task_of,
)
from rove_core.store.values import exact_text, json_text, storable

if TYPE_CHECKING:
    import sqlite3

    import aiosqlite

    from rove_core.wire.json_types import JSON

_ADD: Final = """
INSERT INTO tasks (
    id, operation, arguments, key, state, created_at, due_at, attempt, owner, checkpoint, result,
    error
) VALUES (?, ?, ?, ?, 'queued', ?, ?, 0, '', 'null', 'null', 'null')
ON CONFLICT DO NOTHING
"""

_CLAIM: Final = f"""
UPDATE tasks SET
    state = 'running', started_at = :now, heartbeat_at = :now, attempt = attempt + 1,
    owner = :owner, lease_until = :until, subject = ''
WHERE id = (
    SELECT id FROM tasks
    WHERE (:id = '' OR id = :id)
        AND ({IS_DUE} OR state = 'running' AND lease_until <= :now)
    ORDER BY due_at, created_at, id LIMIT 1
)
RETURNING {COLUMNS}
"""  # noqa: S608  # constants

_FINISH: Final = """
UPDATE tasks SET state = :state, finished_at = :at, lease_until = NULL, result = :value
"""

_FAIL: Final = """
UPDATE tasks SET state = 'failed', finished_at = :at, lease_until = NULL, error = :value
"""

_QUEUE_AGAIN: Final = """
UPDATE tasks SET state = 'queued', due_at = :at, lease_until = NULL, error = :value
"""

_PUT_OFF: Final = """
UPDATE tasks SET state = 'queued', due_at = :at, lease_until = NULL, attempt = attempt - 1
"""

_PAUSE: Final = """
UPDATE tasks SET
    state = 'queued', due_at = :at, lease_until = NULL, attempt = attempt - 1, result = :value
"""

_CANCEL: Final = """
UPDATE tasks SET state = 'cancelled', finished_at = ?, lease_until = NULL
WHERE id = ? AND state IN ('queued', 'running')
"""

#: Only whom a task belongs to may change it.
_MINE: Final = "WHERE id = :id AND owner = :owner AND attempt = :attempt AND state = 'running'"


async def unplan(db: "aiosqlite.Connection") -> None:
    """Remove the scheduled refreshes that have not begun."""
    await db.execute(
        "DELETE FROM tasks"
        " WHERE key GLOB ? AND NOT key GLOB ? AND state = 'queued' AND attempt = 0",
        [f"{PLANNED}*", RECURRING],
    )


async def forget_runs(db: "aiosqlite.Connection", key: str, *, keep: int) -> None:
    """Remove the tasks of a key that ended, with their events, but for the newest."""
    old = (
        "SELECT id FROM tasks WHERE key = ? AND finished_at IS NOT NULL"
        " ORDER BY finished_at DESC, created_at DESC LIMIT -1 OFFSET ?"
    )
    values = [storable(key), keep]
    await db.execute(f"DELETE FROM events WHERE task IN ({old})", values)  # noqa: S608  # constants
    await db.execute(f"DELETE FROM tasks WHERE id IN ({old})", values)  # noqa: S608  # constants


async def add_task(db: "aiosqlite.Connection", task: Task) -> Task:
    """Queue a task, unless one of its key is active; return the one that now is."""
    times = exact_text(task.created_at), exact_text(task.due_at)
    arguments, key = json_text(task.arguments), storable(task.key)
    await db.execute(_ADD, [task.id, task.operation, arguments, key, *times])
    (row,) = await db.execute_fetchall(
        f"{SELECT} WHERE key = ? AND state IN ('queued', 'running')", [key]
    )
    return task_of(row)


async def claim_task(
    db: "aiosqlite.Connection", owner: str, *, now: datetime, lease: timedelta, task_id: str = ""
) -> Task | None:
    """Claim the task that has been due the longest, or None when none is.

    Args:
        db: A transaction's connection.
        owner: Who claims it.
        now: The time.
        lease: How long it is theirs, unless they extend it.
        task_id: Claim no task but this one.
    """
    values = {
        "owner": owner,
        "now": exact_text(now),
        "until": exact_text(now + lease),
        "id": task_id,
    }
    rows = await db.execute_fetchall(_CLAIM, values)
    return next(map(task_of, rows), None)


async def extend_lease(
    db: "aiosqlite.Connection", task: Task, *, now: datetime, lease: timedelta
) -> bool:
    """Extend a task's lease; return False if it belongs to another owner."""
    times = {"now": exact_text(now), "until": exact_text(now + lease)}
    return await _change(
        db, task, "UPDATE tasks SET heartbeat_at = :now, lease_until = :until", times
    )


async def allow_lease(db: "aiosqlite.Connection", task: Task, *, until: datetime) -> bool:
    """Restore an expired lease; return False if it belongs to another owner."""
    times = {"until": exact_text(until)}
    return await _change(db, task, "UPDATE tasks SET lease_until = :until", times)


async def take_subject(db: "aiosqlite.Connection", task: Task, subject: str) -> Task | None:
    """Reserve the subject of a running task; return the task that holds it, if any."""
    name = storable(subject)
    rows = await db.execute_fetchall(
        f"{SELECT} WHERE subject = ? AND state = 'running' AND id != ?", [name, task.id]
    )
    if holder := next(map(task_of, rows), None):
        return holder
    await _change(db, task, "UPDATE tasks SET subject = :name", {"name": name})
    return None


async def finish_task(
    db: "aiosqlite.Connection",
    task: Task,
    result: "JSON",
    *,
    now: datetime,
    partial: bool = False,
) -> bool:
    """End a task well; return False, and change nothing, when it is no longer its owner's.

    Args:
        db: A transaction's connection.
        task: The task.
        result: What its operation returned.
        now: The time.
        partial: Whether something is missing in the result.
    """
    state = TaskState.PARTIAL if partial else TaskState.DONE
    values = {"at": exact_text(now), "value": json_text(result), "state": str(state)}
    return await _change(db, task, _FINISH, values)


async def fail_task(
    db: "aiosqlite.Connection",
    task: Task,
    error: "JSON",
    *,
    now: datetime,
    retry_at: datetime | None = None,
) -> bool:
    """End a task badly, or queue it again; return False when it is no longer its owner's."""
    update, at = (_FAIL, now) if retry_at is None else (_QUEUE_AGAIN, retry_at)
    return await _change(db, task, update, {"at": exact_text(at), "value": json_text(error)})


async def put_off_task(db: "aiosqlite.Connection", task: Task, *, until: datetime) -> bool:
    """Queue a task again as if it had not been claimed; return False when it is another's."""
    return await _change(db, task, _PUT_OFF, {"at": exact_text(until)})


async def pause_task(
    db: "aiosqlite.Connection", task: Task, result: "JSON", *, until: datetime
) -> bool:
    """Requeue a task with its partial result; return False if it belongs to another owner."""
    values = {"at": exact_text(until), "value": json_text(result)}
    return await _change(db, task, _PAUSE, values)


async def withdraw_task(db: "aiosqlite.Connection", key: str) -> None:
    """Remove a task that was never claimed and is no longer needed."""
    await db.execute(
        "DELETE FROM tasks WHERE key = ? AND state = 'queued' AND attempt = 0", [storable(key)]
    )


async def cancel_task(db: "aiosqlite.Connection", task_id: str, *, now: datetime) -> bool:
    """End a task for its user; its owner learns it when the lease cannot be extended."""
    cursor = await db.execute(_CANCEL, [exact_text(now), task_id])
    return cursor.rowcount == 1


def cancel_task_here(db: "sqlite3.Connection", task_id: str, *, now: datetime) -> bool:
    """Do the same where no event loop runs, as one transaction."""
    return db.execute(_CANCEL, [exact_text(now), task_id]).rowcount == 1


async def forget_tasks(db: "aiosqlite.Connection", *, before: datetime) -> None:
    """Remove the tasks that ended before a moment, with their events."""
    ended = [exact_text(before)]
    await db.execute(
        "DELETE FROM events WHERE task IN (SELECT id FROM tasks WHERE finished_at < ?)", ended
    )
    await db.execute("DELETE FROM tasks WHERE finished_at < ?", ended)


async def _change(
    db: "aiosqlite.Connection", task: Task, update: str, values: Mapping[str, str]
) -> bool:
    mine = {"id": task.id, "owner": task.owner, "attempt": task.attempt}
    cursor = await db.execute(f"{update} {_MINE}", {**values, **mine})
    return cursor.rowcount == 1
