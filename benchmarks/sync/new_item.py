"""Queue a new item, as no operation of Rove does yet; its sync is tested all the same."""

from collections.abc import Mapping
from sqlite3 import Connection

from rove_core import JSON, ItemRef
from rove_memory.store import ProjectStore
from rove_memory.store.values import new_id
from rove_memory.sync.intake import ItemIntake


def create_item(
    db: Connection, store: ProjectStore, account: str, kind: str, new: Mapping[str, JSON]
) -> str:
    """Queue a new item, and return its local id; the tracker's follows on creation."""
    item_id = new_id(db, "external_items", "t")
    db.execute(
        "INSERT INTO external_items (id, project_id, account, provider_id, title, description, "
        "synced_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            item_id,
            store.project_id(db),
            account,
            f"new:{item_id}",
            new["title"],
            new.get("description") or "",
            store.now(),
        ],
    )
    intake = ItemIntake(db, store)
    intake.snapshots.know(item_id, ItemRef(account=account, kind=kind, id=f"new:{item_id}"))
    intake.outbox.add_item(item_id, dict(new))
    return item_id
