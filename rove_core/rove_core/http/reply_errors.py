"""Turn a failed reply into an error."""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from rove_core.errors import (
    Conflict,
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    RateLimited,
    RoveError,
    ScopeMissing,
    Unavailable,
)
from rove_core.http.reply import Reply, got_html

#: Tells what is wrong with a reply in the vendor's own way, or None when nothing is.
Fault: TypeAlias = Callable[[Reply], RoveError | None]

_MEANINGS: Final[Mapping[int, tuple[type[RoveError], str]]] = {
    401: (LoginRefused, "the login was rejected"),
    403: (ScopeMissing, "the login lacks permission for this"),
    404: (ItemNotFound, "not found, or not visible to this account"),
    408: (Unavailable, "the server timed out"),
    409: (Conflict, "conflicts with a change made meanwhile"),
    410: (ItemNotFound, "it is gone"),
    412: (Conflict, "changed since it was read"),
    429: (RateLimited, "too many requests"),
}
_EXCERPT: Final = 200


def status_fault(reply: Reply) -> RoveError | None:
    """Return the error for an HTTP status.

    401 is ``LoginRefused``; 403 ``ScopeMissing``, or ``RateLimited`` if its headers say so; 404
    and 410 ``ItemNotFound``; 409 and 412 ``Conflict``; 429 ``RateLimited``; 408 and all from 500
    on ``Unavailable``; every other one that is no success ``MalformedReply``. Where your vendor
    means something else, tell that first and leave the rest to this.
    """
    if 200 <= reply.status < 300:
        return None
    kind, meaning = _MEANINGS.get(reply.status, (MalformedReply, _excerpt(reply)))
    if reply.status >= 500:
        kind, meaning = Unavailable, "it fails"
    elif reply.status == 403 and _is_used_up(reply):
        kind, meaning = _MEANINGS[429]
    return kind(f"{reply.where} answered {reply.status}: {meaning}")


def find_fault(reply: Reply, fault: Fault, *, accept: str) -> RoveError | None:
    """Return the error in a reply, from the vendor or something in between.

    Args:
        reply: Any reply.
        fault: The vendor's own way of telling.
        accept: What was asked for.
    """
    try:
        error = fault(reply)
    except MalformedReply as unreadable:
        # An error page of a proxy is not in the vendor's words; its status still tells.
        error = status_fault(reply) or unreadable
    if reply.status < 400 and "json" in accept and reply.content_type == "text/html":
        # A vendor knows its own page to log in; any other page is no answer.
        return error if isinstance(error, LoginRefused) else MalformedReply(got_html(reply))
    return error


def _is_used_up(reply: Reply) -> bool:
    """Return whether a refusal is a limit in disguise."""
    left = reply.headers.get("x-ratelimit-remaining")
    return left == "0" or "retry-after" in reply.headers


def _excerpt(reply: Reply) -> str:
    return re.sub(r"[^\x20-\x7e]+", " ", reply.text[:_EXCERPT]).strip() or "no reason given"
