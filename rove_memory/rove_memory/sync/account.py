"""Sync one account with this project's memory, one process at a time, with a log."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import ItemNotFound, ItemRef, Locked, RoveError
from rove_memory.criteria.text_reader import read_automatically
from rove_memory.settings import SYNC, SyncSettings
from rove_memory.store import ProjectStore, in_thread
from rove_memory.store.values import json_text
from rove_memory.sync.criteria_comment import queue_criteria
from rove_memory.sync.intake import Effect, ItemIntake
from rove_memory.sync.log import SyncLog
from rove_memory.sync.model import RunStatus, SyncRun
from rove_memory.sync.pull import PullReport, SyncPull
from rove_memory.sync.push import PushOptions, PushReport, SyncPush
from rove_memory.sync.sprints import are_sprints_old, store_sprints
from rove_memory.sync.tracker import AccountTracker, trackers_of
from rove_memory.tickets.table import TicketInfo, mark_gone, require_ticket

if TYPE_CHECKING:
    from rove_core import Iteration, Project

#: How long a person waits for another process that syncs the same account.
PATIENCE: Final = 30.0
#: What is listed is asked for one by one this seldom, to find what its tracker does not tell.
_LISTED_FOR: Final = timedelta(days=1)
#: Beside a listing few are enough: all that is listed is looked at in turn.
_CHECKED_LISTED: Final = 20
_EVERYTHING: Final = 1_000_000
_PAUSE: Final = 0.1
_MOST_ERRORS: Final = 20


@frozen(kw_only=True)
class AccountSync:
    """Pulls and pushes one account of an open project.

    Attributes:
        rove: The project.
        account: The account; it keeps work items.
        patience: How many seconds to wait while another process is at it.
        checked: How many known tickets are asked for one by one at most, where none are listed.
    """

    rove: "Project"
    account: str
    patience: float = PATIENCE
    checked: int = 100

    async def pull(
        self, *, full: bool, types: Sequence[str] = (), tickets: Mapping[ItemRef, TicketInfo]
    ) -> SyncRun:
        """Pull changes, and read known tickets for the first time; log the run.

        Args:
            full: Whether everything is listed and asked for anew.
            types: The types of items to keep; those of the settings unless given.
            tickets: Tickets of the account that are no items of the sync yet, by their references.
        """
        async with self.locked():
            begun, types = self.rove.clock.now(), tuple(types or self._settings.pull_item_types)
            report = await self._pull(types, full=full).run()
            for ref, ticket in tickets.items():
                await self._adopt(report, ref, ticket)
            if "sprint" in types:
                await self._read_sprints(report, full=full)
            effects = report.effects
            changed = sum(effects.values())
            run = SyncRun(
                direction="pull",
                account=self.account,
                started_at=begun,
                status=_status(report.errors, some=changed > 0),
                items_created=effects["created"],
                items_updated=effects["updated"],
                items_deleted=effects["deleted"],
                items_unchanged=effects["unchanged"],
                errors=tuple(report.errors[:_MOST_ERRORS]),
                duration_ms=self._duration(begun),
            )
            await self._log(run)
            return run

    async def push(self, *, force: bool) -> SyncRun:
        """Send what waits for the account; log it if there was anything.

        Args:
            force: Whether edits that should wait are sent, too.
        """
        async with self.locked():
            begun = self.rove.clock.now()
            if self._settings.push_criteria:
                await in_thread(self._queue_criteria)
            report = await self._push(force=force).run()
            return await in_thread(partial(self._log_push, report, begun))

    async def send_item(self, item_id: str) -> RoveError | None:
        """Send an item's waiting edits, and return the error that stopped them; log the run.

        The caller holds the lock (see :meth:`locked`).

        Args:
            item_id: The item, by its id here.
        """
        begun = self.rove.clock.now()
        report = await self._push(force=True, only=item_id).run()
        await in_thread(partial(self._log_push, report, begun))
        return report.failure

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Keep other processes from syncing this account of this project.

        Raises:
            Locked: Another one is at it for longer than one waits.
        """
        clock = self.rove.clock
        lock = await in_thread(lambda: self._store.lock(f"sync-{self.account}"))
        end = clock.monotonic() + self.patience
        while not lock.try_acquire():
            if clock.monotonic() >= end:
                raise Locked(
                    f"{self.account} is being synced by another process",
                    hint="Try again in a moment. See how it went with: rove sync log",
                )
            await clock.sleep(_PAUSE)
        try:
            yield
        finally:
            lock.release()

    @property
    def containers(self) -> tuple[str, ...]:
        """The containers listed in this account."""
        parts = (each.partition("/") for each in self._settings.containers)
        return tuple(name for account, _, name in parts if account == self.account and name)

    @property
    def _settings(self) -> SyncSettings:
        return self.rove.settings.section(SYNC)

    @property
    def _store(self) -> ProjectStore:
        return ProjectStore.of(self.rove)

    def _tracker(self, types: Sequence[str] = ()) -> AccountTracker:
        return AccountTracker(
            rove=self.rove, account=self.account, containers=self.containers, types=tuple(types)
        )

    def _push(self, *, force: bool, only: str = "") -> SyncPush:
        settings = self._settings
        options = PushOptions(
            debounce=timedelta(seconds=settings.push_debounce_seconds),
            retry=timedelta(seconds=settings.retry_interval_seconds),
            force=force,
            only=only,
            account=self.account,
        )
        return SyncPush(store=self._store, tracker_of=lambda _: self._tracker(), options=options)

    def _pull(self, types: Sequence[str], *, full: bool) -> SyncPull:
        listed, settings = self.containers, self._settings
        threshold = timedelta(seconds=settings.auto_pull_threshold_seconds)
        few = _CHECKED_LISTED if listed else self.checked
        return SyncPull(
            store=self._store,
            account=self.account,
            tracker=self._tracker(types),
            scope=json_text([sorted(listed), sorted(types)]),
            full=full,
            checked=_EVERYTHING if full else few,
            unread_for=_LISTED_FOR if listed else threshold,
            on_change=self._read_criteria,
        )

    def _queue_criteria(self) -> None:
        with self._store.writing() as db:
            queue_criteria(db, self._store, self.account)

    def _read_criteria(self, intake: ItemIntake, item_id: str) -> None:
        ticket = require_ticket(intake.db, item_id)
        read_automatically(intake.db, self._store, ticket, self.rove.settings)

    async def _adopt(self, report: PullReport, ref: ItemRef, ticket: TicketInfo) -> None:
        """Read a ticket that was known by name only, and sync it from then on."""
        try:
            work = await trackers_of(self.rove).item(ref)
        except ItemNotFound as error:
            await in_thread(partial(self._lose, report, ticket, error.message))
            return
        except RoveError as error:
            report.errors.append(f"{ticket.identifier}: {error.message}")
            return

        def keep() -> None:
            with self._store.writing() as db:
                intake = ItemIntake(db, self._store)
                intake.take(work)
                if snapshot := intake.snapshots.of_ref(work.ref):
                    self._read_criteria(intake, snapshot.item_id)
            effect: Effect = "unchanged" if ticket.updated_at == work.updated else "updated"
            report.effects[effect if ticket.account else "created"] += 1

        await in_thread(keep)

    async def _read_sprints(self, report: PullReport, *, full: bool) -> None:
        """Read the sprints of the listed containers, unless that was done shortly ago."""
        trackers, now = trackers_of(self.rove), self.rove.clock.now()
        if not trackers.can(self.account, "rove_iterations"):
            return

        def old() -> Sequence[str]:
            with self._store.reading() as db:
                return [
                    each
                    for each in self.containers
                    if full or are_sprints_old(db, self.account, each, now)
                ]

        for container in await in_thread(old):
            try:
                found = await trackers.iterations(self.account, container)
            except RoveError as error:
                report.errors.append(f"{self.account}: sprints of {container}: {error.message}")
                continue
            await in_thread(partial(self._keep_sprints, container, found, now))

    def _keep_sprints(self, container: str, sprints: "Sequence[Iteration]", now: datetime) -> None:
        with self._store.writing() as db:
            store_sprints(db, self.account, container, sprints, now)

    def _lose(self, report: PullReport, ticket: TicketInfo, reason: str) -> None:
        # A name that no tracker ever confirmed is no ticket that is gone.
        if not ticket.account:
            report.errors.append(reason)
            return
        with self._store.writing() as db:
            mark_gone(db, self._store, ticket)
        report.effects["deleted"] += 1

    def _log_push(self, report: PushReport, begun: datetime) -> SyncRun:
        """Log a push with the edits that it settled, and return it."""
        with self._store.reading() as db:
            changes = SyncLog(db, self._store).changes(
                "synced",
                "failed",
                "conflict",
                "overruled",
                account=self.account,
                settled_since=begun,
            )
        sent = sum(each.status == "synced" for each in changes)
        run = SyncRun(
            direction="push",
            account=self.account,
            started_at=begun,
            status=_status(report.errors, some=sent > 0),
            items_created=report.created,
            items_updated=sent - report.created,
            items_deleted=report.gone,
            errors=tuple(report.errors[:_MOST_ERRORS]),
            duration_ms=self._duration(begun),
            changes=changes,
        )
        if report.tried:
            with self._store.writing() as db:
                SyncLog(db, self._store).add(run)
        return run

    async def _log(self, run: SyncRun) -> None:
        def write() -> None:
            with self._store.writing() as db:
                SyncLog(db, self._store).add(run)

        await in_thread(write)

    def _duration(self, begun: datetime) -> int:
        return int((self.rove.clock.now() - begun).total_seconds() * 1_000)


def tracker_accounts(rove: "Project") -> tuple[str, ...]:
    """Return the accounts in use that keep work items."""
    trackers = trackers_of(rove)
    return tuple(name for name in rove.accounts.names if trackers.can(name))


def recognised(rove: "Project", ticket: TicketInfo) -> ItemRef | None:
    """Return the reference of a known ticket; None if no account in use recognises it."""
    # A tracker whose ids are plain numbers recognises its address alone.
    found = [
        ref for text in (ticket.identifier, ticket.url) for ref in rove.accounts.recognise(text)
    ]
    return next((ref for ref in found if ticket.account in ("", ref.account)), None)


def _status(errors: Sequence[str], *, some: bool) -> RunStatus:
    if not errors:
        return "success"
    return "partial" if some else "failed"
