"""What happens in a project, and what happened last."""

from datetime import datetime
from typing import TYPE_CHECKING

from attrs import frozen

from rove_core.operations import Operation
from rove_core.own_operations.columns import columns
from rove_core.plain import JSON
from rove_core.store.documents import list_documents
from rove_core.store.events import read_events
from rove_core.store.tasks import Task, list_tasks

if TYPE_CHECKING:
    import sqlite3

    from rove_core.local_project import LocalProject


@frozen(kw_only=True)
class TaskStatus:
    """One task.

    Attributes:
        id: Its name.
        operation: What it does.
        about: With what.
        state: What became of it: queued, running, done, failed, cancelled.
        created_at: When it was asked for.
        finished_at: When it ended.
        last: What it did last.
        error: Why it failed.
    """

    id: str
    operation: str
    about: str
    state: str
    created_at: datetime
    finished_at: datetime | None
    last: str
    error: str


@frozen(kw_only=True)
class Status:
    """The state of a project.

    Attributes:
        documents: How many documents there are.
        tasks: The last tasks, newest first.
    """

    documents: int
    tasks: tuple[TaskStatus, ...]


async def status(rove: "LocalProject") -> Status:
    """Show the tasks and the documents of this project."""
    with rove.reading() as db:
        return Status(
            documents=len(list_documents(db)),
            tasks=tuple(_task(db, task) for task in list_tasks(db, limit=20)),
        )


def _task(db: "sqlite3.Connection", task: Task) -> TaskStatus:
    events = read_events(db, task.id)
    last = events[-1] if events else None
    return TaskStatus(
        id=task.id,
        operation=task.operation,
        about=" ".join(map(str, task.arguments.values())),
        state=str(task.state),
        created_at=task.created_at,
        finished_at=task.finished_at,
        last=" ".join(filter(None, (last.stage, last.account, last.note))) if last else "",
        error=_message(task.error),
    )


def _message(error: JSON) -> str:
    return str(error.get("message", "")) if isinstance(error, dict) else ""


def _show(now: Status) -> str:
    lines = columns(
        (task.state, f"{task.operation} {task.about}", task.error or task.last)
        for task in now.tasks
    )
    documents = f"{now.documents} document{'' if now.documents == 1 else 's'}"
    tasks = f"{len(lines) or 'no'} task{'' if len(lines) == 1 else 's'}"
    return "\n".join([*lines, f"{documents}; {tasks}"])


STATUS = Operation(status, offline=True, show=_show)
