"""Items that stand in several containers, such as tasks in several projects.

A mirror stores an item once, for the container that listed it last. If that one leaves the scope,
the item leaves with it, and the others have to be listed again.
"""

import json
import sqlite3
from collections.abc import Collection
from typing import Final

from rove_core.mirror.state import write_fact

_SHARED: Final = "containers_with_shared_items"


def note_shared(db: sqlite3.Connection, one: str, other: str) -> None:
    """Record that an item of one container was listed in another one as well."""
    pairs, pair = _pairs(db), (min(one, other), max(one, other))
    if pair not in pairs:
        write_fact(db, _SHARED, json.dumps(sorted({*pairs, pair})))


def check_sharing(db: sqlite3.Connection, gone: Collection[str]) -> None:
    """Let the next update check the containers that had items of some that are gone."""
    pairs = _pairs(db)
    concerned = {pair for pair in pairs if not {*pair}.isdisjoint(gone)}
    if not concerned:
        return
    others = {name for pair in concerned for name in pair}.difference(gone)
    db.executemany(
        "UPDATE containers SET checked_at = 0 WHERE name = ? AND checked_at IS NOT NULL",
        [(name,) for name in others],
    )
    write_fact(db, _SHARED, json.dumps(sorted(pairs - concerned)))


def _pairs(db: sqlite3.Connection) -> set[tuple[str, str]]:
    found = db.execute("SELECT value FROM facts WHERE name = ?", [_SHARED]).fetchone()
    return {(one, other) for one, other in json.loads(found[0])} if found else set()
