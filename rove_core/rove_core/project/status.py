"""Current, last and next tasks of a project."""

import os
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from rove_core.auth.account_names import add_command
from rove_core.auth.login_ledger import LoginLedger, LoginRecord, expiry_text
from rove_core.project.server_state import ServerStatus, server_state
from rove_core.project.weights_line import weights_line
from rove_core.store.events import read_events
from rove_core.store.files import read_file
from rove_core.store.lookup import count_documents
from rove_core.store.tasks import Task, TaskState, shown_tasks
from rove_core.tasks.intervals import Pace
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from rove_core.events import Event
    from rove_core.project.local import LocalProject

#: How many tasks that ended are told of, and how many documents that are refreshed next.
_ENDED: Final = 20
_NEXT: Final = 20


@frozen(kw_only=True)
class SourceProgress:
    """Progress of a task with one account.

    Attributes:
        account: Which one.
        stage: What is done there, or was done last.
        found: How many items it has brought.
        note: What a person should know.
    """

    account: str
    stage: str
    found: int
    note: str


@frozen(kw_only=True)
class TaskStatus:
    """One task.

    Attributes:
        id: Its name.
        operation: What it does.
        about: With what.
        state: What became of it: queued, running, done, partial, failed, cancelled.
        created_at: When it was asked for.
        due_at: When it may begin.
        finished_at: When it ended.
        attempt: How often it was begun.
        last: What it did last.
        sources: How far it is with each account; only while it runs.
        error: Why it failed, the last time.
        failures: Why sources are missing in what it built, by account.
    """

    id: str
    operation: str
    about: str
    state: str
    created_at: datetime
    due_at: datetime
    finished_at: datetime | None
    attempt: int
    last: str
    sources: tuple[SourceProgress, ...]
    error: str
    failures: Mapping[str, str] = field(factory=dict)


@frozen(kw_only=True)
class NextRefresh:
    """A document that is refreshed by itself.

    Attributes:
        ticket_id: The ticket it is about.
        account: The account that has the ticket.
        at: When, if a server runs then; what has passed is due.
    """

    ticket_id: str
    account: str
    at: datetime


@frozen(kw_only=True)
class RecurringOperation:
    """An operation that the server runs by itself.

    Attributes:
        operation: Its name.
        every: How often: ``30s``, ``6h``.
        next_at: When it runs next, if a server runs then; what has passed is due.
        last_at: When its last run ended; None if there was none.
        state: What became of that run; empty if there was none.
        error: Why that run failed; empty if it did not.
    """

    operation: str
    every: str
    next_at: datetime
    last_at: datetime | None
    state: str
    error: str


@frozen(kw_only=True)
class StaleDocument:
    """A document that is no longer refreshed: without news or use for long.

    Attributes:
        ticket_id: The ticket it is about.
        account: The account that has the ticket.
        changed_at: When there was news; None if that is not known.
    """

    ticket_id: str
    account: str
    changed_at: datetime | None


@frozen(kw_only=True)
class ExpiringLogin:
    """A login that its user has to make anew.

    Attributes:
        account: Whose it is.
        ends_at: When it ends, or ended; None if that is not known.
        expiry: When it ends, or ended, in words; empty if that is not known.
        lost: Whether its vendor does not renew it any more.
        command: What logs in anew.
    """

    account: str
    ends_at: datetime | None
    lost: bool
    command: str
    expiry: str = ""


@frozen(kw_only=True)
class Status:
    """The state of a project.

    Attributes:
        server: Whether a server runs, which refreshes documents by itself.
        documents: How many documents there are.
        tasks: What runs, what waits, and what ended last.
        next_refreshes: The documents that are refreshed next, the soonest first.
        stale_documents: Those that are left alone until somebody asks for them.
        expiring_logins: The logins of yours that are lost, or end within 14 days.
        recurring: The operations that the server runs by itself, as it learnt it last.
        weights: By which weights documents are made here: general ones, or those learned here.
    """

    server: ServerStatus
    documents: int
    tasks: tuple[TaskStatus, ...]
    next_refreshes: tuple[NextRefresh, ...]
    stale_documents: tuple[StaleDocument, ...]
    expiring_logins: tuple[ExpiringLogin, ...]
    recurring: tuple[RecurringOperation, ...] = ()
    weights: str = ""


async def status(rove: "LocalProject") -> Status:
    """Show the tasks, the documents and the server of this project.

    A login of yours that is lost, or ends within 14 days, is shown as well.
    """
    with rove.reading() as db:
        documents, next_refreshes, stale = _documents(rove, db)
        return Status(
            server=server_state(rove.places.rove),
            documents=documents,
            tasks=tuple(_task(db, task) for task in shown_tasks(db, ended=_ENDED)),
            next_refreshes=next_refreshes,
            stale_documents=stale,
            expiring_logins=_expiring_logins(rove),
            recurring=_recurring_operations(rove, db),
            weights=weights_line(rove.places),
        )


