"""Failures of an update by what they concern: one container or item, or the whole account."""

import logging
from collections.abc import Sequence
from typing import Final

from rove_core.errors import (
    CredentialsCorrupt,
    LoginNeeded,
    LoginRefused,
    MalformedReply,
    NotFound,
    NotLoggedIn,
    PluginFailed,
    RateLimited,
    RoveError,
    ScopeMissing,
    TimedOut,
    Unavailable,
    WrongCall,
)

_LOG: Final = logging.getLogger("rove.mirror")

#: Failures that may concern one container or item alone; the others go on.
OF_ONE: Final = (
    MalformedReply,
    NotFound,
    PluginFailed,
    ScopeMissing,
    TimedOut,
    Unavailable,
    WrongCall,
)
#: Failures that all requests of an account have in common.
OF_ACCOUNT: Final = (CredentialsCorrupt, LoginRefused, NotLoggedIn, RateLimited)


def concerns_account(failure: RoveError | None, *, is_reached: bool) -> bool:
    """Return whether no request of an update could succeed because of a failure.

    Args:
        failure: The failure that the update reports.
        is_reached: Whether any request reached the vendor.
    """
    return isinstance(failure, OF_ACCOUNT) or (isinstance(failure, Unavailable) and not is_reached)


def reported_failure(account: str, failures: Sequence[RoveError]) -> RoveError | None:
    """Log the failures of an update; return a lost login, which a person can fix, or the first."""
    for error in failures:
        if not isinstance(error, RateLimited):
            _LOG.info("the mirror of %s is out of date: %s", account, error.message)
    logins = (each for each in failures if isinstance(each, LoginNeeded))
    return next(logins, None) or next(iter(failures), None)
