"""Messages between the server and a worker: length-prefixed JSON objects."""

import asyncio
import json
from base64 import b64decode, b64encode
from typing import Final, TypeAlias

import attrs

from rove_core.http.server.door import HttpRequest, HttpResponse
from rove_core.wire.json_types import JSON

Message: TypeAlias = dict[str, JSON]

#: The number of a worker's message that says how often operations run by themselves.
SCHEDULE: Final = -1

_LENGTH: Final = 4


def packed(message: Message) -> bytes:
    """Return the bytes of a message."""
    text = json.dumps(message).encode()
    return len(text).to_bytes(_LENGTH, "big") + text


async def read_message(reader: asyncio.StreamReader) -> Message | None:
    """Return the next message; None when no more will come."""
    try:
        length = int.from_bytes(await reader.readexactly(_LENGTH), "big")
        message: Message = json.loads(await reader.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionError, ValueError):
        return None
    return message


def of_request(request: HttpRequest) -> JSON:
    """Return a request as plain JSON data."""
    return {**attrs.asdict(request), "body": b64encode(request.body).decode()}


def to_request(payload: JSON) -> HttpRequest:
    """Return the request encoded by :func:`of_request`."""
    assert isinstance(payload, dict)  # noqa: S101  # both ends are ours
    return HttpRequest(**{**payload, "body": b64decode(str(payload["body"]))})


def of_response(response: HttpResponse) -> JSON:
    """Return a response as plain JSON data."""
    return {**attrs.asdict(response), "body": b64encode(response.body).decode()}


def to_response(payload: JSON) -> HttpResponse:
    """Return the response encoded by :func:`of_response`."""
    assert isinstance(payload, dict)  # noqa: S101  # both ends are ours
    return HttpResponse(**{**payload, "body": b64decode(str(payload["body"]))})
