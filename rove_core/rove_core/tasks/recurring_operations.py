"""Recurring operations: those with ``every``, run by the server's schedule.

At most one run of an operation waits or runs at a time, and the next one is planned from the last.
So runs that a sleeping machine or a busy worker missed are one run, not a storm.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from rove_core.project.settings.durations import parse_duration
from rove_core.store.due_tasks import hasten_task
from rove_core.store.files import read_file, write_atomic
from rove_core.store.task_changes import add_task, forget_runs
from rove_core.store.task_keys import recurring_key
from rove_core.store.tasks import Task, TaskState, runs_of

if TYPE_CHECKING:
    from rove_core.operations import Operation
    from rove_core.project.layout import ProjectPaths
    from rove_core.store.store import Store

#: The interval of each operation, by name, as its package gives it: ``30s``.
Intervals: TypeAlias = Mapping[str, str]

#: How many finished runs of an operation are kept.
KEPT: Final = 20
#: Minimum pause between two runs of an operation.
_REST: Final = timedelta(seconds=1)
#: Maximum wait before the next run of an operation that keeps failing.
_LONGEST_PAUSE: Final = timedelta(hours=1)
#: How far a clock may be set back.
_SLACK: Final = timedelta(minutes=5)
_MOST_DOUBLED: Final = 12


class Runs(NamedTuple):
    """The last and next runs of an operation.

    Attributes:
        active: The waiting or running one, if any.
        ended: The finished ones, newest first.
    """

    active: Task | None = None
    ended: Sequence[Task] = ()

    def next_run(self, every: timedelta, now: datetime) -> datetime:
        """Return when the operation runs next: now if it is overdue or has never run.

        An operation that keeps failing runs less and less often. A run in the future was
        recorded before the clock was set back and is ignored.
        """
        last = next(iter(self.ended), None)
        if last is None or last.finished_at is None or last.finished_at > now + _SLACK:
            return now
        began = min(last.started_at or last.finished_at, last.finished_at)
        wait: timedelta = every * 2 ** min(self.failures, _MOST_DOUBLED)
        wait = min(wait, max(every, _LONGEST_PAUSE))
        return max(now, began + wait, last.finished_at + _REST)

    @property
    def failures(self) -> int:
        """Consecutive failed runs."""
        for count, task in enumerate(self.ended):
            if task.state is not TaskState.FAILED:
                return count
        return len(self.ended)


def is_recurring(task: Task) -> bool:
    """Return whether the schedule runs a task because of its operation's ``every``."""
    return task.key == recurring_key(task.operation)


def intervals_of(operations: "Iterable[Operation]") -> Intervals:
    """Return the intervals of the operations that have an ``every``."""
    return {each.name: each.every for each in operations if each.every}


def read_runs(db: sqlite3.Connection, operation: str) -> Runs:
    """Return the recorded runs of an operation."""
    found = runs_of(db, recurring_key(operation), limit=KEPT + 1)
    return Runs(
        next((task for task in found if task.active), None),
        tuple(task for task in found if not task.active),
    )


def next_at(runs: Runs, every: str, now: datetime) -> datetime:
    """Return when an operation runs next, queued or planned."""
    return runs.active.due_at if runs.active else runs.next_run(parse_duration(every), now)


async def plan_operations(store: "Store", intervals: Intervals) -> None:
    """Queue the next run of each operation, unless one waits or runs.

    It may be called at any time, as often as you like.

    Args:
        store: The index.
        intervals: The interval of each operation.
    """
    for operation, every in intervals.items():
        runs, now = await store.read(read_runs, operation), store.clock.now()
        due_at, key = runs.next_run(parse_duration(every), now), recurring_key(operation)
        if runs.active and runs.active.due_at <= due_at:
            continue
        async with store.transaction() as db:
            await forget_runs(db, key, keep=KEPT)
            # A planned run moves forward if its package now has a shorter interval.
            await hasten_task(db, key, now=due_at)
            await add_task(db, Task(operation=operation, key=key, created_at=now, due_at=due_at))


def save_intervals(places: "ProjectPaths", intervals: Intervals, stamp: str) -> None:
    """Store the intervals of operations, to show them without loading plugins.

    Args:
        places: The project.
        intervals: The interval of each operation.
        stamp: A value that changes when a package is installed or removed.
    """
    text = json.dumps({"stamp": stamp, "every": dict(intervals)})
    write_atomic(places.schedule_file, text.encode())


def load_intervals(places: "ProjectPaths") -> tuple[Intervals, str]:
    """Return the saved intervals and their stamp; empty if nothing was saved."""
    try:
        stored = json.loads(read_file(places.schedule_file))
        every = {str(name): str(text) for name, text in stored["every"].items()}
        for text in every.values():
            parse_duration(text)
        return every, str(stored["stamp"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}, ""
