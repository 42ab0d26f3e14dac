"""Queue the tasks of a call."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rove_core.errors import WrongCall
from rove_core.store.due_tasks import hasten_task
from rove_core.store.store import Store
from rove_core.store.task_changes import add_task
from rove_core.store.tasks import Task
from rove_core.store.values import json_text
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from rove_core.operations import Operation


async def submit(
    store: Store, operation: "Operation", arguments: Mapping[str, JSON]
) -> tuple[Task, ...]:
    """Queue the tasks of a call of an operation, and return them.

    A call that is queued already is not queued again, but becomes due now.

    Args:
        store: The index.
        operation: The operation.
        arguments: Its arguments, as plain JSON data.

    Raises:
        WrongCall: The arguments do not fit, or only a person may call the operation.
    """
    if operation.terminal_only:
        raise WrongCall(f"{operation.name} is for a person at a terminal: rove {operation.command}")
    operation.check(arguments)
    now, parts = store.clock.now(), operation.parts
    calls = await store.read(parts.split, arguments, now) if parts else [arguments]
    queued = []
    async with store.transaction() as db:
        for call in calls:
            explicit = _without_defaults(operation, call)
            task = Task(
                operation=operation.name,
                arguments=explicit,
                key=f"{operation.name} {json_text(explicit)}",
                created_at=now,
                due_at=now,
            )
            await hasten_task(db, task.key, now=now)
            queued.append(await add_task(db, task))
    return tuple({task.id: task for task in queued}.values())


def _without_defaults(operation: "Operation", arguments: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Return the arguments in a fixed order, so that equal calls have equal keys."""
    defaults = {each.name: each.default for each in operation.parameters}
    return {name: arguments[name] for name in defaults if _is_given(name, arguments, defaults)}


def _is_given(name: str, arguments: Mapping[str, JSON], defaults: Mapping[str, object]) -> bool:
    return name in arguments and arguments[name] != defaults[name]
