from datetime import UTC, datetime

import pytest

from rove_core.http import Reply
from rove_core.http.retry_after import wait_seconds

_NOW = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
_EPOCH = int(_NOW.timestamp())


def _wait(status: int, **headers: str) -> float:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return wait_seconds(Reply(status, "https://acme.example/", named, b""), _NOW)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("30", 30),
        ("0.5", 0.5),
        ("0", 0),
        ("-5", 0),
        ("", 0),
        ("soon", 0),
        ("99999999", 3600),
        ("9" * 5000, 3600),
        ("Fri, 20 Nov 2026 10:00:40 GMT", 40),
        ("Fri, 20 Nov 2026 09:00:40 GMT", 0),
        ("Fri, 99 Nov 2026 10:00:40 GMT", 0),
    ],
)
def test_retry_after_in_all_its_forms(value: str, seconds: float) -> None:
    """It is a number of seconds or a date; anything else is no hint."""
    assert _wait(429, retry_after=value) == seconds


@pytest.mark.parametrize(
    "reset",
    [
        f"{_EPOCH + 60}",
        f"{(_EPOCH + 60) * 1000}",
        "2026-11-20T10:01Z",
        "2026-11-20T10:01:00.000Z",
        "2026-11-20T12:01+02:00",
        "60",
    ],
)
@pytest.mark.parametrize(
    ("left", "name"),
    [
        ("x_ratelimit_remaining", "x_ratelimit_reset"),
        ("x_ratelimit_requests_remaining", "x_ratelimit_requests_reset"),
        ("x_ratelimit_complexity_remaining", "x_ratelimit_complexity_reset"),
        ("ratelimit_remaining", "ratelimit_reset"),
    ],
)
def test_a_window_that_is_used_up(reset: str, left: str, name: str) -> None:
    """GitHub says seconds, Linear milliseconds, Jira ISO 8601, the RFC a delay."""
    assert _wait(200, **{left: "0", name: reset}) == 60


@pytest.mark.parametrize("left", ["1", "4999", "many", "²"])
def test_a_window_with_something_left(left: str) -> None:
    """There is no need to wait."""
    assert _wait(200, x_ratelimit_remaining=left, x_ratelimit_reset="60") == 0


def test_a_429_needs_no_count() -> None:
    """Jira says only when its limit is lifted."""
    assert _wait(429, x_ratelimit_reset="2026-11-20T10:01Z") == 60


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ('"default";r=0;t=30', 30),
        ("limit=100, remaining=0, reset=30", 30),
        ('"default";r=5;t=30', 0),
        ("nothing", 0),
    ],
)
def test_the_header_of_the_draft(value: str, seconds: float) -> None:
    """`RateLimit` is one header with all in it."""
    assert _wait(200, ratelimit=value) == seconds


def test_retry_after_is_the_vendors_last_word() -> None:
    """The reset of a window is asked only without it."""
    assert _wait(429, retry_after="5", x_ratelimit_remaining="0", x_ratelimit_reset="60") == 5


def test_a_wrong_clock_here_does_no_harm() -> None:
    """A moment is compared with the vendor's own time."""
    there = "Fri, 20 Nov 2026 09:00:00 GMT"

    assert _wait(429, date=there, retry_after="Fri, 20 Nov 2026 09:00:10 GMT") == 10


def test_replies_without_hints_ask_for_nothing() -> None:
    """That is nearly all of them."""
    assert _wait(200) == 0
