"""``rove mcp serve``: the MCP server that agents start."""

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove_core import Operation, WrongCall
from rove_mcp.toolsets import DEFAULT_TOOLSETS, check_toolsets

if TYPE_CHECKING:
    from pathlib import Path

    from rove_core import Project


@frozen(kw_only=True)
class ServedMcp:
    """A server that has ended.

    Attributes:
        toolsets: The toolsets that it offered.
    """

    toolsets: tuple[str, ...]


async def mcp_serve(
    rove: "Project",
    *,
    toolsets: Annotated[
        str, "The toolsets to offer, separated by commas: context, code, memory...; or all."
    ] = ",".join(DEFAULT_TOOLSETS),
    port: Annotated[int | None, "Serve HTTP on this loopback port; 0 is any free one."] = None,
) -> ServedMcp:
    """Serve this project to an agent over MCP, on standard input and output.

    The agent starts it; set one up with `rove setup claude --mcp`. With a port it serves HTTP
    instead, to clients that send the token it prints.
    """
    if rove.client is None:
        raise WrongCall("an MCP server is started by the command line", hint="Run: rove mcp serve")
    chosen = check_toolsets(toolsets, await rove.client.offered())
    # Half a second that only a server should cost.
    from rove_mcp.server.server import McpServer  # noqa: PLC0415  # see above

    server = McpServer(rove.client, chosen, rove.clock)
    if port is None:
        from rove_mcp.server.stdio import serve_stdio  # noqa: PLC0415  # see above

        await serve_stdio(server)
    else:
        from rove_mcp.server.http import own_token, serve_http  # noqa: PLC0415  # see above

        token, place = own_token(rove.places.root)
        await serve_http(server, port=port, token=token, ready=partial(_print_address, place))
    return ServedMcp(toolsets=chosen)


def _print_address(token: "Path", url: str) -> None:
    sys.stdout.write(f"{url}\ntoken: {token}\n")
    sys.stdout.flush()


SERVE = Operation(
    mcp_serve,
    command="mcp serve",
    group="Serve agents over MCP.",
    project="closed",
    terminal_only=True,
    door=True,
    show=lambda _: "",
)
