"""The HTTP door: a pure function from request to response; the server owns the sockets."""

import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, NoReturn
from urllib.parse import unquote

import attrs
from attrs import field, frozen

from rove_core.errors import EXPECTED, InternalError, RoveError, WrongCall
from rove_core.operations import Failure, Operation, Operations
from rove_core.wire.json_text import json_text
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from rove_core.project.project import Project

_LOG: Final = logging.getLogger("rove.http")

_MOST_BYTES: Final = 64 * 1024
_START: Final = "List them with: GET /operations"
_BODY: Final = "Send a JSON object of at most 64 kB, with the content type application/json."


@frozen
class HttpRequest:
    """An incoming request.

    Attributes:
        method: ``GET``, ``POST``, in capitals.
        path: Without the query, still percent-encoded.
        query: What follows the question mark.
        headers: Names in lower case.
        body: All of it.
    """

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(factory=dict)
    body: bytes = b""


@frozen
class HttpResponse:
    """An answer to a request.

    Attributes:
        status: The HTTP status.
        headers: The headers; their names are in lower case.
        body: The bytes after the headers.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


@frozen
class Route:
    """A request that a package answers itself, because others have settled its form.

    What needs no form of its own is an :class:`~rove_core.Operation`.

    Attributes:
        method: ``GET``, ``POST``, in capitals; ``WEBSOCKET`` for the messages of a WebSocket, see
            :mod:`rove_core.http.server.websocket`.
        path: The whole of it, as it is written (``/coderag/query``).
        answer: Answers such a request; a RoveError that it raises becomes an answer.
        title: What it does, in one line.
    """

    method: str
    path: str
    answer: "Callable[[HttpRequest, Project], Awaitable[HttpResponse]]"
    title: str


class Refused(Exception):  # noqa: N818  # it is an answer
    """A request that is answered with an error, under a status that is not the error's own.

    Args:
        status: The status.
        error: The error.
    """

    def __init__(self, status: int, error: RoveError) -> None:
        super().__init__(error.message)
        self.status = status
        self.error = error


async def answer(
    request: HttpRequest, operations: Operations, rove: "Project", routes: Iterable[Route] = ()
) -> HttpResponse:
    """Answer a request; whatever goes wrong becomes an answer too.

    The routes of plugins come first. An operation that only a person at a terminal may do is not
    there. ::

        GET  /operations          what there is; with ?schemas=true as below, all at once
        GET  /operations/{name}   one of them, with its schemas
        POST /operations/{name}   do it: a JSON object of arguments, its result as JSON
    """
    here = {route.method: route for route in routes if route.path == request.path}
    try:
        if route := here.get(request.method):
            return await route.answer(request, rove)
        if here:
            return _not_allowed(request, ", ".join(sorted(here)))
        return await _operation_reply(request, operations, rove)
    except Exception as error:  # noqa: BLE001  # it is logged, and told
        return failure_of(request, error)


def failure_of(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the error response of a request; unexpected errors are logged."""
    match error:
        case Refused():
            return failure(error.status, error.error)
        case RoveError():
            return failure(error.http_status, error)
    _LOG.error("%s %s failed", request.method, request.path, exc_info=error)
    what = f"{request.method} {request.path} failed: {type(error).__name__}"
    return failure(500, InternalError(what))


def failure(status: int, error: RoveError, **headers: str) -> HttpResponse:
    """Return an error as an answer; names of headers in lower case."""
    from rove_core.wire.structure import to_json  # noqa: PLC0415  # a plugin that brings a route needs none

    payload = Failure.of(error)
    if payload.hint.startswith(EXPECTED):  # Who asks over HTTP reads no help page of a command.
        payload = attrs.evolve(payload, hint=f"{EXPECTED}GET /openapi.json")
    return json_reply(status, to_json(payload), **headers)


def json_reply(status: int, value: JSON, **headers: str) -> HttpResponse:
    """Return plain JSON data as an answer; names of headers in lower case."""
    described = {"content-type": "application/json; charset=utf-8", **headers}
    return HttpResponse(status, described, json_text(value, ascii_only=True).encode() + b"\n")


def offered(operations: Operations, name: str) -> Operation:
    """Return an operation by its name if it is for everybody; else refuse."""
    try:
        operation = operations[name]
    except WrongCall as error:
        raise Refused(404, error) from error
    if operation.terminal_only:
        what = f"{name} is for a person at a terminal: rove {operation.command}"
        raise Refused(403, WrongCall(what))
    return operation


def json_body(request: HttpRequest) -> Mapping[str, JSON]:
    """Return the JSON object that the body of a request is, or refuse."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, WrongCall(f"the body is {kind or 'of no type'}", hint=_BODY))
    if len(request.body) > _MOST_BYTES:
        raise Refused(413, WrongCall(f"{len(request.body)} bytes is too large", hint=_BODY))
    try:
        arguments = json.loads(request.body.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise WrongCall(f"the body is not JSON: {error}", hint=_BODY) from error
    if not isinstance(arguments, dict):
        raise WrongCall(f"the body is not a JSON object: {request.body[:40]!r}", hint=_BODY)
    return arguments


async def _operation_reply(
    request: HttpRequest, operations: Operations, rove: "Project"
) -> HttpResponse:
    match request.path.split("/"):
        case ["", "operations"] if request.method == "GET":
            shown = _describe if request.query == "schemas=true" else _entry
            return json_reply(200, [shown(each) for each in operations if not each.terminal_only])
        case ["", "operations"]:
            return _not_allowed(request, "GET")
        case ["", "operations", name]:
            return await _one(request, operations, unquote(name), rove)
        case _:
            return failure(404, WrongCall(f"no endpoint {request.path}", hint=_START))


async def _one(
    request: HttpRequest, operations: Operations, name: str, rove: "Project"
) -> HttpResponse:
    operation = offered(operations, name)
    match request.method:
        case "GET":
            return json_reply(200, _describe(operation))
        case "POST":
            return json_reply(200, await operation.call(rove, json_body(request)))
        case _:
            return _not_allowed(request, "GET, POST")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _entry(operation: Operation) -> Mapping[str, JSON]:
    return {
        "name": operation.name,
        "title": operation.title,
        "changes": operation.changes,
        "destroys": operation.destroys,
        "toolset": operation.toolset,
        "path": f"/operations/{operation.name}",
    }


def _describe(operation: Operation) -> Mapping[str, JSON]:
    return {
        **_entry(operation),
        "description": operation.description,
        "input": operation.input_schema(),
        "output": operation.output_schema(),
    }


def _not_allowed(request: HttpRequest, allowed: str) -> HttpResponse:
    error = WrongCall(f"{request.method} is not allowed at {request.path}: use {allowed}")
    return failure(405, error, allow=allowed)
