"""Run work as tasks: claim it, report its progress, and record how it ended.

One runner serves a person's command and the server's worker. A task's own work gets a runner that
is bound to the task (:meth:`TaskRunner.within`): what it runs is then a part of that task.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import attrs
from attrs import define, field

from rove_core.clock import Clock
from rove_core.errors import AlreadyRunning, InternalError, Locked, RoveError
from rove_core.events import Event, Listener, event_line
from rove_core.operations import PARTIAL, Failure, outcome_of
from rove_core.store.events import append_event
from rove_core.store.store import Store
from rove_core.store.task_changes import (
    add_task,
    cancel_task,
    claim_task,
    extend_lease,
    fail_task,
    finish_task,
    pause_task,
    put_off_task,
    take_subject,
)
from rove_core.store.tasks import Task, find_task
from rove_core.tasks.leases import HEARTBEAT, LEASE, is_dead, owner_pid, this_owner
from rove_core.tasks.metrics import measured_task
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import to_json

Result = TypeVar("Result")
#: Returns when to retry a failed task; None for never.
RetryAt: TypeAlias = Callable[[Task, RoveError], datetime | None]

_LOG: Final = logging.getLogger("rove.tasks")
_FIRST: Final = asyncio.FIRST_COMPLETED
#: Delay before retrying a task whose document another one is writing.
_MOMENT: Final = timedelta(seconds=2)
#: Seconds between two checks whether another process is done.
_POLL: Final = 0.2
#: How long a partly done task is resumed; a vendor may never allow the rest.
_LONGEST: Final = timedelta(hours=2)


class ReportProgress(Protocol):
    """Reports the progress of a task."""

    async def __call__(
        self,
        stage: str,
        *,
        account: str = "",
        done: int = 0,
        total: int | None = None,
        note: str = "",
    ) -> None:
        """Store one event and pass it to the listener."""


class LeaseLost(Locked):
    """This process no longer owns the task: it was cancelled or taken over."""


@define(eq=False)
class ClaimedTask:
    """A task that this process has claimed.

    Attributes:
        task: The task.
        lost: Set once this process no longer owns it.
    """

    task: Task
    lost: asyncio.Event = field(factory=asyncio.Event, init=False)


@define(eq=False)
class TaskRunner:
    """Runs work as tasks of a project.

    Attributes:
        store: The index.
        clock: The clock.
        on_event: The listener for progress events.
        owner: The owner name of this process.
        heartbeat: Seconds between two signs of life.
        patience: Seconds that work waits for another process with the same subject.
        inside: The task that everything run here is a part of, if any.
    """

    store: Store
    clock: Clock
    on_event: Listener
    owner: str = field(factory=this_owner)
    heartbeat: float = HEARTBEAT
    patience: float = 0.0
    inside: ClaimedTask | None = None

    async def run(
        self,
        operation: str,
        arguments: dict[str, JSON],
        work: Callable[[Task, ReportProgress], Coroutine[Any, Any, Result]],
        *,
        subject: str,
        is_partial: Callable[[Result], bool] = lambda _: False,
    ) -> Result:
        """Run work as a new task.

        Args:
            operation: The operation that is called.
            arguments: Its arguments, with which the same call can be repeated.
            work: The work.
            subject: What it changes; no two tasks change the same subject at a time.
            is_partial: Returns whether something is missing in a result.

        Raises:
            Locked: Another task is changing the same subject.
        """
        claimed = ClaimedTask(
            await self._claimed_in_turn(lambda: self._claim_new(operation, arguments, subject))
        )
        doing = asyncio.ensure_future(work(claimed.task, self._reporter(claimed)))
        try:
            result = await self._with_lease(claimed, doing)
        except LeaseLost:
            raise
        except Exception as error:
            await self._fail(claimed.task, error)
            raise
        except BaseException:
            await self._cancel(claimed.task)
            raise
        await self._finish(claimed.task, result, partial=is_partial(result))
        return result

    async def take(self, claimed: ClaimedTask, subject: str) -> ReportProgress:
        """Reserve the subject of a claimed task, and return its progress callback.

        Raises:
            Locked: Another task is changing the same subject.
        """
        async with self.store.transaction() as db:
            holder = await take_subject(db, claimed.task, subject)
        if holder:
            raise _busy(holder.owner, subject)
        return self._reporter(claimed)

    async def run_queued(
        self,
        task_id: str,
        work: Callable[["TaskRunner", Task], Coroutine[Any, Any, object]],
        *,
        retry_at: RetryAt,
    ) -> Task | None:
        """Run a queued task and return its new state; return None if it cannot be claimed.

        An error ends the task or queues it again, and is not raised. Cancelling this call queues
        the task again as if it had not been claimed.

        Args:
            task_id: The id of the task.
            work: Starts the task's work, given a runner that is bound to the task. Failures in its
                result (see :class:`~rove_core.operations.Outcome`) are recorded.
            retry_at: Returns when to retry a failed task.
        """
        if (task := await self._claim(task_id)) is None:
            return None
        claimed = ClaimedTask(task)
        try:
            result = await self._measured(claimed, work)
        except LeaseLost:
            _LOG.info("%s was taken over by another process", task.key)
        except asyncio.CancelledError:
            if not _is_cancelled():
                await self._fail(task, InternalError(f"{task.operation} cancelled itself"))
            elif await self._postpone(task, timedelta()):
                raise
        except AlreadyRunning:
            await self._postpone(task, _MOMENT)
        except Exception as error:  # noqa: BLE001  # it is logged, and recorded
            await self._fail(task, error, retry_at=retry_at)
        else:
            await self._record(task, result, retry_at)
        return await self.store.read(find_task, task.id)

    async def _measured(
        self,
        claimed: ClaimedTask,
        work: Callable[["TaskRunner", Task], Coroutine[Any, Any, object]],
    ) -> object:
        """Do the work of a claimed task, and log its figures."""
        with measured_task(claimed.task, self.clock) as end:
            try:
                doing = asyncio.ensure_future(work(self.within(claimed), claimed.task))
                result = await self._with_lease(claimed, doing)
            except RoveError as error:
                end.take(error)
                raise
            end.take(result)
        return result

    def within(self, claimed: ClaimedTask) -> "TaskRunner":
        """Return a runner for parts of a task."""
        return attrs.evolve(self, inside=claimed)

    async def _with_lease(self, claimed: ClaimedTask, doing: "asyncio.Task[Result]") -> Result:
        """Wait for the work of a task and extend its lease; stop the work if the lease is lost.

        Raises:
            LeaseLost: The task was taken over or cancelled.
        """
        lost = asyncio.ensure_future(claimed.lost.wait())
        try:
            while not claimed.lost.is_set() and not doing.done():
                waited = {doing, lost}
                if not (await asyncio.wait(waited, timeout=self.heartbeat, return_when=_FIRST))[0]:
                    await self._extend(claimed)
            if doing.done():
                return doing.result()
        finally:
            await _stop(lost)
            await _stop(doing)
        raise LeaseLost(
            f"{claimed.task.key} was cancelled, or another process took it over",
            hint="See: rove status",
        )

    async def _record(self, task: Task, result: object, retry_at: RetryAt) -> None:
        """Record how a queued task ended; its result may itself report a failure."""
        error = _failure_in(result)
        if isinstance(error, AlreadyRunning):
            await self._postpone(task, _MOMENT)
        elif error:
            await self._fail(task, error, retry_at=retry_at)
        elif (again := outcome_of(result).resume_at) and again < task.created_at + _LONGEST:
            async with self.store.transaction() as db:
                await pause_task(db, task, to_json(result), until=again)
        else:
            await self._finish(task, result, partial=outcome_of(result).exit_code == PARTIAL)

    async def _finish(self, task: Task, result: object, *, partial: bool) -> None:
        async with self.store.transaction() as db:
            await finish_task(db, task, to_json(result), now=self.clock.now(), partial=partial)

    async def _fail(
        self, task: Task, error: Exception, *, retry_at: RetryAt = lambda *_: None
    ) -> None:
        """Log why a task failed, and end it or queue it again."""
        now = self.clock.now()
        if isinstance(error, RoveError):
            rove_error: RoveError = error
            _LOG.warning("%s failed: %s (%s)", task.key, rove_error.message, rove_error.code)
        else:
            rove_error = InternalError(f"{type(error).__name__}: {error}")
            _LOG.error("%s failed", task.key, exc_info=error)
        again = retry_at(task, rove_error)
        async with self.store.transaction() as db:
            await fail_task(db, task, to_json(Failure.of(rove_error)), now=now, retry_at=again)

    async def _cancel(self, task: Task) -> None:
        async with self.store.transaction() as db:
            await cancel_task(db, task.id, now=self.clock.now())

    async def _postpone(self, task: Task, pause: timedelta) -> bool:
        async with self.store.transaction() as db:
            return await put_off_task(db, task, until=self.clock.now() + pause)

    async def _claim(self, task_id: str) -> Task | None:
        now = self.clock.now()
        async with self.store.transaction() as db:
            return await claim_task(db, self.owner, now=now, lease=LEASE, task_id=task_id)

    async def _extend(self, claimed: ClaimedTask) -> None:
        async with self.store.transaction() as db:
            if not await extend_lease(db, claimed.task, now=self.clock.now(), lease=LEASE):
                claimed.lost.set()

    async def _claimed_in_turn(self, claim: Callable[[], Coroutine[Any, Any, Task]]) -> Task:
        """Claim a task, waiting if another process is changing the same subject."""
        end = self.clock.monotonic() + self.patience
        is_reported = False
        while True:
            try:
                return await self._claimed_or_not(claim())
            except AlreadyRunning as error:
                if self.clock.monotonic() >= end:
                    raise
                if not is_reported:
                    is_reported = True
                    self.on_event(
                        Event(task="", at=self.clock.now(), stage="wait", note=str(error))
                    )
                await self.clock.sleep(_POLL)

    async def _claimed_or_not(self, claim: Coroutine[Any, Any, Task]) -> Task:
        """Claim a task; a cancellation leaves no claimed task behind."""
        claiming = asyncio.ensure_future(claim)
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            await asyncio.wait({claiming})
            if not claiming.cancelled() and not claiming.exception():
                await self._cancel(claiming.result())
            raise

    async def _claim_new(self, operation: str, arguments: dict[str, JSON], subject: str) -> Task:
        """Add a task and claim it at once, taking over from a dead process."""
        now = self.clock.now()
        new_task = Task(
            operation=operation, arguments=arguments, key=subject, created_at=now, due_at=now
        )
        async with self.store.transaction() as db:
            task = await add_task(db, new_task)
            if is_dead(task.owner):
                await fail_task(db, task, None, now=now, retry_at=now)
            mine = await claim_task(db, self.owner, now=now, lease=LEASE, task_id=task.id)
            holder = await take_subject(db, mine, subject) if mine else task
            if mine and holder and is_dead(holder.owner):
                await fail_task(db, holder, None, now=now, retry_at=now)
                holder = await take_subject(db, mine, subject)
            if mine is None or holder:
                raise _busy(holder.owner if holder else task.owner, subject)
        return mine

    def _reporter(self, claimed: ClaimedTask) -> ReportProgress:
        async def report(
            stage: str,
            *,
            account: str = "",
            done: int = 0,
            total: int | None = None,
            note: str = "",
        ) -> None:
            event = Event(
                task=claimed.task.id,
                at=self.clock.now(),
                stage=stage,
                account=account,
                done=done,
                total=total,
                note=note,
            )
            async with self.store.transaction() as db:
                if not await extend_lease(db, claimed.task, now=event.at, lease=LEASE):
                    claimed.lost.set()
                await append_event(db, event)
            self.on_event(event)
            _LOG.debug("%s: %s", claimed.task.key, event_line(event))

        return report


async def _stop(doing: "asyncio.Future[Any]") -> None:
    """Cancel work whose result is no longer needed, and await its end."""
    if not doing.done():
        doing.cancel()
        await asyncio.wait({doing})
    if not doing.cancelled():
        doing.exception()


def _failure_in(result: object) -> RoveError | None:
    """Return the error that a result reports, if any."""
    outcome = outcome_of(result)
    if outcome.exit_code in {0, PARTIAL}:
        return None
    return next((failure.as_error() for failure in outcome.failures), None)


def _is_cancelled() -> bool:
    this = asyncio.current_task()
    return this is not None and this.cancelling() > 0


def _busy(owner: str, subject: str) -> AlreadyRunning:
    """Return the error that names the task that is changing the same document."""
    pid = owner_pid(owner)
    who = f"another process (pid {pid})" if pid else f"another machine ({owner.partition('/')[0]})"
    return AlreadyRunning(f"{who} is already working on {' '.join(subject.split())}")
