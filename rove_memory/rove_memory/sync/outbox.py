"""The queue of edits, each written in the transaction of its local change."""

from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from attrs import frozen

from rove_core import JSON
from rove_memory.store.values import (
    json_text,
    new_id,
    placeholders,
    read_json,
    read_time,
    time_of,
    time_text,
)
from rove_memory.sync.merge import FieldEdit

if TYPE_CHECKING:
    from rove_memory.store import ProjectStore

ChangeType: TypeAlias = Literal["field", "comment", "create"]
ChangeStatus: TypeAlias = Literal[
    "pending", "synced", "failed", "canceled", "conflict", "overruled"
]

#: Why a comment stays here whose change is not made.
NOT_FOLLOWED: Final = "not sent, because the change that it comments on was not made"
#: What a later edit of the same field replaces.
_OPEN: Final = ("pending", "conflict", "overruled")


@frozen(kw_only=True)
class QueuedChange:
    """A row of the outbox.

    Attributes:
        id: Its id.
        item_id: The item that it is of, by its id here.
        change_type: A field, a comment, or the item itself.
        field: The field; empty for others.
        value: The value, the words, or the new item.
        base: The value that its author saw.
        remote: The tracker's value that stands against it.
        unanswered: Values sent without a reply.
        sent_revision: The item's revision when the last of these was sent.
        key: By which the tracker knows the effect.
        after: The change that must arrive first; empty for none.
        created_at: When it was made.
        attempts: How often it was tried.
        retry_at: When it may be tried again; None for now.
        last_error: What went wrong last; empty for nothing.
        status: Its status.
    """

    id: str
    item_id: str
    change_type: ChangeType
    field: str
    value: JSON
    base: JSON
    remote: JSON
    unanswered: tuple[JSON, ...]
    sent_revision: str
    key: str
    after: str
    created_at: datetime
    attempts: int
    retry_at: datetime | None
    last_error: str
    status: ChangeStatus

    def edit(self, revision: str) -> FieldEdit:
        """Return the edit for the merge, at the item's current revision."""
        return FieldEdit(
            field=self.field,
            base=self.base,
            value=self.value,
            unanswered=self.unanswered,
            has_moved=self.sent_revision not in ("", revision),
        )


