"""Pull changes: list from a cursor, and read known items one by one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from attrs import define, field, frozen

from rove_core import (
    ItemNotFound,
    ItemRef,
    LoginNeeded,
    PluginFailed,
    RetryLater,
    RoveError,
    WorkItem,
)
from rove_memory.store import in_thread
from rove_memory.store.values import time_text
from rove_memory.sync.intake import Effect, ItemIntake
from rove_memory.sync.snapshots import ItemSnapshot

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from rove_memory.store import ProjectStore
    from rove_memory.sync.tracker import ChangePage, SyncTracker

#: If so many items that were asked for are all gone, the login is to blame rather than a person.
_SUSPICIOUS: Final = 10


@define
class PullReport:
    """The result of a pull.

    Attributes:
        effects: How many items were created, updated, deleted or unchanged here.
        errors: What went wrong, a line each.
    """

    effects: Counter[Effect] = field(factory=Counter)
    errors: list[str] = field(factory=list)


@frozen(kw_only=True)
class SyncPull:
    """Reads one account; only one process may do it at a time.

    Attributes:
        store: The store.
        account: The account.
        tracker: The account's tracker.
        scope: What its listing is bound to: a cursor of another scope means nothing.
        full: Whether everything is listed and asked for anew.
        checked: How many known items are asked for at most, to find out what is gone.
        unread_for: Items that were read so shortly ago are not asked for.
        on_change: Called in the transaction with the id of each item that changed.
    """

    store: "ProjectStore"
    account: str
    tracker: "SyncTracker"
    scope: str = ""
    full: bool = False
    checked: int = 100
    unread_for: timedelta = timedelta(0)
    on_change: "Callable[[ItemIntake, str], None]" = lambda *_: None

    async def run(self) -> PullReport:
        """List changes, check known items, and return the report."""
        report, begun = PullReport(), self.store.clock.now()
        if await in_thread(self._is_new_item_unanswered):
            report.errors.append(
                f"{self.account}: nothing is read until it is known whether a new item was created"
            )
            return report
        try:
            await self._list(report)
            await self._check(report, begun)
        except ItemNotFound as error:
            report.errors.append(f"{self.account}: {error.message}")
        except RoveError as error:
            report.errors.append(f"{self.account}: {error.message}")
        return report

    async def _list(self, report: PullReport) -> None:
        cursor = "" if self.full else await in_thread(self._cursor)
        listed = cast("AsyncGenerator[ChangePage, None]", self.tracker.changes(cursor))
        async with aclosing(listed) as pages:
            async for page in pages:
                doubtful = await in_thread(partial(self._doubtful, page))
                read = await self._read_all(report, doubtful, is_listing=True)
                await in_thread(partial(self._keep, report, page, doubtful, read))

    async def _check(self, report: PullReport, begun: datetime) -> None:
        """Read known items, since listings need not report deletions."""
        items = await in_thread(partial(self._items_to_check, begun))
        read = await self._read_all(report, [each.ref for each in items])
        lost = sum(work is None for work in read.values())
        if lost >= _SUSPICIOUS and lost == len(read):
            raise PluginFailed(
                f"all {lost} requested items are gone: result ignored",
                hint="Check what this login can read: rove sources list",
            )

        def keep() -> None:
            with self.store.writing() as db:
                intake = ItemIntake(db, self.store)
                for ref, work in read.items():
                    self._settle(report, intake, ref, work)

        await in_thread(keep)

    async def _read_all(
        self, report: PullReport, refs: Sequence[ItemRef], *, is_listing: bool = False
    ) -> dict[ItemRef, WorkItem | None]:
        """Return the items that can be read, None for missing ones; one that fails comes later.

        Args:
            report: The report of the pull.
            refs: The items.
            is_listing: Whether a failure that may pass, like a lost connection, ends the pull: the
                listing then goes on from its last cursor. Else the rest is read by the next pull.
        """
        read: dict[ItemRef, WorkItem | None] = {}
        for ref in refs:
            try:
                read[ref] = await self._read(ref)
            except RoveError as error:
                await in_thread(partial(self._put_off, ref))
                is_of_account = isinstance(error, RetryLater | LoginNeeded)
                if is_listing and is_of_account:
                    raise
                report.errors.append(f"{ref.id}: {error.message}")
                if is_of_account:
                    break
        return read

    def _put_off(self, ref: ItemRef) -> None:
        with self.store.writing() as db:
            ItemIntake(db, self.store).snapshots.put_off(ref)

    async def _read(self, ref: ItemRef) -> WorkItem | None:
        try:
            return await self.tracker.item(ref)
        except ItemNotFound:
            return None

    def _doubtful(self, page: "ChangePage") -> Sequence[ItemRef]:
        with self.store.reading() as db:
            intake = ItemIntake(db, self.store)
            listed = [work.ref for work in page.items if intake.is_doubtful(work)]
            gone = [ref for ref in page.gone if intake.snapshots.of_ref(ref)]
        return list(dict.fromkeys([*listed, *gone]))

    def _keep(
        self,
        report: PullReport,
        page: "ChangePage",
        doubtful: Sequence[ItemRef],
        read: Mapping[ItemRef, WorkItem | None],
    ) -> None:
        """Store a page and its cursor in one transaction."""
        with self.store.writing() as db:
            intake = ItemIntake(db, self.store)
            for work in page.items:
                if work.ref not in doubtful:
                    self._count(report, intake, work.ref, intake.take_listed(work, full=self.full))
            for ref, work_now in read.items():
                self._settle(report, intake, ref, work_now)
            if page.cursor:
                db.execute(
                    "INSERT OR REPLACE INTO sync_cursors (account, containers, cursor) "
                    "VALUES (?, ?, ?)",
                    [self.account, self.scope, page.cursor],
                )

    def _settle(
        self, report: PullReport, intake: ItemIntake, ref: ItemRef, work: WorkItem | None
    ) -> None:
        if work is not None:
            self._count(report, intake, work.ref, intake.take(work))
            return
        snapshot = intake.snapshots.of_ref(ref)
        if snapshot and not snapshot.gone:
            intake.lose(snapshot.item_id)
            report.effects["deleted"] += 1

    def _count(self, report: PullReport, intake: ItemIntake, ref: ItemRef, effect: Effect) -> None:
        report.effects[effect] += 1
        snapshot = intake.snapshots.of_ref(ref) if effect in ("created", "updated") else None
        if snapshot:
            self.on_change(intake, snapshot.item_id)

    def _items_to_check(self, begun: datetime) -> Sequence[ItemSnapshot]:
        # What was listed just now was read after the beginning.
        before = begun if self.full else begun - self.unread_for
        with self.store.reading() as db:
            snapshots = ItemIntake(db, self.store).snapshots
            return snapshots.unchecked(
                self.account, before=time_text(before), now=self.store.now(), most=self.checked
            )

    def _cursor(self) -> str:
        with self.store.reading() as db:
            row = db.execute(
                "SELECT cursor FROM sync_cursors WHERE account = ? AND containers = ?",
                [self.account, self.scope],
            ).fetchone()
        return str(row["cursor"]) if row else ""

    def _is_new_item_unanswered(self) -> bool:
        with self.store.reading() as db:
            row = db.execute(
                "SELECT 1 FROM pending_changes c JOIN external_items e "
                "ON e.id = c.external_item_id WHERE c.change_type = 'create' "
                "AND c.status = 'pending' AND c.unanswered <> '[]' AND e.account = ? LIMIT 1",
                [self.account],
            ).fetchone()
        return row is not None
