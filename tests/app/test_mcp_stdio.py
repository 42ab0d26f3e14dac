"""``rove mcp serve`` as an agent starts it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rove_core.wire.json_types import JSON

_HELLO: "JSON" = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
_PING: "JSON" = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
_NOISY = """
import os
from rove_core import Operation, hookimpl

print("a plugin prints while it is imported")

async def shout(rove) -> str:
    \"\"\"Print, and return.\"\"\"
    print("a plugin prints while it works")
    os.write(1, b"and writes to the descriptor\\n")
    return "done"

@hookimpl
def rove_operations():
    return [Operation(shout, toolset="noisy")]
"""
#: Commands of every kind that are no door; each is run in one process.
_OTHERS = (
    ["--help"],
    ["status"],
    ["list"],
    ["search", "jose"],
    ["show", "TB-123"],
    ["sources", "list"],
    ["sources", "plugins"],
    ["doctor"],
    ["settings"],
)
_LOADED = """
import json, sys
from rove.cli import cli
for command in json.loads(sys.argv[1]):
    cli(command)
    if "mcp" in sys.modules:
        sys.exit(f"mcp is loaded by {command}")
"""


def _asked(method: str, number: int, params: "JSON") -> dict[str, "JSON"]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _conversation(requests: Sequence["JSON"], *options: str) -> tuple[list[Any], str]:
    """Return what the server writes on standard output, line by line, and on standard error."""
    with subprocess.Popen(  # noqa: S603  # our own command
        [sys.executable, "-m", "rove", "mcp", "serve", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        lines = []
        for request in requests:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            if isinstance(request, dict) and "id" in request:
                lines.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        lines += [json.loads(line) for line in process.stdout.read().splitlines()]
        return lines, process.stderr.read()


def test_a_line_that_is_no_message_is_answered() -> None:
    """A line that is not JSON gets a parse error, one that is no message an invalid request."""
    hello = _asked("initialize", 1, _HELLO)
    with subprocess.Popen(  # our own command
        [sys.executable, "-m", "rove", "mcp", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdin
        assert process.stdout
        answers = []
        for line in (json.dumps(hello), "no JSON at all", '{"jsonrpc": "2.0"}', json.dumps(_PING)):
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()

    assert [each["error"]["code"] for each in answers[1:3]] == [-32700, -32600]
    assert [answers[0]["id"], answers[3]["id"]] == [1, 2]


def test_nothing_but_protocol_is_on_standard_output(
    project: Path, install_plugin: Callable[..., None]
) -> None:
    """What a plugin prints goes elsewhere, whichever way it prints."""
    install_plugin("noisy", text=_NOISY)

    lines, printed = _conversation(
        [
            _asked("initialize", 1, _HELLO),
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            _asked("tools/call", 2, {"name": "shout", "arguments": {}}),
        ],
        "--toolsets=noisy",
    )

    assert project.is_dir()
    assert [line["id"] for line in lines] == [1, 2]
    assert lines[1]["result"]["structuredContent"] == {"result": "done"}
    assert "a plugin prints while it works" in printed
    assert "and writes to the descriptor" in printed


def test_an_unknown_toolset_is_refused(empty: Path, rove: "Callable[..., Any]") -> None:
    """A misspelt toolset ends the server with the names there are."""
    done = rove("mcp", "serve", "--toolsets", "contxt")

    assert empty.is_dir()
    assert done.code == 2
    assert "there is no toolset contxt" in done.err
    assert "context" in done.err


def test_no_other_command_loads_the_library(project: Path) -> None:
    """Half a second of imports is paid by the server alone."""
    done = subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-c", _LOADED, json.dumps(_OTHERS)],
        capture_output=True,
        text=True,
        check=False,
        cwd=project,
        env={**os.environ, "ROVE_ISOLATION": "0"},
    )

    assert done.returncode == 0, done.stderr
