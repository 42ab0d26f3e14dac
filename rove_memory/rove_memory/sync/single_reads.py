"""Read known tickets one by one from accounts without work items."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import ContextItem, ItemNotFound, RoveError, UnknownAccount
from rove_memory.criteria.text_reader import read_automatically
from rove_memory.store import ProjectStore, in_thread
from rove_memory.sync.account import recognised
from rove_memory.sync.log import SyncLog
from rove_memory.sync.model import RunStatus, SyncRun
from rove_memory.tickets.table import TicketInfo, mark_gone, store_ticket

if TYPE_CHECKING:
    from rove_core import Project

_AT_ONCE: Final = 4
_MOST_ERRORS: Final = 20


async def read_singly(rove: "Project", tickets: Sequence[TicketInfo]) -> SyncRun:
    """Read tickets anew, several at a time, and log it."""
    begun, gate = rove.clock.now(), asyncio.Semaphore(_AT_ONCE)

    async def read(ticket: TicketInfo) -> _ReadResult:
        async with gate:
            return await _read(rove, ticket)

    readings = await asyncio.gather(*map(read, tickets))
    return await in_thread(lambda: _keep(rove, readings, begun))


@frozen
class _ReadResult:
    """The result of reading a ticket: the item, gone, or an error."""

    ticket: TicketInfo
    item: ContextItem | None = None
    error: str = ""


async def _read(rove: "Project", ticket: TicketInfo) -> _ReadResult:
    try:
        ref = recognised(rove, ticket)
        if ref is None:
            raise UnknownAccount(f"no account in use here has {ticket.identifier}")
        return _ReadResult(ticket, await rove.accounts.item_detail(ref))
    except ItemNotFound as error:
        # A name that no tracker ever confirmed is no ticket that is gone.
        return _ReadResult(ticket, error="" if ticket.account else error.message)
    except RoveError as error:
        return _ReadResult(ticket, error=f"{ticket.identifier}: {error.message}")


def _keep(rove: "Project", readings: Sequence[_ReadResult], begun: datetime) -> SyncRun:
    """Store what was read, and return the run."""
    counts = Counter(_store_reading(rove, each) for each in readings)
    run = SyncRun(
        direction="pull",
        account="all",
        started_at=begun,
        status=_status(counts["error"], len(readings)),
        items_created=counts["created"],
        items_updated=counts["updated"],
        items_deleted=counts["gone"],
        items_unchanged=counts["unchanged"],
        errors=tuple(each.error for each in readings if each.error)[:_MOST_ERRORS],
        duration_ms=int((rove.clock.now() - begun).total_seconds() * 1_000),
    )
    store = ProjectStore.of(rove)
    with store.writing() as db:
        SyncLog(db, store).add(run)
    return run


def _store_reading(rove: "Project", reading: _ReadResult) -> str:
    """Keep a ticket as it was read; return what that changed."""
    if reading.error:
        return "error"
    store, before = ProjectStore.of(rove), reading.ticket
    with store.writing() as db:
        if reading.item is None:
            mark_gone(db, store, before)
            return "gone"
        ticket = store_ticket(db, store, reading.item)
        read_automatically(db, store, ticket, rove.settings)
    if not before.account:
        return "created"
    return "updated" if before.updated_at != ticket.updated_at else "unchanged"


def _status(failed: int, total: int) -> RunStatus:
    if not failed:
        return "success"
    return "failed" if failed == total else "partial"
