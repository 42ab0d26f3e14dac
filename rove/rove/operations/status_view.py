"""Terminal view of a project's status."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rove_core.terminal.tables import columns, counted, page, wrapped

if TYPE_CHECKING:
    from rove_core.project.server_state import ServerStatus
    from rove_core.project.status import (
        ExpiringLogin,
        RecurringOperation,
        SourceProgress,
        Status,
        TaskStatus,
    )

#: How many names are shown of many.
_FEW: Final = 5
_NONE: Final = "no server running; start one: rove --start-server"


def show_status(now: "Status") -> str:
    """Return the state of a project, a line for each thing, and a line of figures."""
    lines = columns((task.state, _task_title(task), _how(task)) for task in now.tasks)
    logins = columns(
        (f"{login.account}: {_end(login)}", f"log in again: {login.command}")
        for login in now.expiring_logins
    )
    return page([*lines, *logins, *_automatic_lines(now), *wrapped(_figures(now))])


def _automatic_lines(now: "Status") -> Iterator[str]:
    """Yield what runs automatically, and what does not."""
    if now.recurring:
        yield "The server runs by itself:"
    yield from columns(map(_recurring_row, now.recurring), shrink=(0,))
    if ":" in now.weights:  # Somebody has learned, or tried to.
        yield f"documents are made by {now.weights}"
    if now.server.running and now.next_refreshes:
        soonest = now.next_refreshes[0]
        yield from wrapped(f"next refresh: {soonest.ticket_id}, {_time(soonest.at)}")
    if now.stale_documents:
        names = _first_few([each.ticket_id for each in now.stale_documents])
        yield from wrapped(f"no longer refreshed, after a long time without news: {names}")


def _recurring_row(operation: "RecurringOperation") -> Sequence[str]:
    last = f"last {operation.state} {_seconds(operation.last_at)}" if operation.last_at else ""
    summary = f"{last}: {operation.error}" if operation.error else last
    return (
        _command(operation.operation),
        f"every {operation.every}",
        f"next {_seconds(operation.next_at)}",
        summary or "never run",
    )


def _command(operation: str) -> str:
    """Return the command that runs an operation, else its name."""
    from rove.manifest import plugin_commands  # noqa: PLC0415  # few projects have any

    commands = {command.replace(" ", "_"): command for command in plugin_commands()}
    return f"rove {commands[operation]}" if operation in commands else operation


def _seconds(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _figures(now: "Status") -> str:
    tasks = len(now.tasks)
    documents = counted(now.documents, "document")
    return f"{documents}; {counted(tasks, 'task')}; {_server(now.server)}"


def _server(server: "ServerStatus") -> str:
    if not server.running:
        return _NONE
    version = [f"v{server.version}"] if server.version else []
    process = [f"pid {server.pid}"] if server.pid else []
    details = ", ".join([*version, *process])
    return f"server running ({details})" if details else "server running"


def _task_title(task: "TaskStatus") -> str:
    return f"{task.operation} {task.about}".strip()


def _how(task: "TaskStatus") -> str:
    if task.state == "queued":
        when = f"from {_time(task.due_at)}"
        return f"{when}, as it failed: {task.error}" if task.error else when
    if task.sources:
        return "; ".join(map(_source, task.sources))
    missing = "; ".join(f"{account}: {why}" for account, why in task.failures.items())
    return task.error or missing or task.last


def _source(progress: "SourceProgress") -> str:
    summary = f"{progress.found} found" if progress.found else progress.stage
    return f"{progress.account} {summary}{f' ({progress.note})' if progress.note else ''}"


def _end(login: "ExpiringLogin") -> str:
    return "the login is lost" if login.lost or not login.expiry else f"the login {login.expiry}"


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _first_few(names: Sequence[str]) -> str:
    more = len(names) - _FEW
    return ", ".join(names[:_FEW]) + (f" and {more} more" if more > 0 else "")
