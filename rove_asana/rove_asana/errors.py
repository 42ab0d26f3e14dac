"""Errors in Asana's replies, from the HTTP status and the body's message."""

from collections.abc import Mapping
from typing import Final

from rove_asana.settings import TOKEN_WAY
from rove_core import (
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    Reply,
    RoveError,
    ScopeMissing,
    WrongCall,
    status_fault,
)
from rove_core.json_reader import objects, text, value_at

_NEW_TOKEN: Final = f"Make a token at {TOKEN_WAY.url}, then: rove --add-source asana"
_REPORT: Final = "Report it to the author of rove-asana, with these words."
_PLAN: Final = "Ask an admin of the workspace for a paid plan; no other login has it either."
_MAY_READ: Final = (
    "Ask in Asana for access to it, or log in as somebody who has it: rove --add-source asana"
)
_MAY_WRITE: Final = (
    "Ask for edit access to the task's project, or log in again with an app: "
    "rove --add-source asana --way oauth --set writes=true"
)
_MEANINGS: Final[Mapping[int, tuple[type[RoveError], str, str]]] = {
    400: (MalformedReply, "Asana refused the request", _REPORT),
    401: (LoginRefused, "Asana rejected the login", _NEW_TOKEN),
    402: (ScopeMissing, "only Asana's paid plans have this", _PLAN),
    403: (ScopeMissing, "Asana does not allow this", _MAY_READ),
    404: (ItemNotFound, "not in Asana, or not visible to you", ""),
}
#: What Asana says of the place in a list that was left too long ago.
_EXPIRED: Final = "pagination token has expired"


def fault(reply: Reply) -> RoveError | None:
    """Return the error in a reply, or None."""
    if reply.status not in _MEANINGS:
        return status_fault(reply) or _malformed(reply)
    kind, meaning, hint = _MEANINGS[reply.status]
    return kind(f"{meaning}: {_message_of(reply)}", hint=hint)


def change_fault(reply: Reply) -> RoveError | None:
    """Return the error in the reply to a change, or None."""
    match reply.status:
        case 400:
            return WrongCall(f"Asana rejected this: {_message_of(reply)}")
        case 403:
            message = (
                f"Asana does not allow this change, which needs tasks:write: {_message_of(reply)}"
            )
            return ScopeMissing(message, hint=_MAY_WRITE)
    return fault(reply)


def unpaid_fault(reply: Reply) -> RoveError | None:
    """Return the error in a reply, where "payment required" is a valid answer."""
    return None if reply.status == 402 else fault(reply)


def events_fault(reply: Reply) -> RoveError | None:
    """Return the error in a reply, where an expired sync token is a valid answer."""
    return None if reply.status == 412 else fault(reply)


def is_expired(error: MalformedReply) -> bool:
    """Return whether the place in a list has expired."""
    return _EXPIRED in error.message


def _malformed(reply: Reply) -> RoveError | None:
    """Return the error of a successful reply without ``data``."""
    if isinstance(value_at(reply.json(), "data"), dict | list):
        return None
    return MalformedReply(f"{reply.where} is not an Asana reply: no data")


def _message_of(reply: Reply) -> str:
    """Return what Asana says is wrong, or the status if that is not in its words."""
    try:
        messages = [text(each, "message") for each in objects(reply.json(), "errors")]
    except MalformedReply:
        messages = []
    return "; ".join(filter(None, messages)) or f"{reply.where} answered {reply.status}"
