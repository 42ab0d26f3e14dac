"""Queue a call for the project's server, and wait for its result as if it were run here.

The server is started when it is needed. Its tasks are rows of the index: the caller adds them and
reads their progress there, and starts the server again if it dies meanwhile.
"""

import os
import select
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NoReturn

from rove.reports import printable
from rove.streams import print_sentence
from rove_core.clock import SYSTEM
from rove_core.errors import Locked, RoveError, ServerTrouble, WrongCall
from rove_core.operations import Failure
from rove_core.project.local import LocalProject
from rove_core.project.server_state import server_state
from rove_core.store.events import read_events
from rove_core.store.tasks import Task, TaskState, find_task
from rove_core.tasks.task_groups import EndedTask
from rove_core.terminal.screen import PREFERENCES

if TYPE_CHECKING:
    from rove_core.events import Event, Listener
    from rove_core.operations import Operation
    from rove_core.wire.json_types import JSON

_INTERRUPTED: Final = 130
_ERRORS: Final = 400
#: Seconds between two looks at the index.
_PAUSE: Final = 0.1
#: How many looks pass between two at the server.
_ROUNDS: Final = 10
#: How often a server is started again that dies and dies.
_STARTS: Final = 20


def prefers_server(arguments: "Mapping[str, JSON]") -> bool:
    """Return whether the server should run a call, if there is one."""
    return os.environ.get("ROVE_DAEMON") != "0" and not arguments.get("dry_run")


def handed_over(operation: "Operation", arguments: "Mapping[str, JSON]") -> tuple[str, ...]:
    """Queue a call for the project's server, and return the ids of its tasks.

    Raises:
        ServerTrouble: There is no server that could run it.
        RoveError: The arguments do not fit.
    """
    if not prefers_server(arguments):
        raise WrongCall(
            "--detach needs a server, and this command runs without one",
            hint="Leave out --detach, or whichever of --dry-run and ROVE_DAEMON=0 is set.",
        )
    import asyncio  # noqa: PLC0415  # a command without a server needs none

    ids = asyncio.run(submitted(LocalProject.at(), operation, arguments))
    if ids is None:
        raise ServerTrouble("no server is running to do it in the background")
    return ids


async def submitted(
    project: "LocalProject", operation: "Operation", arguments: "Mapping[str, JSON]"
) -> tuple[str, ...] | None:
    """Queue a call for the project's server, and return the ids of its tasks.

    If no server can be started, or the running one has another environment, report that and
    return None: the call must be run here.

    Raises:
        RoveError: The arguments do not fit, or the project has nothing to do it with.
    """
    from rove.server.client import call  # noqa: PLC0415  # a command without a server needs none
    from rove.server.environment import HEADER, environment_digest  # noqa: PLC0415  # the same
    from rove.server.start import ensure_server  # noqa: PLC0415  # the same
    from rove_core.store.store import open_store  # noqa: PLC0415  # the same
    from rove_core.tasks.submission import submit  # noqa: PLC0415  # the same

    if operation.parts:
        operation.parts.check(project)
    # This is all that its event loop does: what blocks holds up nothing.
    try:
        ensure_server(project.places)
        digest = {HEADER: environment_digest()}
        status, reply = call(project.places, "GET", "/health", headers=digest)
    except (OSError, RoveError) as error:
        _report_fallback(error)
        return None
    if status >= _ERRORS:
        _report_fallback(failure_of(reply).as_error())
        return None
    async with open_store(project.places.index, clock=SYSTEM) as store:
        ids = tuple(task.id for task in await submit(store, operation, arguments))
    with suppress(OSError):  # If the server has just died, waiting for the tasks restarts it.
        call(project.places, "POST", "/wake")
    return ids


def waited_for(
    project: "LocalProject", operation: "Operation", ids: Sequence[str], listener: "Listener"
) -> object:
    """Wait until tasks have ended, and return the result as if the call had run here.

    Ctrl-C only ends the waiting.

    Args:
        project: The project.
        operation: What was called; it says how its tasks' results are joined.
        ids: The tasks.
        listener: Who is told how far they are.
    """
    seen = dict.fromkeys(ids, 0)
    ended: dict[str, EndedTask] = {}
    try:
        with project.reading() as db:
            for _ in _rounds(project):
                for task_id in [each for each in ids if each not in ended]:
                    # What a task said last was said before it ended.
                    task = find_task(db, task_id)
                    for event in read_events(db, task_id, seen[task_id]):
                        seen[task_id] += 1
                        if PREFERENCES.verbose and task:
                            _log_event(task, event)
                        listener(event)
                    if outcome := _outcome(task):
                        ended[task_id] = outcome
                if len(ended) == len(ids):
                    break
    except KeyboardInterrupt:
        _leave([each for each in ids if each not in ended])
    if operation.parts is None:
        raise TypeError(f"{operation.name} is not a call that becomes tasks")
    return operation.parts.join([ended[task_id] for task_id in ids])


def _log_event(task: Task, event: "Event") -> None:
    """Log what a worker of the server logs as well, to its own file."""
    import logging  # noqa: PLC0415  # 14 ms that only --verbose should pay

    from rove_core.events import event_line  # noqa: PLC0415  # the same

    logging.getLogger("rove.tasks").debug("%s: %s", task.key, event_line(event))


def _rounds(project: "LocalProject") -> Iterator[None]:
    """Yield now and then, and see that a server runs meanwhile.

    Raises:
        ServerTrouble: It dies again and again.
    """
    from rove.server.start import ensure_server  # noqa: PLC0415  # who only submits needs none

    for _ in range(_STARTS):
        yield
        while server_state(project.places.rove).running:
            for _ in range(_ROUNDS):
                select.select((), (), (), _PAUSE)
                yield
        yield
        ensure_server(project.places)
    raise ServerTrouble("the server keeps stopping while it works")


def _outcome(task: Task | None) -> EndedTask | None:
    """Return the result of a task; None while it is unfinished."""
    if task is None or task.state is TaskState.CANCELLED:
        error = Locked("the task was cancelled", hint="See: rove status")
        return EndedTask(task.arguments if task else {"tickets": []}, failure=Failure.of(error))
    if task.state in {TaskState.DONE, TaskState.PARTIAL}:
        return EndedTask(task.arguments, result=task.result)
    if task.error is None or task.state is TaskState.RUNNING:
        return None
    failure = failure_of(task.error)
    if task.state is TaskState.QUEUED:
        again = f"Rove tries again at {task.due_at.astimezone():%H:%M}; see: rove status"
        failure = Failure(failure.code, failure.message, again, failure.docs)
    return EndedTask(task.arguments, failure=failure)


def failure_of(payload: "JSON") -> Failure:
    """Return the failure in a server's reply."""
    fields = (
        payload if isinstance(payload, Mapping) else {"message": f"the server answers {payload!r}"}
    )
    code, message, hint, docs = (
        str(fields.get(name, "")) for name in ("code", "message", "hint", "docs")
    )
    return Failure(code, message, hint, docs)


def _report_fallback(error: OSError | RoveError) -> None:
    """Report why a call is run here."""
    print_sentence(f"rove: {printable(str(error))}; running without a server")


def _leave(unfinished: Sequence[str]) -> NoReturn:
    cancel = f"rove cancel {' '.join(unfinished)}"
    print_sentence(f"rove: the work goes on without you; see it: rove status; stop it: {cancel}")
    raise SystemExit(_INTERRUPTED)
