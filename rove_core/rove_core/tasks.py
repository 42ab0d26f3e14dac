"""Running an operation as a task: claimed before, reported while, and ended well or badly after."""

import logging
import os
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, Protocol, TypeVar

from attrs import define, field

from rove_core.clock import Clock
from rove_core.errors import InternalError, Locked, RoveError
from rove_core.events import Event, Listener
from rove_core.operations import Failure
from rove_core.plain import JSON
from rove_core.store.events import append_event
from rove_core.store.store import Store
from rove_core.store.tasks import (
    Task,
    add_task,
    cancel_task,
    claim_task,
    end_lease,
    extend_lease,
    fail_task,
    finish_task,
)
from rove_core.wire import to_json

Result = TypeVar("Result")

_LOG: Final = logging.getLogger("rove.tasks")

#: How long a task stays its owner's without a sign of life; each event is one.
LEASE: Final = timedelta(seconds=60)


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


@define(eq=False)
class Tasks:
    """Runs work as tasks of a project."""

    store: Store
    clock: Clock
    on_event: Listener
    _owner: str = field(factory=lambda: f"{os.uname().nodename}/{os.getpid()}", init=False)

    async def run(
        self,
        operation: str,
        arguments: dict[str, JSON],
        work: Callable[[Task, Tell], Awaitable[Result]],
    ) -> Result:
        """Do some work as a task and return its result.

        Args:
            operation: The operation whose call this is.
            arguments: Its arguments; no two calls with the same ones run at a time.
            work: What is to be done.

        Raises:
            Locked: The same is being done already.
        """
        task = self._asked(operation, arguments)
        try:
            task = await self._claim(task)
            result = await work(task, self._telling(task))
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

    def _asked(self, operation: str, arguments: dict[str, JSON]) -> Task:
        now = self.clock.now()
        key = " ".join((operation, *(f"{name}={value}" for name, value in arguments.items())))
        return Task(operation=operation, arguments=arguments, key=key, created_at=now, due_at=now)

    async def _claim(self, asked: Task) -> Task:
        now = self.clock.now()
        async with self.store.transaction() as db:
            task = await add_task(db, asked)
            if _is_dead(task.owner):
                await end_lease(db, task, now=now)
            mine = await claim_task(db, self._owner, now=now, lease=LEASE, task_id=task.id)
        if mine is None:
            raise Locked(f"{task.owner} is already busy with: {asked.key}")
        return mine

    async def _fail(self, task: Task, error: RoveError) -> None:
        async with self.store.transaction() as db:
            await fail_task(db, task, to_json(Failure.of(error)), now=self.clock.now())

    def _telling(self, task: Task) -> Tell:
        async def tell(
            stage: str,
            *,
            account: str = "",
            done: int = 0,
            total: int | None = None,
            note: str = "",
        ) -> None:
            event = Event(
                task=task.id,
                at=self.clock.now(),
                stage=stage,
                account=account,
                done=done,
                total=total,
                note=note,
            )
            async with self.store.transaction() as db:
                await append_event(db, event)
                await extend_lease(db, task, now=event.at, lease=LEASE)
            self.on_event(event)

        return tell


def _is_dead(owner: str) -> bool:
    """Tell whether an owner was a process of this machine that is no more: it was killed."""
    node, _, process = owner.rpartition("/")
    if node != os.uname().nodename or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
