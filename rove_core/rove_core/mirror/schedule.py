"""Keep mirrors current: the server queues updates when they are due."""

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rove_core.errors import RoveError
from rove_core.mirror.clock_faults import is_recent
from rove_core.mirror.mirror import Mirror, finish_drops
from rove_core.mirror.state import CURRENT
from rove_core.store.task_changes import add_task
from rove_core.store.task_keys import recurring_key
from rove_core.store.tasks import Task

if TYPE_CHECKING:
    from datetime import datetime

    from rove_core.project.layout import ProjectPaths
    from rove_core.store.store import Store

_OPERATION: Final = "mirror_update"
_LOG: Final = logging.getLogger("rove.mirror")


def is_update_due(places: "ProjectPaths", accounts: Iterable[str], now: "datetime") -> bool:
    """Return whether any mirror of a project's accounts is not current.

    Args:
        places: The project.
        accounts: The accounts it uses.
        now: The time.
    """
    finish_drops(places)
    return any(_is_due(Mirror.of(places, name), now) for name in accounts)


async def plan_update(store: "Store") -> None:
    """Queue an update of all mirrors of a project, unless one waits or runs."""
    now = store.clock.now()
    task = Task(
        operation=_OPERATION,
        arguments={"background": True},
        key=recurring_key(_OPERATION),
        created_at=now,
        due_at=now,
    )
    async with store.transaction() as db:
        await add_task(db, task)


def _is_due(mirror: Mirror, now: "datetime") -> bool:
    try:
        state = mirror.state()
    except RoveError as error:
        _LOG.warning("the mirror of %s cannot be read: %s", mirror.account, error.message)
        return False
    if state is None or not state.running or not state.containers:
        return False
    return bool(state.incomplete) or not is_recent(state.listed_at, now, CURRENT)
