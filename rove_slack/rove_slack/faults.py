"""What is wrong with a reply of Slack, which says so in its body and answers 200."""

from rove_core import (
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    RateLimited,
    Reply,
    RoveError,
    ScopeMissing,
    status_fault,
)
from rove_slack import replies

_REFUSED = frozenset(
    {"invalid_auth", "not_authed", "token_expired", "token_revoked", "account_inactive"}
)
_MISSING = frozenset({"channel_not_found", "not_in_channel", "thread_not_found"})


def fault(reply: Reply) -> RoveError | None:
    """Tell what is wrong with a reply, or None when nothing is."""
    if reply.status != 200:
        return status_fault(reply)
    outcome = reply.read(replies.Outcome)
    return None if outcome.ok else _named(outcome)


def _named(outcome: replies.Outcome) -> RoveError:
    match outcome.error:
        case "missing_scope":
            return ScopeMissing(f"Slack wants the scope {outcome.needed}")
        case "ratelimited":
            return RateLimited("Slack asks to wait")
        case error if error in _REFUSED:
            return LoginRefused(f"Slack does not accept the token: {error}")
        case error if error in _MISSING:
            return ItemNotFound(f"Slack has it not, or not for you: {error}")
        case error:
            return MalformedReply(f"Slack answered {error or 'without a reason'}")
