"""Who calls: the agent, its session, and the names that trackers have for its person."""

import getpass
import os
from contextlib import suppress
from sqlite3 import Connection
from typing import TYPE_CHECKING

from attrs import frozen

from rove_core import RoveError, checkout_of
from rove_memory.plans.ready import Viewer

if TYPE_CHECKING:
    from rove_core import LocalProject


@frozen(kw_only=True)
class Caller:
    """An agent in a checkout.

    Attributes:
        owner: The name under which it claims work.
        session: Its active session, if it has one.
    """

    owner: str
    session: str | None = None


def caller(db: Connection, rove: "LocalProject", agent: str = "") -> Caller:
    """Return who calls: an agent by its name, else the session of this checkout, else the user.

    Args:
        db: The database.
        rove: The project.
        agent: How the agent calls itself; several in one checkout need names.
    """
    worktree = str(checkout_of(rove.places.root))
    row = db.execute(
        "SELECT id, agent FROM sessions WHERE status = 'active' AND worktree = ? "
        "AND (? = '' OR agent = ?) ORDER BY last_active_at DESC LIMIT 1",
        [worktree, agent, agent],
    ).fetchone()
    owner = owner_name(agent or (row["agent"] if row else ""), worktree)
    return Caller(owner=owner, session=row["id"] if row else None)


def owner_name(agent: str, worktree: str) -> str:
    """Return the name under which an agent claims work in a checkout."""
    return f"{agent or _user()} in {worktree}"


def viewer(rove: "LocalProject", owner: str, *, others_too: bool = False) -> Viewer:
    """Return who asks what is ready, with the names that their accounts have at trackers."""
    names: set[str] = set()
    with suppress(RoveError, OSError):  # Without accounts nobody is known by a tracker's name.
        for account in rove.book.accounts():
            if account.identity:
                names |= {account.identity.name.casefold(), account.identity.id.casefold()}
    return Viewer(now=rove.clock.now(), owner=owner, names=names - {""}, others_too=others_too)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # A container's user may have no name.
        return str(os.getuid())
