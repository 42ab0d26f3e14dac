"""Leases of tasks, and recovery after an owner's death."""

import os
from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rove_core.errors import InternalError, RetryLater, RoveError
from rove_core.operations import Failure
from rove_core.project.settings.scheduler_section import SchedulerSettings
from rove_core.store.task_changes import allow_lease, fail_task
from rove_core.store.tasks import Task, TaskState, find_task, list_tasks
from rove_core.wire.structure import to_json

#: How long an owner keeps a task without a sign of life.
LEASE: Final = timedelta(seconds=60)
#: Seconds between two signs of life.
HEARTBEAT: Final = 15.0
if TYPE_CHECKING:
    from rove_core.store.store import Store

_MOST: Final = 10_000
#: How many processes may die during one task before it counts as the cause.
_MOST_DEATHS: Final = 20
#: Additional wait after each of them but the first.
_PAUSE: Final = timedelta(seconds=0.2)
#: The start time of a zombie: a process that has ended, but that its parent has not reaped.
_GONE: Final = "gone"


def this_owner() -> str:
    """Return the owner name of this process: the machine, the process id and its start time."""
    return f"{os.uname().nodename}/{os.getpid()}/{_began(os.getpid())}"


def owner_pid(owner: str) -> int | None:
    """Return the process id of an owner; None if it is on another machine, or unknown."""
    node, _, rest = owner.partition("/")
    process, _, _ = rest.partition("/")
    is_here = node == os.uname().nodename and process.isdecimal()
    return int(process) if is_here else None


def is_dead(owner: str) -> bool:
    """Return whether an owner was a process of this machine that no longer exists."""
    if (process := owner_pid(owner)) is None:
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        pass
    began, now = owner.split("/")[2:], _began(process)
    # Another process may have its id by now.
    return now == _GONE or began not in ([], [""], [now])


async def settle(
    store: "Store", scheduler: SchedulerSettings, *, skipped: Collection[str] = ()
) -> tuple[Task, ...]:
    """Recover tasks of dead or silent owners, and return them.

    A living owner on this machine may only have slept: it gets one more lease to report.

    Args:
        store: The index.
        scheduler: The settings for retries.
        skipped: Tasks to skip, because their owners' parent takes care of them.
    """
    now = store.clock.now()
    running = await store.read(list_tasks, frozenset({TaskState.RUNNING}), _MOST)
    settled = []
    for task in running:
        if task.id in skipped or not (is_dead(task.owner) or _has_ended(task, now)):
            continue
        if not is_dead(task.owner) and owner_pid(task.owner) and not _was_allowed(task):
            async with store.transaction() as db:
                await allow_lease(db, task, until=now + LEASE)
        elif await release(store, task, scheduler):
            settled.append(await store.read(find_task, task.id))
    return tuple(filter(None, settled))


async def release(
    store: "Store", task: Task, scheduler: SchedulerSettings, *, error: RoveError | None = None
) -> bool:
    """Release a running task: requeue or fail it.

    Args:
        store: The index.
        task: The task as its owner held it.
        scheduler: The settings for retries.
        error: Why it failed; None if its owner died for another reason.

    Returns:
        Whether that owner still held it.
    """
    now = store.clock.now()
    tried_at = retry_at(task, error, scheduler, now)
    if error is None and tried_at is None:
        error = InternalError(f"{task.operation} ended its process {task.attempt} times")
    failure = to_json(Failure.of(error)) if error else None
    async with store.transaction() as db:
        return await fail_task(db, task, failure, now=now, retry_at=tried_at)


def retry_at(
    task: Task, error: RoveError | None, scheduler: SchedulerSettings, now: datetime
) -> datetime | None:
    """Return when to retry a task; None for never.

    Args:
        task: The task as it was claimed.
        error: Why it failed; None if its process was killed.
        scheduler: The settings for retries.
        now: The current time.
    """
    if error is None:
        # The kill may have had nothing to do with the task, unless every process with it dies.
        return now + (task.attempt - 1) * _PAUSE if task.attempt < _MOST_DEATHS else None
    if task.attempt > scheduler.retry_attempts or not isinstance(error, RetryLater):
        return None
    at = now + scheduler.retry_delay
    return max(at, error.retry_at) if error.retry_at else at


def _has_ended(task: Task, now: datetime) -> bool:
    """Return whether a lease has ended.

    A far-off end was set before the clock was set back.
    """
    return task.lease_until is None or not now < task.lease_until <= now + 2 * LEASE


def _was_allowed(task: Task) -> bool:
    """Return whether the lease is the extra one granted to a silent owner."""
    if task.lease_until is None or task.heartbeat_at is None:
        return True
    return task.lease_until - task.heartbeat_at != LEASE


def _began(process: int) -> str:
    """Return a process's start time in machine-specific units; empty if unknown."""
    try:
        stat = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return ""
    # The name before the last bracket may contain anything.
    state, *rest = stat.rpartition(b")")[2].split()
    return _GONE if state in {b"Z", b"X"} else rest[18].decode()
