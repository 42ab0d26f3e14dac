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
    WrongSetting,
)
from rove_linear.errors import fault, is_too_complex

URL = "https://api.linear.app/graphql"


def _reply(status: int, value: object) -> Reply:
    return Reply(status, URL, {}, json.dumps(value).encode())


def _refusal(message: str = "No.", **extensions: str) -> object:
    return {"data": None, "errors": [{"message": message, "extensions": extensions}]}


@pytest.mark.parametrize("status", [200, 400, 429, 500])
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("AUTHENTICATION_ERROR", LoginRefused),
        ("FORBIDDEN", ScopeMissing),
        ("FEATURE_NOT_ACCESSIBLE", ScopeMissing),
        ("RATELIMITED", RateLimited),
        ("INTERNAL_SERVER_ERROR", Unavailable),
        ("LOCK_TIMEOUT", Unavailable),
        ("GRAPHQL_VALIDATION_FAILED", MalformedReply),
        ("INPUT_ERROR", MalformedReply),
        ("SOMETHING_NEW", MalformedReply),
        ("", MalformedReply),
    ],
)
def test_the_code_says_what_is_wrong(status: int, code: str, kind: type[RoveError]) -> None:
    """An error is what its code says, with whichever status it comes."""
    assert kind is type(fault(_reply(status, _refusal(code=code))))


def test_the_type_says_it_where_there_is_no_code() -> None:
    """Linear's own client goes by the type, which is the code in words."""
    assert LoginRefused is type(fault(_reply(400, _refusal(type="authentication error"))))


def test_what_linear_says_to_people_is_told() -> None:
    """Its own hint is part of the message; and the page where a key is made is the next step."""
    error = fault(_reply(400, _refusal(code="FORBIDDEN", userPresentableMessage="Ask an admin.")))

    assert isinstance(error, ScopeMissing)
    assert error.message == "Linear does not allow this: No. Ask an admin."
    assert "https://linear.app/settings/account/security" in error.hint


@pytest.mark.parametrize("status", [200, 400])
def test_a_missing_issue_is_known_by_its_message(status: int) -> None:
    """Linear has no code for what is not there."""
    reply = _reply(status, _refusal("Entity not found: Issue", code="INPUT_ERROR"))

    assert ItemNotFound is type(fault(reply))


def test_a_question_may_be_too_complex() -> None:
    """Linear has no code for that either; one can ask for less."""
    error = fault(_reply(400, _refusal("Query too complex", code="INPUT_ERROR")))

    assert isinstance(error, MalformedReply)
    assert is_too_complex(error)


def test_data_is_no_fault() -> None:
    """A reply without errors is as good as its status."""
    assert fault(_reply(200, {"data": {}})) is None


@pytest.mark.parametrize("value", [{}, {"data": None}, {"message": "pong"}])
def test_neither_data_nor_errors_is_no_answer(value: object) -> None:
    """Something else answers there."""
    assert MalformedReply is type(fault(_reply(200, value)))


@pytest.mark.parametrize("body", [b"{}", b"<html>", b"Not Found"])
@pytest.mark.parametrize("status", [404, 405])
def test_a_wrong_base_url_is_said_so(status: int, body: bytes) -> None:
    """Linear has one path only; where that is missing is no Linear."""
    error = fault(Reply(status, URL, {}, body))

    assert isinstance(error, WrongSetting)
    assert "--base-url" in error.hint


def test_a_status_counts_where_nothing_is_said() -> None:
    """A proxy's page has no errors in it; then the status is all there is."""
    page = Reply(502, URL, {"content-type": "text/html"}, b"<html>")

    assert Unavailable is type(fault(page))


def test_a_page_instead_of_data_is_malformed() -> None:
    """A login page with status 200 is no answer."""
    page = Reply(200, URL, {"content-type": "text/html"}, b"<html>")

    assert MalformedReply is type(fault(page))
