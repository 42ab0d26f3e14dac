"""Merge an item from its tracker with the waiting edits."""

from collections.abc import Mapping, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from attrs import field, frozen

from rove_core import JSON, WorkItem
from rove_memory.sync.fields import same_value, values_of
from rove_memory.sync.merge import merge_field
from rove_memory.sync.outbox import Outbox, QueuedChange
from rove_memory.sync.snapshots import ItemSnapshot, Snapshots

if TYPE_CHECKING:
    from rove_memory.store import ProjectStore

#: Why the edits of an item that is no longer there are not sent.
GONE: Final = "the item was deleted at its tracker, or is no longer visible to this login"
#: What became of an item that was read.
Effect: TypeAlias = Literal["created", "updated", "unchanged", "deleted"]


@frozen
class ItemIntake:
    """Takes items in, within a transaction of its caller.

    Attributes:
        db: The connection.
        store: The project's store, with its clock.
    """

    db: Connection
    store: "ProjectStore"
    outbox: Outbox = field(init=False)
    snapshots: Snapshots = field(init=False)

    @outbox.default
    def _its_outbox(self) -> Outbox:
        return Outbox(db=self.db, store=self.store)

    @snapshots.default
    def _its_snapshots(self) -> Snapshots:
        return Snapshots(db=self.db, store=self.store)

    def is_doubtful(self, work: WorkItem) -> bool:
        """Return whether a listed item must be read before it is merged.

        A listing may be late. It is believed of an item that is newer than the one known here,
        and that no edit waits for; an item that was deleted never rises by it.
        """
        snapshot = self.snapshots.of_ref(work.ref)
        if snapshot is None:
            return False
        return (
            snapshot.gone
            or snapshot.updated is None
            or (work.updated == snapshot.updated and work.revision != snapshot.revision)
            or bool(self.outbox.of_item(snapshot.item_id, "pending", "conflict"))
        )

    def take_listed(self, work: WorkItem, *, full: bool = False) -> Effect:
        """Store a listed item unless a newer state is known.

        Args:
            work: The item.
            full: Whether everything is listed: an item that is listed as known is not read again.
        """
        snapshot = self.snapshots.of_ref(work.ref)
        if snapshot and snapshot.updated and work.updated <= snapshot.updated:
            if full and work.revision == snapshot.revision:
                self.snapshots.mark_seen(snapshot.item_id)
            return "unchanged"
        return self.take(work)

    def take(self, work: WorkItem, *, item_id: str = "", fresh: bool = True) -> Effect:
        """Store an item's current state, and settle edits that this decides.

        Args:
            work: The item.
            item_id: Its id here, if it is known by another name.
            fresh: Whether it was read after the last request was sent for it.
        """
        before = self.snapshots.find(item_id) if item_id else self.snapshots.of_ref(work.ref)
        item_id = self.snapshots.put(work, before.item_id if before else item_id)
        values = values_of(work)
        for change in self.outbox.of_item(item_id, "pending", "conflict"):
            if change.change_type == "field":
                self._decide(change, work.revision, values, fresh=fresh)
        self.snapshots.show(item_id)
        if before is None or not before.revision:
            return "created"
        return "unchanged" if _is_same(before, work) else "updated"

    def to_send(self, item_id: str) -> Sequence[QueuedChange]:
        """Return the edits of fields that still have to be sent."""
        pending = self.outbox.of_item(item_id, "pending")
        return [each for each in pending if each.change_type == "field"]

    def lose(self, item_id: str) -> None:
        """Mark an item as deleted, and keep its waiting edits as dead letters."""
        self.snapshots.mark_gone(item_id)
        for change in self.outbox.of_item(item_id, "pending", "conflict"):
            self.outbox.settle(change, "failed", remote=change.remote, reason=GONE)
        self.snapshots.show(item_id)

    def _decide(
        self, change: QueuedChange, revision: str, values: Mapping[str, JSON], *, fresh: bool
    ) -> None:
        remote = values.get(change.field)
        if change.status == "conflict":
            if same_value(change.field, change.value, remote):
                self.outbox.settle(change, "synced")
            return
        verdict = merge_field(change.edit(revision), remote)
        if verdict == "done":
            self.outbox.settle(change, "synced")
        elif verdict != "send":
            self.outbox.settle(change, verdict, remote=remote, reason="changed at the tracker, too")
        elif fresh and change.unanswered:
            # Either one of them arrived, and is the value to start from, or none did.
            self.outbox.mark_arrived(change, remote)


def _is_same(before: ItemSnapshot, work: WorkItem) -> bool:
    return not before.gone and before.revision == work.revision
