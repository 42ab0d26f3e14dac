"""A mirror that a build may search: it is running, is this account's, and was whole once."""

import asyncio
import logging
from datetime import datetime, timedelta
from typing import Final

from attrs import frozen

from rove_core.clock import Clock
from rove_core.errors import LoginNeeded, RoveError
from rove_core.mirror.clock_faults import is_recent
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.state import MirrorState
from rove_core.mirror.update import MirrorUpdated, update_mirror
from rove_core.mirror.update_limits import FOR_A_BUILD
from rove_core.plugins.accounts import Accounts

#: Seconds between two looks at a mirror that another process is updating.
_PAUSE: Final = 0.05

_LOG: Final = logging.getLogger("rove.mirror")


@frozen(kw_only=True)
class UsableMirror:
    """A mirror that may be searched.

    Attributes:
        mirror: The mirror.
        state: Its state.
        failure: Why it could not be brought up to date just now.
        seconds: How long it took to bring it up to date just now.
        is_outdated: Whether it could not be brought up to date just now.
        is_busy: Whether that is because another process is still updating it.
    """

    mirror: Mirror
    state: MirrorState
    failure: RoveError | None = None
    seconds: float = 0.0
    is_outdated: bool = False
    is_busy: bool = False

    @property
    def updated_at(self) -> datetime | None:
        """The time up to which the mirror is complete."""
        return self.state.updated_at

    @property
    def is_dropped(self) -> bool:
        """Whether all of it, or one of its containers, was dropped since it was opened."""
        try:
            now = self.mirror.state()
        except RoveError:
            return False  # It is damaged, and still there.
        return now is None or not {*self.state.scope.containers} <= {*now.scope.containers}


async def usable_mirror(
    mirror: Mirror, owner: str, accounts: Accounts, clock: Clock, current: timedelta | None
) -> UsableMirror | None:
    """Return a mirror if it is running, has this owner, and its first copy is complete.

    Args:
        mirror: The mirror.
        owner: Its expected owner.
        accounts: The accounts.
        clock: The clock.
        current: The age from which it is updated first; None for never.
    """
    state = await asyncio.to_thread(_state_of, mirror)
    if state and not state.running and state.has_old_words:
        # Nothing updates it: this is of a change of its scope that was interrupted.
        await asyncio.to_thread(_erase_old_words, mirror, clock.now())
    if state is None or not state.running or state.owner != owner or not state.updated_at:
        return None
    updated, is_outdated, began = MirrorUpdated(), False, clock.monotonic()
    if current and not is_recent(state.updated_at, clock.now(), current):
        updated = await _caught_up(mirror, accounts, clock, current)
        state = await asyncio.to_thread(_state_of, mirror) or state
        is_outdated = not is_recent(state.updated_at, clock.now(), current)
    failure = updated.failure
    # A person can fix a lost login; any other failure shows in the mirror's age.
    return UsableMirror(
        mirror=mirror,
        state=state,
        failure=failure if isinstance(failure, LoginNeeded) else None,
        seconds=clock.monotonic() - began,
        is_outdated=is_outdated,
        is_busy=is_outdated and updated.busy,
    )


async def _caught_up(
    mirror: Mirror, accounts: Accounts, clock: Clock, current: timedelta
) -> MirrorUpdated:
    """Update a mirror, unless another process that is updating it makes it current meanwhile.

    One that cannot be written is still readable.
    """
    until = clock.monotonic() + FOR_A_BUILD.seconds
    while True:
        try:
            updated = await update_mirror(mirror, accounts, clock, FOR_A_BUILD)
        except RoveError as error:
            _LOG.warning("the mirror of %s cannot be updated: %s", mirror.account, error.message)
            return MirrorUpdated()
        if not updated.busy or clock.monotonic() >= until:
            return updated
        await clock.sleep(_PAUSE)
        state = await asyncio.to_thread(_state_of, mirror)
        if state and state.updated_at and is_recent(state.updated_at, clock.now(), current):
            return MirrorUpdated()


def _erase_old_words(mirror: Mirror, now: datetime) -> None:
    """Remove the words of removed items from an index; if it is in use, the next build does."""
    try:
        with mirror.writing() as writer:
            writer.erase_old_words(now)
    except RoveError as error:
        _LOG.warning("the mirror of %s cannot be written: %s", mirror.account, error.message)


def _state_of(mirror: Mirror) -> MirrorState | None:
    """Return a mirror's state; a damaged mirror counts as missing."""
    try:
        return mirror.state()
    except RoveError as error:
        _LOG.warning("the mirror of %s cannot be used: %s", mirror.account, error.message)
        return None
