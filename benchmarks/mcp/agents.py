"""Real coding agents with a fake model: they start the server, list, call, and read a document."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.mcp.checks import OutsideCheck, check_output
from benchmarks.mcp.codex_model import READ, CodexModel, ModelCall
from benchmarks.mcp.programs import OutsidePrograms
from benchmarks.mcp.sample import TICKET, TITLE, sample_project

_FOUND: Final = "The document was found."
_CALL: Final = {"name": "mcp__rove__show", "arguments": {"ticket": TICKET}}
#: What Codex calls: a document as a resource, and as the result of Rove's tool.
_CODEX_CALLS: Final = (
    ModelCall("read_mcp_resource", {"server": "rove", "uri": f"rove://context/{TICKET}"}),
    ModelCall("show", {"ticket": TICKET}, namespace="mcp__rove"),
)
#: What the fake model says: it calls Rove, and is content only with the document's own words.
_SAYS: Final = (
    {
        "match": {"toolResultContains": TITLE},
        "response": {"content": _FOUND},
    },
    {
        "match": {"userMessage": TICKET, "hasToolResult": False},
        "response": {"toolCalls": [_CALL]},
    },
    # An agent may ask its model before it has reached the server.
    {
        "match": {"toolResultContains": "still connecting"},
        "response": {"toolCalls": [{"name": "WaitForMcpServers", "arguments": {}}]},
    },
    {
        "match": {"userMessage": TICKET, "hasToolResult": True},
        "response": {"toolCalls": [_CALL]},
    },
    # At its first start it asks whether the model is there at all.
    {"match": {"userMessage": ""}, "response": {"content": "Yes."}},
)
_PORT: Final = 17_699
_TASK: Final = f"Start work on {TICKET}"


def agent_checks(programs: OutsidePrograms) -> Iterator[OutsideCheck]:
    """Run each agent once, as a person who has run ``rove setup AGENT --mcp``."""
    claude, codex = programs.native("claude"), programs.native("codex")
    with sample_project() as places:
        project = places.root
        says = project / "model.json"
        says.write_text(json.dumps({"fixtures": _SAYS}), "utf-8")
        model = [*programs.node("tools", "llmock"), f"--port={_PORT}", f"--fixtures={says}"]
        for agent in ("claude", "codex"):
            done = programs.run(["rove", "setup", agent, "--mcp"], cwd=project)
            yield check_output(f"rove setup {agent} --mcp", done, "written")
        with programs.running(model, cwd=project):
            yield _claude(programs, project, claude)
        yield from _codex(programs, project, codex)


def _claude(programs: OutsidePrograms, project: Path, command: list[str]) -> OutsideCheck:
    options = ["--mcp-config=.mcp.json", "--strict-mcp-config", "--allowedTools=mcp__rove__show"]
    options += ["--max-turns=20"]
    done = programs.run(
        [*command, "-p", _TASK, *options, "--output-format=stream-json", "--verbose"],
        cwd=project,
        ANTHROPIC_BASE_URL=f"http://127.0.0.1:{_PORT}",
        ANTHROPIC_API_KEY="made-up",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
    )
    return check_output("Claude Code calls the tool `show`", done, _FOUND)


def _codex(programs: OutsidePrograms, project: Path, command: list[str]) -> Iterator[OutsideCheck]:
    home = project.parent / "codex"
    home.mkdir()
    servers = project / ".codex" / "config.toml"
    # As the page says: Codex leaves a server's tools out of a turn that begins before it is ready.
    servers.write_text(servers.read_text("utf-8") + "required = true\n", "utf-8")
    model = CodexModel(_CODEX_CALLS)
    with model.served() as url:
        (home / "config.toml").write_text(_codex_settings(url, project), "utf-8")
        options = ["--skip-git-repo-check", "--sandbox=read-only"]
        arguments = [*command, "exec", *options, _TASK]
        done = programs.run(arguments, cwd=project, CODEX_HOME=str(home), FAKE="made-up")
    calls = ("Codex reads the resource of the document", "Codex calls the tool `show`")
    for number, what in enumerate(calls):
        found = TITLE in "".join(model.results[number : number + 1])
        note = "" if found else f"{model.results[number:]} {done.stderr[-200:]}"
        yield OutsideCheck(what, found and READ in done.stdout, note)


def _codex_settings(url: str, project: Path) -> str:
    return f"""model = "codex-model"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "{url}"
env_key = "FAKE"
wire_api = "responses"
[projects."{project}"]
trust_level = "trusted"
"""
