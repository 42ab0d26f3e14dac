"""Items that a command has just read at their vendors: what mirrors have of them is corrected."""

import logging
from collections.abc import Iterable, Sequence
from typing import Final

from rove_core.errors import RoveError
from rove_core.items import ContextItem, ItemRef
from rove_core.listing import ListedChange
from rove_core.mirror.mirror import Mirror, check_owner
from rove_core.mirror.threads import in_thread
from rove_core.mirror.usable_mirror import UsableMirror
from rove_core.plugins.accounts import Accounts

_LOG: Final = logging.getLogger("rove.mirror")


async def correct_mirrors(
    usable: Iterable[UsableMirror],
    accounts: Accounts,
    items: Iterable[ContextItem],
    gone: Iterable[ItemRef],
) -> None:
    """Store items as they were just read, and remove those that are gone.

    Items that a mirror lacks are not added, and one that is being updated stays as it is.

    Args:
        usable: The mirrors that may be used.
        accounts: The accounts, to check a login before anything is removed.
        items: The whole items.
        gone: Items that are no longer at their source.
    """
    changes = [(each.ref, ListedChange(item=each, whole=True)) for each in items]
    changes += [(ref, ListedChange(gone=ref)) for ref in gone]
    for each in usable:
        own = [(ref, change) for ref, change in changes if ref.account == each.mirror.account]
        if any(change.gone for _, change in own) and not await _is_logged_in(each, accounts):
            own = [(ref, change) for ref, change in own if not change.gone]
        if own:
            await in_thread(_correct, each.mirror, own)


async def _is_logged_in(usable: UsableMirror, accounts: Accounts) -> bool:
    """Return whether the login still holds: with a lapsed one, some vendors call all items gone."""
    account = usable.mirror.account
    if not accounts.can(account, "rove_identity"):
        return True
    try:
        check_owner(usable.state.owner, await accounts.identity(account))
    except RoveError:
        return False
    return True


def _correct(mirror: Mirror, changes: Sequence[tuple[ItemRef, ListedChange]]) -> None:
    lock = mirror.update_lock()
    if not lock.try_acquire():
        return
    try:
        with mirror.writing() as writer:
            for ref, change in changes:
                writer.complete(ref.id, change)
    except RoveError as error:
        _LOG.warning("the mirror of %s cannot be written: %s", mirror.account, error.message)
    finally:
        lock.release()
