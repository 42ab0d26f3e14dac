"""``rove mcp serve``: the MCP server that agents start."""

from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove_core import Operation, WrongCall
from rove_mcp.toolsets import DEFAULT_TOOLSETS, check_toolsets

if TYPE_CHECKING:
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
) -> ServedMcp:
    """Serve this project to an agent over MCP, on standard input and output.

    The agent starts it; set one up with `rove setup claude --mcp`.
    """
    if rove.client is None:
        raise WrongCall("an MCP server is started by the command line", hint="Run: rove mcp serve")
    chosen = check_toolsets(toolsets, await rove.client.offered())
    # Half a second that only a server should cost.
    from rove_mcp.server.stdio import serve_stdio  # noqa: PLC0415  # see above

    await serve_stdio(rove.client, chosen, rove.clock)
    return ServedMcp(toolsets=chosen)


SERVE = Operation(
    mcp_serve,
    command="mcp serve",
    project="closed",
    terminal_only=True,
    door=True,
    show=lambda _: "",
)
