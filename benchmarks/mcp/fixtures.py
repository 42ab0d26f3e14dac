"""A server with tools that the conformance suites call, on the parts of Rove's own server.

``python -m benchmarks.mcp.fixtures`` serves standard streams; ``python -m benchmarks.mcp.fixtures
http`` serves loopback and prints its address first.
"""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from attrs import frozen

from benchmarks.mcp.fixture_server import FixtureServer
from rove_core import JSON, Event, OfferedOperation, WrongCall
from rove_core.clock import SYSTEM
from rove_mcp.server.http import serve_http
from rove_mcp.server.stdio import serve_stdio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.project.operation_client import OnEvent

#: What callers show over HTTP.
TOKEN: Final = "token-of-the-fixtures"  # noqa: S105  # made up
_STEPS: Final = 3
_TEXT: Final[Mapping[str, JSON]] = {"type": "object", "properties": {"text": {"type": "string"}}}


@frozen
class FixtureClient:
    """Operations that do nothing but what a suite looks for: a text, an error, progress."""

    async def offered(self) -> Sequence[OfferedOperation]:
        """Return the operations that may be called."""
        names = ("test_simple_text", "test_error_handling", "test_tool_with_progress")
        return [
            OfferedOperation(
                name=name,
                title=name,
                description=name,
                changes=False,
                destroys=False,
                toolset="fixtures",
                input={"type": "object", "properties": {}},
                output=_TEXT,
            )
            for name in names
        ]

    async def call(
        self,
        name: str,
        arguments: Mapping[str, JSON],  # noqa: ARG002  # none has any
        on_event: "OnEvent" = lambda _: None,
    ) -> JSON:
        """Return a text, after three steps, or fail."""
        if name == "test_error_handling":
            raise WrongCall("this operation always fails")
        if name == "test_tool_with_progress":
            for step in range(_STEPS):
                at = SYSTEM.now()
                on_event(Event(task="", at=at, stage="read", done=step + 1, total=_STEPS))
                await SYSTEM.sleep(0.05)
        return {"text": "This is a simple text response for testing."}


def main(door: str) -> None:
    """Serve until the process is told to end."""
    server = FixtureServer(FixtureClient(), ("fixtures",), SYSTEM)
    if door == "http":
        callback = partial(print, flush=True)
        asyncio.run(serve_http(server, port=0, token=TOKEN, ready=callback))
    else:
        asyncio.run(serve_stdio(server))


if __name__ == "__main__":
    main(*sys.argv[1:] or ["stdio"])
