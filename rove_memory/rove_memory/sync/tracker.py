"""The tracker interface of the sync, and its implementation by an account."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, Protocol

from attrs import evolve, frozen

from rove_core import (
    Conflict,
    ItemRef,
    NewComment,
    NewWorkItem,
    WorkItem,
    WorkItemChange,
    WrongCall,
)
from rove_memory.sync.status_choice import chosen_status, names_of

if TYPE_CHECKING:
    from rove_core import Project, Trackers

_PAGE: Final = 100


@frozen(kw_only=True)
class ChangePage:
    """Some steps of a listing.

    Attributes:
        items: Items as the listing tells them, which may be late: a hint, not the truth.
        gone: Items that are no longer there.
        cursor: Where to go on after them; empty if one cannot go on just here.
    """

    items: tuple[WorkItem, ...] = ()
    gone: tuple[ItemRef, ...] = ()
    cursor: str = ""


def trackers_of(rove: "Project") -> "Trackers":
    """Return what reads and changes work items of an open project."""
    from rove_core import Trackers  # noqa: PLC0415  # whoever lists commands needs none

    return Trackers(rove.accounts)


class SyncTracker(Protocol):
    """One account of a tracker. Its errors are those of the contract for work items."""

    def changes(self, cursor: str) -> AsyncIterator[ChangePage]:
        """Yield what changed since a cursor; everything for an empty one."""
        ...

    async def item(self, ref: ItemRef) -> WorkItem:
        """Return the current state of an item."""
        ...

    async def change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change an item, and return its new state."""
        ...

    async def comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on an item, once for each key."""
        ...

    async def create(self, new: NewWorkItem) -> WorkItem:
        """Create an item, once for each key."""
        ...


@frozen(kw_only=True)
class AccountTracker:
    """A connected account as the sync needs it.

    Attributes:
        rove: The open project.
        account: Which of its accounts.
        containers: Whose items are listed; none are listed without any.
        types: The types of items that are listed; all without any.
    """

    rove: "Project"
    account: str
    containers: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    async def changes(self, cursor: str) -> AsyncIterator[ChangePage]:
        """Yield what changed in the containers, page by page."""
        if not self.containers or not self.rove.accounts.can(self.account, "rove_list"):
            return
        from rove_core import ListScope  # noqa: PLC0415  # whoever lists commands needs none

        while True:
            now = self.rove.clock.now()
            scope = ListScope(
                account=self.account, containers=self.containers, cursor=cursor, now=now
            )
            count, last = 0, scope.cursor
            items: list[WorkItem] = []
            gone: list[ItemRef] = []
            async with aclosing(self.rove.accounts.list_changes(scope)) as listed:
                async for step in listed:
                    count += step.item is not None
                    items += [step.work] if step.work and self._is_selected(step.work) else []
                    gone += [step.gone] if step.gone else []
                    last = step.cursor or last
                    if step.cursor and len(items) >= _PAGE:
                        yield ChangePage(items=tuple(items), gone=tuple(gone), cursor=last)
                        items, gone = [], []
            yield ChangePage(items=tuple(items), gone=tuple(gone), cursor=last)
            if count < scope.limit or last == cursor:
                return
            cursor = last

    async def item(self, ref: ItemRef) -> WorkItem:
        """Return the current state of an item."""
        return await trackers_of(self.rove).item(ref)

    async def change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change an item, and return its new state.

        A status that was queued offline was not checked. One that is refused as it was typed is
        looked for among those that the item can take.
        """
        trackers = trackers_of(self.rove)
        try:
            return await trackers.change(ref, change)
        except Conflict:
            raise
        except WrongCall as error:
            if not change.status or not trackers.can(ref.account, "rove_status_options"):
                raise
            work = await trackers.item(ref)
            options = await trackers.status_options(ref)
            chosen = chosen_status(change.status, options, work.status)
            if chosen is None or chosen.status.name == change.status:
                raise WrongCall(f"{error.message}. {names_of(options)}") from error
            # A ticket that is in progress already does not move on.
            is_there = work.status.name == chosen.status.name
            change = evolve(change, status=None if is_there else chosen.status.name)
            return await trackers.change(ref, change) if change.fields else work

    async def comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on an item, once for each key."""
        return await trackers_of(self.rove).comment(ref, comment)

    async def create(self, new: NewWorkItem) -> WorkItem:
        """Create an item, once for each key."""
        return await trackers_of(self.rove).create(self.account, new)

    def _is_selected(self, work: WorkItem) -> bool:
        return not self.types or work.type in self.types
