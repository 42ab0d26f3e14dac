"""Reading known tickets anew, and honest answers to what would have to write to a tracker."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Final, Literal, NoReturn

from attrs import frozen

from rove_core import ContextItem, ItemNotFound, Operation, RoveError, UnknownAccount, WrongCall
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.criteria.parsing import read_automatically
from rove_memory.settings import CRITERIA
from rove_memory.store import ProjectStore, in_thread
from rove_memory.store.values import json_text, new_id, read_names, time_text
from rove_memory.tickets import TicketInfo, list_tickets, mark_gone, require_ticket, store_ticket
from rove_memory.tracker.model import SyncResult, SyncStatusInfo
from rove_memory.tracker.terminal_text import print_sync, print_sync_status
from rove_memory.tracker.ticket_detail import TOOLSET

if TYPE_CHECKING:
    from rove_core import LocalProject, Project

#: A ticket read so long ago is read again.
_OLD: Final = timedelta(minutes=5)
_AT_ONCE: Final = 4
_MOST: Final = 100
_MOST_TOLD: Final = 20


async def sync_pull(
    rove: "Project",
    *,
    project_path: Annotated[
        str | None, "The project; this one, as its accounts are needed."
    ] = None,
    full: Annotated[bool, "All known tickets, also those read just now."] = False,
    item_types: Annotated[tuple[str, ...], "Only these types: ticket, epic, sprint."] = (),
) -> SyncResult:
    """Read the tickets that this project's memory knows anew, those read longest ago first.

    At most 100 at a time. Tickets that nobody has read here yet stay unknown.
    """
    if project_path is not None:
        raise WrongCall(
            "tickets are read with the accounts of the project that is open",
            hint=f"Pull there: cd {project_path} && rove sync pull",
        )
    import asyncio  # noqa: PLC0415  # whoever lists commands needs none

    store, begun = ProjectStore.of(rove), rove.clock.now()
    known = await in_thread(lambda: _due(store, begun, full=full, types=item_types))
    gate = asyncio.Semaphore(_AT_ONCE)

    async def read(ticket: TicketInfo) -> _ReadResult:
        async with gate:
            return await _read(rove, ticket)

    readings = await asyncio.gather(*map(read, known[:_MOST]))
    return await in_thread(lambda: _keep(rove, readings, begun, left=len(known[_MOST:])))


async def sync_push(
    rove: "LocalProject",  # noqa: ARG001  # every operation has it
    *,
    project_path: Annotated[str | None, PROJECT_PATH] = None,  # noqa: ARG001  # as agents call it
    force: Annotated[bool, "Changes made just now, too."] = False,  # noqa: ARG001  # as agents call it
) -> SyncResult:
    """Say that Rove does not change anything at a tracker: nothing was sent."""
    _refuse("nothing was sent", hint="Change tickets there, then read them: rove sync pull")


async def sync_status(
    rove: "LocalProject", *, project_path: Annotated[str | None, PROJECT_PATH] = None
) -> SyncStatusInfo:
    """Show when tickets were read last, and whether the last reading was answered."""
    store = ProjectStore.of(rove, project_path)

    def work() -> SyncStatusInfo:
        with store.reading() as db:
            tickets = [each for each in list_tickets(db) if each.account and each.synced_at]
            log = db.execute(
                "SELECT status, errors FROM sync_log ORDER BY started_at DESC, rowid DESC LIMIT 1"
            ).fetchone()
            (pending,) = db.execute(
                "SELECT count(*) FROM pending_changes WHERE status = 'pending'"
            ).fetchone()
        read = [each.synced_at for each in tickets if each.synced_at]
        errors = read_names(log["errors"]) if log else ()
        return SyncStatusInfo(
            last_pull_at=max(read, default=None),
            pending_changes=pending,
            is_online=log["status"] != "failed" if log else None,
            last_error=errors[0] if errors else None,
            staleness_seconds=int((rove.clock.now() - min(read)).total_seconds()) if read else 0,
            tickets=len(tickets),
        )

    return await in_thread(work)


async def sync_resolve_conflict(
    rove: "LocalProject",  # noqa: ARG001  # every operation has it
    *,
    change_id: Annotated[str, "The change."],
    resolution: Annotated[Literal["keep_local", "keep_remote", "merge"], "What holds."],  # noqa: ARG001  # as agents call it
) -> bool:
    """Say that there is no conflict: Rove queues no changes for a tracker."""
    raise ItemNotFound(
        f"there is no change {change_id!r}: Rove queues none, for it does not write to trackers",
        hint="See how things stand with: rove sync status",
    )


async def update_ticket_status(
    rove: "LocalProject",
    *,
    identifier: Annotated[str, "The ticket: TB-123."],
    status: Annotated[str, "The status it should have."],
    add_comment: Annotated[str | None, "Why."] = None,  # noqa: ARG001  # as agents call it
    queue_if_offline: Annotated[bool, "Keep the change while offline."] = True,  # noqa: ARG001  # as agents call it
) -> TicketInfo:
    """Say where a ticket's status can be changed: Rove does not change it."""
    store = ProjectStore.of(rove)

    def work() -> TicketInfo:
        with store.reading() as db:
            return require_ticket(db, identifier)

    ticket = await in_thread(work)
    name = ticket.identifier
    place = f" at {ticket.url}" if ticket.url else " at its tracker"
    _refuse(
        f"{name} is still {ticket.status or 'as it was'}, not {status}",
        hint=f"Change it{place}, then: rove ticket show {name}",
    )


