"""Listings: scope and changes."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime

from attrs import field, frozen

from rove_core.items import ContextItem, ItemRef
from rove_core.work.items import WorkItem


@frozen(kw_only=True)
class Container:
    """A part of an account that can be listed: a project, a repository, a channel, a folder.

    Attributes:
        name: How its source names it (``TB``, ``acme/api``, ``C0BACKEND``).
        title: How people name it (``Tracker``, ``#backend-team``).
        private: Whether only some people may read it, as private channels and direct messages. It
            is copied only if somebody asks for it by its name.
    """

    name: str
    title: str = ""
    private: bool = False


@frozen(kw_only=True)
class ListScope:
    """The scope of a listing.

    Attributes:
        account: The account that is asked.
        containers: The names of its containers; all of them when empty.
        since: Nothing that changed last before this; bound to the cursor, like the containers.
        cursor: Where the last listing of the same containers ended; empty for the first one.
        limit: How many items are enough for now: the last one of them has a cursor.
        readable: Returns what ``rove_containers`` does, and asks the vendor only once for all
            listings of an update. A source that needs it calls it instead of its own, if given.
        now: The time of the listing. Vendors have items that changed later than that, by a wrong
            clock or an import; the next listing must not begin there.
        unconfirmed: Items of the containers that were stored since that cursor, with the times of
            their last changes: by ``rove_list_recent``, or by a listing that failed. Compare them
            with what is there like the listed ones; ``UpdateCursor`` with ``keep_ids`` does.
    """

    account: str
    containers: tuple[str, ...] = ()
    since: datetime | None = None
    cursor: str = ""
    limit: int = 1000
    readable: Callable[[], Awaitable[Sequence[Container]]] | None = field(
        default=None, eq=False, repr=False
    )
    now: datetime | None = field(default=None, eq=False)
    unconfirmed: Mapping[ItemRef, datetime] = field(factory=dict, eq=False)

    def latest(self, changed: datetime) -> datetime:
        """Return the time of a change, or of the listing if the change is later than that."""
        return min(changed, self.now) if self.now else changed


@frozen(kw_only=True)
class ListedChange:
    """One step of a listing: a current item, a deleted item, or only a cursor.

    Attributes:
        item: An item that is new or changed.
        whole: Whether the item has its discussion, as ``rove_item_detail`` gives it. Rove reads
            the item before it uses it when it has not.
        work: The same item as work, from a source that has ``rove_work_item``.
        gone: An item that is no longer there.
        cursor: Where to go on after this step; empty when one cannot go on just here. Only its
            source reads it.
        container: The container that the item is in; only ``rove_list_recent`` needs it.
    """

    item: ContextItem | None = None
    whole: bool = False
    work: WorkItem | None = None
    gone: ItemRef | None = None
    cursor: str = ""
    container: str = ""


@frozen
class ListingStep:
    """One step of the listing of a single container, for :func:`merge_listings`.

    Attributes:
        change: The step, without its cursor.
        cursor: Returns where the container's listing goes on after this step. It is called only
            when a cursor is needed, which may be after the next step was asked for.
    """

    change: ListedChange
    cursor: Callable[[], str]
