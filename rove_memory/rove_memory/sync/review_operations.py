"""Operations to review the sync: state, conflicts and log."""

from typing import TYPE_CHECKING, Annotated, Final

from rove_core import ItemNotFound, Operation
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.page_bounds import check_page
from rove_memory.store import ProjectStore, in_thread
from rove_memory.store.values import read_time
from rove_memory.sync.log import SyncLog
from rove_memory.sync.model import ChangeInfo, Resolution, SyncRun, SyncStatusInfo
from rove_memory.sync.outbox import Outbox
from rove_memory.sync.terminal_text import (
    print_conflicts,
    print_log,
    print_resolved,
    print_status,
)
from rove_memory.toolsets import TICKETS

if TYPE_CHECKING:
    from datetime import datetime
    from sqlite3 import Connection

    from rove_core import LocalProject

_MOST_SHOWN: Final = 20
_MOST_RUNS: Final = 200


async def sync_status(
    rove: "LocalProject", *, project_path: Annotated[str | None, PROJECT_PATH] = None
) -> SyncStatusInfo:
    """Show when tickets were read and edits sent last, and what waits or needs a decision."""
    store = ProjectStore.of(rove, project_path)

    def work() -> SyncStatusInfo:
        with store.reading() as db:
            count, oldest, newest = _ages(db)
            log, outbox = SyncLog(db, store), Outbox(db=db, store=store)
            runs = log.runs(limit=1)
            return SyncStatusInfo(
                last_pull_at=newest,
                last_push_at=log.last("push"),
                pending_changes=outbox.count("pending"),
                conflicts=outbox.count("conflict"),
                dead_letters=outbox.count("failed"),
                is_online=runs[0].status != "failed" if runs else None,
                last_error=runs[0].errors[0] if runs and runs[0].errors else None,
                staleness_seconds=int((rove.clock.now() - oldest).total_seconds()) if oldest else 0,
                tickets=count,
                pending=log.changes("pending", limit=_MOST_SHOWN),
            )

    return await in_thread(work)


async def sync_conflicts(
    rove: "LocalProject", *, project_path: Annotated[str | None, PROJECT_PATH] = None
) -> tuple[ChangeInfo, ...]:
    """List the edits that did not reach their tracker: conflicts, refused and overruled ones.

    A conflict needs a decision. A refused edit, or one whose ticket was deleted, is kept with its
    whole text until somebody drops it. An overruled one lost to the tracker's own value.
    """
    store = ProjectStore.of(rove, project_path)

    def work() -> tuple[ChangeInfo, ...]:
        with store.reading() as db:
            return SyncLog(db, store).changes("conflict", "failed", "overruled")

    return await in_thread(work)


async def sync_resolve_conflict(
    rove: "LocalProject",
    *,
    change_id: Annotated[str, "The edit, as sync conflicts lists it: c-7k2f9."],
    resolution: Annotated[
        Resolution, "keep_local sends the edit, keep_remote drops it, merge takes both if it can."
    ],
) -> bool:
    """Decide about an edit that did not reach its tracker; return whether it will be sent."""
    from rove_memory.sync.edits import resolve_change  # noqa: PLC0415  # only a decision needs it

    store = ProjectStore.of(rove)

    def work() -> bool:
        with store.writing() as db:
            change = Outbox(db=db, store=store).find(change_id)
            if change is None:
                raise ItemNotFound(
                    f"no edit {change_id!r}", hint="See what needs a decision: rove sync conflicts"
                )
            return resolve_change(db, store, change, resolution)

    return await in_thread(work)


async def sync_log(
    rove: "LocalProject",
    *,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    limit: Annotated[int, "How many pulls and pushes, the latest ones."] = 20,
) -> tuple[SyncRun, ...]:
    """Show the latest pulls and pushes, with each value that was written to a tracker."""
    check_page(limit, most=_MOST_RUNS)
    store = ProjectStore.of(rove, project_path)

    def work() -> tuple[SyncRun, ...]:
        with store.reading() as db:
            return SyncLog(db, store).runs(limit=limit)

    return await in_thread(work)


def _ages(db: "Connection") -> "tuple[int, datetime | None, datetime | None]":
    """Return the number of tickets read, and when the oldest and the newest reading was."""
    count, oldest, newest = db.execute(
        "SELECT count(*), min(synced_at), max(synced_at) FROM external_items "
        "WHERE deleted_at IS NULL AND account <> '' AND synced_at IS NOT NULL"
    ).fetchone()
    return count, read_time(oldest), read_time(newest)


REVIEW_OPERATIONS: Final = (
    Operation(
        sync_status,
        command="sync status",
        toolset=TICKETS,
        offline=True,
        show=print_status,
    ),
    Operation(
        sync_conflicts,
        command="sync conflicts",
        toolset=TICKETS,
        offline=True,
        show=print_conflicts,
    ),
    Operation(
        sync_resolve_conflict,
        changes=True,
        command="sync resolve",
        toolset=TICKETS,
        offline=True,
        show=print_resolved,
    ),
    Operation(
        sync_log,
        command="sync log",
        toolset=TICKETS,
        offline=True,
        show=print_log,
    ),
)
