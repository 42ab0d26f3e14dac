import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any, cast

import pytest

from rove_core.errors import DocumentNotFound
from rove_core.http.server.door import HttpRequest, HttpResponse, Route, answer
from rove_core.operations import Operation, Operations

if TYPE_CHECKING:
    from rove_core.project.project import Project

JSON_TYPE = {"content-type": "application/json; charset=utf-8"}


async def greet(rove: "Project", *, name: str) -> str:
    """Greet somebody."""
    return f"{rove} greets {name}"


async def look(_rove: "Project") -> None:
    """Look for a document."""
    raise DocumentNotFound("no document for TB-1")


async def forget(_rove: "Project") -> None:
    """Forget everything."""


async def crash(_rove: "Project") -> None:
    """Fail in a way nobody foresaw."""
    raise ZeroDivisionError("the secret sauce")


async def echo(request: HttpRequest, rove: "Project") -> HttpResponse:
    """Send back what came."""
    return HttpResponse(201, {"x-from": str(rove)}, request.body)


ECHO = Route("POST", "/demo/echo", echo, "Send back what came.")


def asked(
    method: str, path: str, body: bytes = b"", content_type: str = "application/json"
) -> HttpResponse:
    """Return the answer of a small set of operations."""
    operations = Operations()
    for function in greet, look, crash:
        operations.add(Operation(function, toolset="demo"), "rove-demo")
    operations.add(Operation(forget, terminal_only=True), "rove-demo")
    headers = {"content-type": content_type} if content_type else {}
    request = HttpRequest(method, path, headers=headers, body=body)
    return asyncio.run(answer(request, operations, cast("Project", "Rove"), [ECHO]))


def body(response: HttpResponse) -> Any:  # noqa: ANN401  # JSON of any shape
    """Return the body of an answer."""
    return json.loads(response.body)


def test_operations_are_listed() -> None:
    """The list tells what is needed to choose one, and where it is."""
    response = asked("GET", "/operations")

    assert response.status == 200
    assert response.headers == JSON_TYPE
    assert [entry["name"] for entry in body(response)] == ["crash", "greet", "look"]
    assert body(response)[1] == {
        "name": "greet",
        "title": "Greet somebody.",
        "changes": False,
        "destroys": False,
        "toolset": "demo",
        "path": "/operations/greet",
    }


def test_an_operation_is_described() -> None:
    """One operation comes with its schemas."""
    told = body(asked("GET", "/operations/greet"))

    assert told["description"] == "Greet somebody."
    assert told["input"]["required"] == ["name"]
    assert told["output"]["type"] == "string"


@pytest.mark.parametrize("path", ["/operations/greet", "/operations/%67reet"])
def test_an_operation_is_called(path: str) -> None:
    """Arguments go in as a JSON object, the result comes out as JSON."""
    response = asked("POST", path, b'{"name": "Ren\xc3\xa9"}')

    assert response.status == 200
    assert body(response) == "Rove greets René"


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "message"),
    [
        ("GET", "/", b"", 404, "no endpoint /"),
        ("GET", "/operations/", b"", 404, "no such operation: "),
        ("GET", "/operations/greet/more", b"", 404, "no endpoint /operations/greet/more"),
        (
            "POST",
            "/operations/greeet",
            b"{}",
            404,
            "no such operation: greeet; did you mean 'greet'?",
        ),
        ("POST", "/operations", b"{}", 405, "POST is not allowed at /operations: use GET"),
        (
            "PUT",
            "/operations/greet",
            b"{}",
            405,
            "PUT is not allowed at /operations/greet: use GET, POST",
        ),
        ("POST", "/operations/greet", b" " * 65_537, 413, "65537 bytes is too large"),
        ("POST", "/operations/greet", b"", 400, "the body is not JSON: Expecting value"),
        (
            "POST",
            "/operations/greet",
            b"\xff",
            400,
            "the body is not JSON: 'utf-8' codec can't decode",
        ),
        (
            "POST",
            "/operations/greet",
            b'{"name": NaN}',
            400,
            "the body is not JSON: NaN is not a JSON number",
        ),
        (
            "POST",
            "/operations/greet",
            b"[" * 60_000,
            400,
            "the body is not JSON: maximum recursion depth",
        ),
        ("POST", "/operations/greet", b"[1]", 400, "the body is not a JSON object: b'[1]'"),
        (
            "POST",
            "/operations/greet",
            b'{"name": 1}',
            400,
            "greet: name: expected text, got a number (1)",
        ),
        ("POST", "/operations/look", b"{}", 404, "no document for TB-1"),
        (
            "POST",
            "/operations/crash",
            b"{}",
            500,
            "POST /operations/crash failed: ZeroDivisionError",
        ),
    ],
)
def test_what_goes_wrong_is_an_answer(
    method: str, path: str, sent: bytes, status: int, message: str
) -> None:
    """Each error has its status, and a body of the same four parts."""
    response = asked(method, path, sent)

    assert response.status == status
    assert body(response).keys() == {"code", "message", "hint", "docs", "retry_at"}
    assert body(response)["message"].startswith(message)


@pytest.mark.parametrize(
    ("content_type", "message"),
    [("text/plain", "the body is text/plain"), ("", "the body is of no type")],
)
def test_a_body_of_another_type_is_refused(content_type: str, message: str) -> None:
    """Only JSON is read, so that no web page's form can call an operation."""
    response = asked("POST", "/operations/greet", b'{"name": "A"}', content_type)

    assert response.status == 415
    assert body(response)["message"] == message


def test_a_wrong_method_is_told_the_right_ones() -> None:
    """An answer 405 has its Allow header."""
    assert asked("DELETE", "/operations/greet").headers["allow"] == "GET, POST"


def test_who_asks_over_http_is_sent_to_no_help_page_of_a_command() -> None:
    """What is expected over HTTP stands where one can ask for it over HTTP."""
    hint = body(asked("PUT", "/operations/greet"))["hint"]

    assert hint == "See usage: GET /openapi.json"


def test_a_bug_is_logged_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    """The traceback goes to the log; the answer holds no word of it."""
    with caplog.at_level(logging.ERROR, "rove.http"):
        response = asked("POST", "/operations/crash", b"{}")

    assert b"sauce" not in response.body
    assert body(response)["code"] == "ROVE-BUG-001"
    assert "the secret sauce" in caplog.text


def test_a_route_of_a_plugin_is_answered_by_it() -> None:
    """Status, headers and body are the plugin's own."""
    assert asked("POST", "/demo/echo", b"hello") == HttpResponse(201, {"x-from": "Rove"}, b"hello")


def test_a_route_has_its_method() -> None:
    """Another method is refused, with the one that is allowed."""
    response = asked("GET", "/demo/echo")

    assert response.status == 405
    assert response.headers["allow"] == "POST"


def test_what_only_a_person_may_do_is_refused() -> None:
    """It is not offered, and whoever knows its name is told where it can be done."""
    response = asked("POST", "/operations/forget", b"{}")

    assert response.status == 403
    assert body(response)["message"] == "forget is for a person at a terminal: rove forget"
