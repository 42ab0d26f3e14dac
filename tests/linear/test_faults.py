import json
from datetime import UTC, datetime

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
)
from rove_linear.faults import fault


def _reply(status: int, value: object, **headers: str) -> Reply:
    names = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(status, "https://api.linear.app/graphql", names, json.dumps(value).encode())


def _refusal(code: str, message: str = "No.") -> object:
    return {"data": None, "errors": [{"message": message, "extensions": {"code": code}}]}


@pytest.mark.parametrize("status", [200, 400, 429, 500])
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("AUTHENTICATION_ERROR", LoginRefused),
        ("FORBIDDEN", ScopeMissing),
        ("FEATURE_NOT_ACCESSIBLE", ScopeMissing),
        ("RATELIMITED", RateLimited),
        ("INTERNAL_SERVER_ERROR", Unavailable),
        ("GRAPHQL_VALIDATION_FAILED", MalformedReply),
        ("", MalformedReply),
    ],
)
def test_the_code_says_what_is_wrong(status: int, code: str, kind: type[RoveError]) -> None:
    """An error is what its code says, with whichever status it comes."""
    assert kind is type(fault(_reply(status, _refusal(code))))


def test_a_missing_issue_is_known_by_its_message() -> None:
    """Linear has no code for what is not there."""
    reply = _reply(200, _refusal("INPUT_ERROR", "Entity not found: Issue"))

    assert ItemNotFound is type(fault(reply))


def test_data_is_no_fault() -> None:
    """A reply without errors is as good as its status."""
    assert fault(_reply(200, {"data": {}})) is None


def test_a_status_counts_where_nothing_is_said() -> None:
    """A proxy's page has no errors in it; then the status is all there is."""
    page = Reply(502, "https://api.linear.app/graphql", {"content-type": "text/html"}, b"<html>")

    assert Unavailable is type(fault(page))


def test_a_page_instead_of_data_is_malformed() -> None:
    """A log-in page with status 200 is no answer."""
    page = Reply(200, "https://api.linear.app/graphql", {"content-type": "text/html"}, b"<html>")

    assert MalformedReply is type(fault(page))


def test_a_limit_says_when_it_ends() -> None:
    """Linear counts in milliseconds, and only a limit that is used up has to be waited for."""
    error = fault(
        _reply(
            400,
            _refusal("RATELIMITED"),
            x_ratelimit_requests_remaining="0",
            x_ratelimit_requests_reset="1763622000000",
            x_ratelimit_complexity_remaining="12",
            x_ratelimit_complexity_reset="1763629999000",
        )
    )

    assert isinstance(error, RateLimited)
    assert datetime(2025, 11, 20, 7, tzinfo=UTC) == error.retry_at


def test_a_limit_may_end_nobody_knows_when() -> None:
    """Without those headers there is no time to wait for."""
    error = fault(_reply(429, _refusal("RATELIMITED")))

    assert isinstance(error, RateLimited)
    assert error.retry_at is None
