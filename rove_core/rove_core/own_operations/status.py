"""What happens in a project, and what happened last."""

from datetime import datetime
from typing import TYPE_CHECKING

from attrs import frozen

from rove_core.account_names import add_command
from rove_core.login_ledger import LoginLedger, LoginRecord
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
class ExpiringLogin:
    """A login that its user has to make anew.

    Attributes:
        account: Whose it is.
        ends_at: When it ends, or ended; None if that is not known.
        lost: Whether its vendor does not renew it any more.
        command: What logs in anew.
    """

    account: str
    ends_at: datetime | None
    lost: bool
    command: str


@frozen(kw_only=True)
class Status:
    """The state of a project.

    Attributes:
        documents: How many documents there are.
        tasks: The last tasks, newest first.
        expiring_logins: The logins of yours that are lost, or end within 14 days.
    """

    documents: int
    tasks: tuple[TaskStatus, ...]
    expiring_logins: tuple[ExpiringLogin, ...]


async def status(rove: "LocalProject") -> Status:
    """Show the tasks and the documents of this project.

    A login of yours that is lost, or ends within 14 days, is shown as well.
    """
    with rove.reading() as db:
        return Status(
            documents=len(list_documents(db)),
            tasks=tuple(_task(db, task) for task in list_tasks(db, limit=20)),
            expiring_logins=_expiring(rove),
        )


def _expiring(rove: "LocalProject") -> tuple[ExpiringLogin, ...]:
    ending = LoginLedger(rove.places.data_dir).ending(rove.clock.now())
    # To read the accounts takes longer than all the rest: few will ever see such a row.
    kinds = {each.name: each.kind for each in rove.book.accounts()} if ending else {}
    return tuple(
        _expiring_login(account, kinds[account], record)
        for account, record in ending.items()
        if account in kinds
    )


def _expiring_login(account: str, kind: str, record: LoginRecord) -> ExpiringLogin:
    return ExpiringLogin(
        account=account,
        ends_at=record.ends_at,
        lost=record.lost_at is not None,
        command=add_command(account, kind),
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
    logins = columns(
        (f"{login.account}: {_end(login)}", f"log in anew with: {login.command}")
        for login in now.expiring_logins
    )
    documents = f"{now.documents} document{'' if now.documents == 1 else 's'}"
    tasks = f"{len(lines) or 'no'} task{'' if len(lines) == 1 else 's'}"
    return "\n".join([*lines, *logins, f"{documents}; {tasks}"])


def _end(login: ExpiringLogin) -> str:
    if login.lost or login.ends_at is None:
        return "the login is lost"
    return f"the login ends on {login.ends_at:%Y-%m-%d}"


STATUS = Operation(status, offline=True, show=_show)
