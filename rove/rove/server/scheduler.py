"""The scheduler: hand due tasks to workers, and plan the next refreshes."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from attrs import define, field

from rove.server.arguments import Bounds
from rove.server.operation_schedule import OperationSchedule
from rove.server.worker_handle import WorkerEnded
from rove.server.workers import MOST, Workers
from rove_core.clock import Clock
from rove_core.errors import RoveError
from rove_core.mirror.schedule import is_update_due, plan_update
from rove_core.mirror.state import CURRENT
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings import SchedulerSettings, load_settings
from rove_core.store.store import Store
from rove_core.store.task_changes import claim_task, fail_task, put_off_task
from rove_core.store.tasks import Task, TaskState, due_tasks, find_task, next_due
from rove_core.tasks.leases import LEASE, owner_pid, release, settle, this_owner
from rove_core.tasks.schedule import plan_refreshes

_LOG: Final = logging.getLogger("rove.server")
#: Seconds between two looks while something is being done and more is due.
_PATIENCE: Final = 1.0
#: A clock that goes back by more was set, and what was planned may be far off.
_SET_BACK: Final = timedelta(minutes=1)


@define(eq=False)
class Scheduler:
    """Checks the tasks when something may have changed, and regularly."""

    _places: ProjectPaths
    _store: Store
    _workers: Workers
    _bounds: Bounds
    _clock: Clock
    _changed: asyncio.Event = field(factory=asyncio.Event, init=False)
    _handed: "dict[str, asyncio.Task[None]]" = field(factory=dict, init=False)
    _plan_at: datetime | None = field(default=None, init=False)
    _looked_at: datetime | None = field(default=None, init=False)
    _mirrors_at: datetime | None = field(default=None, init=False)
    _operations: OperationSchedule = field(init=False)

    @_operations.default
    def _by_workers(self) -> OperationSchedule:
        return OperationSchedule(self._places, self._store, self._workers, self.wake)

    def wake(self) -> None:
        """Wake it to check the tasks now."""
        self._changed.set()

    async def run(self) -> None:
        """Hand out tasks until this is cancelled."""
        while True:
            self._changed.clear()
            pause = self._bounds.tick
            try:
                await self._plan()
                for task_id in await self._due():
                    self._handed[task_id] = asyncio.create_task(self._hand(task_id))
                pause = await self._pause()
            except RoveError as error:
                _LOG.warning("cannot read the tasks: %s", error.message)
            except Exception:  # noqa: BLE001  # it is logged, and what is served does not depend on it
                _LOG.exception("cannot read the tasks")
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._changed.wait()

    async def _plan(self) -> None:
        """Bring the tasks up to date: settle lost ones, add planned ones, stop cancelled ones."""
        scheduler = self._scheduler()
        await settle(self._store, scheduler, skipped=self._handed)
        await self._plan_refreshes(scheduler)
        await self._operations.plan()
        await self._plan_mirrors()
        await self._stop_cancelled()

    async def _due(self) -> Sequence[str]:
        """Return the ids of the tasks to hand out now."""
        due = await self._store.read(due_tasks, now=self._clock.now())
        new = [task.id for task in due if task.id not in self._handed]
        return new[: MOST - len(self._handed)]

    async def _pause(self) -> float:
        """Return how many seconds to wait until the next check."""
        now = self._clock.now()
        due = await self._store.read(next_due, now=now)
        if due is None or len(self._handed) == MOST:
            return self._bounds.tick
        # What was handed out counts as due until its worker has claimed it.
        soonest = _PATIENCE if self._handed else 0.0
        return min(self._bounds.tick, max(soonest, (due - now).total_seconds()))

    async def _plan_refreshes(self, scheduler: SchedulerSettings) -> None:
        now, before = self._clock.now(), self._looked_at
        self._looked_at = now
        was_set_back = before is not None and now < before - _SET_BACK
        if self._plan_at is None or now >= self._plan_at or was_set_back:
            self._plan_at = await plan_refreshes(
                self._store, self._places, scheduler, used=self._accounts_in_use()
            )

    async def _plan_mirrors(self) -> None:
        """Queue an update of the local copies that are not current."""
        now = self._clock.now()
        if self._mirrors_at is not None and self._mirrors_at <= now < self._mirrors_at + CURRENT:
            return
        self._mirrors_at = now
        try:
            used = load_settings(self._places).sources.use
        except RoveError:
            return
        if is_update_due(self._places, used, now):
            await plan_update(self._store)

    async def _stop_cancelled(self) -> None:
        for task_id, handed in tuple(self._handed.items()):
            task = await self._store.read(find_task, task_id)
            if task is None or task.state is TaskState.CANCELLED:
                handed.cancel()

    async def _hand(self, task_id: str) -> None:
        try:
            worker = await self._workers.free()
            await worker.ask("task", task=task_id)
        except WorkerEnded as ended:
            await self._bury(task_id, ended)
        except OSError:
            _LOG.exception("no worker can be started")
            return  # To try again at once would help nobody.
        finally:
            del self._handed[task_id]
        self.wake()

    async def _bury(self, task_id: str, ended: WorkerEnded) -> None:
        """Record a task's outcome after its worker ended."""
        task = await self._store.read(find_task, task_id)
        if task is not None and task.state is TaskState.QUEUED:
            # The worker had not come so far. It is claimed here, so that the attempt counts.
            async with self._store.transaction() as db:
                now, owner = self._clock.now(), this_owner()
                task = await claim_task(db, owner, now=now, lease=LEASE, task_id=task_id)
        if task is None or not self._was_of(task, ended):
            return
        if ended.is_new:  # Whoever it was is kept off from now on: the same is done without it.
            async with self._store.transaction() as db:
                await put_off_task(db, task, until=self._clock.now())
            return
        if ended.refusal is not None:
            async with self._store.transaction() as db:
                await fail_task(db, task, ended.refusal, now=self._clock.now())
            return
        await release(self._store, task, self._scheduler(), error=ended.failed)

    def _was_of(self, task: Task, ended: WorkerEnded) -> bool:
        is_running = task.state is TaskState.RUNNING
        return is_running and (task.owner == this_owner() or owner_pid(task.owner) == ended.pid)

    def _accounts_in_use(self) -> Collection[str] | None:
        """Return the accounts that the project uses; None while its settings cannot be read."""
        with suppress(RoveError):
            return load_settings(self._places).sources.use
        return None

    def _scheduler(self) -> SchedulerSettings:
        """Return the current settings; the defaults while they cannot be read."""
        try:
            return load_settings(self._places).scheduler
        except RoveError:
            return SchedulerSettings()
