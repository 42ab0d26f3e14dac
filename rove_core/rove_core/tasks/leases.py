"""Leases of tasks, and recovery after an owner's death."""

import os
from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rove_core.errors import InternalError, RetryLater, RoveError
from rove_core.operations import Failure
from rove_core.project.settings.sections import SchedulerSettings
from rove_core.store.task_changes import allow_lease, fail_task
from rove_core.store.tasks import Task, TaskState, find_task, list_tasks
from rove_core.wire.structure import to_json

#: How long a task stays its owner's without a sign of life.
LEASE: Final = timedelta(seconds=60)
#: Seconds between two signs of life.
HEARTBEAT: Final = 15.0
if TYPE_CHECKING:
    from rove_core.store.store import Store

_MOST: Final = 10_000
#: How many processes may die of one task before it is taken to be why.
_MOST_DEATHS: Final = 20
#: How much longer is waited after each but the first of them.
_PAUSE: Final = timedelta(seconds=0.2)
#: When a process began that has ended, and whose parent does not look.
_GONE: Final = "gone"


def this_owner() -> str:
    """Return what this process claims tasks as: the machine, the process, and when it began."""
    return f"{os.uname().nodename}/{os.getpid()}/{_began(os.getpid())}"


def owner_pid(owner: str) -> int | None:
    """Return the process that an owner is; None when it is of another machine, or unknown."""
    node, _, rest = owner.partition("/")
    process, _, _ = rest.partition("/")
    is_here = node == os.uname().nodename and process.isdecimal()
    return int(process) if is_here else None


def is_dead(owner: str) -> bool:
    """Return whether an owner was a process of this machine that is no more: it was killed."""
    if (process := owner_pid(owner)) is None:
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        pass
    began, now = owner.split("/")[2:], _began(process)
    # Its number may be another process's by now.
    return now == _GONE or began not in ([], [""], [now])


async def settle(
    store: "Store", scheduler: SchedulerSettings, *, skipped: Collection[str] = ()
) -> tuple[Task, ...]:
    """Recover tasks of dead or silent owners, and return them.

    A living owner of this machine may only have slept: it gets one more lease to say so.

    Args:
        store: The index.
        scheduler: How often a task is tried.
        skipped: Tasks that are not looked at: their owners' parent sees to them.
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
        task: The task, as it was when its owner had it.
        scheduler: How often a task is tried.
        error: Why it failed; None when its owner died of something else.

    Returns:
        Whether it was still that owner's.
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
    """Return when a task is to be tried again; None when it is not.

    Args:
        task: The task, as it was claimed.
        error: Why it failed; None when its process was killed.
        scheduler: How often, and when.
        now: The time.
    """
    if error is None:
        # Whoever killed it need not have meant the task; only one that ends every process may.
        return now + (task.attempt - 1) * _PAUSE if task.attempt < _MOST_DEATHS else None
    if task.attempt > scheduler.retry_attempts or not isinstance(error, RetryLater):
        return None
    at = now + scheduler.retry_delay
    return max(at, error.retry_at) if error.retry_at else at


def _has_ended(task: Task, now: datetime) -> bool:
    """Return whether a lease has ended.

    An end that is long to come was set before the clock went back.
    """
    return task.lease_until is None or not now < task.lease_until <= now + 2 * LEASE


def _was_allowed(task: Task) -> bool:
    """Return whether the lease is one that was allowed to an owner that gave no sign of life."""
    if task.lease_until is None or task.heartbeat_at is None:
        return True
    return task.lease_until - task.heartbeat_at != LEASE


def _began(process: int) -> str:
    """Return a process's start time in machine-specific units; empty if unknown."""
    try:
        stat = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return ""
    # The name before the last bracket may hold anything.
    state, *rest = stat.rpartition(b")")[2].split()
    return _GONE if state in {b"Z", b"X"} else rest[18].decode()
