"""Running work as a task: claimed before, reported while, and ended well or badly after.

What a queued task (:mod:`rove_core.tasks.queue`) does is part of that task; anything else is a task
of its own.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, Protocol, TypeVar

from attrs import define, field

from rove_core.clock import Clock
from rove_core.errors import InternalError, Locked, RoveError
from rove_core.events import Event, Listener
from rove_core.operations import Failure
from rove_core.store.events import append_event
from rove_core.store.store import Store
from rove_core.store.tasks import (
    Task,
    add_task,
    cancel_task,
    claim_task,
    extend_lease,
    fail_task,
    finish_task,
    take_subject,
)
from rove_core.tasks.leases import HEARTBEAT, LEASE, is_dead, this_owner
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import to_json

Result = TypeVar("Result")

_LOG: Final = logging.getLogger("rove.tasks")
_FIRST: Final = asyncio.FIRST_COMPLETED


class Tell(Protocol):
    """Tells how far a task is."""

    async def __call__(
        self,
        stage: str,
        *,
        account: str = "",
        done: int = 0,
        total: int | None = None,
        note: str = "",
    ) -> None:
        """Say it once: to the table of events and to whoever listens."""


class LeaseLost(Locked):
    """A task is no longer this process's: it was cancelled, or another one has taken it."""


class SubjectTaken(Locked):
    """Another task changes the same thing."""


@define(eq=False)
class Held:
    """A task that this process has claimed.

    Attributes:
        task: The task.
        lost: Is set when it is no longer this process's.
    """

    task: Task
    lost: asyncio.Event = field(factory=asyncio.Event, init=False)


@define(eq=False)
class Carried:
    """A task that is carried out for others.

    Attributes:
        held: The task.
        failure: What went wrong with what it is for, though its operation goes on.
    """

    held: "Held"
    failure: RoveError | None = None


_CARRIED: Final[ContextVar[Carried | None]] = ContextVar("rove_carried", default=None)


@contextmanager
def carrying(carried: Carried) -> Iterator[None]:
    """Let all that is done inside be a part of a task."""
    token = _CARRIED.set(carried)
    try:
        yield
    finally:
        _CARRIED.reset(token)


def note_failure(error: RoveError) -> None:
    """Say that what an operation was called for has failed, although it returns a result."""
    if carried := _CARRIED.get():
        carried.failure = carried.failure or error


