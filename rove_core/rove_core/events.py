"""Progress events of a task, shared by command line, server and HTTP."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

from attrs import frozen


@frozen(kw_only=True)
class Event:
    """One step of a task.

    Attributes:
        task: The task's id; empty for what happens beside all tasks.
        at: When; aware, UTC.
        stage: What is being done (``ticket``, ``search``, ``read``, ``waiting``, ``copy``,
            ``write``).
        account: With which account; empty when with none.
        done: How many of them.
        total: Of how many; None when nobody knows.
        note: What a person should know (``first 37, then no answer``).
    """

    task: str
    at: datetime
    stage: str
    account: str = ""
    done: int = 0
    total: int | None = None
    note: str = ""


Listener: TypeAlias = Callable[[Event], None]


def event_line(event: Event) -> str:
    """Return an event as one line of a log."""
    count = f"{event.done} of {event.total}" if event.total else str(event.done or "")
    return " ".join(filter(None, (event.stage, event.account, count, event.note)))
