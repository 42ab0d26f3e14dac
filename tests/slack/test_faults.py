import json

import pytest

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
)
from rove_slack.errors import context_search_fault, context_search_refusal, fault


def _reply(error: str, *, status: int = 200, **more: str) -> Reply:
    body = json.dumps({"ok": False, "error": error, **more}).encode()
    return Reply(status, "https://slack.com/api/x.y", {}, body)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("invalid_auth", LoginRefused),
        ("not_authed", LoginRefused),
        ("account_inactive", LoginRefused),
        ("not_allowed_token_type", LoginRefused),
        ("no_permission", ScopeMissing),
        ("channel_not_found", ItemNotFound),
        ("thread_not_found", ItemNotFound),
        ("ratelimited", RateLimited),
        ("rate_limited", RateLimited),
        ("internal_error", Unavailable),
        ("assistant_search_context_disabled", Unavailable),
        ("query_too_long", WrongCall),
        ("invalid_arguments", MalformedReply),
        ("something_new", MalformedReply),
        ("", MalformedReply),
    ],
)
def test_the_word_says_what_is_wrong(error: str, kind: type[RoveError]) -> None:
    """Slack answers 200; what is wrong stands in the body, and in the message."""
    found = fault(_reply(error))

    assert kind is type(found)
    assert found is not None
    assert error in found.message


def test_a_missing_scope_is_named_exactly() -> None:
    """What is needed, and what the token has."""
    found = fault(_reply("missing_scope", needed="im:history", provided="users:read,im:read"))

    assert found is not None
    assert found.message == "Slack requires the scope im:history; the token has users:read,im:read"


def test_a_good_reply_is_no_fault() -> None:
    """Warnings are none either."""
    assert fault(Reply(200, "", {}, b'{"ok": true, "warning": "superfluous_charset"}')) is None


@pytest.mark.parametrize(
    ("status", "kind"), [(429, RateLimited), (500, Unavailable), (503, Unavailable)]
)
def test_a_status_counts_before_the_body(status: int, kind: type[RoveError]) -> None:
    """Limits and failures are told by their status."""
    assert kind is type(fault(_reply("whatever", status=status)))


def test_a_search_that_is_not_to_be_had_is_no_fault() -> None:
    """Its word is told instead, so that the other search can be asked."""
    reply = _reply("feature_not_enabled")

    assert context_search_fault(reply) is None
    assert context_search_refusal(reply) == "feature_not_enabled"


def test_other_errors_of_that_search_are_faults() -> None:
    """A refused token is refused everywhere."""
    assert LoginRefused is type(context_search_fault(_reply("invalid_auth")))
