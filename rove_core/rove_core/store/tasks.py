"""Durable calls of operations: what is asked for, who works on it, until when, what came of it.

A task that is claimed belongs to its owner until its lease ends. From then on anyone may claim it,
and what the earlier owner still writes is refused.
"""

import os
import sqlite3
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, cast

from attrs import field, frozen

from rove_core.store.values import exact_text, json_text, json_value, moment, storable

if TYPE_CHECKING:
    import aiosqlite

    from rove_core.wire.json_types import JSON


#: How the key of what the schedule asks for begins.
PLANNED: Final = "planned "
#: The keys of operations that run by themselves; no account's name begins so.
_RECURRING: Final = f"{PLANNED}@*"


class TaskState(StrEnum):
    """What became of a task so far."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"


@frozen(kw_only=True)
class Task:
    """One call of an operation.

    Attributes:
        id: Its name.
        operation: What is called.
        arguments: With what.
        key: No two tasks of one key are queued or running at the same time.
        state: What became of it so far.
        created_at: When it was asked for.
        due_at: When it may be claimed.
        started_at: When it was last claimed.
        finished_at: When it came to its end.
        attempt: How often it was claimed.
        owner: Who claimed it last.
        lease_until: Until when it is theirs.
        heartbeat_at: When they last said that they live.
        result: What the operation returned.
        error: Why it failed, the last time.
        subject: What it changes; no two tasks of one subject run at the same time.
    """

    id: str = field(factory=lambda: os.urandom(8).hex())
    operation: str
    arguments: "Mapping[str, JSON]" = field(factory=dict)
    key: str
    state: TaskState = TaskState.QUEUED
    created_at: datetime
    due_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    attempt: int = 0
    owner: str = ""
    lease_until: datetime | None = None
    heartbeat_at: datetime | None = None
    result: "JSON" = None
    error: "JSON" = None
    subject: str = ""

    @property
    def active(self) -> bool:
        """Whether it still waits or runs."""
        return self.state in {TaskState.QUEUED, TaskState.RUNNING}

    @property
    def planned(self) -> bool:
        """Whether the schedule asked for it, and nobody waits for it."""
        return self.key.startswith(PLANNED)


_COLUMNS: Final = """
    id, operation, arguments, key, state, created_at, due_at, started_at, finished_at, attempt,
    owner, lease_until, heartbeat_at, result, error, subject
