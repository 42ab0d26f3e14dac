"""The tools of a server: which may be called, whether they changed, what they return."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from rove_core import (
    JSON,
    ItemNotFound,
    MalformedReply,
    Reply,
    RoveError,
    ScopeMissing,
    Unavailable,
    WrongSetting,
)
from rove_mcp.source.wire import Conversation

_MOST_TOOLS: Final = 500
_LONGEST_SAID: Final = 200
#: What the protocol allows as a name: no sentence that an agent could take for an instruction.
TOOL_NAME: Final = re.compile(r"[A-Za-z0-9_./-]{1,128}")
_MISSING: Final = re.compile(
    r"not.?found|no such|does ?n.t exist|does not exist|\b404\b|unknown (id|item|page|document)",
    re.IGNORECASE,
)


@frozen(kw_only=True)
class ServerTool:
    """A tool as its server declares it, without the untrusted description.

    Attributes:
        name: Its name.
        reads: Whether the server declares that it only reads.
        schema: The schema of its arguments.
    """

    name: str
    reads: bool
    schema: Mapping[str, JSON]

    @property
    def digest(self) -> str:
        """A digest of its name, arguments and read-only mark."""
        content = json.dumps([self.name, self.reads, self.schema], sort_keys=True)
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:16]

    def argument(self, name: str, text: str) -> JSON:
        """Return a text as the value of an argument, of the type that the tool declares."""
        properties = self.schema.get("properties")
        declared = properties.get(name) if isinstance(properties, Mapping) else None
        match declared.get("type") if isinstance(declared, Mapping) else None:
            case "array":
                return [text]
            case "integer" if text.removeprefix("-").isdecimal():
                return int(text)
            case "boolean" if text in {"true", "false"}:
                return text == "true"
        return text


@define(eq=False)
class ServerTools:
    """Calls the tools of a server that only read.

    Attributes:
        conversation: The conversation with the server.
        approved: The digest of what a person connected; empty while they do.
    """

    conversation: Conversation
    approved: str = ""
    _tools: dict[str, ServerTool] | None = field(default=None, init=False)

    async def all(self) -> Mapping[str, ServerTool]:
        """Return the tools by name."""
        if self._tools is None:
            await self.conversation.begin()
            tools: dict[str, ServerTool] = {}
            if "tools" in self.conversation.capabilities:
                async for entry in self.conversation.pages("tools/list", "tools"):
                    tool = _tool(entry)
                    if TOOL_NAME.fullmatch(tool.name):
                        tools.setdefault(tool.name, tool)
                    if len(tools) >= _MOST_TOOLS:
                        break
            self._tools = tools
        return self._tools

    async def digest(self, names: Sequence[str]) -> str:
        """Return the digest of the tools that are used."""
        tools = await self.all()
        return "+".join(tools[name].digest for name in names if name in tools)

    async def check(self, names: Sequence[str]) -> None:
        """Raise WrongSetting unless the tools exist, are read-only and unchanged."""
        tools, account = await self.all(), self.conversation.name
        for name in names:
            if name not in tools:
                raise WrongSetting(
                    f"{account} has no tool {name!r}",
                    hint=f"List its tools: rove sources probe {account}",
                )
            if not tools[name].reads:
                raise WrongSetting(
                    f"{account} does not declare that its tool {name!r} only reads: not called",
                    hint=f"Choose one that does: rove sources probe {account}",
                )
        if self.approved and self.approved != await self.digest(names):
            raise WrongSetting(
                f"the tools of {account} have changed since you connected it: not called",
                hint=f"Review them, then connect it again: rove sources probe {account}",
            )

    async def call(self, name: str, texts: Mapping[str, str]) -> JSON:
        """Return a tool's result: its structured content, else its text."""
        tool = (await self.all())[name]
        arguments = {each: tool.argument(each, text) for each, text in texts.items()}
        result = await self.conversation.ask("tools/call", {"name": name, "arguments": arguments})
        text = _text_of(result.get("content"))
        if result.get("isError") is True:
            raise _refusal(self.conversation.name, name, text)
        if "inputRequests" in result or result.get("resultType") == "input_required":
            raise WrongSetting(f"{self.conversation.name}: {name} asks for user input: not used")
        structured = result.get("structuredContent")
        if isinstance(structured, Mapping) and structured:
            inner = structured.get("result")
            if len(structured) > 1 or not isinstance(inner, str):
                return structured
            text = inner
        try:
            return Reply(200, "", {}, text.encode("utf-8", "replace")).json()
        except MalformedReply:
            return text


def _tool(entry: Mapping[str, JSON]) -> ServerTool:
    annotations, schema = entry.get("annotations"), entry.get("inputSchema")
    reads = isinstance(annotations, Mapping) and annotations.get("readOnlyHint") is True
    return ServerTool(
        name=str(entry.get("name", "")),
        reads=reads,
        schema=schema if isinstance(schema, Mapping) else {},
    )


def _text_of(content: JSON) -> str:
    """Return the text of a result; pictures and sounds are left out."""
    parts = content if isinstance(content, list) else []
    texts = []
    for part in parts:
        if not isinstance(part, Mapping):
            continue
        resource = part.get("resource")
        text = resource.get("text") if isinstance(resource, Mapping) else part.get("text")
        if isinstance(text, str):
            texts.append(text)
    return "\n".join(texts)


def _refusal(account: str, tool: str, text: str) -> RoveError:
    reason = " ".join(text.split())[:_LONGEST_SAID]
    if _MISSING.search(reason):
        return ItemNotFound(f"{account}: {reason}")
    if re.search(r"forbidden|permission|insufficient.scope|\b403\b", reason, re.IGNORECASE):
        return ScopeMissing(f"{account}: {reason}")
    return Unavailable(f"{account}: {tool} failed: {reason or 'no reason given'}")
