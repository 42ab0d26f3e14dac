"""Mirrors of all that the accounts of a project hold, copied and kept current as by its server."""

import os
from collections.abc import Iterable

from rove.operations.mirror import mirror_start
from rove_core import Project
from rove_core.mirror.state import CURRENT
from rove_core.mirror.update_limits import IN_BACKGROUND

#: How often a server goes on with a first copy before something must be wrong.
_MOST_UPDATES = 500


async def copy_accounts(project: Project) -> None:
    """Start a mirror of each account that can have one, and wait for the first copies."""
    names = _copied(project)
    os.environ["ROVE_DAEMON"] = "0"  # This process does what a server would.
    for name in names:
        readable = await project.accounts.containers(name)
        public = tuple(each.name for each in readable if not each.private)
        await mirror_start(project, account=name, container=public, yes=True)
    for _ in range(_MOST_UPDATES):
        states = [project.mirror(name).state() for name in names]
        if all(state and state.updated_at for state in states):
            await update_accounts(project)  # Some have waited for the last one.
            return
        await project.clock.sleep(CURRENT.total_seconds())
        await update_accounts(project)
    raise TimeoutError("a first copy does not come to an end")


async def keep_current(project: Project, moments: Iterable[float]) -> None:
    """Update the mirrors at some moments of the clock, in seconds, as a server does."""
    for moment in moments:
        await project.clock.sleep(max(0.0, moment - project.clock.monotonic()))
        await update_accounts(project)


async def update_accounts(project: Project) -> None:
    """Bring all mirrors up to date once, as a server does."""
    for name in _copied(project):
        await project.update_mirror(name, IN_BACKGROUND)


def _copied(project: Project) -> list[str]:
    """Return the accounts that can have a mirror: not those whose data lie here already."""
    accounts = project.accounts
    return [
        name
        for name in accounts.names
        if accounts.can(name, "rove_list")
        and project.plugins.kind(project.account(name).kind).logins
    ]