@frozen(kw_only=True)
class Outbox:
    """Reads and writes the queue, within a transaction of its caller.

    Attributes:
        db: The connection.
        store: The project's store, with its clock.
    """

    db: Connection
    store: "ProjectStore"

    def add_field(self, item_id: str, field: str, value: JSON, base: JSON) -> QueuedChange:
        """Queue a field's new value; it replaces an edit of the same field that still waits.

        Args:
            item_id: The item.
            field: The field.
            value: What it should be.
            base: What its author saw.
        """
        before = [each for each in self.of_item(item_id, *_OPEN) if each.field == field]
        waiting = next((each for each in before if each.status == "pending"), None)
        new = self._add(
            item_id,
            "field",
            value,
            field=field,
            # Its author saw the edit that waits; the tracker is still where that one began.
            base=json_text(waiting.base if waiting else base),
            unanswered=json_text(waiting.unanswered if waiting else ()),
            sent_revision=waiting.sent_revision if waiting else "",
        )
        for each in before:
            self._set(each.id, status="canceled", replaced_by=new, settled_at=self.store.now())
            self.db.execute(
                "UPDATE pending_changes SET after_id = ? WHERE after_id = ?", [new, each.id]
            )
        return self.one(new)

    def add_comment(self, item_id: str, content: str, *, after: str = "", key: str = "") -> str:
        """Queue a comment, and return its id.

        Args:
            item_id: The item.
            content: What it says.
            after: A change that must arrive first.
            key: The key of a comment that is changed in place; a new one unless given.
        """
        if key:
            for each in self.of_item(item_id, "pending"):
                if each.key == key:
                    self._set(each.id, status="canceled", settled_at=self.store.now())
        return self._add(item_id, "comment", content, after_id=after or None, effect_key=key)

    def add_item(self, item_id: str, new: JSON) -> str:
        """Queue the creation of an item, and return the id of the change."""
        return self._add(item_id, "create", new)

    def mark_session(self, identifier: str, worktree: str) -> None:
        """Note in which session a change was made: the latest one that is active in a checkout."""
        self.db.execute(
            "UPDATE pending_changes SET session_id = (SELECT id FROM sessions "
            "WHERE status = 'active' AND worktree = ? ORDER BY started_at DESC LIMIT 1) "
            "WHERE id = ?",
            [worktree, identifier],
        )

    def of_item(self, item_id: str, *statuses: ChangeStatus) -> Sequence[QueuedChange]:
        """Return an item's changes with a status, in order of creation."""
        return self._select("external_item_id = ?", [item_id], statuses)

    def listed(self, *statuses: ChangeStatus) -> Sequence[QueuedChange]:
        """Return all changes with a status, in order of creation."""
        return self._select("1", [], statuses)

    def count(self, *statuses: ChangeStatus) -> int:
        """Return the number of changes with a status."""
        question = (
            f"SELECT count(*) FROM pending_changes WHERE status IN ({placeholders(statuses)})"  # noqa: S608  # marks
        )
        (count,) = self.db.execute(question, statuses).fetchone()
        return int(count)

    def find(self, identifier: str) -> QueuedChange | None:
        """Return the change of an id; None if there is none."""
        found = self._select("id = ?", [identifier], ())
        return found[0] if found else None

    def one(self, identifier: str) -> QueuedChange:
        """Return an existing change by id."""
        return self._select("id = ?", [identifier], ())[0]

    def mark_sending(self, change: QueuedChange, revision: str) -> None:
        """Note, before a request leaves, that its value may arrive."""
        unanswered = [*change.unanswered, change.value]
        self._set(
            change.id,
            unanswered=json_text(unanswered),
            sent_revision=revision,
            last_attempt_at=self.store.now(),
        )

    def mark_unsent(self, sent: QueuedChange) -> None:
        """Note that a request had no effect for certain, as if it had never left.

        Args:
            sent: The change as it was before its value was marked as sent.
        """
        if latest := self.latest(sent):
            self._set(
                latest.id,
                unanswered=json_text(sent.unanswered),
                sent_revision=sent.sent_revision or None,
            )

    def latest(self, change: QueuedChange) -> QueuedChange | None:
        """Return the edit that waits: this one, or what replaced it; None if none does."""
        seen = change.id
        while row := self.db.execute(
            "SELECT replaced_by FROM pending_changes WHERE id = ?", [seen]
        ).fetchone()["replaced_by"]:
            seen = row
        found = self.one(seen)
        return found if found.status == "pending" else None

    def mark_arrived(self, change: QueuedChange, base: JSON) -> None:
        """Note which value the tracker has for certain, so that none is in doubt."""
        self._set(change.id, base=json_text(base), unanswered="[]", sent_revision=None)

    def settle(
        self,
        change: QueuedChange,
        status: ChangeStatus,
        *,
        remote: JSON = None,
        reason: str | None = None,
    ) -> None:
        """Settle a change: it arrived, was refused, or conflicts with another value."""
        self._set(
            change.id,
            status=status,
            remote=json_text(remote),
            last_error=reason,
            retry_at=None,
            settled_at=self.store.now(),
        )

    def refuse_comments_on(self, change: QueuedChange) -> None:
        """Settle the comments that were to follow a change which is not made after all."""
        for each in self.of_item(change.item_id, "pending"):
            if each.after == change.id:
                self.settle(each, "failed", reason=NOT_FOLLOWED)

    def postpone(self, change: QueuedChange, reason: str, until: datetime) -> None:
        """Note why a change still waits, and when to try again."""
        attempts = change.attempts + 1
        self._set(change.id, last_error=reason, retry_at=time_text(until), attempts=attempts)

    def reopen(self, change: QueuedChange, value: JSON, base: JSON) -> None:
        """Reopen a settled change, after a person's decision."""
        self._set(
            change.id,
            status="pending",
            payload=json_text(value),
            base=json_text(base),
            remote=None,
            unanswered="[]",
            sent_revision=None,
            last_error=None,
            retry_at=None,
            settled_at=None,
        )

    def _add(
        self,
        item_id: str,
        change_type: ChangeType,
        value: JSON,
        *,
        effect_key: str = "",
        **more: object,
    ) -> str:
        from uuid import uuid4  # noqa: PLC0415  # whoever reads needs none

        row = {
            "id": new_id(self.db, "pending_changes", "c"),
            "project_id": self.store.project_id(self.db),
            "external_item_id": item_id,
            "change_type": change_type,
            "payload": json_text(value),
            "effect_key": effect_key or f"rove-{uuid4()}",
            "created_at": self.store.now(),
            **more,
        }
        names, slots = ", ".join(row), ", ".join(f":{name}" for name in row)
        self.db.execute(f"INSERT INTO pending_changes ({names}) VALUES ({slots})", row)  # noqa: S608  # our own names
        return str(row["id"])

    def _set(self, identifier: str, **values: object) -> None:
        names = ", ".join(f"{name} = :{name}" for name in values)
        change = f"UPDATE pending_changes SET {names} WHERE id = :id"  # noqa: S608  # our own names
        self.db.execute(change, {**values, "id": identifier})

    def _select(
        self, condition: str, values: Sequence[object], statuses: Sequence[ChangeStatus]
    ) -> Sequence[QueuedChange]:
        among = f"AND status IN ({placeholders(statuses)})" if statuses else ""
        rows = self.db.execute(
            f"SELECT * FROM pending_changes WHERE {condition} {among} ORDER BY number",  # noqa: S608  # our own words
            [*values, *statuses],
        )
        return [_change_of(row) for row in rows]


def _change_of(row: Row) -> QueuedChange:
    return QueuedChange(
        id=row["id"],
        item_id=row["external_item_id"],
        change_type=row["change_type"],
        field=row["field"],
        value=read_json(row["payload"]),
        base=read_json(row["base"]),
        remote=read_json(row["remote"]),
        unanswered=tuple(read_json(row["unanswered"], ())),
        sent_revision=row["sent_revision"] or "",
        key=row["effect_key"],
        after=row["after_id"] or "",
        created_at=time_of(row["created_at"]),
        attempts=row["attempts"],
        retry_at=read_time(row["retry_at"]),
        last_error=row["last_error"] or "",
        status=row["status"],
    )