@define(eq=False)
class Tasks:
    """Runs work as tasks of a project.

    Attributes:
        store: The index.
        clock: What tells the time.
        on_event: Who is told how far the work is.
        owner: Who this process is.
        heartbeat: Seconds between two signs of life.
    """

    store: Store
    clock: Clock
    on_event: Listener
    owner: str = field(factory=this_owner)
    heartbeat: float = HEARTBEAT

    async def run(
        self,
        operation: str,
        arguments: dict[str, JSON],
        work: Callable[[Task, Tell], Coroutine[Any, Any, Result]],
        *,
        subject: str,
    ) -> Result:
        """Do some work as a task, or as a part of the one carried out, and return its result.

        Args:
            operation: The operation whose call this is.
            arguments: Its arguments: whoever calls it with them does the same.
            work: What is to be done.
            subject: What it changes; no two tasks change the same at a time.

        Raises:
            Locked: Another task changes the same.
        """
        if carried := _CARRIED.get():
            await self._take(carried.held.task, subject)
            return await work(carried.held.task, self._telling(carried.held))
        task = await self._claimed_or_not(self._claimed(operation, arguments, subject))
        held = Held(task)
        try:
            result = await self.keep(held, work(task, self._telling(held)))
        except LeaseLost:
            raise
        except RoveError as error:
            _LOG.warning("%s failed: %s (%s)", task.key, error.message, error.code)
            await self._fail(task, error)
            raise
        except Exception as error:
            _LOG.exception("%s failed", task.key)
            await self._fail(task, InternalError(f"{type(error).__name__}: {error}"))
            raise
        except BaseException:
            async with self.store.transaction() as db:
                await cancel_task(db, task.id, now=self.clock.now())
            raise
        async with self.store.transaction() as db:
            await finish_task(db, task, to_json(result), now=self.clock.now())
        return result

    async def claim(self, task_id: str) -> Task | None:
        """Claim a task that waits, or None when it cannot be claimed (any more)."""
        now = self.clock.now()
        async with self.store.transaction() as db:
            return await claim_task(db, self.owner, now=now, lease=LEASE, task_id=task_id)

    async def keep(self, held: Held, work: Awaitable[Result]) -> Result:
        """Wait for the work of a task while giving signs of life; stop it when the lease is lost.

        Raises:
            LeaseLost: The task is another's, or was cancelled.
        """
        doing, lost = asyncio.ensure_future(work), asyncio.ensure_future(held.lost.wait())
        try:
            while not held.lost.is_set() and not doing.done():
                waited = {doing, lost}
                if not (await asyncio.wait(waited, timeout=self.heartbeat, return_when=_FIRST))[0]:
                    await self._extend(held)
            if doing.done():
                return doing.result()
        finally:
            await _stopped(lost)
            await _stopped(doing)
        raise LeaseLost(
            f"{held.task.key} was cancelled, or another process does it now",
            hint="See: rove status",
        )

    async def _extend(self, held: Held) -> None:
        async with self.store.transaction() as db:
            if not await extend_lease(db, held.task, now=self.clock.now(), lease=LEASE):
                held.lost.set()

    async def _take(self, task: Task, subject: str) -> None:
        async with self.store.transaction() as db:
            holder = await take_subject(db, task, subject)
        if holder:
            raise SubjectTaken(f"{holder.owner} is already busy with: {subject}")

    async def _claimed_or_not(self, claim: Coroutine[Any, Any, Task]) -> Task:
        """Claim a task; who is cancelled meanwhile leaves none behind that is claimed."""
        claiming = asyncio.ensure_future(claim)
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            await asyncio.wait({claiming})
            if not claiming.cancelled() and not claiming.exception():
                async with self.store.transaction() as db:
                    await cancel_task(db, claiming.result().id, now=self.clock.now())
            raise

    async def _claimed(self, operation: str, arguments: dict[str, JSON], subject: str) -> Task:
        """Add a task and claim it at once; what a dead process was busy with is taken over."""
        now = self.clock.now()
        asked = Task(
            operation=operation, arguments=arguments, key=subject, created_at=now, due_at=now
        )
        async with self.store.transaction() as db:
            task = await add_task(db, asked)
            if is_dead(task.owner):
                await fail_task(db, task, None, now=now, retry_at=now)
            mine = await claim_task(db, self.owner, now=now, lease=LEASE, task_id=task.id)
            holder = await take_subject(db, mine, subject) if mine else task
            if mine and holder and is_dead(holder.owner):
                await fail_task(db, holder, None, now=now, retry_at=now)
                holder = await take_subject(db, mine, subject)
            if mine is None or holder:
                busy = holder.owner if holder else task.owner
                raise SubjectTaken(f"{busy} is already busy with: {subject}")
        return mine

    async def _fail(self, task: Task, error: RoveError) -> None:
        async with self.store.transaction() as db:
            await fail_task(db, task, to_json(Failure.of(error)), now=self.clock.now())

    def _telling(self, held: Held) -> Tell:
        async def tell(
            stage: str,
            *,
            account: str = "",
            done: int = 0,
            total: int | None = None,
            note: str = "",
        ) -> None:
            event = Event(
                task=held.task.id,
                at=self.clock.now(),
                stage=stage,
                account=account,
                done=done,
                total=total,
                note=note,
            )
            async with self.store.transaction() as db:
                if not await extend_lease(db, held.task, now=event.at, lease=LEASE):
                    held.lost.set()
                await append_event(db, event)
            self.on_event(event)

        return tell


async def _stopped(doing: "asyncio.Future[Any]") -> None:
    """Stop work whose result nobody waits for, and see it end."""
    if not doing.done():
        doing.cancel()
        await asyncio.wait({doing})
    if not doing.cancelled():
        doing.exception()
