"""Tools and a prompt of the conformance suites that ask the client and are called again."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types
from mcp.shared.exceptions import MCPError

from benchmarks.mcp.fixture_tools import Context, FixtureTool, ToolAnswer, text_result

_KEY: Final = b"nobody has to guess this"


def _question(message: str, name: str, kind: str = "string") -> types.ElicitRequest:
    properties: dict[str, Any] = {name: {"type": kind}}
    schema = {"type": "object", "properties": properties, "required": [name]}
    params = types.ElicitRequestFormParams(message=message, requested_schema=schema)
    return types.ElicitRequest(params=params)


def _prompted(text: str) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=types.TextContent(text=text))
    params = types.CreateMessageRequestParams(messages=[message], max_tokens=100)
    return types.CreateMessageRequest(params=params)


_NAME: Final = _question("What is your name?", "name")
_CAPITAL: Final = _prompted("What is the capital of France?")
_CONFIRM: Final = _question("Please confirm", "ok", "boolean")
_ROOTS: Final = types.ListRootsRequest()


def sealed(state: str) -> str:
    """Return a state that nobody else can write."""
    return f"{state}.{hmac.new(_KEY, state.encode(), hashlib.sha256).hexdigest()}"


def opened(state: str | None) -> str:
    """Return what was sealed; an empty text if nothing was shown.

    Raises:
        MCPError: Somebody else wrote it.
    """
    if not state:
        return ""
    if not hmac.compare_digest(state, sealed(content := state.partition(".")[0])):
        raise MCPError(types.INVALID_PARAMS, "the request state was not written by this server")
    return content


def asked(
    params: types.CallToolRequestParams | types.GetPromptRequestParams,
    requests: "Mapping[str, types.InputRequest]",
    *,
    state: str = "",
) -> types.InputRequiredResult | None:
    """Return what to ask the client; None if it has answered all of it."""
    shown = opened(params.request_state)
    answers = params.input_responses or {}
    if requests.keys() <= answers.keys() and shown == state:
        return None
    return types.InputRequiredResult(
        input_requests=dict(requests), request_state=sealed(state) if state else None
    )


def _in_one_round(requests: "Mapping[str, types.InputRequest]", *, state: str = "") -> FixtureTool:
    async def answer(_: Context, params: types.CallToolRequestParams) -> ToolAnswer:
        return asked(params, requests, state=state) or text_result(
            f"state-ok, answered: {params.input_responses}"
        )

    return FixtureTool(answer)


async def _in_two_rounds(_: Context, params: types.CallToolRequestParams) -> ToolAnswer:
    color = {"step2": _question("Step 2: What is your favorite color?", "color")}
    if opened(params.request_state) == "second":
        return asked(params, color, state="second") or text_result("done")
    first = {"step1": _question("Step 1: What is your name?", "name")}
    return asked(params, first, state="first") or types.InputRequiredResult(
        input_requests=dict(color), request_state=sealed("second")
    )


async def _what_the_client_can(ctx: Context, params: types.CallToolRequestParams) -> ToolAnswer:
    declared = ctx.session.client_capabilities or types.ClientCapabilities()
    requests: dict[str, types.InputRequest] = {}
    if declared.sampling is not None:
        requests["capital_question"] = _CAPITAL
    if declared.elicitation is not None:
        requests["user_name"] = _NAME
    return asked(params, requests) or text_result("answered")


#: Tools by the names that the suites call them by.
ROUNDS: Final[Mapping[str, FixtureTool]] = {
    "test_input_required_result_elicitation": _in_one_round({"user_name": _NAME}),
    "test_streaming_elicitation": _in_one_round({"user_name": _NAME}),
    "test_input_required_result_sampling": _in_one_round({"capital_question": _CAPITAL}),
    "test_input_required_result_list_roots": _in_one_round({"client_roots": _ROOTS}),
    "test_input_required_result_request_state": _in_one_round({"confirm": _CONFIRM}, state="one"),
    "test_input_required_result_tampered_state": _in_one_round({"confirm": _CONFIRM}, state="one"),
    "test_input_required_result_multiple_inputs": _in_one_round(
        {"user_name": _NAME, "greeting": _prompted("Generate a greeting"), "client_roots": _ROOTS},
        state="all",
    ),
    "test_input_required_result_multi_round": FixtureTool(_in_two_rounds),
    "test_input_required_result_capabilities": FixtureTool(_what_the_client_can),
}
#: What the prompt that asks wants to know.
CONTEXT: Final[Mapping[str, types.InputRequest]] = {
    "user_context": _question("What context should the prompt use?", "context")
}
