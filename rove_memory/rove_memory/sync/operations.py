"""Operations to pull and push, on request and on schedule."""

from collections.abc import Awaitable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve, frozen

from rove_core import ItemRef, Locked, Operation, RoveError, WrongCall
from rove_memory.sessions.sync_triggers import may_push_automatically
from rove_memory.settings import SYNC
from rove_memory.store import ProjectStore, in_thread
from rove_memory.sync.account import AccountSync, recognised, tracker_accounts
from rove_memory.sync.log import SyncLog
from rove_memory.sync.model import ChangeInfo, SyncResult, SyncRun, combined_status
from rove_memory.sync.outbox import Outbox
from rove_memory.sync.single_reads import read_singly
from rove_memory.sync.terminal_text import print_pull, print_push
from rove_memory.tickets.table import TicketInfo, list_unsynced
from rove_memory.toolsets import TICKETS

if TYPE_CHECKING:
    from rove_core import Project

#: A ticket read so long ago is read again.
_OLD: Final = timedelta(minutes=5)
_MOST: Final = 100
_MOST_SHOWN: Final = 20
#: How many known tickets the server asks for one by one each time.
_FEW: Final = 20
_NOTHING: Final = (
    "No ticket is known here, and sync.containers names none. Read one: rove ticket show TB-123"
)


async def sync_pull(
    rove: "Project",
    *,
    project_path: Annotated[
        str | None, "The project; only the current one, since its accounts are needed."
    ] = None,
    full: Annotated[bool, "Read everything again, even what was read just now."] = False,
    item_types: Annotated[tuple[str, ...] | None, "Only these types: ticket, epic, sprint."] = None,
) -> SyncResult:
    """Read what changed at the trackers: in the containers of the settings, and in known tickets.

    Known tickets are read one by one, at most 100 at a time, those read longest ago first.
    """
    _refuse_other(project_path, "pull")
    begun = rove.clock.now()
    unsynced = await _unsynced_tickets(rove, full=full, types=item_types or ())
    runs = []
    for account in tracker_accounts(rove):
        sync = AccountSync(rove=rove, account=account)
        pull = sync.pull(full=full, types=item_types or (), tickets=unsynced.of(account))
        runs.append(await _attempt(SyncRun.begin("pull", account, rove.clock.now()), pull))
    if unsynced.others:
        runs.append(await read_singly(rove, unsynced.others))
    runs += _missing_accounts(rove)
    note = await in_thread(partial(_nothing_to_read, rove))
    return evolve(_result(rove, runs, begun), items_left=unsynced.remaining, note=note)


async def sync_push(
    rove: "Project",
    *,
    project_path: Annotated[
        str | None, "The project; only the current one, since its accounts are needed."
    ] = None,
    force: Annotated[
        bool, "Also send edits made just now and edits that wait for a retry."
    ] = False,
    dry_run: Annotated[bool, "Show what would be written, and send nothing."] = False,
) -> SyncResult:
    """Send the edits that wait to their trackers: fields and comments of tickets, nothing else.

    Each ticket is read back first. An edit that somebody else overtook is not sent.
    """
    _refuse_other(project_path, "push")
    begun, store = rove.clock.now(), ProjectStore.of(rove)

    def pending() -> tuple[ChangeInfo, ...]:
        with store.reading() as db:
            return SyncLog(db, store).changes("pending")

    waiting = await in_thread(pending)
    if dry_run:
        return SyncResult(status="success", changes_waiting=len(waiting), planned=waiting)
    connected = tracker_accounts(rove)
    every = connected if rove.settings.section(SYNC).push_criteria else ()
    accounts = dict.fromkeys([*(each.account for each in waiting), *every])
    runs = []
    for account in accounts:
        failed = SyncRun.begin("push", account, rove.clock.now())
        if account in connected:
            push = AccountSync(rove=rove, account=account).push(force=force)
            runs.append(await _attempt(failed, push))
        else:
            runs.append(
                evolve(failed, errors=(f"edits are waiting for {account}, which is not used here",))
            )
    return _result(rove, runs, begun)


async def sync_now(rove: "Project") -> SyncResult:
    """Send the edits that wait, and read what changed if that was not done in a while.

    The server does this by itself: each hour, after a session started or ended, and when an edit
    can be tried again. Edits are sent as far as the settings let the server send them.
    """
    begun, settings, store = rove.clock.now(), rove.settings.section(SYNC), ProjectStore.of(rove)

    def look() -> tuple[set[str], dict[str, datetime | None]]:
        with store.reading() as db:
            log = SyncLog(db, store)
            waiting = {each.account for each in log.changes("pending")}
            waiting |= set(names) if settings.push_criteria else set()
            waiting = waiting if may_push_automatically(settings, db) else set()
            return waiting, {name: log.last("pull", name) for name in names}

    names = tracker_accounts(rove)
    waiting, pulled = await in_thread(look)
    old = timedelta(seconds=settings.auto_pull_threshold_seconds)
    runs: list[SyncRun] = []
    for name in names:
        sync, last = AccountSync(rove=rove, account=name, patience=0.0, checked=_FEW), pulled[name]
        with suppress(Locked):  # Another process does it just now.
            if name in waiting:
                runs.append(await sync.push(force=False))
            if last is None or begun - last >= old:
                unsynced = (await _unsynced_tickets(rove, full=False, types=())).of(name)
                runs.append(await sync.pull(full=False, tickets=unsynced))
    return _result(rove, runs, begun)


