"""Update a mirror: changes first, then unfinished listings, then a check.

Whatever stops it, the next update continues from the last stored cursor.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from typing import Final

from attrs import define, evolve, field, frozen

from rove_core.clock import Clock
from rove_core.errors import ItemNotFound, RateLimited, RoveError, ScopeMissing
from rove_core.http.call_time import Patience, Stopwatch
from rove_core.items import ContextItem
from rove_core.listing import Container, ListedChange, ListScope
from rove_core.mirror.catch_up import MOST_CAUGHT_UP, beginning_of_catch_up
from rove_core.mirror.copies import incomplete_copies
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.mirror_writer import MirrorWriter
from rove_core.mirror.state import CopiedContainer, MirrorState
from rove_core.plugins.accounts import Accounts

#: How often a whole container is listed again to find deletions that its vendor does not report.
CHECK_EVERY: Final = timedelta(days=7)
#: How often to query what an account may still read, even if its vendor lists everything.
LOOK_EVERY: Final = timedelta(days=1)

#: Items requested per listing, and changes stored at once.
_LISTED: Final = 500
_EVERYTHING: Final = 10_000_000
_STORED: Final = 200
_COMPLETED: Final = 50

_NEVER: Final = datetime.min.replace(tzinfo=UTC)
_LOG: Final = logging.getLogger("rove.mirror")


@frozen(kw_only=True)
class UpdateLimits:
    """Limits of an update.

    Attributes:
        seconds: Maximum duration.
        share: The part of each vendor limit that it may use.
        wait: The longest wait for such a limit, in seconds.
        thorough: Whether to check which containers are readable, complete and check items, and
            free space; otherwise only changes are listed.
    """

    seconds: float
    share: float = 0.5
    wait: float = 0.0
    thorough: bool = True


#: For a build, which waits: only changes.
FOR_A_BUILD: Final = UpdateLimits(seconds=3.0, share=0.9, thorough=False)
#: For a run of the server: at most half of each limit. It waits for limits, because a listing that
#: is interrupted between two cursors begins again at the first one.
IN_BACKGROUND: Final = UpdateLimits(seconds=240.0, wait=65.0)
#: For a person who starts or updates a mirror and waits.
FOR_A_PERSON: Final = UpdateLimits(seconds=60.0, share=0.8, wait=30.0)


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
        state = await asyncio.to_thread(mirror.state)
        if state is None or not state.running:
            return MirrorUpdated()
        with mirror.writing() as writer:
            update = _Update(
                writer=writer, accounts=accounts, clock=clock, limits=limits, state=state
            )
            return await update.run()
    finally:
        lock.release()


@define(eq=False, kw_only=True)
class _Update:
    """One update of one mirror."""

    writer: MirrorWriter
    accounts: Accounts
    clock: Clock
    limits: UpdateLimits
    state: MirrorState
    _began: float = field(init=False)
    _changes: int = field(default=0, init=False)
    _gone: int = field(default=0, init=False)
    _lost: Sequence[str] = field(default=(), init=False)
    _readable: Sequence[Container] | None = field(default=None, init=False)

    @_began.default
    def _now(self) -> float:
        return self.clock.monotonic()

    async def run(self) -> MirrorUpdated:
        """Update as far as the limits allow; a failure ends it but keeps what was stored."""
        failure: RoveError | None = None
        try:
            with self._patience().working():
                await self._all()
        except RoveError as error:
            failure = error
            if not isinstance(error, RateLimited):
                _LOG.info("the mirror of %s is out of date: %s", self._account, error.message)
        if self.limits.thorough:
            now = self.clock.now()
            await asyncio.to_thread(self.writer.trim, now)
            await asyncio.to_thread(self.writer.count_words, now)
        return MirrorUpdated(
            changes=self._changes, gone=self._gone, lost=tuple(self._lost), failure=failure
        )

    async def _all(self) -> None:
        if not self.limits.thorough and await self._catch_up():
            return
        looked = self.state.looked_at
        if self.limits.thorough and not (looked and self.clock.now() - looked < LOOK_EVERY):
            await self._forget_unreadable()
        await self._list_all()
        if self.limits.thorough:
            for container in self._containers_due():
                await self._complete(container)
            for container in self._containers_due():
                await self._check(container)

    async def _catch_up(self) -> bool:
        """List the recent changes of all containers at once; return whether that was possible."""
        began = self.clock.now()
        since = beginning_of_catch_up(self.state, began)
        if since is None or not self.accounts.can(self._account, "rove_list_recent"):
            return False
        changes = list[ListedChange]()
        scope = self._scope(self.state.scope.containers, since, limit=MOST_CAUGHT_UP)
        listing = self.accounts.list_changes(
            scope, deadline=self._remaining_seconds(), hook="rove_list_recent"
        )
        try:
            async with aclosing(listing) as found:
                async for change in found:
                    changes.append(self._apply_filters(change))
        except (ItemNotFound, ScopeMissing):
            return False  # The listings will show which container it is.
        for container in self.state.containers:
            own = [each for each in changes if each.container == container.name]
            await self._store(container, own, "", is_check=False)
        if len(changes) < MOST_CAUGHT_UP:
            await asyncio.to_thread(self.writer.end_catch_up, began)
            return True
        return False

    def _containers_due(self) -> Sequence[CopiedContainer]:
        """Return the current containers, least recently listed first."""
        state = self.writer.mirror.state()
        self.state = state or self.state
        containers = self.state.containers if state else ()
        return sorted(containers, key=lambda each: each.updated_at or each.copied_at or _NEVER)

    async def _list_all(self) -> None:
        """List the changes of each container; one that its vendor lacks delays no other."""
        missing: dict[str, ItemNotFound] = {}
        for container in self._containers_due():
            try:
                await self._list(container)
            except ItemNotFound as error:
                missing[container.name] = error
        if missing:
            await self._forget_unreadable()
        for name, failure in missing.items():
            if name not in self._lost:
                raise failure

    async def _forget_unreadable(self) -> None:
        """Query what the account may read, and remove the rest."""
        if self.accounts.can(self._account, "rove_containers"):
            readable, now = await self._ask_readable(), self.clock.now()
            lost = await asyncio.to_thread(self.writer.keep_readable, readable, now)
            self._lost = (*self._lost, *lost)

    async def _ask_readable(self) -> Sequence[Container]:
        """Return what the account may read, queried once per update."""
        if self._readable is None:
            names = self.state.scope.containers
            self._readable = await self.accounts.readable(self._account, names)
        return self._readable

    async def _list(self, container: CopiedContainer) -> None:
        """List the changes of a container."""
        now = self.clock.now()
        if await self._listed_to_the_end(container, is_check=False):
            await asyncio.to_thread(self.writer.end_listing, container.name, now)

    async def _check(self, container: CopiedContainer) -> None:
        """List a container again and remove items that are no longer listed."""
        now, checked = self.clock.now(), container.checked_at
        if container.check_began is None:
            if checked is None or now - checked < CHECK_EVERY:
                return
            await asyncio.to_thread(self.writer.begin_check, container.name, now)
        if await self._listed_to_the_end(container, is_check=True):
            began = container.check_began or now
            self._gone += await asyncio.to_thread(
                self.writer.end_check, container.name, began, self.clock.now()
            )

    async def _listed_to_the_end(self, container: CopiedContainer, *, is_check: bool) -> bool:
        """List a container while time allows; return whether it was completed."""
        cursor = (container.check_cursor or "") if is_check else container.cursor
        limit = _LISTED
        while self._remaining_seconds() > 0:
            count, after = await self._list_some(container, cursor, limit, is_check=is_check)
            if count < limit:
                return True
            # A source that gives no cursor midway must list everything at once.
            limit, cursor = _LISTED if after != cursor else _EVERYTHING, after
        return False

    async def _list_some(
        self, container: CopiedContainer, cursor: str, limit: int, *, is_check: bool
    ) -> tuple[int, str]:
        """Store one listing; return its number of items and its cursor."""
        scope = self._scope((container.name,), container.since, cursor=cursor, limit=limit)
        count, batch = 0, list[ListedChange]()
        listing = self.accounts.list_changes(scope, deadline=self._remaining_seconds())
        try:
            async with aclosing(listing) as changes:
                async for change in changes:
                    batch.append(self._apply_filters(change))
                    count += change.item is not None
                    cursor = change.cursor or cursor
                    if change.cursor or len(batch) >= _STORED:
                        await self._store(container, batch, change.cursor, is_check=is_check)
                        batch = []
        finally:
            # What came before a failure is stored, and listed again because it has no cursor.
            await self._store(container, batch, "", is_check=is_check)
        return count, cursor

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
        )

    async def _store(
        self,
        container: CopiedContainer,
        batch: Sequence[ListedChange],
        cursor: str,
        *,
        is_check: bool,
    ) -> None:
        if not batch:
            return
        await asyncio.to_thread(
            self.writer.take,
            container.name,
            batch,
            cursor=cursor,
            is_check=is_check,
            now=self.clock.now(),
        )
        self._changes += sum(bool(each.item or each.gone) for each in batch)

    async def _complete(self, container: CopiedContainer) -> None:
        """Read partly listed items in full, newest first."""
        if not self.accounts.can(self._account, "rove_item_detail"):
            return
        while self._remaining_seconds() > 0:
            items = await asyncio.to_thread(
                incomplete_copies, self.writer.db, self._account, container.name, _COMPLETED
            )
            for item in items:
                if self._remaining_seconds() <= 0:
                    return
                await self._complete_one(item)
            if not items:
                return

    async def _complete_one(self, item: ContextItem) -> None:
        try:
            whole = await self.accounts.item_detail(item.ref, deadline=self._remaining_seconds())
            change = self._apply_filters(ListedChange(item=whole, whole=True))
        except ItemNotFound:
            change = ListedChange(gone=item.ref)
        await asyncio.to_thread(self.writer.complete, item.ref.id, change)
        self._changes += 1

    def _apply_filters(self, change: ListedChange) -> ListedChange:
        """Return a change after the filters; dropped items are not stored."""
        if change.item is None:
            return change
        passing = self.accounts.filter_item(self._account, change.item)
        if passing is None:
            return evolve(change, item=None, work=None, gone=change.item.ref)
        return evolve(change, item=passing, work=None)

    @property
    def _account(self) -> str:
        return self.writer.mirror.account

    def _remaining_seconds(self) -> float:
        return self.limits.seconds - (self.clock.monotonic() - self._began)

    def _patience(self) -> Patience:
        async def ignore_wait(_: datetime) -> None:
            """Ignore progress: nobody is waiting."""

        return Patience(
            work=Stopwatch(self.clock),
            waits=Stopwatch(self.clock),
            longest=self.limits.wait,
            share=self.limits.share,
            keeps_replies=False,
            report=ignore_wait,
        )