def _documents(
    rove: "LocalProject", db: "sqlite3.Connection"
) -> tuple[int, tuple[NextRefresh, ...], tuple[StaleDocument, ...]]:
    """Return the number of documents, the next refreshes, and the stale documents."""
    count = count_documents(db)
    if not count:
        return 0, (), ()
    from rove_core.tasks.schedule import watched  # noqa: PLC0415  # where no document is, none is needed

    pace, now = _pace(rove), rove.clock.now()
    upcoming, stale = [], []
    for each in watched(db, rove.places):
        fields = {"ticket_id": each.document.ticket_id, "account": each.document.account}
        if at := each.next_refresh(pace, now):
            upcoming.append(NextRefresh(**fields, at=at))
        else:
            stale.append(StaleDocument(**fields, changed_at=each.document.changed_at))
    upcoming.sort(key=lambda each: each.at)
    return count, tuple(upcoming[:_NEXT]), tuple(stale)


def _recurring_operations(
    rove: "LocalProject", db: "sqlite3.Connection"
) -> tuple[RecurringOperation, ...]:
    if not rove.places.schedule_file.exists():
        return ()
    from rove_core.tasks.recurring_operations import load_intervals, next_at, read_runs  # noqa: PLC0415  # few projects have any

    intervals, _ = load_intervals(rove.places)
    found = []
    for operation, every in sorted(intervals.items()):
        runs = read_runs(db, operation)
        last = next(iter(runs.ended), None)
        found.append(
            RecurringOperation(
                operation=operation,
                every=every,
                next_at=next_at(runs, every, rove.clock.now()),
                last_at=last.finished_at if last else None,
                state=str(last.state) if last else "",
                error=_message(last.error) if last else "",
            )
        )
    return tuple(found)


def _pace(rove: "LocalProject") -> Pace:
    """Return how often documents are refreshed.

    To load the settings takes longer than all the rest: few will ever set this.
    """
    is_set = any(name.startswith("ROVE_SCHEDULER_") for name in os.environ)
    for file in (rove.places.settings_file, rove.places.user_settings_file):
        if not is_set and file.exists():
            is_set = b"scheduler" in read_file(file)
    return rove.settings.scheduler.pace if is_set else Pace()


def _expiring_logins(rove: "LocalProject") -> tuple[ExpiringLogin, ...]:
    ending = LoginLedger(rove.places.data_dir).ending(rove.clock.now())
    # To read the accounts takes longer than all the rest: few will ever see such a row.
    kinds = {each.name: each.kind for each in rove.book.accounts()} if ending else {}
    return tuple(
        _expiring_login(account, kinds[account], record, rove.clock.now())
        for account, record in ending.items()
        if account in kinds
    )


def _expiring_login(account: str, kind: str, record: LoginRecord, now: datetime) -> ExpiringLogin:
    ends_at = record.ends_at
    return ExpiringLogin(
        account=account,
        ends_at=ends_at,
        expiry=expiry_text(ends_at, now) if ends_at else "",
        lost=record.lost_at is not None,
        command=add_command(account, kind),
    )


def _task(db: "sqlite3.Connection", task: Task) -> TaskStatus:
    events = read_events(db, task.id)
    last = events[-1] if events else None
    return TaskStatus(
        id=task.id,
        operation=task.operation,
        about=" ".join(_words(task.arguments.get("tickets", list(task.arguments.values())))),
        state=str(task.state),
        created_at=task.created_at,
        due_at=task.due_at,
        finished_at=task.finished_at,
        attempt=task.attempt,
        last=" ".join(filter(None, (last.stage, last.account, last.note))) if last else "",
        sources=_progress(events) if task.state is TaskState.RUNNING else (),
        error=_message(task.error),
        failures=_failures(task.result),
    )


def _words(value: JSON) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [str(each) for each in values if not isinstance(each, bool)]


def _progress(events: "Sequence[Event]") -> tuple[SourceProgress, ...]:
    found: dict[str, SourceProgress] = {}
    for event in events:
        if event.account:
            before = found.get(event.account)
            more = event.done if event.stage == "search" else 0
            found[event.account] = SourceProgress(
                account=event.account,
                stage=event.stage,
                found=(before.found if before else 0) + more,
                note=event.note or (before.note if before else ""),
            )
    return tuple(found.values())


def _failures(result: JSON) -> dict[str, str]:
    """Return why sources are missing in a result: that of a build, or of several."""
    if not isinstance(result, dict):
        return {}
    several = result.get("built")
    found: dict[str, str] = {}
    for each in several if isinstance(several, list) else [result]:
        failures = each.get("failures") if isinstance(each, dict) else None
        if isinstance(failures, dict):
            found |= {account: str(why) for account, why in failures.items()}
    return found


def _message(error: JSON) -> str:
    return str(error.get("message", "")) if isinstance(error, dict) else ""
