"""Errors in GitHub's replies, with its message if there is one."""

import re
from functools import partial
from typing import Final

from rove_core import (
    JSON,
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    RateLimited,
    Reply,
    RoveError,
    ScopeMissing,
    WrongCall,
    WrongSetting,
    status_fault,
)
from rove_core.json_reader import read_one, text
from rove_github import replies
from rove_github.graphql_replies import GraphErrors

#: Seconds to wait after a limit of which GitHub does not say how long it lasts.
_AT_LEAST: Final = 60.0
_LIMIT: Final = re.compile(r"rate limit|abuse detection", re.IGNORECASE)
_CANNOT_SEARCH: Final = re.compile(r"cannot be searched", re.IGNORECASE)
_SIGN_ON: Final = re.compile(r"required; *url=(https://\S+)")
_MOST_SAID: Final = 200
_MAY_READ: Final = (
    "Ask an owner of the repository for access, or log in with a token that has it: "
    "rove --add-source github"
)
#: The next step where a search names what the login does not let it see.
SEARCHABLE: Final = (
    "Let the token read it, or take it out of repositories and owners in [sources.github]."
)
#: What GitHub says of a token that is not authorized for single sign-on.
_SIGN_ON_NEEDED: Final = "SAML enforcement"
#: What names a field that is wrong, in an error without words.
_NAMES: Final = ("field", "code")


class Unsearchable(WrongSetting):  # like all of Rove's, named for what is wrong
    """A search names a repository or an owner that the login does not let it see."""


def graph_fault(kind: str, message: str) -> RoveError:
    """Return the Rove error for a GraphQL error.

    Args:
        kind: Its type, as GitHub calls it.
        message: What GitHub says.
    """
    match kind:
        case "NOT_FOUND":
            return ItemNotFound(message)
        case "FORBIDDEN" if _SIGN_ON_NEEDED in message:
            return sign_on_needed(message)
        case "FORBIDDEN" | "INSUFFICIENT_SCOPES":
            return ScopeMissing(message)
    return MalformedReply(f"GitHub cannot answer that: {message}")


def sign_on_needed(message: str) -> ScopeMissing:
    """Return the error of a token that its organization's single sign-on does not know any more."""
    return ScopeMissing(message, hint="Authorize the token for its single sign-on, on GitHub.")


def fault(reply: Reply, *, host: str, who: str) -> RoveError | None:
    """Return the error in a reply, or None.

    Args:
        reply: Any reply.
        host: Where GitHub's pages are.
        who: Whose login it is.
    """
    if reply.status < 400 or reply.status >= 500:
        return status_fault(reply)
    message = _message_of(read_one(reply, replies.Refusal))
    match reply.status:
        case 401:
            return LoginRefused(
                f"GitHub does not accept the token: {message}",
                hint=f"Make another at https://{host}/settings/tokens, "
                "then: rove --add-source github",
            )
        case 403 | 429:
            return _refusal(reply, message, host)
        case 404 | 410 | 451:
            why = "it was deleted" if reply.status == 410 else f"not found, or not visible to {who}"
            return ItemNotFound(f"{reply.where}: {why}")
        case 422:
            return _impossible(reply, message, who)
    return status_fault(reply)


def query_fault(reply: Reply, *, host: str, who: str) -> RoveError | None:
    """Return the error in the reply to a GraphQL query, or None.

    GitHub reports a limit with status 200. Other errors may leave a part that was answered, so
    whoever asked reads them.
    """
    found = fault(reply, host=host, who=who)
    if found:
        return found
    for error in read_one(reply, GraphErrors).errors:
        if error.type == "RATE_LIMITED" or _LIMIT.search(error.message):
            return RateLimited(f"GitHub asks to wait: {error.message}", at_least=_AT_LEAST)
    return None


def _impossible(reply: Reply, message: str, who: str) -> RoveError:
    """Distinguish an impossible request from a missing item; GitHub sends 422 for both."""
    if message.startswith("No commit found"):
        return ItemNotFound(f"{reply.where}: not found, or not visible to {who}")
    if _CANNOT_SEARCH.search(message):
        return Unsearchable(f"GitHub cannot search there: {message}", hint=SEARCHABLE)
    return WrongCall(f"GitHub cannot do that: {message}", hint="Ask with other words.")


def _refusal(reply: Reply, message: str, host: str) -> RoveError:
    """Distinguish a rate limit from a missing permission; GitHub sends 403 for both."""
    headers = reply.headers
    used_up = headers.get("x-ratelimit-remaining") == "0" or "retry-after" in headers
    if reply.status == 429 or used_up or _LIMIT.search(message):
        return RateLimited(f"GitHub asks to wait: {message}", at_least=_AT_LEAST)
    sign_on = _SIGN_ON.match(headers.get("x-github-sso", ""))
    if sign_on and sign_on[1].startswith(f"https://{host}/"):
        return ScopeMissing(
            "the organization wants its single sign-on for this token",
            hint=f"Authorize the token for it: {sign_on[1]}",
        )
    permissions = headers.get("x-accepted-github-permissions") or headers.get(
        "x-accepted-oauth-scopes"
    )
    return ScopeMissing(
        f"{reply.where}: GitHub does not allow this: {message}",
        hint=f"Give the token: {permissions}" if permissions else _MAY_READ,
    )


def _detail(error: JSON) -> str:
    """Return an error's message; without one, its field and code, like missing_field."""
    if isinstance(error, str):
        return error
    return text(error, "message") or ": ".join(filter(None, map(partial(text, error), _NAMES)))


def _message_of(refusal: replies.Refusal) -> str:
    """Return GitHub's own words, on one line."""
    words = [refusal.message, *map(_detail, refusal.errors)]
    line = " ".join(" ".join(filter(None, words)).split())
    return line[:_MOST_SAID] or "no reason given"
