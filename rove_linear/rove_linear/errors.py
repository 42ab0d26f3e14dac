"""Errors in Linear's replies, from the body, whatever the HTTP status."""

from collections.abc import Callable, Mapping
from typing import Final

from rove_core import (
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    RateLimited,
    Reply,
    RoveError,
    ScopeMissing,
    Unavailable,
    WrongCall,
    WrongSetting,
    status_fault,
)
from rove_linear.replies import GraphReply, LinearError
from rove_linear.settings import KEY

_TOO_COMPLEX: Final = "Linear finds the question too complex"
_NEW_KEY: Final = f"Make a key at {KEY.url}, then: rove --add-source linear"
_REPORT: Final = "Report it to the author of rove-linear, with these words."
_PLAN: Final = "Ask an admin of the workspace: its plan, or your role in it, does not include this."
_MAY_READ: Final = (
    "Ask an admin of the workspace for access, or make a key with the permission Read, for all "
    f"teams, at {KEY.url}, then: rove --add-source linear"
)
_MAY_WRITE: Final = (
    f"Make a key with the permission Write at {KEY.url}, or log in again with an app: "
    "rove --add-source linear --way oauth --set writes=true"
)
_MEANINGS: Final[Mapping[str, tuple[type[RoveError], str, str]]] = {
    "AUTHENTICATION_ERROR": (LoginRefused, "Linear rejected the key", _NEW_KEY),
    "FEATURE_NOT_ACCESSIBLE": (ScopeMissing, "Linear does not allow this", _PLAN),
    "FORBIDDEN": (ScopeMissing, "Linear does not allow this", _MAY_READ),
    "INTERNAL_ERROR": (Unavailable, "Linear failed", ""),
    "INTERNAL_SERVER_ERROR": (Unavailable, "Linear failed", ""),
    "LOCK_TIMEOUT": (Unavailable, "Linear failed", ""),
    "RATELIMITED": (RateLimited, "Linear asks to wait", ""),
}


def fault(reply: Reply) -> RoveError | None:
    """Return the error in a reply, or None."""
    return _fault(reply, _named_error)


def change_fault(reply: Reply) -> RoveError | None:
    """Return the error in the reply to a change, or None."""
    return _fault(reply, _refusal)


def _fault(reply: Reply, named: Callable[[LinearError], RoveError]) -> RoveError | None:
    try:
        outcome = reply.read(GraphReply)
    except MalformedReply as error:
        return _elsewhere(reply) or _by_status(reply) or error
    if outcome.errors:
        return named(outcome.errors[0])
    if outcome.data is None:
        nothing = MalformedReply(f"{reply.where} answers, but not as Linear does: without data")
        return _elsewhere(reply) or _by_status(reply) or nothing
    return status_fault(reply)


def is_too_complex(error: MalformedReply) -> bool:
    """Return whether a simpler query would be answered."""
    return error.message.startswith(_TOO_COMPLEX)


def _by_status(reply: Reply) -> RoveError | None:
    """Return the error in a reply without Linear's words, with the next step of a login."""
    found = status_fault(reply)
    hints: Mapping[type[RoveError], str] = {LoginRefused: _NEW_KEY, ScopeMissing: _MAY_READ}
    return (
        type(found)(found.message, hint=hint)
        if found and (hint := hints.get(type(found)))
        else found
    )


def _elsewhere(reply: Reply) -> RoveError | None:
    """Report that the address is not Linear."""
    if reply.status not in {404, 405}:
        return None
    return WrongSetting(
        f"{reply.where} answers {reply.status}: Linear's API is not there",
        hint="Leave out --base-url: Linear answers at https://api.linear.app",
    )


def _named_error(error: LinearError) -> RoveError:
    kind: type[RoveError]
    if error.message.startswith("Entity not found"):
        kind, meaning, hint = ItemNotFound, "not in Linear, or not visible to you", ""
    elif "too complex" in error.message.lower():
        kind, meaning, hint = MalformedReply, _TOO_COMPLEX, ""
    else:
        code = _code(error)
        answered = f"Linear answered {code or 'an error'}"
        kind, meaning, hint = _MEANINGS.get(code, (MalformedReply, answered, _REPORT))
    return kind(f"{meaning}: {_message_of(error)}", hint=hint)


def _refusal(error: LinearError) -> RoveError:
    """Return the error of a refused change; unknown names are the caller's fault."""
    code = _code(error)
    if code == "INPUT_ERROR" or error.message.startswith("Entity not found"):
        return WrongCall(f"Linear does not take this: {_message_of(error)}")
    if code == "FORBIDDEN":
        message = (
            f"Linear does not allow this change, which wants the scope write: {_message_of(error)}"
        )
        return ScopeMissing(message, hint=_MAY_WRITE)
    return _named_error(error)


def _code(error: LinearError) -> str:
    """Return the code; where there is none the type says the same in words."""
    return error.extensions.code or error.extensions.type.upper().replace(" ", "_")


def _message_of(error: LinearError) -> str:
    """Return Linear's message for programs, and the one for people if it says more."""
    user_message = error.extensions.userPresentableMessage
    return " ".join(dict.fromkeys(filter(None, (error.message, user_message))))
