"""``rove sources probe``: what an MCP server offers, and how Rove uses it."""

from typing import TYPE_CHECKING, Annotated
from weakref import WeakValueDictionary

from attrs import frozen

from rove_core import Operation, Outcome, UnknownAccount

if TYPE_CHECKING:
    from rove_core import Project
    from rove_mcp.source.source import McpSource

#: The connected servers of this process, by account.
CONNECTED: "WeakValueDictionary[str, McpSource]" = WeakValueDictionary()


@frozen(kw_only=True)
class OfferedTool:
    """A tool of a server.

    Attributes:
        name: Its name.
        reads: Whether the server declares that it only reads; others are never called.
        arguments: The names of its arguments.
        description: What the server says of it: somebody else's words.
    """

    name: str
    reads: bool
    arguments: tuple[str, ...]
    description: str


@frozen(kw_only=True)
class ServerProbe(Outcome):
    """What a server offers.

    Attributes:
        account: The account.
        server: What the server calls itself.
        mapping: The shipped mapping that is used; empty for none.
        search_tool: The tool that searches; empty if resources are searched.
        read_tool: The tool that reads one item.
        problem: What keeps these tools from being called; empty if nothing does.
        tools: Its tools.
        resources: Whether it offers resources.
    """

    account: str
    server: str
    mapping: str
    search_tool: str
    read_tool: str
    problem: str
    tools: tuple[OfferedTool, ...]
    resources: bool

    def show(self) -> str:
        """Return it for people, with the settings to give where none fit."""
        uses = self.search_tool or ("its resources" if self.resources else "nothing")
        lines = [f"{self.account}: {self.server}", f"  searches with {uses}"]
        lines += [f"  reads with {self.read_tool}"] if self.read_tool else []
        lines += [f"  {self.problem}"] if self.problem else []
        for tool in self.tools:
            mark = "reads" if tool.reads else "never called"
            lines.append(f"  {tool.name}({', '.join(tool.arguments)}): {mark}")
        fitting = [tool for tool in self.tools if tool.reads and tool.arguments]
        if (self.problem or uses == "nothing") and fitting:
            best = next((tool for tool in fitting if "search" in tool.name), fitting[0])
            lines.append(
                f"Try: rove --add-source {self.account} --set search_tool={best.name} "
                f"--set search_argument={best.arguments[0]}"
            )
        return "\n".join(lines)


async def sources_probe(
    rove: "Project", *, account: Annotated[str, "The account: mcp:wiki."]
) -> ServerProbe:
    """Show what an MCP server offers, and how Rove uses it."""
    name = rove.account(account).name
    source = CONNECTED.get(name)
    if source is None:
        raise UnknownAccount(f"{name} is no MCP server", account=name)
    return await source.probe()


PROBE = Operation(sources_probe, command="sources probe", toolset="sources")
