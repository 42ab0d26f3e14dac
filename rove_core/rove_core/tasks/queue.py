"""Carrying out tasks that wait: the daemon's work, done in its worker processes."""

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from rove_core.errors import InternalError, RoveError
from rove_core.operations import Failure, Operations
from rove_core.store.tasks import Task, fail_task, find_task, finish_task, put_off_task
from rove_core.tasks.leases import retry_at
from rove_core.tasks.runner import Carried, Held, LeaseLost, SubjectTaken, carrying
from rove_core.wire.structure import to_json

if TYPE_CHECKING:
    from rove_core.project.project import Project
    from rove_core.wire.json_types import JSON

_LOG: Final = logging.getLogger("rove.tasks")

#: How soon a task is tried again whose document another one is writing.
_MOMENT: Final = timedelta(seconds=2)


async def carry_out(project: "Project", operations: Operations, task_id: str) -> Task | None:
    """Claim a task, do what it asks for, and return it as it is then; None if it is not to be had.

    Whatever goes wrong ends the task or queues it again, and is not raised. Who cancels this puts
    the task off: it is queued again as if it had not been claimed.

    Args:
        project: The project, open.
        operations: What can be done there.
        task_id: Which task.
    """
    task = await project.tasks.claim(task_id)
    if task is None:
        return None
    held = Held(task)
    carried = Carried(held)
    try:
        with carrying(carried):
            result = await project.tasks.keep(held, _called(project, operations, task))
        if carried.failure is None:
            await _finish(project, task, result)
        else:
            await _fail(project, task, carried.failure)
    except LeaseLost:
        _LOG.info("%s is no longer ours", task.key)
    except asyncio.CancelledError:
        if not _is_told_to_stop():
            await _fail(project, task, InternalError(f"{task.operation} cancelled itself"))
        elif await _put_off(project, task, timedelta()):
            raise
    except RoveError as error:
        await _fail(project, task, error)
    except Exception as error:  # noqa: BLE001  # it is logged, and told
        _LOG.exception("%s failed", task.key)
        await _fail(project, task, InternalError(f"{type(error).__name__}: {error}"))
    return await project.store.read(find_task, task.id)


async def _called(project: "Project", operations: Operations, task: Task) -> "JSON":
    return await operations[task.operation].call(project, task.arguments)


async def _finish(project: "Project", task: Task, result: "JSON") -> None:
    async with project.store.transaction() as db:
        await finish_task(db, task, result, now=project.clock.now())


async def _fail(project: "Project", task: Task, error: RoveError) -> None:
    """End a task badly, or queue it again if that may help."""
    if isinstance(error, SubjectTaken):
        await _put_off(project, task, _MOMENT)
        return
    _LOG.warning("%s failed: %s (%s)", task.key, error.message, error.code)
    now = project.clock.now()
    again = retry_at(task, error, project.settings.scheduler, now)
    async with project.store.transaction() as db:
        await fail_task(db, task, to_json(Failure.of(error)), now=now, retry_at=again)


def _is_told_to_stop() -> bool:
    this = asyncio.current_task()
    return this is not None and this.cancelling() > 0


async def _put_off(project: "Project", task: Task, pause: timedelta) -> bool:
    async with project.store.transaction() as db:
        return await put_off_task(db, task, until=project.clock.now() + pause)
