"""What is wrong with a reply of Linear, which says so in its body, whatever the HTTP status."""

from collections.abc import Mapping
from datetime import UTC, datetime

from rove_core import (
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    RateLimited,
    Reply,
    RoveError,
    ScopeMissing,
    Unavailable,
    status_fault,
)
from rove_linear import replies


def fault(reply: Reply) -> RoveError | None:
    """Tell what is wrong with a reply, or None when nothing is."""
    try:
        outcome = reply.read(replies.Outcome)
    except MalformedReply as error:
        return status_fault(reply) or error
    if not outcome.errors:
        return status_fault(reply)
    return _named(outcome.errors[0], reply)


def _named(error: replies.Error, reply: Reply) -> RoveError:
    if error.message.startswith("Entity not found"):
        return ItemNotFound(f"Linear has it not, or not for you: {error.message}")
    match error.extensions.code:
        case "AUTHENTICATION_ERROR":
            return LoginRefused(f"Linear does not accept the key: {error.message}")
        case "FORBIDDEN" | "FEATURE_NOT_ACCESSIBLE":
            return ScopeMissing(f"Linear does not allow this: {error.message}")
        case "RATELIMITED":
            return RateLimited("Linear asks to wait", retry_at=_retry_at(reply.headers))
        case "INTERNAL_SERVER_ERROR" | "LOCK_TIMEOUT":
            return Unavailable(f"Linear failed: {error.message}")
        case code:
            return MalformedReply(f"Linear answered {code or 'an error'}: {error.message}")


def _retry_at(headers: Mapping[str, str]) -> datetime | None:
    """Return when the last of the used-up limits is reset; Linear counts in milliseconds."""
    used_up = (
        name for name, left in headers.items() if name.endswith("-remaining") and left == "0"
    )
    resets = [headers.get(name.removesuffix("remaining") + "reset", "") for name in used_up]
    times = [int(reset) / 1000 for reset in resets if reset.isdecimal()]
    return datetime.fromtimestamp(max(times), UTC) if times else None
