"""The caller: agent, session, and the person's names in trackers."""

import os
from contextlib import suppress
from sqlite3 import Connection
from typing import TYPE_CHECKING, NamedTuple

from rove_core import RoveError, checkout_of
from rove_memory.memory.redaction import clean_name
from rove_memory.plans.ready import Viewer

if TYPE_CHECKING:
    from rove_core import LocalProject


class Caller(NamedTuple):
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
        agent: The agent's name; needed if several agents share a checkout.
    """
    agent = clean_name(agent, "the agent's name") if agent else ""
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


def viewer(db: Connection, rove: "LocalProject", owner: str, *, others_too: bool = False) -> Viewer:
    """Return the caller, with the user's names in trackers."""
    # To read the accounts takes longer than all the rest where no ticket is assigned.
    assigned = db.execute("SELECT 1 FROM external_items WHERE assignee <> '' LIMIT 1").fetchone()
    names = _names_at_trackers(rove) if assigned else frozenset()
    unread = db.execute("SELECT 1 FROM external_items WHERE account = '' LIMIT 1").fetchone()
    return Viewer(
        now=rove.clock.now(),
        owner=owner,
        names=names,
        others_too=others_too,
        has_tracker=bool(unread and _has_accounts(rove)),
    )


def _has_accounts(rove: "LocalProject") -> bool:
    with suppress(RoveError, OSError):  # Settings that cannot be read are reported elsewhere.
        return bool(rove.settings.sources.use)
    return False


def _names_at_trackers(rove: "LocalProject") -> frozenset[str]:
    names: set[str] = set()
    with suppress(RoveError, OSError):  # Without accounts nobody is known by a tracker's name.
        for account in rove.book.accounts():
            if account.identity:
                names |= {account.identity.name.casefold(), account.identity.id.casefold()}
    return frozenset(names - {""})


def _user() -> str:
    names = (os.environ.get(name) for name in ("LOGNAME", "USER", "LNAME", "USERNAME"))
    if name := next(filter(None, names), ""):
        return name
    from pwd import getpwuid  # noqa: PLC0415  # most users have a name in the environment

    try:
        return getpwuid(os.getuid()).pw_name
    except (KeyError, OSError):  # A container's user may have no name.
        return str(os.getuid())
