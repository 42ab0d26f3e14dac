"""Rove's own server with the tools, resources and prompts that the conformance suites ask for."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import mcp_types as types
from attrs import define
from mcp.server.lowlevel import Server

from benchmarks.mcp.fixture_rounds import CONTEXT, ROUNDS, asked
from benchmarks.mcp.fixture_tools import (
    PICTURE,
    TOOLS,
    Context,
    FixtureTool,
    ToolAnswer,
    picture,
    resource,
)
from rove_core import JSON
from rove_mcp.server.server import McpServer

_ALL: Final[Mapping[str, FixtureTool]] = {**TOOLS, **ROUNDS}
_TEMPLATE: Final = ("test://template/", "/data")


@define(eq=False)
class FixtureServer(McpServer):
    """Answers as Rove does, and offers what the suites ask for besides."""

    def lowlevel(self) -> Server[Any]:
        """Return it as the SDK runs it."""
        server = super().lowlevel()
        rove = _Handlers(server)
        server.add_request_handler("tools/list", types.PaginatedRequestParams, rove.list_tools)
        server.add_request_handler("tools/call", types.CallToolRequestParams, rove.call_tool)
        server.add_request_handler("resources/read", types.ReadResourceRequestParams, rove.read)
        server.add_request_handler("prompts/get", types.GetPromptRequestParams, rove.prompt)
        server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _set_level)
        return server

    def _input_schema(self, name: str) -> Mapping[str, JSON] | None:
        tool = _ALL.get(name)
        return tool.schema if tool else super()._input_schema(name)


class _Handlers:
    """Answer what the suites ask for, and leave all else to Rove."""

    def __init__(self, server: Server[Any]) -> None:
        self._rove = {name: _handler(server, name) for name in _TAKEN}

    async def list_tools(
        self, ctx: Context, params: types.PaginatedRequestParams
    ) -> types.ListToolsResult:
        """List the suites' tools behind Rove's."""
        listed = await self._rove["tools/list"](ctx, params)
        listed.tools.extend(
            types.Tool(name=name, description=name, input_schema=dict(each.schema))
            for name, each in _ALL.items()
        )
        return listed  # type: ignore[no-any-return]  # a handler of Rove's

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> ToolAnswer:
        """Call a tool."""
        if params.name in _ALL:
            return await _ALL[params.name].answer(ctx, params)
        return await self._rove["tools/call"](ctx, params)  # type: ignore[no-any-return]  # as above

    async def read(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Read a resource."""
        contents: types.TextResourceContents | types.BlobResourceContents
        before, behind = _TEMPLATE
        if params.uri == "test://static-binary":
            contents = types.BlobResourceContents(
                uri=params.uri, mime_type="image/png", blob=PICTURE
            )
        elif params.uri == "test://static-text":
            contents = types.TextResourceContents(
                uri=params.uri, mime_type="text/plain", text="A text"
            )
        elif params.uri.startswith(before):
            name = params.uri.removeprefix(before).removesuffix(behind)
            contents = types.TextResourceContents(
                uri=params.uri, mime_type="application/json", text=f'{{"id":"{name}"}}'
            )
        else:
            return await self._rove["resources/read"](ctx, params)  # type: ignore[no-any-return]  # as above
        return types.ReadResourceResult(contents=[contents])

    async def prompt(
        self, ctx: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        """Return a prompt."""
        arguments = params.arguments or {}
        match params.name:
            case "test_simple_prompt":
                return _prompt(types.TextContent(text="This is a simple prompt for testing."))
            case "test_prompt_with_arguments":
                text = f"arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"
                return _prompt(types.TextContent(text=f"Prompt with arguments: {text}"))
            case "test_prompt_with_embedded_resource":
                return _prompt(resource(arguments["resourceUri"], "An embedded resource."))
            case "test_prompt_with_image":
                return _prompt(picture())
            case "test_input_required_result_prompt":
                return asked(params, CONTEXT) or _prompt(types.TextContent(text="Thank you."))
            case _:
                return await self._rove["prompts/get"](ctx, params)  # type: ignore[no-any-return]  # as above


_TAKEN: Final = ("tools/list", "tools/call", "resources/read", "prompts/get")


async def _set_level(_: Context, __: types.SetLevelRequestParams) -> types.EmptyResult:
    return types.EmptyResult()


def _handler(server: Server[Any], method: str) -> Callable[[Context, Any], Awaitable[Any]]:
    """Return what Rove answers a method with."""
    entry = server.get_request_handler(method)
    assert entry is not None  # noqa: S101  # Rove answers all of these
    return entry.handler


def _prompt(content: types.ContentBlock) -> types.GetPromptResult:
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])
