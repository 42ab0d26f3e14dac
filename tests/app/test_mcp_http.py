"""The MCP server over HTTP: on loopback with a token, and on the project's socket."""

import http.client
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from rove.server.client import connect_safely
from rove.server.start import start, stop
from rove_core.project.layout import ProjectPaths

_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def served(project: Path) -> Iterator[tuple[str, Path]]:
    """Give the address of a server of the sample company, and its token's file."""
    with subprocess.Popen(  # our own command
        [sys.executable, "-m", "rove", "mcp", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=project,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdout
        url = process.stdout.readline().strip()
        place = Path(process.stdout.readline().strip().removeprefix("token: "))
        yield url, place
        process.terminate()


def _status(url: str, **headers: str) -> int:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=180)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO})
    accept = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    connection.request("POST", parts.path, body, {**accept, **headers})
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.anyio
async def test_the_official_client_reads_over_http(served: tuple[str, Path]) -> None:
    """In both eras of the protocol a caller with the token reads a document."""
    url, place = served
    headers = {"authorization": f"Bearer {place.read_text('utf-8')}"}  # a small file
    for mode in ("auto", "legacy"):
        async with (
            httpx2.AsyncClient(headers=headers) as http_client,
            Client(streamable_http_client(url, http_client=http_client), mode=mode) as client,
        ):
            shown = await client.call_tool("show", {"ticket": "TB-123"})

            assert getattr(shown.content[0], "text", "").startswith("# Context: TB-123")


def test_nobody_is_let_in_without_the_token(served: tuple[str, Path]) -> None:
    """No token, a wrong one, another host's page: none is answered, and the file is private."""
    url, place = served
    good = f"Bearer {place.read_text('utf-8')}"

    assert _status(url) == 401
    assert _status(url, authorization="Bearer wrong") == 401
    assert _status(url, authorization=good, host="evil.example") == 421
    assert _status(url, authorization=good, origin="https://evil.example") == 403
    assert _status(url, authorization=good) == 200
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_the_projects_socket_answers(project: Path) -> None:
    """A caller on the socket lists the tools without a session."""
    places = ProjectPaths.at(project)
    start(places)
    try:
        told = _asked(places, "tools/list", {})
        shown = _asked(places, "tools/call", {"name": "show", "arguments": {"ticket": "TB-123"}})
    finally:
        stop(places)

    assert [tool["name"] for tool in told["tools"]] == ["build", "prime", "search", "show"]
    assert shown["_meta"]["rove/record"]["ticket_id"] == "TB-123"


def _asked(places: ProjectPaths, method: str, params: dict[str, Any]) -> Any:  # noqa: ANN401  # JSON
    connection = http.client.HTTPConnection("localhost", timeout=180)
    connection.sock = connect_safely(places, timeout=180)
    headers = {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    connection.request("POST", "/mcp", body, headers)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer["result"]
