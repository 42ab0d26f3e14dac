"""The containers in a mirror's scope, and how far each is copied."""

import sqlite3
from datetime import datetime
from typing import Final

from attrs import frozen

from rove_core.mirror.moments import moment_of

_CONTAINERS: Final = """
SELECT
    name, title, private, since, cursor, copied_at, updated_at, checked_at, check_cursor,
    check_since, turn, check_turn, began_at, failure
FROM containers ORDER BY name
"""


@frozen(kw_only=True)
class CopiedContainer:
    """A container in a mirror's scope.

    Attributes:
        name: Its name.
        title: Its display title.
        private: Whether only some people may read it, as its source last said.
        since: Where its listings begin; None for everything.
        cursor: Where its next listing continues.
        copied_at: When the copy was first complete; None until then, and while a check copies
            what is older than before.
        updated_at: When a listing of it was last completed; None for never.
        checked_at: When a check was last completed.
        check_cursor: Where a check of everything continues; None while none is under way.
        check_since: Where the listings of that check begin; None for everything.
        turn: The place of its last listing among those of all containers.
        check_turn: The same of its last check.
        began_at: When the listing began whose cursor is stored midway; None if none is.
        failure: Why its last listing or check failed; empty if it did not.
    """

    name: str
    title: str = ""
    private: bool = False
    since: datetime | None = None
    cursor: str = ""
    copied_at: datetime | None = None
    updated_at: datetime | None = None
    checked_at: datetime | None = None
    check_cursor: str | None = None
    check_since: datetime | None = None
    turn: int = 0
    check_turn: int = 0
    began_at: datetime | None = None
    failure: str = ""

    @property
    def is_searchable(self) -> bool:
        """Whether a first copy of it was completed."""
        return self.updated_at is not None

    @property
    def is_complete(self) -> bool:
        """Whether all of it is copied, as far back as its scope goes."""
        return self.copied_at is not None


def read_containers(db: sqlite3.Connection) -> tuple[CopiedContainer, ...]:
    """Return the containers of a mirror, by name."""
    return tuple(_container(*row) for row in db.execute(_CONTAINERS))


def _container(name: str, title: str, private: object, *rest: object) -> CopiedContainer:
    since, cursor, copied, updated, checked, check_cursor, check_since, *more = rest
    turn, check_turn, began, failure = more
    return CopiedContainer(
        name=name,
        title=title,
        private=bool(private),
        since=moment_of(since),
        cursor=str(cursor),
        copied_at=moment_of(copied),
        updated_at=moment_of(updated),
        checked_at=moment_of(checked),
        check_cursor=None if check_cursor is None else str(check_cursor),
        check_since=moment_of(check_since),
        turn=int(str(turn)),
        check_turn=int(str(check_turn)),
        began_at=moment_of(began),
        failure=str(failure),
    )