@frozen
class _ReadResult:
    """What came of reading a ticket: the item, that it is gone, or why neither is known."""

    ticket: TicketInfo
    item: ContextItem | None = None
    error: str = ""


def _refuse(what: str, *, hint: str) -> NoReturn:
    raise WrongCall(f"Rove does not write to trackers: {what}", hint=hint)


def _due(
    store: ProjectStore, now: datetime, *, full: bool, types: Sequence[str]
) -> Sequence[TicketInfo]:
    """Return the tickets to be read, the one read longest ago first."""
    with store.reading() as db:
        known = [each for each in list_tickets(db) if not types or each.item_type in types]
    due = [
        each
        for each in known
        if full or not each.account or each.synced_at is None or now - each.synced_at >= _OLD
    ]
    return sorted(due, key=lambda each: (each.synced_at or now, each.identifier))


async def _read(rove: "Project", ticket: TicketInfo) -> _ReadResult:
    found = rove.accounts.recognise(ticket.identifier)
    refs = [ref for ref in found if ticket.account in ("", ref.account)]
    try:
        if not refs:
            raise UnknownAccount(f"no account in use here has {ticket.identifier}")
        return _ReadResult(ticket, await rove.accounts.item_detail(refs[0]))
    except ItemNotFound as error:
        # A name that no tracker ever confirmed is no ticket that is gone.
        return _ReadResult(ticket, error="" if ticket.account else error.message)
    except RoveError as error:
        return _ReadResult(ticket, error=f"{ticket.identifier}: {error.message}")


def _keep(
    rove: "Project", readings: Sequence[_ReadResult], begun: datetime, *, left: int
) -> SyncResult:
    """Keep what was read, and say what it came to."""
    counts = Counter(_kept(rove, each) for each in readings)
    result = SyncResult(
        status=_status(counts["error"], len(readings)),
        items_created=counts["created"],
        items_updated=counts["updated"],
        items_deleted=counts["gone"],
        items_unchanged=counts["unchanged"],
        items_left=left,
        errors=tuple(each.error for each in readings if each.error)[:_MOST_TOLD],
        duration_ms=int((rove.clock.now() - begun).total_seconds() * 1_000),
    )
    if readings:
        store = ProjectStore.of(rove)
        with store.writing() as db:
            _log(db, store, result, begun)
    return result


def _kept(rove: "Project", reading: _ReadResult) -> str:
    """Keep a ticket as it was read; return what that changed."""
    if reading.error:
        return "error"
    store, before = ProjectStore.of(rove), reading.ticket
    with store.writing() as db:
        if reading.item is None:
            mark_gone(db, store, before)
            return "gone"
        ticket = store_ticket(db, store, reading.item)
        read_automatically(db, store, ticket, rove.settings.section(CRITERIA))
    if not before.account:
        return "created"
    return "updated" if before.updated_at != ticket.updated_at else "unchanged"


def _status(failed: int, asked: int) -> Literal["success", "partial", "failed"]:
    if not failed:
        return "success"
    return "failed" if failed == asked else "partial"


def _log(db: Connection, store: ProjectStore, result: SyncResult, begun: datetime) -> None:
    changed = result.items_created + result.items_updated + result.items_deleted
    row = {
        "id": new_id(db, "sync_log", "y"),
        "project_id": store.project_id(db),
        "direction": "pull",
        "status": result.status,
        "provider_type": "all",
        "items_processed": changed + result.items_unchanged,
        "items_created": result.items_created,
        "items_updated": result.items_updated,
        "items_deleted": result.items_deleted,
        "errors": json_text(result.errors),
        "started_at": time_text(begun),
        "completed_at": store.now(),
        "duration_ms": result.duration_ms,
    }
    names, slots = ", ".join(row), ", ".join(f":{name}" for name in row)
    db.execute(f"INSERT INTO sync_log ({names}) VALUES ({slots})", row)  # noqa: S608  # our own names
    if result.status != "failed":
        db.execute("UPDATE projects SET last_synced_at = ?", [store.now()])


SYNC_OPERATIONS: Final = (
    Operation(
        sync_pull,
        changes=True,
        command="sync pull",
        toolset=TOOLSET,
        show=print_sync,
    ),
    Operation(
        sync_push,
        changes=True,
        command="sync push",
        toolset=TOOLSET,
        project="closed",
    ),
    Operation(
        sync_status,
        command="sync status",
        group="Exchange changes with the trackers.",
        toolset=TOOLSET,
        project="closed",
        show=print_sync_status,
    ),
    Operation(
        sync_resolve_conflict,
        changes=True,
        command="sync resolve",
        toolset=TOOLSET,
        project="closed",
    ),
    Operation(
        update_ticket_status,
        changes=True,
        command="ticket status",
        toolset=TOOLSET,
        project="closed",
    ),
)
