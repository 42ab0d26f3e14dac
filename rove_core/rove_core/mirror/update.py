"""Update a mirror: changes first, then unfinished listings, then a check.

Whatever stops it, the next update continues from the last stored cursor.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from attrs import Factory, define, evolve, field, frozen

from rove_core.clock import Clock
from rove_core.errors import (
    ItemNotFound,
    LoginNeeded,
    PluginFailed,
    RateLimited,
    RoveError,
    ScopeMissing,
)
from rove_core.http.call_time import Patience, Stopwatch
from rove_core.items import ItemRef
from rove_core.listing import Container, ListedChange, ListScope
from rove_core.mirror.catch_up import MOST_CAUGHT_UP, beginning_of_catch_up
from rove_core.mirror.clock_faults import is_recent
from rove_core.mirror.container_listing import ContainerListing, filtered_change
from rove_core.mirror.copied_containers import CopiedContainer
from rove_core.mirror.failure_kinds import (
    OF_ACCOUNT,
    OF_ONE,
    concerns_account,
    reported_failure,
)
from rove_core.mirror.mirror import Mirror, check_owner
from rove_core.mirror.mirror_writer import MirrorWriter, ScopeChangedError
from rove_core.mirror.state import MirrorState
from rove_core.mirror.threads import in_thread
from rove_core.mirror.unconfirmed_items import unconfirmed_items
from rove_core.mirror.unread import items_to_read
from rove_core.mirror.update_limits import UpdateLimits, ignore_wait, is_own_deadline
from rove_core.plugins.accounts import Accounts

#: How often a whole container is listed again to find deletions that its vendor does not report.
CHECK_EVERY: Final = timedelta(days=7)
#: How often to query what an account may still read, even if its vendor lists everything.
LOOK_EVERY: Final = timedelta(days=1)

#: Items requested per listing.
_LISTED: Final = 500
_EVERYTHING: Final = 10_000_000
_COMPLETED: Final = 50
#: Maximum items that an update for a build reads because they were just listed in part.
_COMPLETED_FOR_A_BUILD: Final = 5

#: After so many failures, other than missing containers, the rest fails as well: the next update
#: begins with the rest.
_MOST_FAILURES: Final = 3


@frozen(kw_only=True)
class MirrorUpdated:
    """The result of an update.

    Attributes:
        changes: The number of changes stored.
        gone: The number of items that a check found gone.
        lost: The containers that may no longer be read; they were removed.
        failure: Why it stopped early.
        busy: Whether another process was already updating it.
    """

    changes: int = 0
    gone: int = 0
    lost: tuple[str, ...] = ()
    failure: RoveError | None = None
    busy: bool = False


async def update_mirror(
    mirror: Mirror, accounts: Accounts, clock: Clock, limits: UpdateLimits
) -> MirrorUpdated:
    """Update a mirror within some limits.

    Args:
        mirror: The mirror; one that is not running is left alone.
        accounts: The accounts to query.
        clock: The clock.
        limits: The limits of the update.
    """
    lock = mirror.update_lock()
    if not lock.try_acquire():
        return MirrorUpdated(busy=True)
    try:
        state = await in_thread(mirror.state)
        if state is None or not state.running:
            return MirrorUpdated()
        with mirror.writing() as writer:
            update = _Update(
                writer=writer, accounts=accounts, clock=clock, limits=limits, state=state
            )
            return await update.run()
    finally:
        if mirror.is_dropped:
            await in_thread(mirror.remove_files)
        lock.release()


@define(eq=False, kw_only=True)
class _Update:
    """One update of one mirror."""

    writer: MirrorWriter
    accounts: Accounts
    clock: Clock
    limits: UpdateLimits
    state: MirrorState
    _began: float = field(
        init=False, default=Factory(lambda self: self.clock.monotonic(), takes_self=True)
    )
    _changes: int = field(default=0, init=False)
    _gone: int = field(default=0, init=False)
    _lost: Sequence[str] = field(default=(), init=False)
    _failures: list[RoveError] = field(factory=list, init=False)
    _is_reached: bool = field(default=False, init=False)
    _readable: Sequence[Container] | None = field(default=None, init=False)
    _readable_total: int = field(default=0, init=False)
    _in_part: list[ItemRef] = field(factory=list, init=False)

    async def run(self) -> MirrorUpdated:
        """Update as far as the limits allow; what was stored before a failure stays."""
        await in_thread(self.writer.correct_times, self.clock.now())
        try:
            with self._patience().working():
                await self._follow_scope()
        except RoveError as error:
            self._failures.append(error)
        now, failure = self.clock.now(), reported_failure(self._account, self._failures)
        await self._remember(failure, now)
        if self.limits.thorough:
            await in_thread(self.writer.trim, now)
            await in_thread(self.writer.count_words, now)
        await in_thread(self.writer.erase_old_words, now)
        return MirrorUpdated(
            changes=self._changes, gone=self._gone, lost=tuple(self._lost), failure=failure
        )

    async def _remember(self, failure: RoveError | None, now: datetime) -> None:
        """Record a failure that all requests have in common; a limit will be lifted by itself."""
        if isinstance(failure, RateLimited):
            return
        is_reached = self._is_reached or not self.limits.thorough
        is_common = concerns_account(failure, is_reached=is_reached)
        if is_common or self.state.failure:
            common = failure if is_common else None
            await in_thread(self.writer.remember_update, common, now)

    async def _follow_scope(self) -> None:
        """Update the scope; begin again with the new one if a person chooses another."""
        while self._remaining_seconds() > 0:
            state = await in_thread(self.writer.mirror.state)
            if state is None or not state.running:
                return
            self.state, self._readable = state, None
            self.writer = evolve(self.writer, generation=state.generation)
            try:
                await self._all()
            except ScopeChangedError:
                continue
            return

    async def _all(self) -> None:
        self.accounts.check_filters()
        await in_thread(self.writer.mirror.save_scope, self.state.scope)
        if not self.limits.thorough:
            if not await self._catch_up():
                await self._list_all(first=False)
                await self._attempt(self._complete_listed())
            return
        if not is_recent(self.state.looked_at, self.clock.now(), LOOK_EVERY):
            await self._attempt(self._forget_unreadable())
        await self._list_all(first=False)
        if any(not each.is_searchable for each in self._containers()):
            # What is searched already shall be whole before a first copy, which may take hours.
            await self._each(self._complete, [*filter(_is_searchable, self._by_check())])
            await self._list_all(first=True)
        await self._each(self._complete, self._by_check())
        await self._each(self._check, self._by_check())

    async def _each(
        self,
        work: Callable[[CopiedContainer], Awaitable[None]],
        containers: Sequence[CopiedContainer],
    ) -> None:
        """Work on each container; the failure of one delays no other."""
        count = 0
        for container in containers:
            error = await self._attempt(work(container))
            if error:
                await self._note(container, error)
                count += 1
            if count >= _MOST_FAILURES or isinstance(error, OF_ACCOUNT):
                return

    async def _attempt(self, work: Awaitable[None]) -> RoveError | None:
        """Do some work; return its failure unless it is one of this machine."""
        try:
            await work
        except (LoginNeeded, RateLimited, *OF_ONE) as error:
            is_own = is_own_deadline(error, self._remaining_seconds())
            if is_own and (self._is_reached or self._changes):
                return None  # The update's own time is over; the vendor was not slow.
            self._failures.append(error)
            return error
        return None

    async def _note(self, container: CopiedContainer, error: RoveError) -> None:
        """Record a failure for people; a build has so little time that its failures say little."""
        if self.limits.thorough and not isinstance(error, OF_ACCOUNT):
            await in_thread(self.writer.note_failure, container.name, error.message)

    async def _catch_up(self) -> bool:
        """List the recent changes of all containers at once; return whether that was possible."""
        began = self.clock.now()
        since = beginning_of_catch_up(self.state, began)
        if since is None or not self.accounts.can(self._account, "rove_list_recent"):
            return False
        changes = list[ListedChange]()
        scope = self._scope(self.state.searchable, since, limit=MOST_CAUGHT_UP)
        listing = self.accounts.list_changes(
            scope, deadline=self._remaining_seconds(), hook="rove_list_recent"
        )
        try:
            async with aclosing(listing) as found:
                async for change in found:
                    changes.append(filtered_change(self.accounts, self._account, change))
        except (ItemNotFound, PluginFailed, ScopeMissing):
            return False  # The listings will show which container or item it is.
        finally:
            await self._store_recent(changes, began)
        if len(changes) < MOST_CAUGHT_UP:
            await in_thread(self.writer.end_catch_up, began)
            return True
        return False

    async def _store_recent(self, changes: Sequence[ListedChange], began: datetime) -> None:
        """Store what a catch-up brought, also if it was interrupted: each change is whole."""
        for container in filter(_is_searchable, self.state.containers):
            if own := [each for each in changes if each.container == container.name]:
                store = partial(self.writer.store_changes, cursor="", is_check=False, now=began)
                await in_thread(store, container.name, own)
                self._changes += sum(bool(each.item or each.gone) for each in own)

    def _by_check(self) -> Sequence[CopiedContainer]:
        """Return the current containers, the one whose last check began first at the front."""
        return sorted(self._containers(), key=lambda each: each.check_turn)

    def _containers(self) -> Sequence[CopiedContainer]:
        self.state = self.writer.mirror.state() or self.state
        return self.state.containers

    async def _list_all(self, *, first: bool) -> None:
        """List the changes of containers; remove those that can no longer be read.

        Args:
            first: Whether those are meant of which no copy was completed yet, or the others.
        """
        missing: dict[str, ItemNotFound] = {}

        async def work(container: CopiedContainer) -> None:
            try:
                await self._list(container)
            except ItemNotFound as error:
                missing[container.name] = error

        by_turn = sorted(self._containers(), key=lambda each: each.turn)
        await self._each(work, [each for each in by_turn if each.is_searchable != first])
        if missing:
            await self._attempt(self._forget_unreadable())
        left = [each for each in self._containers() if each.name in missing]
        for container in left:
            self._failures.append(missing[container.name])
            await self._note(container, missing[container.name])

    async def _forget_unreadable(self) -> None:
        """Query what the account may read, and remove the rest."""
        if self.accounts.can(self._account, "rove_containers"):
            readable, now = await self._ask_readable(), self.clock.now()
            keep = partial(self.writer.keep_readable, total=self._readable_total)
            lost = await in_thread(keep, readable, now)
            self._lost = (*self._lost, *lost)

    async def _ask_readable(self) -> Sequence[Container]:
        """Return what the account may read, queried once per update."""
        if self._readable is None:
            names = self.state.scope.containers
            found = await self.accounts.readable(self._account, names)
            readable, self._readable_total = found.containers, found.total
            is_some_lost = not {*names} <= {each.name for each in readable}
            if is_some_lost and self.accounts.can(self._account, "rove_identity"):
                # Some vendors answer a login that has lapsed with fewer containers, without error.
                check_owner(self.state.owner, await self.accounts.identity(self._account))
            self._readable = readable
        return self._readable

    async def _list(self, container: CopiedContainer) -> None:
        """List the changes of a container, then those made while it was listed in parts."""
        listing = self._listing(container, is_check=False)
        await in_thread(self.writer.take_turn, container.name, is_check=False)
        is_whole = await self._reach_end(container, listing)
        if is_whole:
            await in_thread(self.writer.end_listing, container.name, listing.began)
        if listing.failures:
            raise listing.failures[0]
        if is_whole and container.began_at and self._remaining_seconds() > 0:
            (again,) = (each for each in self._containers() if each.name == container.name)
            await self._list(again)

    async def _check(self, container: CopiedContainer) -> None:
        """List a container again and remove items that are no longer listed."""
        now, checked = self.clock.now(), container.checked_at
        if container.check_cursor is None:
            if checked is None or is_recent(checked, now, CHECK_EVERY):
                return
            # What the mirror no longer keeps is not listed again.
            begins = (container.since, self.state.begins(now))
            since = max(filter(None, begins), default=None)
            await in_thread(self.writer.begin_check, container.name, since)
            container = evolve(container, check_since=since)
        listing = self._listing(container, is_check=True)
        await in_thread(self.writer.take_turn, container.name, is_check=True)
        if await self._reach_end(container, listing):
            self._gone += await in_thread(self.writer.end_check, container.name, self.clock.now())
        if listing.failures:
            raise listing.failures[0]

    async def _reach_end(self, container: CopiedContainer, listing: ContainerListing) -> bool:
        """List a container while time allows; return whether it was completed."""
        limit = _LISTED
        try:
            while self._remaining_seconds() > 0:
                await in_thread(self.writer.check_scope)
                cursor = listing.cursor
                since = container.check_since if listing.is_check else container.since
                scope = self._scope((container.name,), since, cursor=cursor, limit=limit)
                if not listing.is_check:
                    known = (self.writer.db, self._account, container.name)
                    also = await in_thread(unconfirmed_items, *known)
                    scope = evolve(scope, unconfirmed=also)
                listed = await listing.run(scope, deadline=self._remaining_seconds())
                self._is_reached = True
                if listed < limit:
                    return True
                # A source that gives no cursor midway must list everything at once.
                limit = _LISTED if listing.cursor != cursor else _EVERYTHING
        finally:
            self._changes += listing.changes
            self._in_part += listing.in_part
        return False

    def _listing(self, container: CopiedContainer, *, is_check: bool) -> ContainerListing:
        return ContainerListing(
            writer=self.writer,
            accounts=self.accounts,
            clock=self.clock,
            container=container.name,
            is_check=is_check,
            cursor=(container.check_cursor or "") if is_check else container.cursor,
            began=self.clock.now(),
        )

    def _scope(
        self, names: tuple[str, ...], since: datetime | None, *, limit: int, cursor: str = ""
    ) -> ListScope:
        return ListScope(
            account=self._account,
            containers=names,
            since=since,
            cursor=cursor,
            limit=limit,
            readable=self._ask_readable,
            now=self.clock.now(),
        )

    async def _complete(self, container: CopiedContainer) -> None:
        """Read partly listed items in full, newest first; those that fail come last."""
        if not self.accounts.can(self._account, "rove_item_detail"):
            return
        failures = 0
        while self._remaining_seconds() > 0:
            now = self.clock.now()
            refs = await in_thread(
                items_to_read, self.writer.db, self._account, container.name, _COMPLETED, now
            )
            for ref in refs:
                if self._remaining_seconds() <= 0:
                    return
                try:
                    await self._complete_one(ref)
                except RoveError as error:
                    await in_thread(self.writer.put_off, container.name, ref, now)
                    failures += 1
                    if failures >= _MOST_FAILURES or not isinstance(error, OF_ONE):
                        raise
                    self._failures.append(error)
            if not refs:
                return

    async def _complete_listed(self) -> None:
        """Read the newest items in full that this update listed in part.

        A build finds by its words what was just said below them.
        """
        if self.accounts.can(self._account, "rove_item_detail"):
            for ref in self._in_part[:_COMPLETED_FOR_A_BUILD]:
                if self._remaining_seconds() > 0:
                    await self._complete_one(ref)

    async def _complete_one(self, ref: ItemRef) -> None:
        try:
            whole = await self.accounts.item_detail(ref, deadline=self._remaining_seconds())
            change = ListedChange(item=whole, whole=True)
            change = filtered_change(self.accounts, self._account, change)
        except ItemNotFound:
            change = ListedChange(gone=ref)
        await in_thread(self.writer.complete, ref.id, change)
        self._changes += 1

    @property
    def _account(self) -> str:
        return self.writer.mirror.account

    def _remaining_seconds(self) -> float:
        return self.limits.seconds - (self.clock.monotonic() - self._began)

    def _patience(self) -> Patience:
        return Patience(
            work=Stopwatch(self.clock),
            waits=Stopwatch(self.clock),
            longest=self.limits.wait,
            share=self.limits.share,
            keeps_replies=False,
            report=ignore_wait,
        )


def _is_searchable(container: CopiedContainer) -> bool:
    return container.is_searchable
