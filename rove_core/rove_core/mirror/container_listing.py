"""One listing of a container: its changes are filtered and stored, each batch with its cursor."""

from contextlib import aclosing
from datetime import datetime
from typing import Final

from attrs import define, evolve, field

from rove_core.clock import Clock
from rove_core.errors import PluginFailed
from rove_core.items import ItemRef
from rove_core.listing import ListedChange, ListScope
from rove_core.mirror.mirror_writer import MirrorWriter
from rove_core.mirror.threads import in_thread
from rove_core.plugins.accounts import Accounts

#: Changes stored at once.
_STORED: Final = 200
#: Items of one container that are left out because a filter failed on them; with more, the filter
#: is broken, and the listing waits for it.
_MOST_UNFILTERED: Final = 3


@define(eq=False, kw_only=True)
class ContainerListing:
    """Listings of one container in one update.

    Attributes:
        writer: Stores the changes.
        accounts: The accounts to query.
        clock: The clock.
        container: The name of the container.
        is_check: Whether everything is listed again, to find what is gone.
        cursor: Where to continue.
        began: When it began.
        changes: The number of changes stored so far.
        in_part: The items stored so far that were listed without their discussion, in order.
        failures: The failures of filters so far.
    """

    writer: MirrorWriter
    accounts: Accounts
    clock: Clock
    container: str
    is_check: bool
    cursor: str
    began: datetime
    changes: int = field(default=0, init=False)
    in_part: list[ItemRef] = field(factory=list, init=False)
    failures: list[PluginFailed] = field(factory=list, init=False)
    _batch: list[ListedChange] = field(factory=list, init=False)
    _unfiltered: list[ItemRef] = field(factory=list, init=False)

    async def run(self, scope: ListScope, *, deadline: float) -> int:
        """Store one listing; return its number of items.

        Args:
            scope: The scope, with this listing's container and cursor.
            deadline: Maximum seconds.

        Raises:
            PluginFailed: A filter failed on too many items.
        """
        count = 0
        changes = self.accounts.list_changes(scope, deadline=deadline)
        try:
            async with aclosing(changes) as found:
                async for change in found:
                    self._add(change)
                    count += change.item is not None
                    if change.cursor or len(self._batch) >= _STORED:
                        await self._store(change.cursor)
        finally:
            # What came before a failure is stored, and listed again because it has no cursor.
            await self._store("")
        return count

    def _add(self, change: ListedChange) -> None:
        """Add a change, after the filters."""
        try:
            self._batch.append(filtered_change(self.accounts, self._account, change))
        except PluginFailed as error:
            can_wait = self.accounts.can(self._account, "rove_item_detail")
            if not can_wait or len(self.failures) >= _MOST_UNFILTERED or change.item is None:
                raise
            self.failures.append(error)
            self._unfiltered.append(change.item.ref)
        self.cursor = change.cursor or self.cursor

    async def _store(self, cursor: str) -> None:
        batch, unfiltered = self._batch, self._unfiltered
        self._batch, self._unfiltered = [], []
        if not batch and not unfiltered:
            return
        await in_thread(
            self.writer.store_changes,
            self.container,
            batch,
            cursor=cursor,
            is_check=self.is_check,
            now=self.clock.now(),
            began=self.began,
            unfiltered=unfiltered,
        )
        self.changes += sum(bool(each.item or each.gone) for each in batch)
        self.in_part += [each.item.ref for each in batch if each.item and not each.whole]

    @property
    def _account(self) -> str:
        return self.writer.mirror.account


def filtered_change(accounts: Accounts, account: str, change: ListedChange) -> ListedChange:
    """Return a change after the filters; an item that one drops is gone.

    Raises:
        PluginFailed: A filter failed, so nobody knows whether the item may be stored.
    """
    if change.item is None:
        return change
    passing = accounts.filter_strictly(account, change.item)
    if passing is None:
        return evolve(change, item=None, work=None, gone=change.item.ref)
    return evolve(change, item=passing, work=None)
