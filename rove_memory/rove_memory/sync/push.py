"""Push the queue: read each item back before writing and after an unknown outcome."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from attrs import define, field, frozen

from rove_core import (
    Conflict,
    ItemNotFound,
    LoginNeeded,
    NewComment,
    NewWorkItem,
    RetryLater,
    RoveError,
    WorkItem,
    WrongCall,
)
from rove_memory.store import in_thread
from rove_memory.sync.fields import change_of, values_of
from rove_memory.sync.intake import GONE, ItemIntake
from rove_memory.sync.outbox import NOT_FOLLOWED, QueuedChange
from rove_memory.sync.snapshots import ItemSnapshot

if TYPE_CHECKING:
    from rove_memory.store import ProjectStore
    from rove_memory.sync.tracker import SyncTracker

#: How often an item is tried again within one push, when somebody else is faster.
_ROUNDS: Final = 5
_LONGEST_WAIT: Final = timedelta(hours=1)


@frozen(kw_only=True)
class PushOptions:
    """Options of a push.

    Attributes:
        debounce: Edits made so shortly ago wait, as others of the same item may follow.
        retry: How long after a failure an edit is tried again; longer after each further one.
        force: Whether edits that should wait are sent, too.
        only: The one item to be sent, by its id here; all without.
        account: Only the items of this account; those of all without.
    """

    debounce: timedelta = timedelta(seconds=5)
    retry: timedelta = timedelta(seconds=60)
    force: bool = False
    only: str = ""
    account: str = ""


@define
class PushReport:
    """The result of a push.

    Attributes:
        sent: How many changes arrived.
        created: How many of these are new items.
        gone: How many items were found to be gone.
        waiting: How many changes still wait.
        errors: What went wrong, a line each.
        tried: How many items were tried.
        failure: What kept the last item from being sent; None if nothing did.
    """

    sent: int = 0
    created: int = 0
    gone: int = 0
    waiting: int = 0
    errors: list[str] = field(factory=list)
    tried: int = 0
    failure: RoveError | None = None


@frozen(kw_only=True)
class SyncPush:
    """Sends what waits, one item after the other; only one process may do it at a time.

    Attributes:
        store: The store.
        tracker_of: Gives the tracker of an account; raises a RoveError if there is none.
        options: How it is done.
    """

    store: "ProjectStore"
    tracker_of: "Callable[[str], SyncTracker]"
    options: PushOptions

    async def run(self) -> PushReport:
        """Send all due changes, and return the report."""
        report = PushReport()
        before = await in_thread(self._count_synced)
        failed: set[str] = set()
        for item_id in await in_thread(self._due_items):
            account = await in_thread(partial(self._account, item_id))
            if self.options.account not in ("", account):
                continue
            report.tried += 1
            if account in failed:
                continue
            try:
                await _ItemPush(
                    store=self.store,
                    tracker=self.tracker_of(account),
                    item_id=item_id,
                    report=report,
                ).run()
            except RoveError as error:
                failed |= {account} if isinstance(error, RetryLater | LoginNeeded) else set()
                report.errors.append(error.message)
                report.failure = error
                await in_thread(partial(self._postpone, item_id, error))
        report.sent = await in_thread(self._count_synced) - before
        report.waiting = await in_thread(partial(self._count, "pending"))
        return report

    def _due_items(self) -> Sequence[str]:
        """Return the items that have something to send, those with the oldest edits first."""
        with self.store.reading() as db:
            waiting = ItemIntake(db, self.store).outbox.listed("pending")
        now = self.store.clock.now()
        due = [each.item_id for each in waiting if self._is_due(each, now)]
        return [each for each in dict.fromkeys(due) if self.options.only in ("", each)]

    def _is_due(self, change: QueuedChange, now: datetime) -> bool:
        if self.options.force:
            return True
        # A time that is still to come was written before the clock was put back.
        age = now - change.created_at
        is_quiet = age >= self.options.debounce or age < timedelta(0)
        wait = change.retry_at - now if change.retry_at else timedelta(0)
        return is_quiet and (wait <= timedelta(0) or wait > 2 * _LONGEST_WAIT)

    def _postpone(self, item_id: str, error: RoveError) -> None:
        with self.store.writing() as db:
            outbox = ItemIntake(db, self.store).outbox
            for change in outbox.of_item(item_id, "pending"):
                wait = min(self.options.retry * 2 ** min(change.attempts, 6), _LONGEST_WAIT)
                until = max(self.store.clock.now() + wait, error.retry_at or self.store.clock.now())
                outbox.postpone(change, error.message, until)

    def _account(self, item_id: str) -> str:
        with self.store.reading() as db:
            row = db.execute("SELECT account FROM external_items WHERE id = ?", [item_id])
            return str(row.fetchone()["account"])

    def _count_synced(self) -> int:
        return self._count("synced")

    def _count(self, status: Any) -> int:  # noqa: ANN401  # one of the statuses
        with self.store.reading() as db:
            return ItemIntake(db, self.store).outbox.count(status)


@define(kw_only=True)
class _ItemPush:
    """Sends what waits for one item."""

    store: "ProjectStore"
    tracker: "SyncTracker"
    item_id: str
    report: PushReport
    #: Whether each field is sent alone, to find the one that is refused.
    one_by_one: bool = False

    async def run(self) -> None:
        """Send the item itself if it is new, then its fields, then its comments in order."""
        try:
            await self._create()
            await self._fields()
            await self._comments()
        except ItemNotFound:
            await in_thread(self._lose)

    async def _create(self) -> None:
        for change in await in_thread(partial(self._waiting_changes, "create")):
            fields = change.value if isinstance(change.value, dict) else {}
            new = NewWorkItem(**fields, key=change.key)
            await in_thread(partial(self._mark, change))
            try:
                work = await self.tracker.create(new)
            except WrongCall as error:
                await in_thread(partial(self._refuse_all, error.message))
                return
            await in_thread(partial(self._finish_creation, change, work))
            self.report.created += 1

    async def _fields(self) -> None:
        rounds = 0
        while await in_thread(partial(self._waiting_changes, "field")):
            if rounds == _ROUNDS:
                raise Conflict(f"{self.item_id} keeps changing at the tracker")
            snapshot = await in_thread(self._snapshot)
            work = await self.tracker.item(snapshot.ref)
            batch = await in_thread(partial(self._prepare, work))
            if not batch:
                return
            values = {each.field: each.value for each in batch}
            try:
                after = await self.tracker.change(snapshot.ref, change_of(values, work.revision))
            except Conflict:
                rounds += 1
                await in_thread(partial(self._unsend, batch))
            except WrongCall as error:
                await in_thread(partial(self._refuse, batch, error.message))
            except (LoginNeeded, RetryLater) as error:
                if isinstance(error, LoginNeeded) or _is_undone(error):
                    await in_thread(partial(self._unsend, batch))
                raise
            else:
                await in_thread(partial(self._accept, batch, after))

    async def _comments(self) -> None:
        for change in await in_thread(partial(self._waiting_changes, "comment")):
            verdict = await in_thread(partial(self._may_follow, change))
            if not verdict:
                continue
            snapshot = await in_thread(self._snapshot)
            comment = NewComment(content=str(change.value), key=change.key)
            try:
                await self.tracker.comment(snapshot.ref, comment)
            except WrongCall as error:
                text = error.message
                await in_thread(partial(self._end, change, "failed", text))
            else:
                await in_thread(partial(self._end, change, "synced"))

    def _mark(self, change: QueuedChange) -> None:
        with self.store.writing() as db:
            ItemIntake(db, self.store).outbox.mark_sending(change, "")

    def _finish_creation(self, change: QueuedChange, work: WorkItem) -> None:
        with self.store.writing() as db:
            intake, values = ItemIntake(db, self.store), values_of(work)
            intake.outbox.settle(change, "synced")
            for edit in intake.to_send(self.item_id):
                # Who edited it before it was there saw no value of the tracker's.
                intake.outbox.mark_arrived(edit, values[edit.field])
            intake.take(work, item_id=self.item_id)

    def _prepare(self, work: WorkItem) -> Sequence[QueuedChange]:
        """Store the item, and mark the change as being sent."""
        with self.store.writing() as db:
            intake = ItemIntake(db, self.store)
            intake.take(work)
            batch = intake.to_send(self.item_id)
            batch = batch[:1] if self.one_by_one else batch
            for change in batch:
                intake.outbox.mark_sending(change, work.revision)
            return batch

    def _accept(self, batch: Sequence[QueuedChange], work: WorkItem) -> None:
        values = values_of(work)
        with self.store.writing() as db:
            intake = ItemIntake(db, self.store)
            for change in batch:
                latest = intake.outbox.latest(change)
                if latest and latest.id != change.id:
                    # Edited again while the request was on its way: that edit starts from here.
                    intake.outbox.mark_arrived(latest, values[change.field])
                elif latest:
                    intake.outbox.settle(change, "synced")
            intake.take(work)

    def _unsend(self, batch: Sequence[QueuedChange]) -> None:
        with self.store.writing() as db:
            outbox = ItemIntake(db, self.store).outbox
            for change in batch:
                outbox.mark_unsent(change)

    def _refuse(self, batch: Sequence[QueuedChange], reason: str) -> None:
        """Keep a refused edit as a dead letter; of several, find out which one it is."""
        self._unsend(batch)
        if len(batch) > 1:
            self.one_by_one = True
            return
        self._end(batch[0], "failed", reason)
        with self.store.writing() as db:
            ItemIntake(db, self.store).snapshots.show(self.item_id)

    def _refuse_all(self, reason: str) -> None:
        with self.store.writing() as db:
            outbox = ItemIntake(db, self.store).outbox
            for change in outbox.of_item(self.item_id, "pending"):
                outbox.settle(change, "failed", reason=reason)
        self.report.errors.append(reason)

    def _may_follow(self, change: QueuedChange) -> bool:
        """Return whether a comment may be sent; settle it if its change did not happen."""
        with self.store.writing() as db:
            outbox = ItemIntake(db, self.store).outbox
            first = outbox.find(change.after) if change.after else None
            if first is None or first.status == "synced":
                return True
            if first.status in ("failed", "canceled", "overruled"):
                outbox.settle(change, "failed", reason=NOT_FOLLOWED)
            return False

    def _end(self, change: QueuedChange, status: Any, reason: str | None = None) -> None:  # noqa: ANN401  # one of the statuses
        with self.store.writing() as db:
            outbox = ItemIntake(db, self.store).outbox
            if outbox.one(change.id).status == "pending":
                outbox.settle(change, status, reason=reason)
        if reason:
            self.report.errors.append(reason)

    def _lose(self) -> None:
        with self.store.writing() as db:
            intake = ItemIntake(db, self.store)
            snapshot = intake.snapshots.find(self.item_id)
            intake.lose(self.item_id)
        self.report.gone += 1
        name = snapshot.ref.id if snapshot else self.item_id
        self.report.errors.append(f"{name}: {GONE}; its edits are kept: rove sync conflicts")

    def _waiting_changes(self, kind: str) -> Sequence[QueuedChange]:
        with self.store.reading() as db:
            pending = ItemIntake(db, self.store).outbox.of_item(self.item_id, "pending")
        return [each for each in pending if each.change_type == kind]

    def _snapshot(self) -> ItemSnapshot:
        with self.store.reading() as db:
            found = ItemIntake(db, self.store).snapshots.find(self.item_id)
        if found is None:
            raise ItemNotFound(f"no item {self.item_id} is synced here")
        return found


def _is_undone(error: RetryLater) -> bool:
    """Return whether a request had no effect for certain.

    A time-out may be Rove's own, which does not know how far the request came.
    """
    from rove_core import RateLimited, TimedOut, Unavailable  # noqa: PLC0415  # only after a failure

    if isinstance(error, TimedOut):
        return False
    return isinstance(error, RateLimited | Unavailable) and not error.maybe_done
