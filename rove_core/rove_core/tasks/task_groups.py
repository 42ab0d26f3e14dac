"""Split an operation's call into tasks, and join their results."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from rove_core.operations import Failure
    from rove_core.project.local import LocalProject

#: Returns the calls that together do the same as one, given the index and the time.
Split: TypeAlias = (
    "Callable[[sqlite3.Connection, Mapping[str, JSON], datetime], Sequence[Mapping[str, JSON]]]"
)


def _check_nothing(_project: "LocalProject") -> None:
    """Accept every project."""


class EndedTask(NamedTuple):
    """The outcome of one task.

    Attributes:
        arguments: What it was called with.
        result: What it returned.
        failure: Why it failed; None when it did not.
    """

    arguments: Mapping[str, JSON]
    result: JSON = None
    failure: "Failure | None" = None


class TaskGroup(NamedTuple):
    """How to split a call into tasks and join the results.

    Attributes:
        split: Returns one call for each task.
        join: Returns what the one call would have returned.
        check: Raises the error that every task would end with in a project, if there is one; it
            is called before anything is queued.
    """

    split: Split
    join: Callable[[Sequence[EndedTask]], object]
    check: "Callable[[LocalProject], None]" = _check_nothing
