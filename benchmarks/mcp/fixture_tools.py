"""Tools of the conformance suites that answer at once: contents of each kind, logs, questions."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import mcp_types as types
from attrs import frozen
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError

from rove_core import JSON
from rove_core.clock import SYSTEM

Context = ServerRequestContext[Any]
ToolAnswer = types.CallToolResult | types.InputRequiredResult
#: The smallest picture and the smallest sound there are.
PICTURE: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_SOUND: Final = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
_NOTHING: Final[Mapping[str, JSON]] = {"type": "object", "properties": {}}
_STEP: Final = 0.05


@frozen
class FixtureTool:
    """A tool that a suite calls.

    Attributes:
        answer: Answers a call.
        schema: What it takes.
    """

    answer: Callable[[Context, types.CallToolRequestParams], Awaitable[ToolAnswer]]
    schema: Mapping[str, JSON] = _NOTHING


def text_result(text: str) -> types.CallToolResult:
    """Return a text as the result of a call."""
    return types.CallToolResult(content=[types.TextContent(text=text)])


def picture() -> types.ImageContent:
    """Return a picture of one pixel."""
    return types.ImageContent(data=PICTURE, mime_type="image/png")


def resource(uri: str, text: str, kind: str = "text/plain") -> types.EmbeddedResource:
    """Return a resource as part of a result."""
    contents = types.TextResourceContents(uri=uri, mime_type=kind, text=text)
    return types.EmbeddedResource(resource=contents)


def _showing(*content: types.ContentBlock) -> FixtureTool:
    async def answer(_: Context, __: types.CallToolRequestParams) -> ToolAnswer:
        return types.CallToolResult(content=list(content))

    return FixtureTool(answer)


async def _log(ctx: Context, _: types.CallToolRequestParams) -> ToolAnswer:
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.session.send_log_message("info", message, related_request_id=ctx.request_id)
        await SYSTEM.sleep(_STEP)
    return text_result("logged")


async def _sample(ctx: Context, params: types.CallToolRequestParams) -> ToolAnswer:
    prompt = types.TextContent(text=str((params.arguments or {})["prompt"]))
    message = types.SamplingMessage(role="user", content=prompt)
    reply = await ctx.session.create_message(
        [message], max_tokens=100, related_request_id=ctx.request_id
    )
    return text_result(f"LLM response: {reply.content}")


async def _need_sampling(ctx: Context, _: types.CallToolRequestParams) -> ToolAnswer:
    needed = types.ClientCapabilities(sampling=types.SamplingCapability())
    if not ctx.session.check_client_capability(needed):
        data = types.MissingRequiredClientCapabilityErrorData(required_capabilities=needed)
        shown = data.model_dump(by_alias=True, mode="json", exclude_none=True)
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is needed", shown)
    return text_result("the client can sample")


async def _echo(_: Context, params: types.CallToolRequestParams) -> ToolAnswer:
    return text_result(str(params.arguments))


def _asking(fields: Mapping[str, JSON], *required: str) -> FixtureTool:
    async def answer(ctx: Context, params: types.CallToolRequestParams) -> ToolAnswer:
        message = str((params.arguments or {}).get("message", "Please fill in"))
        schema = {"type": "object", "properties": dict(fields), "required": list(required)}
        reply = await ctx.session.elicit(message, schema, related_request_id=ctx.request_id)
        return text_result(f"action={reply.action}, content={reply.content}")

    return FixtureTool(answer)


def _taking(name: str) -> Mapping[str, JSON]:
    return {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}


_TITLED: Final[JSON] = [
    {"const": f"value{number}", "title": f"Option {number}"} for number in range(1, 4)
]
_OPTIONS: Final[JSON] = ["option1", "option2", "option3"]
_DEFAULTS: Final[Mapping[str, JSON]] = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {
        "type": "string",
        "enum": ["active", "inactive", "pending"],
        "default": "active",
    },
    "verified": {"type": "boolean", "default": True},
}
_CHOICES: Final[Mapping[str, JSON]] = {
    "untitledSingle": {"type": "string", "enum": _OPTIONS},
    "titledSingle": {"type": "string", "oneOf": _TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
    "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
}
#: A schema with all that a later JSON Schema allows, which has to arrive as it was written.
_MODERN_SCHEMA: Final[Mapping[str, JSON]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
_HEADER_SCHEMA: Final[Mapping[str, JSON]] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
}

#: Tools by the names that the suites call them by.
TOOLS: Final[Mapping[str, FixtureTool]] = {
    "test_image_content": _showing(picture()),
    "test_audio_content": _showing(types.AudioContent(data=_SOUND, mime_type="audio/wav")),
    "test_embedded_resource": _showing(resource("test://embedded-resource", "An embedded one.")),
    "test_multiple_content_types": _showing(
        types.TextContent(text="Multiple content types test:"),
        picture(),
        resource("test://mixed-content-resource", '{"test":"data"}', "application/json"),
    ),
    "test_tool_with_logging": FixtureTool(_log),
    "test_logging_tool": FixtureTool(_log),
    "test_sampling": FixtureTool(_sample, _taking("prompt")),
    "test_elicitation": _asking(
        {"username": {"type": "string"}, "email": {"type": "string"}}, "username", "email"
    ),
    "test_elicitation_sep1034_defaults": _asking(_DEFAULTS),
    "test_elicitation_sep1330_enums": _asking(_CHOICES),
    "test_missing_capability": FixtureTool(_need_sampling),
    "json_schema_2020_12_tool": FixtureTool(_echo, _MODERN_SCHEMA),
    "test_header_parameter": FixtureTool(_echo, _HEADER_SCHEMA),
}
