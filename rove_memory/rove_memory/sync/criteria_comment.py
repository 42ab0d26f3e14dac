"""Publish a ticket's acceptance criteria as one comment, on request."""

from collections.abc import Sequence
from hashlib import sha256
from sqlite3 import Connection
from typing import TYPE_CHECKING, Final

from rove_memory.store.values import read_json
from rove_memory.sync.outbox import Outbox
from rove_memory.work_state import CriterionState, criteria_of

if TYPE_CHECKING:
    from rove_memory.store import ProjectStore

#: Tickets of which somebody verified a criterion; those whose criteria nobody touched have none.
_TOUCHED: Final = (
    "SELECT DISTINCT e.id, e.provider_id FROM acceptance_criteria a "
    "JOIN external_items e ON e.id = a.external_item_id JOIN sync_items s ON s.item_id = e.id "
    "WHERE e.account = ? AND e.deleted_at IS NULL AND a.status <> 'pending'"
)
_WORDS: Final = {"in_progress": " (in progress)", "failed": " (failed)", "blocked": " (blocked)"}


def queue_criteria(db: Connection, store: "ProjectStore", account: str) -> None:
    """Queue the comment of each ticket whose criteria changed since the last one.

    Args:
        db: A transaction's connection.
        store: The store.
        account: Whose tickets.
    """
    outbox = Outbox(db=db, store=store)
    for row in db.execute(_TOUCHED, [account]).fetchall():
        text = criteria_text(criteria_of(db, row["id"]))
        # Two machines on one account keep one comment.
        key = f"rove-criteria-{sha256(row['provider_id'].encode()).hexdigest()[:16]}"
        last = db.execute(
            "SELECT payload FROM pending_changes WHERE external_item_id = ? AND effect_key = ? "
            "AND status <> 'canceled' ORDER BY number DESC LIMIT 1",
            [row["id"], key],
        ).fetchone()
        if last is None or read_json(last["payload"]) != text:
            outbox.add_comment(row["id"], text, key=key)


def criteria_text(criteria: Sequence[CriterionState]) -> str:
    """Return criteria as Markdown, with their state; what proves them stays on this machine."""
    lines = [
        f"- [{'x' if each.status == 'verified' else ' '}] {each.number}. "
        f"{' '.join(each.text.split())}{_WORDS.get(each.status, '')}"
        for each in criteria
    ]
    return "\n".join(["**Acceptance criteria**", "", *lines])
