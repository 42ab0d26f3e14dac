"""Claims: one agent takes an item for a limited time."""

from collections.abc import Collection
from datetime import timedelta
from sqlite3 import Connection
from typing import Final

from attrs import frozen

from rove_core import Conflict, WrongCall
from rove_memory.plans.graph import ItemType, WorkKey
from rove_memory.plans.items import load_around, load_claims, load_near
from rove_memory.plans.ready import Claim, Readiness, Viewer, readiness
from rove_memory.plans.ready_work import ready_work
from rove_memory.store.project_store import ProjectStore
from rove_memory.store.values import time_text

_LONGEST: Final = timedelta(days=7)


@frozen
class ClaimedItem:
    """The result of a claim.

    Attributes:
        ready: The item, with the reason why it could be taken.
        claim: Who has it now, and until when.
    """

    ready: Readiness
    claim: Claim


def claim_next(
    db: Connection,
    viewer: Viewer,
    lease: timedelta,
    *,
    among: Collection[ItemType] = ("external", "local"),
    session: str | None = None,
) -> ClaimedItem | None:
    """Claim the most important item that is ready; None when nothing is.

    The caller's transaction has begun with a write lock, so two never get the same.
    """
    _check_lease(lease)
    found = ready_work(db, viewer, 1, among=among)
    return _take(db, found[0], viewer, lease, session) if found else None


def claim_item(
    db: Connection, key: WorkKey, viewer: Viewer, lease: timedelta, *, session: str | None = None
) -> ClaimedItem:
    """Claim an item, or claim it for longer.

    Raises:
        Conflict: It cannot be taken now; the error says why.
    """
    _check_lease(lease)
    # Whoever names a ticket means it, whoever else is assigned.
    claimant, claims = viewer._replace(others_too=True), load_claims(db)
    near = load_near(db, [key])
    found = readiness(near, near.items[key], claims, claimant)
    if not found.is_ready:
        # Whether blockers go round in a circle is seen only from all of them.
        blockers = load_around(db, [key], relation="blocks")
        found = readiness(blockers, near.items[key], claims, claimant)
        raise Conflict(
            f"{found.item.name} cannot be claimed: {found.reason}",
            hint="See what you can claim: rove ready",
        )
    return _take(db, found, viewer, lease, session)


def release_item(db: Connection, key: WorkKey, store: ProjectStore, owner: str) -> bool:
    """End a claim; return whether there was one.

    Raises:
        Conflict: Somebody else has claimed it, and the lease still runs.
    """
    claim = load_claims(db).get(key)
    if claim is None:
        return False
    if claim.owner != owner and claim.lease_until > store.clock.now():
        until = f"{claim.lease_until:%Y-%m-%d %H:%M} UTC"
        raise Conflict(
            f"{claim.owner} has claimed it until {until}", hint="Wait, or ask its owner."
        )
    db.execute("DELETE FROM work_claims WHERE item_type = ? AND item_id = ?", [key.type, key.id])
    return True


def lease_of(minutes: int) -> timedelta:
    """Return a lease of so many minutes; raise WrongCall for less than one or more than a week."""
    most = _LONGEST // timedelta(minutes=1)
    if not 1 <= minutes <= most:
        raise WrongCall(f"a lease of {minutes} minutes: expected 1 to {most}")
    return timedelta(minutes=minutes)


def release_claims(db: Connection, session: str) -> tuple[str, ...]:
    """End all claims of a session; return what that gives back to others, a line each."""
    rows = db.execute(
        "DELETE FROM work_claims WHERE session_id = ? RETURNING item_type, item_id", [session]
    ).fetchall()
    keys = [WorkKey(*row) for row in rows]
    items = load_near(db, keys).items
    given_back = [items[key] for key in keys if key in items and not items[key].is_resolved]
    return tuple(sorted(f"{item.name} {item.title}" for item in given_back))


def _check_lease(lease: timedelta) -> None:
    lease_of(int(lease.total_seconds() // 60))


def _take(
    db: Connection, found: Readiness, viewer: Viewer, lease: timedelta, session: str | None
) -> ClaimedItem:
    claim = Claim(owner=viewer.owner, lease_until=viewer.now + lease)
    key = found.item.key
    db.execute(
        "INSERT INTO work_claims (item_type, item_id, owner, session_id, claimed_at, lease_until) "
        "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (item_type, item_id) DO UPDATE SET "
        "owner = excluded.owner, session_id = excluded.session_id, "
        "claimed_at = excluded.claimed_at, lease_until = excluded.lease_until",
        [
            *(key.type, key.id, viewer.owner, session),
            *(time_text(viewer.now), time_text(claim.lease_until)),
        ],
    )
    return ClaimedItem(found, claim)
