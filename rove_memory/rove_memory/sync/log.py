"""The sync log: one row per pull and push, with the edits that it settled."""

from datetime import datetime
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Final

from attrs import asdict, frozen

from rove_memory.store.values import (
    json_text,
    new_id,
    placeholders,
    read_json,
    read_names,
    read_time,
    time_of,
    time_text,
)
from rove_memory.sync.fields import shown_value
from rove_memory.sync.model import ChangeInfo, SyncRun
from rove_memory.sync.outbox import ChangeStatus

if TYPE_CHECKING:
    from rove_memory.store import ProjectStore

#: How many runs are kept; those that settled an edit are kept for good.
_KEPT: Final = 1_000
_JOINED: Final = (
    "SELECT c.*, e.account, e.provider_id FROM pending_changes c "
    "JOIN external_items e ON e.id = c.external_item_id"
)


@frozen
class SyncLog:
    """Reads and writes the log, within a transaction of its caller.

    Attributes:
        db: The connection.
        store: The project's store, with its clock.
    """

    db: Connection
    store: "ProjectStore"

    def add(self, run: SyncRun) -> None:
        """Write a run down."""
        row = {
            "id": new_id(self.db, "sync_log", "y"),
            "project_id": self.store.project_id(self.db),
            "direction": run.direction,
            "status": run.status,
            "provider_type": run.account,
            "items_processed": sum(
                (run.items_created, run.items_updated, run.items_deleted, run.items_unchanged)
            ),
            "items_created": run.items_created,
            "items_updated": run.items_updated,
            "items_deleted": run.items_deleted,
            "errors": json_text(run.errors),
            "started_at": time_text(run.started_at),
            "completed_at": self.store.now(),
            "duration_ms": run.duration_ms,
            "metadata": json_text([_row_of(each) for each in run.changes]) if run.changes else None,
        }
        names, slots = ", ".join(row), ", ".join(f":{name}" for name in row)
        self.db.execute(f"INSERT INTO sync_log ({names}) VALUES ({slots})", row)  # noqa: S608  # our own names
        self.db.execute(
            "DELETE FROM sync_log WHERE metadata IS NULL AND rowid <= "
            "(SELECT max(rowid) FROM sync_log) - ?",
            [_KEPT],
        )
        if run.direction == "pull" and run.status != "failed":
            self.db.execute("UPDATE projects SET last_synced_at = ?", [self.store.now()])

    def runs(self, *, limit: int, account: str = "") -> tuple[SyncRun, ...]:
        """Return the latest runs, the newest first."""
        rows = self.db.execute(
            "SELECT * FROM sync_log WHERE ? IN ('', provider_type) "
            "ORDER BY started_at DESC, rowid DESC LIMIT ?",
            [account, limit],
        )
        return tuple(_run_of(row) for row in rows)

    def last(self, direction: str, account: str = "") -> datetime | None:
        """Return when a run that did not fail began last."""
        row = self.db.execute(
            "SELECT max(started_at) AS at FROM sync_log "
            "WHERE direction = ? AND status <> 'failed' AND ? IN ('', provider_type)",
            [direction, account],
        ).fetchone()
        return read_time(row["at"])

    def changes(
        self,
        *statuses: ChangeStatus,
        account: str = "",
        settled_since: datetime | None = None,
        limit: int = -1,
    ) -> tuple[ChangeInfo, ...]:
        """Return the edits with a status, oldest first.

        Args:
            statuses: How they stand.
            account: Only those for this account.
            settled_since: Only those settled since then.
            limit: How many at most.
        """
        rows = self.db.execute(
            f"{_JOINED} WHERE c.status IN ({placeholders(statuses)}) AND ? IN ('', e.account) "
            "AND coalesce(c.settled_at, '') >= ? ORDER BY c.number LIMIT ?",
            [*statuses, account, time_text(settled_since) if settled_since else "", limit],
        )
        return tuple(map(_change_info, rows))


def _change_info(row: Row) -> ChangeInfo:
    kind, value = row["change_type"], read_json(row["payload"])
    return ChangeInfo(
        id=row["id"],
        account=row["account"],
        ticket="new" if row["provider_id"].startswith("new:") else row["provider_id"],
        change_type=kind,
        field=row["field"],
        before=shown_value(row["field"], read_json(row["base"])),
        value=str(value["title"]) if kind == "create" else shown_value(row["field"], value),
        remote=shown_value(row["field"], read_json(row["remote"])),
        status=row["status"],
        reason=row["last_error"] or "",
        created_at=time_of(row["created_at"]),
        attempts=row["attempts"],
        retry_at=read_time(row["retry_at"]),
    )


def _row_of(change: ChangeInfo) -> dict[str, object]:
    row = asdict(change)
    at, retry = change.created_at, change.retry_at
    return row | {"created_at": time_text(at), "retry_at": time_text(retry) if retry else None}


def _run_of(row: Row) -> SyncRun:
    changes: tuple[dict[str, str], ...] = tuple(read_json(row["metadata"], ()))
    return SyncRun(
        direction=row["direction"],
        account=row["provider_type"],
        started_at=time_of(row["started_at"]),
        status=row["status"],
        items_created=row["items_created"],
        items_updated=row["items_updated"],
        items_deleted=row["items_deleted"],
        items_unchanged=row["items_processed"]
        - row["items_created"]
        - row["items_updated"]
        - row["items_deleted"],
        errors=read_names(row["errors"]),
        duration_ms=row["duration_ms"] or 0,
        changes=tuple(
            ChangeInfo(
                **{  # type: ignore[arg-type]  # as it was written
                    **each,
                    "created_at": time_of(each["created_at"]),
                    "retry_at": read_time(each["retry_at"]),
                }
            )
            for each in changes
        ),
    )