"""

_SELECT: Final = f"SELECT {_COLUMNS} FROM tasks"  # noqa: S608  # a constant

#: What was queued before a clock went back is due, whatever it says.
_IS_DUE: Final = "state = 'queued' AND (due_at <= :now OR created_at > :now)"

_ACCOUNT: Final = """
coalesce(json_extract(arguments, '$.account'), json_extract(arguments, '$.source'), '')
"""

#: What people wait for goes first, then the account for which least is being done.
_DUE: Final = f"""
WITH busy AS (
    SELECT {_ACCOUNT} AS account, count(*) AS tasks
    FROM tasks WHERE state = 'running' GROUP BY account
)
SELECT {_COLUMNS} FROM tasks LEFT JOIN busy ON busy.account = {_ACCOUNT}
WHERE {_IS_DUE}
ORDER BY key GLOB '{PLANNED}*', coalesce(busy.tasks, 0), due_at, created_at, id LIMIT :limit
"""  # noqa: S608  # constants

_SHOWN: Final = f"""
SELECT * FROM (
    SELECT {_COLUMNS} FROM tasks
    WHERE state = 'running' OR state = 'queued' AND (attempt > 0 OR NOT key GLOB :planned)
    ORDER BY state DESC, due_at, created_at, id
)
UNION ALL
SELECT * FROM (
    SELECT {_COLUMNS} FROM tasks
    WHERE state NOT IN ('queued', 'running') AND NOT key GLOB :recurring
    ORDER BY finished_at DESC, created_at DESC, id LIMIT :ended
)
"""  # noqa: S608  # constants

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
        AND ({_IS_DUE} OR state = 'running' AND lease_until <= :now)
    ORDER BY due_at, created_at, id LIMIT 1
)
RETURNING {_COLUMNS}
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

#: Only whom a task belongs to may change it.
_MINE: Final = "WHERE id = :id AND owner = :owner AND attempt = :attempt AND state = 'running'"


def document_subject(account: str, ticket_id: str) -> str:
    """Return what a task changes that builds a document."""
    return f"document {account} {ticket_id}"


def planned_key(account: str, ticket_id: str) -> str:
    """Return what the task is known by that refreshes a document because it is time."""
    return f"{PLANNED}{account} {ticket_id}"


def find_task(db: sqlite3.Connection, task_id: str) -> Task | None:
    """Return a task, or None if there is none of this id."""
    row = db.execute(f"{_SELECT} WHERE id = ?", [task_id]).fetchone()
    return _task(row) if row else None


def list_tasks(
    db: sqlite3.Connection, states: frozenset[TaskState] = frozenset(TaskState), limit: int = 100
) -> tuple[Task, ...]:
    """Return the tasks in some states, newest first."""
    rows = db.execute(
        f"{_SELECT} WHERE state IN (SELECT value FROM json_each(?))"  # noqa: S608  # constants
        " ORDER BY created_at DESC, id LIMIT ?",
        [json_text(sorted(states)), limit],
    )
    return tuple(map(_task, rows))


def shown_tasks(db: sqlite3.Connection, *, ended: int) -> tuple[Task, ...]:
    """Return what runs, what waits, and what ended last.

    What is only planned is left out, and the ended runs of operations with ``every``.

    Args:
        db: Where.
        ended: How many of those that ended.
    """
    rows = db.execute(_SHOWN, {"planned": f"{PLANNED}*", "recurring": _RECURRING, "ended": ended})
    return tuple(map(_task, rows))


def due_tasks(db: sqlite3.Connection, *, now: datetime, limit: int = 20) -> tuple[Task, ...]:
    """Return what may be claimed now, in the order in which it is to be done.

    What people asked for comes before what the schedule planned; then the account for which the
    fewest tasks run; then what has been due the longest.
    """
    rows = db.execute(_DUE, {"now": exact_text(now), "limit": limit})
    return tuple(map(_task, rows))


def next_due(db: sqlite3.Connection, *, now: datetime) -> datetime | None:
    """Return when the next task is due, be it in the past; None when none is queued."""
    (earliest,) = db.execute(
        "SELECT min(iif(created_at > ?1, ?1, due_at)) FROM tasks WHERE state = 'queued'",
        [exact_text(now)],
    ).fetchone()
    return _moment(earliest)


def partial_subjects(db: sqlite3.Connection) -> frozenset[str]:
    """Return what the last task left incomplete that changed it."""
    rows = db.execute(
        "SELECT subject, state, max(finished_at) FROM tasks"
        " WHERE subject != '' AND finished_at IS NOT NULL GROUP BY subject"
    )
    return frozenset(subject for subject, state, _ in rows if state == TaskState.PARTIAL)


def planned_ends(db: sqlite3.Connection) -> dict[str, datetime]:
    """Return when the last task ended that the schedule had asked for, by its key."""
    rows = db.execute(
        "SELECT key, max(finished_at) FROM tasks"
        " WHERE key GLOB ? AND finished_at IS NOT NULL GROUP BY key",
        [f"{PLANNED}*"],
    )
    return {key: moment(at) for key, at in rows}


async def unplan(db: "aiosqlite.Connection") -> None:
    """Forget the refreshes that the schedule asked for and nobody has begun."""
    await db.execute(
        "DELETE FROM tasks"
        " WHERE key GLOB ? AND NOT key GLOB ? AND state = 'queued' AND attempt = 0",
        [f"{PLANNED}*", _RECURRING],
    )


def runs_of(db: sqlite3.Connection, key: str, *, limit: int) -> tuple[Task, ...]:
    """Return the tasks of a key: those that wait or run, then what ended last."""
    rows = db.execute(
        f"{_SELECT} WHERE key = ?"  # a constant
        " ORDER BY finished_at IS NOT NULL, finished_at DESC, created_at DESC LIMIT ?",
        [storable(key), limit],
    )
    return tuple(map(_task, rows))


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
        f"{_SELECT} WHERE key = ? AND state IN ('queued', 'running')", [key]
    )
    return _task(row)


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
    return next(map(_task, rows), None)


async def extend_lease(
    db: "aiosqlite.Connection", task: Task, *, now: datetime, lease: timedelta
) -> bool:
    """Say that a task's owner lives; return False when the task is no longer theirs."""
    times = {"now": exact_text(now), "until": exact_text(now + lease)}
    return await _change(
        db, task, "UPDATE tasks SET heartbeat_at = :now, lease_until = :until", times
    )


