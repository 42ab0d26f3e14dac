"""Cancel queued and running tasks."""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import quote

from attrs import frozen

from rove_core.errors import ItemNotFound, WrongCall
from rove_core.operations import Operation
from rove_core.store.connection import open_for_writing, typed_errors
from rove_core.store.task_changes import cancel_task_here
from rove_core.store.tasks import Task, TaskState, shown_tasks
from rove_core.terminal.tables import sentences

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject

_ACTIVE: Final = frozenset({TaskState.QUEUED, TaskState.RUNNING})
_ERRORS: Final = 400


@frozen(kw_only=True)
class CancelledTasks:
    """The tasks that were cancelled.

    Attributes:
        tasks: Their ids.
        about: What each was about.
    """

    tasks: tuple[str, ...]
    about: tuple[str, ...]


async def cancel(
    rove: "LocalProject",
    *,
    tasks: Annotated[tuple[str, ...], "Tickets, or ids of tasks as in rove status --json."] = (),
    all: Annotated[bool, "All waiting and running tasks."] = False,  # noqa: A002  # so it is called on every wire
) -> CancelledTasks:
    """Cancel waiting or running builds and refreshes.

    Their documents stay as they are.
    """
    if bool(tasks) == all:
        raise WrongCall(
            "give tickets, or cancel all tasks",
            hint="For example: rove cancel TB-123, or: rove cancel --all",
        )
    with rove.reading() as db:
        active = [each for each in shown_tasks(db, ended=0) if each.state in _ACTIVE]
    chosen = active if all else [task for name in tasks for task in _tasks_named(active, name)]
    done = [
        task for task in {each.id: each for each in chosen}.values() if _cancel_task(rove, task)
    ]
    return CancelledTasks(tasks=tuple(task.id for task in done), about=tuple(map(_describe, done)))


def _cancel_task(rove: "LocalProject", task: Task) -> bool:
    """Cancel a task, through the server if it runs, and return whether it was still active."""
    from rove.server.client import call  # noqa: PLC0415  # mostly there is nothing to cancel

    with suppress(OSError):
        status, _ = call(rove.places, "POST", f"/tasks/{quote(task.id, safe='')}/cancel", {})
        return status < _ERRORS
    index = rove.places.index
    with typed_errors(index), closing(open_for_writing(index)) as db:
        return cancel_task_here(db, task.id, now=rove.clock.now())


def _tasks_named(active: Sequence[Task], name: str) -> Sequence[Task]:
    """Return the tasks with an id, or about a ticket."""
    found = [
        task
        for task in active
        if name in {task.id, task.operation}
        or name.lower() in {each.lower() for each in _tickets(task)}
    ]
    if not found:
        raise ItemNotFound(
            f"no task is waiting or running for {name!r}", hint="See the tasks: rove status"
        )
    return found


def _tickets(task: Task) -> Iterator[str]:
    tickets = task.arguments.get("tickets", [])
    if isinstance(tickets, list):
        yield from map(str, tickets)


def _describe(task: Task) -> str:
    return " ".join([task.operation, *_tickets(task)])


def _show(cancelled: CancelledTasks) -> str:
    lines = [f"cancelled {about}" for about in cancelled.about]
    return sentences(lines) or "no task is waiting or running"


CANCEL = Operation(cancel, changes=True, destroys=True, offline=True, show=_show)
