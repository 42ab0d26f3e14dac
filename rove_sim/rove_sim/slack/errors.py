"""Slack's errors, mostly with status 200."""

from collections.abc import Sequence
from math import ceil
from typing import NoReturn

from rove_core import JSON
from rove_sim.parameters import Wrong
from rove_sim.routes import RefusedError
from rove_sim.server import Response

#: What a method says when a required argument is missing.
_MISSING = {
    "channel": "channel_not_found",
    "ts": "thread_not_found",
    "message_ts": "message_not_found",
    "user": "user_not_found",
}
_MALFORMED = {
    "latest": "invalid_ts_latest",
    "oldest": "invalid_ts_oldest",
    "limit": "invalid_limit",
    "types": "invalid_types",
}


def error_reply(error: str, **more: JSON) -> Response:
    """Return an error in Slack's form."""
    return Response({"ok": False, "error": error, **more})


def refuse(error: str, **more: JSON) -> NoReturn:
    """Raise an error reply."""
    raise RefusedError(error_reply(error, **more))


def wrong_arguments(method: str, wrong: Sequence[Wrong]) -> Response:
    """Return a method's error for wrong arguments."""
    first = wrong[0]
    if first.name == "query" and first.why == "missing":
        return error_reply(
            "missing_query" if method.startswith("assistant.") else "No query passed"
        )
    names = {"missing": _MISSING, "malformed": _MALFORMED}.get(first.why, {})
    if first.name in names and not method.startswith("assistant."):
        return error_reply(names[first.name])
    messages = [f"[ERROR] {each}" for each in wrong]
    return error_reply("invalid_arguments", response_metadata={"messages": messages})


def too_many(seconds: float) -> Response:
    """Return the reply beyond a rate limit."""
    body: JSON = {"ok": False, "error": "ratelimited"}
    return Response(body, 429, {"retry-after": str(max(1, ceil(seconds)))})
