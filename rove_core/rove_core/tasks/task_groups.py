"""Split an operation's call into tasks, and join their results."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from rove_core.operations import Failure
    from rove_core.project.local import LocalProject

#: Returns the calls that together are equivalent to one, given the index and the time.
Split: TypeAlias = (
    "Callable[[sqlite3.Connection, Mapping[str, JSON], datetime], Sequence[Mapping[str, JSON]]]"
)


def _check_nothing(_project: "LocalProject") -> None:
    """Accept every project."""


class EndedTask(NamedTuple):
    """The outcome of one task.

    Attributes:
        arguments: The arguments of its call.
        result: Its result.
        failure: Why it failed; None if it did not.
    """

    arguments: Mapping[str, JSON]
    result: JSON = None
    failure: "Failure | None" = None


class TaskGroup(NamedTuple):
    """How to split a call into tasks and join the results.

    Attributes:
        split: Returns one call for each task.
        join: Returns the result of the whole call.
        check: Raises an error that every task in a project would end with, if there is one; it is
            called before anything is queued.
    """

    split: Split
    join: Callable[[Sequence[EndedTask]], object]
    check: "Callable[[LocalProject], None]" = _check_nothing