async def allow_lease(db: "aiosqlite.Connection", task: Task, *, until: datetime) -> bool:
    """Let an owner that gave no sign of life go on; return False when it is another's by now."""
    times = {"until": exact_text(until)}
    return await _change(db, task, "UPDATE tasks SET lease_until = :until", times)


async def take_subject(db: "aiosqlite.Connection", task: Task, subject: str) -> Task | None:
    """Say what a running task changes; return the task that changes it already, if one does."""
    name = storable(subject)
    rows = await db.execute_fetchall(
        f"{_SELECT} WHERE subject = ? AND state = 'running' AND id != ?", [name, task.id]
    )
    if holder := next(map(_task, rows), None):
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


async def hasten_task(db: "aiosqlite.Connection", key: str, *, now: datetime) -> None:
    """Let a task that waits be due, since somebody waits for it."""
    await db.execute(
        "UPDATE tasks SET due_at = ?1 WHERE key = ?2 AND state = 'queued' AND due_at > ?1",
        [exact_text(now), storable(key)],
    )


async def put_off_task(db: "aiosqlite.Connection", task: Task, *, until: datetime) -> bool:
    """Queue a task again as if it had not been claimed; return False when it is another's."""
    return await _change(db, task, _PUT_OFF, {"at": exact_text(until)})


async def pause_task(
    db: "aiosqlite.Connection", task: Task, result: "JSON", *, until: datetime
) -> bool:
    """Queue a task again with what it has so far; return False when it is another's."""
    values = {"at": exact_text(until), "value": json_text(result)}
    return await _change(db, task, _PAUSE, values)


async def withdraw_task(db: "aiosqlite.Connection", key: str) -> None:
    """Forget a task that waits for its first claim, since what it is for is done."""
    await db.execute(
        "DELETE FROM tasks WHERE key = ? AND state = 'queued' AND attempt = 0", [storable(key)]
    )


async def cancel_task(db: "aiosqlite.Connection", task_id: str, *, now: datetime) -> bool:
    """End a task for its user; its owner learns it when the lease cannot be extended."""
    cursor = await db.execute(
        "UPDATE tasks SET state = 'cancelled', finished_at = ?, lease_until = NULL"
        " WHERE id = ? AND state IN ('queued', 'running')",
        [exact_text(now), task_id],
    )
    return cursor.rowcount == 1


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


def _task(row: Any) -> Task:  # noqa: ANN401  # a row of the columns above
    return Task(
        id=row[0],
        operation=row[1],
        arguments=cast("Mapping[str, JSON]", json_value(row[2])),
        key=row[3],
        state=TaskState(row[4]),
        created_at=moment(row[5]),
        due_at=moment(row[6]),
        started_at=_moment(row[7]),
        finished_at=_moment(row[8]),
        attempt=row[9],
        owner=row[10],
        lease_until=_moment(row[11]),
        heartbeat_at=_moment(row[12]),
        result=json_value(row[13]),
        error=json_value(row[14]),
        subject=row[15],
    )


def _moment(text: str | None) -> datetime | None:
    return moment(text) if text else None
