"""Durable calls of operations: request, owner, lease and result.

A task that is claimed belongs to its owner until its lease ends. From then on anyone may claim it,
and what the earlier owner still writes is refused.
"""

import os
import sqlite3
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, cast

from attrs import field, frozen

from rove_core.store.task_keys import PLANNED, RECURRING
from rove_core.store.values import exact_text, json_text, json_value, moment, storable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rove_core.wire.json_types import JSON


class TaskState(StrEnum):
    """The state of a task."""

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
        """Whether it is queued or running."""
        return self.state in {TaskState.QUEUED, TaskState.RUNNING}

    @property
    def planned(self) -> bool:
        """Whether the schedule created it."""
        return self.key.startswith(PLANNED)


COLUMNS: Final = """
    id, operation, arguments, key, state, created_at, due_at, started_at, finished_at, attempt,
    owner, lease_until, heartbeat_at, result, error, subject
"""

SELECT: Final = f"SELECT {COLUMNS} FROM tasks"  # noqa: S608  # a constant

#: What was queued before a clock went back is due, whatever it says.
IS_DUE: Final = "state = 'queued' AND (due_at <= :now OR created_at > :now)"

_ACCOUNT: Final = """
coalesce(json_extract(arguments, '$.account'), json_extract(arguments, '$.source'), '')
"""

#: What people wait for goes first, then the account for which least is being done.
_DUE: Final = f"""
WITH busy AS (
    SELECT {_ACCOUNT} AS account, count(*) AS tasks
    FROM tasks WHERE state = 'running' GROUP BY account
)
SELECT {COLUMNS} FROM tasks LEFT JOIN busy ON busy.account = {_ACCOUNT}
WHERE {IS_DUE}
ORDER BY key GLOB '{PLANNED}*', coalesce(busy.tasks, 0), due_at, created_at, id LIMIT :limit
"""  # noqa: S608  # constants

#: Whether a task failed because what was typed is nowhere.
_IS_MISTYPED: Final = """
coalesce(json_valid(error) AND json_extract(error, '$.code') IN
    ('ROVE-ITEM-001', 'ROVE-ITEM-002', 'ROVE-USE-001'), 0)
"""

_SHOWN: Final = f"""
SELECT * FROM (
    SELECT {COLUMNS} FROM tasks
    WHERE state = 'running' OR state = 'queued' AND (attempt > 0 OR NOT key GLOB :planned)
    ORDER BY state DESC, due_at, created_at, id
)
UNION ALL
SELECT * FROM (
    SELECT {COLUMNS} FROM tasks
    WHERE state NOT IN ('queued', 'running') AND NOT key GLOB :recurring
    ORDER BY state = 'failed' AND {_IS_MISTYPED}, finished_at DESC, created_at DESC, id
    LIMIT :ended
)
"""  # noqa: S608  # constants


def document_subject(account: str, ticket_id: str) -> str:
    """Return the subject of a task that builds a document."""
    return f"document {account} {ticket_id}"


def find_task(db: sqlite3.Connection, task_id: str) -> Task | None:
    """Return a task, or None if there is none of this id."""
    row = db.execute(f"{SELECT} WHERE id = ?", [task_id]).fetchone()
    return task_of(row) if row else None


def list_tasks(
    db: sqlite3.Connection, states: frozenset[TaskState] = frozenset(TaskState), limit: int = 100
) -> tuple[Task, ...]:
    """Return the tasks in some states, newest first."""
    rows = db.execute(
        f"{SELECT} WHERE state IN (SELECT value FROM json_each(?))"  # noqa: S608  # constants
        " ORDER BY created_at DESC, id LIMIT ?",
        [json_text(sorted(states)), limit],
    )
    return tuple(map(task_of, rows))


def shown_tasks(db: sqlite3.Connection, *, ended: int) -> tuple[Task, ...]:
    """Return what runs, what waits, and what ended last; mistyped tickets come last of all.

    What is only planned is left out, and the ended runs of operations with ``every``.

    Args:
        db: Where.
        ended: How many of those that ended.
    """
    rows = db.execute(_SHOWN, {"planned": f"{PLANNED}*", "recurring": RECURRING, "ended": ended})
    return tuple(map(task_of, rows))


def is_unknown_ticket(db: sqlite3.Connection, text: str) -> bool:
    """Return whether the last task for a ticket failed because no source has it."""
    row = db.execute(
        f"SELECT {_IS_MISTYPED} AND state = 'failed' FROM tasks "  # noqa: S608  # constants
        "WHERE operation = 'build' AND json_extract(arguments, '$.tickets[0]') = ? COLLATE NOCASE "
        "AND finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT 1",
        [storable(text.strip())],
    ).fetchone()
    return bool(row and row[0])


def due_tasks(db: sqlite3.Connection, *, now: datetime, limit: int = 20) -> tuple[Task, ...]:
    """Return the tasks that can be claimed now, in order.

    What people asked for comes before what the schedule planned; then the account for which the
    fewest tasks run; then what has been due the longest.
    """
    rows = db.execute(_DUE, {"now": exact_text(now), "limit": limit})
    return tuple(map(task_of, rows))


def next_due(db: sqlite3.Connection, *, now: datetime) -> datetime | None:
    """Return when the next task is due, possibly in the past; None without tasks."""
    (earliest,) = db.execute(
        "SELECT min(iif(created_at > ?1, ?1, due_at)) FROM tasks WHERE state = 'queued'",
        [exact_text(now)],
    ).fetchone()
    return _moment(earliest)


def partial_subjects(db: sqlite3.Connection) -> frozenset[str]:
    """Return the subjects whose last task was incomplete."""
    rows = db.execute(
        "SELECT subject, state, max(finished_at) FROM tasks"
        " WHERE subject != '' AND finished_at IS NOT NULL GROUP BY subject"
    )
    return frozenset(subject for subject, state, _ in rows if state == TaskState.PARTIAL)


def planned_ends(db: sqlite3.Connection) -> dict[str, datetime]:
    """Return when the last scheduled task of each key ended."""
    rows = db.execute(
        "SELECT key, max(finished_at) FROM tasks"
        " WHERE key GLOB ? AND finished_at IS NOT NULL GROUP BY key",
        [f"{PLANNED}*"],
    )
    return {key: moment(at) for key, at in rows}


def runs_of(db: sqlite3.Connection, key: str, *, limit: int) -> tuple[Task, ...]:
    """Return the tasks of a key: those that wait or run, then what ended last."""
    rows = db.execute(
        f"{SELECT} WHERE key = ?"  # a constant
        " ORDER BY finished_at IS NOT NULL, finished_at DESC, created_at DESC LIMIT ?",
        [storable(key), limit],
    )
    return tuple(map(task_of, rows))


def task_of(row: Any) -> Task:  # noqa: ANN401  # a row of the columns above
    """Return the task that a row of :data:`COLUMNS` is."""
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
