"""MCP over standard input and output, which carry nothing else."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Self, TextIO

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError

if TYPE_CHECKING:
    from contextvars import Context

    from mcp.shared._stream_protocols import ReadStream, WriteStream

    from rove_mcp.server.server import McpServer

_STDIN: Final = 0
_STDOUT: Final = 1
_STDERR: Final = 2


async def serve_stdio(server: "McpServer") -> None:
    """Serve the agent that started this process, until it closes standard input."""
    lowlevel = server.lowlevel()
    try:
        with _private_streams() as (lines, wire):
            async with stdio_server(anyio.wrap_file(lines), anyio.wrap_file(wire)) as (read, write):
                requests = _Requests(read, write)
                await lowlevel.run(requests, write, lowlevel.create_initialization_options())
    finally:
        await server.aclose()


class _Requests:
    """The messages of the agent; a line that is none gets the error that JSON-RPC has for it."""

    def __init__(
        self, read: "ReadStream[SessionMessage | Exception]", write: "WriteStream[SessionMessage]"
    ) -> None:
        self._read = read
        self._write = write

    @property
    def last_context(self) -> "Context | None":
        """The context that the last message was sent in."""
        return getattr(self._read, "last_context", None)

    async def receive(self) -> "SessionMessage | Exception":
        """Return the next message."""
        while isinstance(message := await self._read.receive(), ValueError):
            await self._write.send(SessionMessage(_refusal(message)))
        return message

    async def aclose(self) -> None:
        """Close the stream."""
        await self._read.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> "SessionMessage | Exception":
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()


def _refusal(error: ValueError) -> JSONRPCError:
    """Return the answer to a line that is not JSON, or not a message."""
    # The package that validates messages is not one of ours; its errors name their type.
    is_json = "json_invalid" not in str(error)
    code, message = (
        (INVALID_REQUEST, "Invalid Request") if is_json else (PARSE_ERROR, "Parse error")
    )
    return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=message))


@contextmanager
def _private_streams() -> Iterator[tuple[TextIO, TextIO]]:
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
