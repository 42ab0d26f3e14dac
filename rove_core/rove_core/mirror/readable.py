"""What an account may still read of what a mirror copies, as its vendor last said."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from rove_core.mirror.incidents import add_incidents, incidents_text
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.state import (
    LOST,
    READABLE,
    TURNED_PRIVATE,
    MirrorState,
    write_fact,
    write_titles,
)

if TYPE_CHECKING:
    from rove_core.listing import Container


def write_readable(
    db: sqlite3.Connection,
    state: MirrorState,
    readable: Sequence["Container"],
    now: datetime,
    *,
    total: int,
) -> MirrorScope:
    """Store what an account may still read, and return the scope that is left.

    Args:
        db: The mirror, in a transaction.
        state: Its state before.
        readable: The containers of the scope that can be read.
        now: The time.
        total: How many containers the account can read; 0 if that was not queried.
    """
    private = {each.name: each.private for each in readable}
    lost = {each.name: each.title for each in state.containers if each.name not in private}
    closed = {
        each.name: each.title
        for each in state.containers
        if private.get(each.name) and not each.private
    }
    db.executemany("DELETE FROM containers WHERE name = ?", [(each,) for each in lost])
    write_fact(db, LOST, incidents_text(add_incidents(state.lost, lost, now)))
    closed_so_far = add_incidents(state.turned_private, closed, now)
    write_fact(db, TURNED_PRIVATE, incidents_text(closed_so_far))
    write_titles(db, readable)
    left = tuple(name for name in state.scope.containers if name in private)
    scope = attrs.evolve(state.scope, containers=left)
    write_fact(db, "scope", scope.text())
    write_fact(db, "looked_at", now)
    write_fact(db, READABLE, str(total or state.readable))
    return scope
