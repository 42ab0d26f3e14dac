"""List changes in a project's memory since a cursor."""

import json
from collections.abc import Mapping, Sequence
from sqlite3 import Connection
from typing import NamedTuple

from rove_core import ListScope, read_cursor
from rove_memory.memory.memories import Memories
from rove_memory.memory.recall import RecallRequest, condition_of
from rove_memory.store.values import time_text


class MemoryChanges(NamedTuple):
    """Pages through changed, archived, replaced or forgotten memories.

    Attributes:
        changed: The ids of those that are new, changed or back, newest first.
        gone: The ids of those that were listed and are not found any more.
        versions: The version of each memory that can be found, by its id.
        listed: The versions that were listed before and still hold.
    """

    changed: Sequence[str]
    gone: Sequence[str]
    versions: Mapping[str, int]
    listed: Mapping[str, int]

    def cursor(self, count: int) -> str:
        """Return where to go on after so many of the changed memories."""
        now = {identifier: self.versions[identifier] for identifier in self.changed[:count]}
        return json.dumps({**self.listed, **now}, separators=(",", ":"))


def memory_changes(memories: Memories, scope: ListScope) -> MemoryChanges:
    """Return what changed in a memory since the cursor of a scope."""
    before = read_cursor(scope.cursor)
    stored = before.keys() | {each.id for each in scope.unconfirmed}
    now = memories.store.clock.now()
    times = _times(memories.db, *condition_of(RecallRequest(), now))
    versions = {identifier: version for identifier, (version, _) in times.items()}
    earliest = time_text(scope.since) if scope.since else ""
    changed = [
        identifier
        for identifier, (version, at) in times.items()
        if before.get(identifier) != version and (identifier in before or at >= earliest)
    ]
    return MemoryChanges(
        changed=changed,
        gone=sorted(stored - versions.keys()),
        versions=versions,
        listed={name: version for name, version in versions.items() if before.get(name) == version},
    )


def _times(
    db: Connection, condition: str, values: Sequence[object]
) -> Mapping[str, tuple[int, str]]:
    """Return the version and the time of each memory that can be found, newest first."""
    rows = db.execute(
        f"SELECT id, version, updated_at FROM memory m WHERE 1 {condition} "  # noqa: S608  # our own words
        "ORDER BY updated_at DESC, id",
        list(values),
    )
    return {row["id"]: (row["version"], row["updated_at"]) for row in rows}
