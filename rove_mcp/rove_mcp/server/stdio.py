"""MCP over standard input and output, which carry nothing else."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

import anyio
from mcp.server.stdio import stdio_server

if TYPE_CHECKING:
    from rove_mcp.server.server import McpServer

_STDIN: Final = 0
_STDOUT: Final = 1
_STDERR: Final = 2


async def serve_stdio(server: "McpServer") -> None:
    """Serve the agent that started this process, until it closes standard input."""
    lowlevel = server.lowlevel()
    try:
        with _kept_streams() as (lines, wire):
            async with stdio_server(anyio.wrap_file(lines), anyio.wrap_file(wire)) as (read, write):
                await lowlevel.run(read, write, lowlevel.create_initialization_options())
    finally:
        await server.aclose()


@contextmanager
def _kept_streams() -> Iterator[tuple[TextIO, TextIO]]:
    """Yield the standard streams, and send other output to standard error."""
    before = sys.stdout
    lines = open(os.dup(_STDIN), encoding="utf-8", errors="replace")  # noqa: PTH123, SIM115  # closed below
    wire = open(os.dup(before.fileno()), "w", encoding="utf-8")  # noqa: PTH123, SIM115  # closed below
    with lines, wire, open(os.devnull) as nothing:  # noqa: PTH123  # a descriptor is needed
        os.dup2(nothing.fileno(), _STDIN)
        os.dup2(_STDERR, _STDOUT)
        sys.stdout = sys.stderr
        try:
            yield lines, wire
        finally:
            sys.stdout = before
