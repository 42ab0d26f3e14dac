"""Split an operation's call into tasks, and join their results."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from rove_core.operations import Failure

#: Returns the calls that together do the same as one, given the index and the time.
Split: TypeAlias = (
    "Callable[[sqlite3.Connection, Mapping[str, JSON], datetime], Sequence[Mapping[str, JSON]]]"
)


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
    """

    split: Split
    join: Callable[[Sequence[EndedTask]], object]
