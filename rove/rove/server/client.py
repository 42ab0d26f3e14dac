"""HTTP client for a project's server; it only talks to servers of the same user."""

import json
import os
import socket
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rove.server.address import connect, open_folder
from rove.server.peers import peer_of
from rove_core.project.layout import ProjectPaths
from rove_core.wire.json_types import JSON

_PATIENCE: Final = 60.0
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def call(  # noqa: PLR0913  # what a request is made of
    places: ProjectPaths,
    method: str,
    path: str,
    body: JSON | None = None,
    *,
    headers: Mapping[str, str] = _NONE,
    timeout: float = _PATIENCE,
) -> tuple[int, JSON]:
    """Ask a project's server and return the status and the JSON of its answer.

    Args:
        places: The project.
        method: ``GET``, ``POST``.
        path: With the query, percent-encoded.
        body: What to send; nothing if None.
        headers: What else to say.
        timeout: Seconds to wait for each piece of the answer.

    Raises:
        OSError: Nobody answers there, or somebody who is not this user.
    """
    with_server = connect_safely(places, timeout=timeout)
    # Most commands find no server, and it takes longer to import than they need.
    from http.client import HTTPConnection, HTTPException  # noqa: PLC0415  # see above

    connection = HTTPConnection("localhost", timeout=timeout)
    connection.sock = with_server
    payload = None if body is None else json.dumps(body).encode()
    typed = {} if payload is None else {"content-type": "application/json"}
    try:
        connection.request(method, path, payload, {**typed, **headers})
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    except (HTTPException, ValueError) as error:
        raise ConnectionError(f"the server's reply is not HTTP: {error!r}") from error
    finally:
        connection.close()


def connect_safely(places: ProjectPaths, *, timeout: float) -> socket.socket:
    """Return a connection to a project's server, or raise OSError if it is not this user's."""
    folder = open_folder(places.rove)
    try:
        connection = connect(folder, timeout=timeout)
    finally:
        os.close(folder)
    if (uid := peer_of(connection).uid) != os.geteuid():
        connection.close()
        raise PermissionError(f"{places.socket} is served by user {uid}")
    return connection
