"""``rove sources probe``: show what an MCP server offers, and how Rove uses it."""

from typing import TYPE_CHECKING, Annotated, Final
from weakref import WeakValueDictionary

from attrs import frozen

from rove_core import Operation, Outcome, UnknownAccount, page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rove_core import Project
    from rove_mcp.source.source import McpSource

#: How tools that search or read are called, and their arguments; the likeliest first.
_SEARCHES: Final = ("search", "find", "query", "lookup", "list")
_WORDS: Final = ("query", "q", "text", "search", "words", "keywords", "term", "jql", "cql")
_READS: Final = ("fetch", "get", "read", "open", "retrieve", "show")
_IDS: Final = ("id", "uri", "key", "page_id", "issue_id", "number", "name", "path")
#: The connected servers of this process, by account.
CONNECTED: "WeakValueDictionary[str, McpSource]" = WeakValueDictionary()


@frozen(kw_only=True)
class OfferedTool:
    """A tool of a server.

    Attributes:
        name: Its name.
        reads: Whether the server declares that it only reads; others are never called.
        arguments: The names of its arguments.
    """

    name: str
    reads: bool
    arguments: tuple[str, ...]


@frozen(kw_only=True)
class ServerProbe(Outcome):
    """The tools and resources of a server.

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
        if self.problem or not self.search_tool:
            lines += self._proposed_command()
        return page(lines)

    def _proposed_command(self) -> list[str]:
        """Return the command that makes Rove use the tools that look like it; none if none do."""
        search = self._like(_SEARCHES, _WORDS)
        if search is None:
            return []
        read = self._like(_READS, _IDS)
        settings = {"search_tool": search.name, "search_argument": _best(search, _WORDS)}
        if read and read is not search:
            settings |= {"read_tool": read.name, "read_argument": _best(read, _IDS)}
        options = " ".join(f"--set {name}={value}" for name, value in settings.items())
        return [f"Try: rove --add-source {self.account} {options}"]

    def _like(self, words: "Sequence[str]", arguments: "Sequence[str]") -> OfferedTool | None:
        """Return the tool that reads and is most likely called for something."""
        fitting = [
            tool
            for tool in self.tools
            if tool.reads and tool.arguments and any(word in tool.name.lower() for word in words)
        ]
        fitting.sort(key=lambda tool: _best(tool, arguments) not in arguments)
        return next(iter(fitting), None)


def _best(tool: OfferedTool, likely: "Sequence[str]") -> str:
    """Return the argument of a tool that is called so, or else its first."""
    return next((each for each in likely if each in tool.arguments), tool.arguments[0])


async def sources_probe(
    rove: "Project", *, account: Annotated[str, "The account: mcp:wiki."]
) -> ServerProbe:
    """Show what an MCP server offers, and how Rove uses it."""
    name = rove.account(account).name
    source = CONNECTED.get(name)
    if source is None:
        raise UnknownAccount(f"{name} is not an MCP server", account=name)
    return await source.probe()


PROBE = Operation(sources_probe, command="sources probe", toolset="sources")
