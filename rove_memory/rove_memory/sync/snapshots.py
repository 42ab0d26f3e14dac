"""The last known state of items in their tracker, and with local edits."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from sqlite3 import Connection
from typing import TYPE_CHECKING

from attrs import frozen

from rove_core import JSON, ItemRef, ItemStatus, WorkItem
from rove_memory.store.values import json_text, new_id, read_json, read_time, time_text
from rove_memory.sync.fields import values_of
from rove_memory.sync.item_columns import show_edits, write_columns

if TYPE_CHECKING:
    from rove_memory.store import ProjectStore
    from rove_memory.tickets.table import TicketInfo


@frozen(kw_only=True)
class ItemSnapshot:
    """An item as its tracker had it when it was read last.

    Attributes:
        item_id: Its id here.
        ref: Where it is.
        revision: Its revision then; empty if it was never read.
        updated: When it had changed last, by the tracker's clock.
        fields: Its merged fields.
        gone: Whether it is no longer there.
    """

    item_id: str
    ref: ItemRef
    revision: str
    updated: datetime | None
    fields: Mapping[str, JSON]
    gone: bool


@frozen(kw_only=True)
class Snapshots:
    """Reads and writes items, within a transaction of its caller.

    Attributes:
        db: The connection.
        store: The project's store, with its clock.
    """

    db: Connection
    store: "ProjectStore"

    def find(self, item_id: str) -> ItemSnapshot | None:
        """Return the snapshot of an item; None if it is not synced."""
        return next(iter(self._select("e.id = ?", [item_id])), None)

    def of_ref(self, ref: ItemRef) -> ItemSnapshot | None:
        """Return the snapshot of a tracker's item; None if it is not synced."""
        condition = "e.account = ? AND e.provider_id = ? COLLATE NOCASE"
        return next(iter(self._select(condition, [ref.account, ref.id])), None)

    def unchecked(
        self, account: str, *, before: str, now: str, most: int
    ) -> Sequence[ItemSnapshot]:
        """Return the items of an account that were not read since a time, the oldest first.

        Args:
            account: The account.
            before: The time.
            now: The time now; a later reading was noted before the clock was put back.
            most: How many to return at most.
        """
        condition = (
            "e.account = ? AND e.deleted_at IS NULL AND e.provider_id NOT LIKE 'new:%' "
            "AND s.checked_at NOT BETWEEN ? AND ? ORDER BY s.checked_at, e.id LIMIT ?"
        )
        return self._select(condition, [account, before, now, most])

    def know(self, item_id: str, ref: ItemRef) -> None:
        """Record an item's reference."""
        self.db.execute(
            "INSERT INTO sync_items (item_id, kind, checked_at) VALUES (?, ?, '') "
            "ON CONFLICT (item_id) DO UPDATE SET kind = excluded.kind",
            [item_id, ref.kind],
        )

    def know_ticket(self, ticket: "TicketInfo", ref: ItemRef) -> None:
        """Register a ticket read as text only for syncing."""
        if self.find(ticket.id) is None:
            self.know(ticket.id, ref)
            status = {"name": ticket.status, "category": ticket.status_category}
            change = "UPDATE sync_items SET fields = ? WHERE item_id = ?"
            self.db.execute(change, [json_text({"status": status}), ticket.id])

    def find_status(self, account: str, name: str) -> ItemStatus:
        """Return a status by name, with its category if a known item of the account has it."""
        row = self.db.execute(
            "SELECT status, status_category FROM external_items WHERE account = ? "
            "AND status = ? COLLATE NOCASE AND status_category IS NOT NULL LIMIT 1",
            [account, name],
        ).fetchone()
        return ItemStatus(name=row[0], category=row[1]) if row else ItemStatus(name=name)

    def put(self, work: WorkItem, item_id: str = "") -> str:
        """Keep an item as its tracker has it, without the secrets in it; return its id here.

        Args:
            work: The item.
            item_id: Its id here, if it is known by another name, as a new one is.
        """
        item_id = item_id or self._row_of(work.ref)
        now = self.store.now()
        columns = _columns_of(work) | {"synced_at": now, "deleted_at": None}
        if item_id:
            names = ", ".join(f"{name} = :{name}" for name in columns)
            change = f"UPDATE external_items SET {names} WHERE id = :id"  # noqa: S608  # our own names
            self.db.execute(change, {**columns, "id": item_id})
        else:
            item_id = new_id(self.db, "external_items", "t")
            row = columns | {"id": item_id, "project_id": self.store.project_id(self.db)}
            row |= {"title": work.title}
            names, slots = ", ".join(row), ", ".join(f":{name}" for name in row)
            self.db.execute(f"INSERT INTO external_items ({names}) VALUES ({slots})", row)  # noqa: S608  # our own names
        self.db.execute(
            "INSERT OR REPLACE INTO sync_items "
            "(item_id, kind, revision, updated_at, fields, checked_at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                item_id,
                work.ref.kind,
                work.revision,
                time_text(work.updated),
                json_text(values_of(work)),
                now,
            ],
        )
        return item_id

    def mark_gone(self, item_id: str) -> None:
        """Mark an item as deleted in its tracker; its local data stays."""
        now = self.store.now()
        self.db.execute(
            "UPDATE external_items SET deleted_at = coalesce(deleted_at, ?), synced_at = ? "
            "WHERE id = ?",
            [now, now, item_id],
        )
        self.db.execute("UPDATE sync_items SET checked_at = ? WHERE item_id = ?", [now, item_id])

    def mark_seen(self, item_id: str) -> None:
        """Note that an item is still as it was read last."""
        now = self.store.now()
        self.db.execute("UPDATE external_items SET synced_at = ? WHERE id = ?", [now, item_id])
        self.db.execute("UPDATE sync_items SET checked_at = ? WHERE item_id = ?", [now, item_id])

    def put_off(self, ref: ItemRef) -> None:
        """Note that an item could not be read, so that others are read first."""
        self.db.execute(
            "UPDATE sync_items SET checked_at = ? WHERE item_id = ?",
            [self.store.now(), self._row_of(ref)],
        )

    def show(self, item_id: str) -> None:
        """Write an item's columns as people here see it: the tracker's, with edits that wait."""
        if snapshot := self.find(item_id):
            write_columns(self.db, item_id, snapshot.fields)
            show_edits(self.db, item_id)

    def _row_of(self, ref: ItemRef) -> str:
        """Return an item's local id, reusing a row that was known by name only."""
        row = self.db.execute(
            "SELECT id FROM external_items WHERE provider_id = ? COLLATE NOCASE "
            "AND account IN (?, '') ORDER BY account = '' LIMIT 1",
            [ref.id, ref.account],
        ).fetchone()
        return str(row["id"]) if row else ""

    def _select(self, condition: str, values: Sequence[object]) -> list[ItemSnapshot]:
        rows = self.db.execute(
            "SELECT e.id, e.account, e.provider_id, e.url, e.deleted_at, s.kind, s.revision, "  # noqa: S608  # our own words
            "s.updated_at, s.fields FROM external_items e JOIN sync_items s ON s.item_id = e.id "
            f"WHERE {condition}",
            list(values),
        )
        return [
            ItemSnapshot(
                item_id=row["id"],
                ref=ItemRef(
                    account=row["account"],
                    kind=row["kind"],
                    id=row["provider_id"],
                    url=row["url"] or "",
                ),
                revision=row["revision"],
                updated=read_time(row["updated_at"]),
                fields=read_json(row["fields"], {}),
                gone=row["deleted_at"] is not None,
            )
            for row in rows
        ]


def _columns_of(work: WorkItem) -> dict[str, object]:
    """Return the columns of an item that no edit shows through."""
    return {
        "account": work.ref.account,
        "provider_id": work.ref.id,
        "item_type": work.type,
        "epic_id": work.epic.id if work.epic else None,
        "estimate_unit": work.estimate_unit or None,
        "url": work.ref.url or None,
        "created_at_provider": time_text(work.created),
        "updated_at_provider": time_text(work.updated),
        "priority_label": work.priority_name or None,
    }
