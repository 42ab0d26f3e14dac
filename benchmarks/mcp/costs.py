"""What an agent pays for the server: tokens at its start, and milliseconds for each call."""

import asyncio
import http.client
import json
import os
import sys
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from statistics import median, quantiles
from time import perf_counter  # noqa: TID251  # time is what a benchmark measures
from typing import Any, Final

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from benchmarks.costs.line import Line
from benchmarks.mcp.sample import TICKET, sample_project
from rove.server.client import connect_safely
from rove.server.process_client import ProcessClient
from rove.server.project_operations import operations_of
from rove.server.start import start
from rove_core import open_project
from rove_core.clock import SYSTEM
from rove_core.project.layout import ProjectPaths
from rove_mcp.server.server import McpServer

_WARM: Final = 20
_CALLS: Final = 200
_MOST: Final = 20.0
_MOST_TOKENS: Final = 1_100
_TOOL: Final = "show"
_ARGUMENTS: Final = {"ticket": TICKET}
_SETS: Final = (("context",), ("context", "sources"), ("context", "code"))
_MEMORY: Final = ("sessions", "memory", "plans", "criteria", "tickets")

Call = Callable[[], Awaitable[Any]]


def cost_lines() -> Iterator[Line]:
    """Measure in the sample project."""
    print(f"{'':56}{'measured':>10}{'bound':>10}   load {os.getloadavg()[0]:.1f}")
    with sample_project() as places:
        yield from asyncio.run(_tokens(places))
        yield from asyncio.run(_calls(places))


async def _tokens(places: ProjectPaths) -> list[Line]:
    lines = []
    async with open_project(places.root, accounts=()) as rove:
        client = ProcessClient(rove, operations_of(rove))
        for toolsets in (*_SETS, _MEMORY, ("all",)):
            async with Client(McpServer(client, toolsets, SYSTEM).lowlevel()) as connected:
                tools = (await connected.list_tools()).tools
            rows = [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]
            text = json.dumps({"tools": rows}, separators=(",", ":"))
            named = f"tokens of {len(rows)} tools: {', '.join(toolsets)}"
            lines.append(Line(named, _count(text), _MOST_TOKENS if len(rows) < 5 else None))
    return lines


def _count(text: str) -> int:
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        import bpe_openai  # type: ignore[import-untyped]  # noqa: PLC0415  # it loads a vocabulary, and warns of its own code

    return len(bpe_openai.get_encoding("o200k_base").encode(text))


async def _calls(places: ProjectPaths) -> list[Line]:
    lines = []
    await asyncio.to_thread(start, places)
    async with open_project(places.root, accounts=()) as rove:
        client = ProcessClient(rove, operations_of(rove))

        async def itself() -> None:
            await client.call(_TOOL, _ARGUMENTS)

        for mode in ("auto", "legacy"):
            async with _over_stdio(places, mode) as call:
                lines += await _beyond(f"stdio, {mode}", call, itself)
            async with _over_http(places, mode) as call:
                lines += await _beyond(f"HTTP on loopback, {mode}", call, itself)
        lines += await _beyond("the project's socket", lambda: _on_socket(places), itself)
    return lines


async def _beyond(door: str, call: Call, itself: Call) -> list[Line]:
    """Measure a door and the operation in turn, so that a busy machine slows both."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(_WARM + _CALLS):
        for function, taken in zip((call, itself), times, strict=True):
            began = perf_counter()
            await function()
            if number >= _WARM:
                taken.append(1_000 * (perf_counter() - began))
    (p50, p95), (own50, own95) = ((median(each), quantiles(each, n=20)[-1]) for each in times)
    return [
        Line(f"ms over the operation itself, median: {door}", p50 - own50),
        Line(f"ms over the operation itself, p95: {door}", p95 - own95, _MOST),
    ]


@asynccontextmanager
async def _over_stdio(places: ProjectPaths, mode: Any) -> AsyncIterator[Call]:  # noqa: ANN401  # the SDK's own
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "rove", "mcp", "serve"],
        cwd=str(places.root),
        env=dict(os.environ),
    )
    async with Client(stdio_client(server), mode=mode) as client:
        yield lambda: client.call_tool(_TOOL, _ARGUMENTS)


@asynccontextmanager
async def _over_http(places: ProjectPaths, mode: Any) -> AsyncIterator[Call]:  # noqa: ANN401  # the SDK's own
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "rove", "mcp", "serve", "--port", "0"),
        cwd=places.root,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout  # noqa: S101  # it was opened as a pipe
    url = (await process.stdout.readline()).decode().strip()
    place = (await process.stdout.readline()).decode().strip().removeprefix("token: ")
    try:
        token = await asyncio.to_thread(lambda: open(place, encoding="utf-8").read())  # noqa: PTH123, SIM115  # a small file
        headers = {"authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http_client,
            Client(streamable_http_client(url, http_client=http_client), mode=mode) as client,
        ):
            yield lambda: client.call_tool(_TOOL, _ARGUMENTS)
    finally:
        process.terminate()
        await process.wait()


async def _on_socket(places: ProjectPaths) -> None:
    connection = http.client.HTTPConnection("localhost", timeout=60)
    connection.sock = connect_safely(places, timeout=60)
    headers = {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
    }
    params = {"name": _TOOL, "arguments": _ARGUMENTS}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    connection.request("POST", "/mcp", json.dumps(message), headers)
    json.loads(connection.getresponse().read())["result"].keys()
    connection.close()