@frozen(kw_only=True)
class _UnsyncedTickets:
    """Known tickets that are not synced yet, by account."""

    by_account: dict[str, dict[ItemRef, TicketInfo]]
    others: tuple[TicketInfo, ...]
    remaining: int

    def of(self, account: str) -> dict[ItemRef, TicketInfo]:
        """Return those of an account, by their references."""
        return self.by_account.get(account, {})


async def _unsynced_tickets(
    rove: "Project", *, full: bool, types: Sequence[str]
) -> _UnsyncedTickets:
    store, now, trackers = ProjectStore.of(rove), rove.clock.now(), set(tracker_accounts(rove))

    def due() -> list[TicketInfo]:
        with store.reading() as db:
            unsynced = list_unsynced(db)
        return sorted(
            (each for each in unsynced if _is_due(each, now, trackers, full=full, types=types)),
            key=lambda each: (each.synced_at or now, each.identifier),
        )

    tickets = await in_thread(due)
    by_account: dict[str, dict[ItemRef, TicketInfo]] = {}
    others: list[TicketInfo] = []
    for ticket in tickets[:_MOST]:
        ref = recognised(rove, ticket)
        if ref and ref.account in trackers:
            by_account.setdefault(ref.account, {})[ref] = ticket
        else:
            others.append(ticket)
    left = len(tickets[_MOST:])
    return _UnsyncedTickets(by_account=by_account, others=tuple(others), remaining=left)


def _is_due(
    ticket: TicketInfo, now: datetime, trackers: set[str], *, full: bool, types: Sequence[str]
) -> bool:
    if ticket.identifier.startswith("new:") or (types and ticket.item_type not in types):
        return False
    at = ticket.synced_at
    # A time that is still to come was written before the clock was put back.
    is_old = at is None or not timedelta(0) <= now - at < _OLD
    return full or not ticket.account or is_old or ticket.account in trackers


async def _attempt(failed: SyncRun, run: Awaitable[SyncRun]) -> SyncRun:
    """Return the result of a run; one that could not start has failed."""
    try:
        return await run
    except RoveError as error:
        return evolve(failed, errors=(f"{failed.account}: {error.message}",))


def _missing_accounts(rove: "Project") -> list[SyncRun]:
    """Return failed runs for containers of accounts that are not in use here."""
    used, now = tracker_accounts(rove), rove.clock.now()
    named = {each: each.partition("/")[0] for each in rove.settings.section(SYNC).containers}
    return [
        evolve(
            SyncRun.begin("pull", account, now),
            errors=(f"{container} is not read: no account {account} that keeps tickets is in use",),
        )
        for container, account in named.items()
        if account not in used
    ]


def _nothing_to_read(rove: "Project") -> str:
    """Return what to do first where no ticket is known and no container listed."""
    if rove.settings.section(SYNC).containers:
        return ""
    with ProjectStore.of(rove).reading() as db:
        is_known = db.execute("SELECT 1 FROM external_items LIMIT 1").fetchone()
    return "" if is_known else _NOTHING


def _result(rove: "Project", runs: Sequence[SyncRun], begun: datetime) -> SyncResult:
    store = ProjectStore.of(rove)
    with store.reading() as db:
        outbox = Outbox(db=db, store=store)
        waiting = outbox.listed("pending")
        conflicts = outbox.count("conflict")
    now, settings = rove.clock.now(), rove.settings.section(SYNC)
    soonest = now + timedelta(seconds=settings.retry_interval_seconds)
    return SyncResult(
        status=combined_status([each.status for each in runs]),
        items_created=sum(each.items_created for each in runs),
        items_updated=sum(each.items_updated for each in runs),
        items_deleted=sum(each.items_deleted for each in runs),
        items_unchanged=sum(each.items_unchanged for each in runs),
        changes_sent=sum(one.status == "synced" for each in runs for one in each.changes),
        changes_waiting=len(waiting),
        conflicts=conflicts,
        errors=tuple(error for each in runs for error in each.errors)[:_MOST_SHOWN],
        duration_ms=int((now - begun).total_seconds() * 1_000),
        retry_at=min((max(each.retry_at or now, soonest) for each in waiting), default=None),
    )


def _refuse_other(project_path: str | None, what: str) -> None:
    if project_path is not None:
        raise WrongCall(
            "a sync needs the accounts of the project that is open",
            hint=f"Run it there: cd {project_path} && rove sync {what}",
        )


RUN_OPERATIONS: Final = (
    Operation(
        sync_pull,
        changes=True,
        command="sync pull",
        group="Exchange changes with the trackers.",
        toolset=TICKETS,
        show=print_pull,
    ),
    Operation(
        sync_push,
        changes=True,
        command="sync push",
        toolset=TICKETS,
        show=print_push,
    ),
    Operation(
        sync_now,
        changes=True,
        command="sync now",
        toolset=TICKETS,
        every="1h",
        show=print_pull,
    ),
)
