"""Edit items locally: queue and visible change in one transaction."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rove_core import JSON, ItemNotFound, WrongCall
from rove_memory.sync.fields import category_of, same_value, shown_value
from rove_memory.sync.intake import ItemIntake
from rove_memory.sync.merge import merged_value
from rove_memory.sync.outbox import QueuedChange

if TYPE_CHECKING:
    from sqlite3 import Connection

    from rove_memory.store import ProjectStore
    from rove_memory.sync.model import Resolution


def edit_item(
    db: "Connection", store: "ProjectStore", item_id: str, values: Mapping[str, JSON]
) -> list[str]:
    """Queue new values of fields, and show them; return the ids of the changes.

    A field that has its new value already is left alone.
    """
    intake = ItemIntake(db, store)
    snapshot = intake.snapshots.find(item_id)
    if snapshot is None or snapshot.gone:
        raise ItemNotFound(f"no item {item_id} is synced here, or it was deleted")
    waiting = {each.field: each.value for each in intake.to_send(item_id)}
    seen = {**snapshot.fields, **waiting}
    changed = {
        field: value
        for field, value in values.items()
        if field not in seen or not same_value(field, seen[field], value)
    }
    ids = [
        intake.outbox.add_field(item_id, field, value, snapshot.fields.get(field)).id
        for field, value in changed.items()
    ]
    intake.snapshots.show(item_id)
    return ids


def resolve_change(
    db: "Connection", store: "ProjectStore", change: QueuedChange, resolution: "Resolution"
) -> bool:
    """Settle a conflict, or a change that was overruled or refused; return if it will be sent."""
    intake = ItemIntake(db, store)
    if change.status not in ("conflict", "overruled", "failed"):
        raise WrongCall(
            f"{change.id} is {change.status}: nothing to decide",
            hint="List them with: rove sync conflicts",
        )
    snapshot = intake.snapshots.find(change.item_id)
    if snapshot is None:
        raise ItemNotFound(f"the item of {change.id} is not synced here")
    if snapshot.gone and resolution != "keep_remote":
        raise WrongCall(
            f"{snapshot.ref.id} was deleted at its tracker: nothing can be sent to it",
            hint=f"Drop the edit: rove sync resolve {change.id} keep_remote",
        )
    newer = [
        each
        for each in intake.outbox.of_item(change.item_id, "pending")
        if change.change_type == "field" and each.field == change.field
    ]
    against = change.base if change.status == "failed" else change.remote
    value = change.value
    if resolution == "merge" and change.status != "failed":
        value = _merged(intake, snapshot.ref.account, change)
    drops = resolution == "keep_remote" or newer
    if drops or (change.field and same_value(change.field, value, against)):
        intake.outbox.settle(change, "canceled", remote=change.remote)
        intake.outbox.refuse_comments_on(change)
        return False
    intake.outbox.reopen(change, value, against)
    intake.snapshots.show(change.item_id)
    return True


def _merged(intake: ItemIntake, account: str, change: QueuedChange) -> JSON:
    """Return the value that has both changes.

    Raises:
        WrongCall: It is not known here which of two statuses is further on.
    """
    local, remote = change.value, change.remote
    if change.field == "status":
        local, remote = (_with_category(intake, account, each) for each in (local, remote))
        if not (category_of(local) and category_of(remote)):
            names = " or ".join(repr(shown_value("status", each)) for each in (local, remote))
            raise WrongCall(
                f"it is not known here which status is further on, {names}",
                hint=f"Choose one: rove sync resolve {change.id} keep_local | keep_remote",
            )
    return merged_value(change.field, change.base, local, remote)


def _with_category(intake: ItemIntake, account: str, status: JSON) -> JSON:
    """Return a status with the category that a ticket of its account has it with."""
    if category_of(status) or not isinstance(status, dict):
        return status
    stored = intake.snapshots.find_status(account, str(status.get("name") or ""))
    return {"name": stored.name, "category": stored.category}
