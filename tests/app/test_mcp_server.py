"""Rove as an MCP server, asked with the official client."""

import asyncio
import base64
import json
import warnings
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference, TextContent, Tool
from tests.memory.test_agreed_operations import AGREED

from rove.server.process_client import ProcessClient
from rove.server.project_operations import operations_of
from rove_core import open_project
from rove_core.clock import SYSTEM
from rove_core.testing import VirtualClock
from rove_mcp.server.pages import PAGE, page_of
from rove_mcp.server.server import McpServer

if TYPE_CHECKING:
    from mcp_types import CallToolResult

pytestmark = pytest.mark.anyio

#: What the list of the default tools may cost an agent, in each session.
MOST_TOKENS = 1_100


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def path(project: Path) -> Path:
    """Give the path of the sample company's document."""
    (found,) = project.glob(".context/TB-123_*.md")
    return found


@pytest.fixture
def markdown(path: Path) -> str:
    """Give the text of that document."""
    return path.read_text("utf-8")


@pytest.fixture
async def client(project: Path) -> AsyncIterator[ProcessClient]:
    """Give what calls the operations of the sample company's project."""
    async with open_project(project, accounts=()) as rove:
        yield ProcessClient(rove, operations_of(rove))


@pytest.fixture(params=["auto", "legacy"])
async def agent(client: ProcessClient, request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    """Give an agent's client of the default server, in each era of the protocol."""
    server = McpServer(client, ("context",), SYSTEM)
    async with Client(server.lowlevel(), mode=request.param) as connected:
        yield connected
    await server.aclose()


async def _tools(client: ProcessClient, *toolsets: str) -> Sequence[Tool]:
    async with Client(McpServer(client, toolsets, SYSTEM).lowlevel()) as connected:
        return (await connected.list_tools()).tools


def _text(result: "CallToolResult") -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def _tokens(tools: Sequence[Tool]) -> int:
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        import bpe_openai  # type: ignore[import-untyped]  # noqa: PLC0415  # it loads a vocabulary, and warns of its own code

    rows = [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]
    text = json.dumps({"tools": rows}, separators=(",", ":"))
    return len(bpe_openai.get_encoding("o200k_base").encode(text))


async def test_the_default_tools_cost_little(client: ProcessClient) -> None:
    """An agent pays at most 1,100 tokens for the list of the default tools."""
    tools = await _tools(client, "context")

    assert [tool.name for tool in tools] == ["build", "prime", "search", "show"]
    assert _tokens(tools) <= MOST_TOKENS


async def test_nothing_for_people_is_a_tool(client: ProcessClient) -> None:
    """Whatever toolset is chosen, no tool does what only a person at a terminal may do."""
    names = {tool.name for tool in await _tools(client, "all")}
    for_people = {each.name for each in client.operations if each.terminal_only}

    assert {"trust", "setup", "sources_remove", "mcp_serve"} <= for_people
    assert not names & for_people


async def test_agents_find_the_memory_s_tools(client: ProcessClient) -> None:
    """The operations that agents know by name are tools of the five toolsets of the memory."""
    found = await _tools(client, "sessions", "memory", "plans", "criteria", "tickets")

    assert AGREED.keys() <= {tool.name for tool in found}


async def test_a_toolset_adds_its_tools(client: ProcessClient) -> None:
    """The tools of a toolset are the operations of that group."""
    names = {tool.name for tool in await _tools(client, "context", "sources")}

    assert {"show", "sources_search", "preview"} <= names
    assert "remove" not in names


async def test_tools_say_what_they_change(client: ProcessClient) -> None:
    """Reading is marked as such, and so is what cannot be made again."""
    tools = {tool.name: tool.annotations for tool in await _tools(client, "all")}

    assert getattr(tools["show"], "read_only_hint", None) is True
    assert getattr(tools["build"], "destructive_hint", None) is False
    assert getattr(tools["remove"], "destructive_hint", None) is True


async def test_a_schema_allows_what_is_not_there(client: ProcessClient) -> None:
    """A field of a result that may be null says so, in the words that most clients understand."""
    (prime,) = [tool for tool in await _tools(client, "context") if tool.name == "prime"]

    assert (prime.output_schema or {})["properties"]["document"] == {
        "anyOf": [{"type": "object"}, {"type": "null"}]
    }


async def test_shows_a_document_as_it_stands(agent: Client, path: Path, markdown: str) -> None:
    """A model reads the document's own text and nothing else; a program gets the record."""
    result = await agent.call_tool("show", {"ticket": "TB-123"})

    assert _text(result) == markdown
    assert result.structured_content is None
    assert (result.meta or {})["rove/record"]["filename"] == path.name


async def test_a_result_fits_its_schema(agent: Client) -> None:
    """The client checks what it gets against the schema of the tool."""
    await agent.list_tools()

    result = await agent.call_tool("search", {"words": "jose"})

    assert not result.is_error
    assert json.loads(_text(result)) == result.structured_content


async def test_an_error_names_the_next_step(agent: Client) -> None:
    """A ticket without a document is an error with the command that builds it."""
    result = await agent.call_tool("show", {"ticket": "TB-999"})

    assert result.is_error
    assert "there is no document for 'TB-999'\nNext: Build it with:" in _text(result)


async def test_wrong_arguments_are_an_error(agent: Client) -> None:
    """What does not fit is refused in words that a model can act on."""
    result = await agent.call_tool("search", {"words": 7})

    assert result.is_error
    assert "words" in _text(result)


async def test_documents_are_resources(agent: Client, markdown: str) -> None:
    """Each document is listed and read under its ticket's id, and so is the skill."""
    listed = [each.uri for each in (await agent.list_resources()).resources]
    read = (await agent.read_resource("rove://context/TB-123")).contents[0]

    assert listed == ["skill://rove-context/SKILL.md", "rove://context/TB-123"]
    assert getattr(read, "text", "") == markdown


async def test_the_skill_is_a_resource(agent: Client) -> None:
    """An agent without the skill on its disk reads it from the server."""
    read = (await agent.read_resource("skill://rove-context/SKILL.md")).contents[0]

    assert getattr(read, "text", "").startswith("---\nname: rove-context\n")


@pytest.mark.parametrize(
    "uri",
    ["rove://context/TB-999", "file:///etc/passwd", "rove://context/", "rove://context/..%2f"],
)
async def test_no_other_resource_is_read(agent: Client, uri: str) -> None:
    """What is not a document is refused."""
    with pytest.raises(MCPError, match="there is no"):
        await agent.read_resource(uri)


async def test_completes_ids_of_tickets(agent: Client) -> None:
    """The ids of documents complete the template and the prompts, in any case."""
    for ref in (
        ResourceTemplateReference(uri="rove://context/{ticket}"),
        PromptReference(name="start_ticket"),
    ):
        found = await agent.complete(ref, {"name": "ticket", "value": "tb"})

        assert found.completion.values == ["TB-123"]


async def test_prompts_name_the_ticket(agent: Client) -> None:
    """A person starts and closes a ticket by a prompt."""
    names = [each.name for each in (await agent.list_prompts()).prompts]
    got = await agent.get_prompt("start_ticket", {"ticket": "TB-123"})

    assert names == ["start_ticket", "close_ticket"]
    assert "TB-123" in getattr(got.messages[0].content, "text", "")


@pytest.mark.parametrize("arguments", [{}, {"ticket": ""}, {"ticket": "a\nb"}])
async def test_a_prompt_needs_a_ticket(agent: Client, arguments: dict[str, str]) -> None:
    """A prompt without one is refused."""
    with pytest.raises(MCPError, match="needs a ticket"):
        await agent.get_prompt("close_ticket", arguments)


def test_pages_cover_a_list() -> None:
    """Following the cursors gives each thing once."""
    things, got, cursor = list(range(2 * PAGE + 1)), [], None
    for _ in range(3):
        page, cursor = page_of(things, cursor)
        got += page

    assert (got, cursor) == (things, None)


_FAR: Final = base64.urlsafe_b64encode(b"from " + b"9" * 5_000).decode()


@pytest.mark.parametrize("cursor", ["", "x", "%%%", "ZnJvbSAtMQ==", "ZnJvbSBvbmU=", _FAR])
async def test_a_foreign_cursor_is_refused(agent: Client, cursor: str) -> None:
    """A cursor that no page gave is an error, and no first page."""
    with pytest.raises(MCPError, match="not a valid cursor"):
        await agent.list_resources(cursor=cursor)


async def test_reports_a_changed_document(client: ProcessClient, path: Path) -> None:
    """A subscriber hears of a document that has changed."""
    server = McpServer(client, ("context",), VirtualClock())
    uri = "rove://context/TB-123"

    async with (
        Client(server.lowlevel()) as connected,
        connected.listen(resource_subscriptions=[uri]) as changes,
    ):
        with anyio.fail_after(60):
            while not server.watch.is_looking:
                await connected.list_prompts()
            await asyncio.to_thread(path.unlink)
            await client.call("reindex", {})
            event = await anext(aiter(changes))
    await server.aclose()

    assert getattr(event, "uri", "") == uri
