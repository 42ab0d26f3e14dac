"""Failures of an update by what they concern: one container or item, or the whole account."""

from typing import Final

from rove_core.errors import (
    CredentialsCorrupt,
    LoginRefused,
    MalformedReply,
    NotFound,
    NotLoggedIn,
    PluginFailed,
    RateLimited,
    ScopeMissing,
    TimedOut,
    Unavailable,
    WrongCall,
)

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
