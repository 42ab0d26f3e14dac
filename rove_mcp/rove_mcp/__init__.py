"""MCP for Rove, both ways: a server for agents, and any MCP server as a source."""

from typing import TYPE_CHECKING

from rove_core import Route, SearchableField, SourceKind, hookimpl
from rove_mcp.settings import APP, BEARER, COMMAND, KEY, OAUTH, OPEN, McpSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rove_core import (
        Account,
        Http,
        HttpRequest,
        HttpResponse,
        Operation,
        Project,
        SourceHooks,
    )

__all__ = ["rove_api", "rove_operations", "rove_routes", "rove_sources"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_sources() -> "Sequence[SourceKind[McpSettings]]":
    """Bring any MCP server as a source."""
    return [
        SourceKind(
            name="mcp",
            title="MCP",
            settings=McpSettings,
            connect=_connect,
            logins=(OAUTH, APP, BEARER, KEY, OPEN, COMMAND),
            fields=(SearchableField("text", "text", "Whatever the server's search looks in"),),
        )
    ]


@hookimpl
def rove_operations() -> "Sequence[Operation]":
    """Bring ``rove mcp serve`` and ``rove sources probe``."""
    from rove_mcp.probe import PROBE  # noqa: PLC0415  # a source alone needs none
    from rove_mcp.serve import SERVE  # noqa: PLC0415  # the same

    return [SERVE, PROBE]


@hookimpl
def rove_routes() -> "Sequence[Route]":
    """Bring ``/mcp`` on the project's socket."""
    return [Route("POST", "/mcp", _answer, "Answer a message of the Model Context Protocol.")]


async def _answer(request: "HttpRequest", rove: "Project") -> "HttpResponse":
    from rove_mcp.server.http import answer  # noqa: PLC0415  # half a second that few servers need

    return await answer(request, rove)


def _connect(account: "Account[McpSettings]", http: "Http") -> "SourceHooks":
    from rove_mcp.source.source import McpSource  # noqa: PLC0415  # loaded when an account needs it

    return McpSource(account, http)
