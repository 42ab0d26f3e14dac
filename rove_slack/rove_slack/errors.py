"""Errors in Slack's replies, which come in the body with status 200."""

from collections.abc import Mapping
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
    status_fault,
)
from rove_core.json_reader import mapping, string
from rove_slack.settings import APPS

_LOG_IN: Final = "rove --add-source slack"
_NEW_TOKEN: Final = f"Get a user token (xoxp-...) at {APPS}, then: {_LOG_IN}"
_NOT_SLACK: Final = (
    "Is the base URL Slack's own? It is https://slack.com; behind a proxy, a login page may "
    "stand between."
)

_MEANINGS: Final[Mapping[str, tuple[type[RoveError], str]]] = {
    **dict.fromkeys(
        (
            *("access_denied", "account_inactive", "ekm_access_denied", "invalid_auth"),
            *("not_authed", "org_login_required", "team_access_not_granted", "token_expired"),
            *("token_revoked", "two_factor_setup_required"),
        ),
        (LoginRefused, "Slack does not accept the token"),
    ),
    **dict.fromkeys(
        ("not_allowed_token_type", "invalid_action_token"),
        (LoginRefused, "this is not a user token, and Slack lets only users search"),
    ),
    **dict.fromkeys(
        ("no_permission", "restricted_action", "feature_not_enabled"),
        (ScopeMissing, "Slack does not let this account do that"),
    ),
    **dict.fromkeys(
        (
            *("channel_not_found", "not_in_channel", "thread_not_found", "message_not_found"),
            *("user_not_found", "user_not_visible", "file_not_found", "file_deleted"),
        ),
        (ItemNotFound, "not in Slack, or not visible to this account"),
    ),
    **dict.fromkeys(
        (
            *("internal_error", "fatal_error", "service_unavailable", "request_timeout"),
            *("team_added_to_org", "assistant_search_context_disabled", "invalid_cursor"),
        ),
        (Unavailable, "Slack cannot answer now"),
    ),
    **dict.fromkeys(("ratelimited", "rate_limited"), (RateLimited, "Slack asks to wait")),
    "query_too_long": (WrongCall, "too many words for Slack's search"),
}
#: The codes with which the newer search says that it is not available; the older one may be.
_NO_CONTEXT_SEARCH: Final = frozenset(
    {
        *("feature_not_enabled", "missing_scope", "assistant_search_context_disabled"),
        *("unknown_method", "not_allowed_token_type", "invalid_action_token"),
    }
)


def fault(reply: Reply) -> RoveError | None:
    """Return the error in a reply, or None."""
    if reply.status == 404:
        return MalformedReply(f"{reply.where} is not a Slack reply", hint=_NOT_SLACK)
    if wrong := status_fault(reply):
        return wrong
    body = mapping(reply.json())
    if not isinstance(body.get("ok"), bool):
        return MalformedReply(f"{reply.where} is not a Slack reply", hint=_NOT_SLACK)
    return None if body["ok"] else _named_error(body)


def context_search_fault(reply: Reply) -> RoveError | None:
    """Return the error in a reply of the newer search; None if it is only not available."""
    return None if context_search_refusal(reply) else fault(reply)


def context_search_refusal(reply: Reply) -> str:
    """Return Slack's error code if the newer search is not available here; else empty."""
    error = string(reply.json(), "error") if reply.status == 200 else ""
    return error if error in _NO_CONTEXT_SEARCH else ""


def _named_error(body: Mapping[str, object]) -> RoveError:
    error = str(body.get("error") or "without a reason")
    if error == "missing_scope":
        return lacking(str(body.get("needed") or "?"), str(body.get("provided") or ""))
    kind, meaning = _MEANINGS.get(error, (MalformedReply, "Slack answered"))
    hint = _NEW_TOKEN if kind is LoginRefused else ""
    return kind(f"{meaning}: {error}", hint=hint)


def lacking(needed: str, provided: str, account: str = "") -> ScopeMissing:
    """Return the error that names the scope a token lacks, and those it has."""
    return ScopeMissing(
        f"Slack requires the scope {needed}; the token has {provided or 'none'}",
        hint=f"Add it to the scopes of the token at {APPS}, reinstall the app, then: {_LOG_IN}",
        account=account,
    )
