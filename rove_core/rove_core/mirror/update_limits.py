"""How long an update of a mirror takes, and how much of an account's limits."""

from datetime import datetime
from typing import Final

from attrs import frozen

from rove_core.errors import RoveError, TimedOut

#: A call that times out in the last seconds of an update has had too little time.
_LAST_SECONDS: Final = 1.0


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


async def ignore_wait(_: datetime) -> None:
    """Ignore that a limit is waited for: nobody is told."""


def is_own_deadline(error: RoveError, left: float) -> bool:
    """Return whether a call timed out only because its update had too little time left.

    Args:
        error: Why the call failed.
        left: How many seconds the update has left.
    """
    return isinstance(error, TimedOut) and left < _LAST_SECONDS
