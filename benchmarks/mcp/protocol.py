"""The server as the public inspector, the conformance suites and the official clients see it."""

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.mcp import fixtures
from benchmarks.mcp.checks import OutsideCheck, check_output
from benchmarks.mcp.programs import OutsidePrograms
from benchmarks.mcp.sample import TICKET, TITLE, sample_project

_SERVE: Final = ("rove", "mcp", "serve")
_SHOW: Final = ("tools/call", "--tool-name=show", f'--tool-args-json={{"ticket":"{TICKET}"}}')
_DOCUMENT: Final = ("resources/read", f"--uri=rove://context/{TICKET}")
#: What the inspector asks, and what has to stand in the answer.
_METHODS: Final = (
    (("tools/list", "--strict"), '"build"'),
    (("resources/list",), f"rove://context/{TICKET}"),
    (("resources/templates/list",), "rove://context/{ticket}"),
    (("prompts/list",), "start_ticket"),
    (("prompts/get", "--prompt-name=start_ticket", f"--prompt-args=ticket={TICKET}"), TICKET),
    (_DOCUMENT, TITLE),
    (_SHOW, TITLE),
)
#: Scenarios of the suites that need no tools of their own, by the version of the protocol.
_LEGACY: Final = (
    *("server-initialize", "ping", "completion-complete", "tools-list", "resources-list"),
    *("resources-subscribe", "resources-unsubscribe", "prompts-list", "dns-rebinding-protection"),
)
_MODERN: Final = (
    *("completion-complete", "tools-list", "resources-list", "sep-2164-resource-not-found"),
    *("prompts-list", "dns-rebinding-protection", "caching", "http-header-validation"),
    *("server-sse-multiple-streams", "input-required-result-unsupported-methods"),
    *("input-required-result-missing-input-response", "input-required-result-validate-input"),
    "input-required-result-ignore-extra-params",
)
#: Checks of `server-stateless` that ask for a tool which needs a capability, or which logs.
_NEED_TOOLS: Final = frozenset(
    {
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
    }
)
#: Those that say nothing of HTTP, for standard streams behind a bridge.
_OF_STDIO: Final = (
    *("server-initialize", "ping", "completion-complete", "tools-list", "resources-list"),
    *("resources-subscribe", "resources-unsubscribe", "prompts-list"),
)
_MODERN_OF_STDIO: Final = (
    *("completion-complete", "tools-list", "resources-list", "sep-2164-resource-not-found"),
    *("prompts-list", "caching"),
)
#: Scenarios that call tools of the suites, read their resources and get their prompts.
_WITH_FIXTURES: Final = (
    *("tools-call-simple-text", "tools-call-error", "tools-call-with-progress"),
    *("tools-call-image", "tools-call-audio", "tools-call-embedded-resource"),
    *("tools-call-mixed-content", "json-schema-2020-12"),
    *("resources-read-text", "resources-read-binary", "resources-templates-read"),
    *("prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource"),
    "prompts-get-with-image",
)
#: Those of sessions, in which a server may ask by itself.
_WITH_SESSIONS: Final = (
    *("logging-set-level", "tools-call-with-logging", "tools-call-sampling"),
    *("tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"),
)
#: Those without sessions, in which a result asks; and what only HTTP has.
_WITH_ROUNDS: Final = (
    *("input-required-result-basic-elicitation", "input-required-result-basic-sampling"),
    *("input-required-result-basic-list-roots", "input-required-result-request-state"),
    *("input-required-result-multiple-input-requests", "input-required-result-multi-round"),
    *("input-required-result-missing-input-response", "input-required-result-non-tool-request"),
    *("input-required-result-result-type", "input-required-result-tampered-state"),
    *("input-required-result-capability-check", "input-required-result-validate-input"),
)
_OF_HTTP: Final = ("server-stateless", "http-custom-header-server-validation")
_FIXTURES: Final = (sys.executable, "-m", "benchmarks.mcp.fixtures")
_FAILURE: Final = re.compile(r"\[(\S+)\s*\] \S*FAILURE")
_FASTMCP: Final = """
import asyncio, sys
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
place, *others = sys.argv[1:]
transport = (
    StreamableHttpTransport(place, headers={"authorization": f"Bearer {others[0]}"})
    if place.startswith("http") else StdioTransport(place, others)
)
async def main():
    async with Client(transport) as client:
        print([tool.name for tool in await client.list_tools()])
        print((await client.call_tool("show", {"ticket": "TB-123"})).content[0].text)
        print((await client.read_resource("rove://context/TB-123"))[0].text)
asyncio.run(main())
"""


def protocol_checks(programs: OutsidePrograms) -> Iterator[OutsideCheck]:
    """Let outside programs use the server, on standard streams and over HTTP."""
    with sample_project() as places, _serving(programs, places.root) as (url, token):
        yield from _inspected(programs, places.root, "stdio", _SERVE)
        bearer = ("--transport=http", f"--header=Authorization: Bearer {token}")
        yield from _inspected(programs, places.root, "HTTP", (url, *bearer))
        yield from _conforming(programs, places.root, (url, token))
        for door, place in (("stdio", _SERVE), ("HTTP", (url, token))):
            for mode in ("legacy", "auto"):
                command = [*programs.script("client.mjs"), mode, *place]
                done = programs.run(command, cwd=places.root)
                yield check_output(f"official TypeScript client, {mode}, {door}", done, TITLE)
            command = [*programs.python("fastmcp"), "-c", _FASTMCP, *place]
            done = programs.run(command, cwd=places.root)
            yield check_output(f"fastmcp.Client, {door}", done, TITLE)


@contextmanager
def _serving(programs: OutsidePrograms, project: Path) -> Iterator[tuple[str, str]]:
    """Serve over HTTP, and give the address and the token."""
    with programs.running([*_SERVE, "--port=0"], cwd=project) as url:
        yield url, (project / ".rove" / "state" / "mcp" / "token").read_text("utf-8")


def _inspected(
    programs: OutsidePrograms, project: Path, door: str, place: tuple[str, ...]
) -> Iterator[OutsideCheck]:
    inspector = programs.node("tools", "mcp-inspector")
    for era in ("legacy", "modern"):
        for (method, *options), words in _METHODS:
            arguments = [
                "--connect-timeout=60000",
                f"--method={method}",
                *options,
                f"--protocol-era={era}",
                "--format=json",
            ]
            done = programs.run([*inspector, "--cli", *place, *arguments], cwd=project)
            yield check_output(f"inspector, {door}, {era}: {method}", done, words)


def _conforming(
    programs: OutsidePrograms, project: Path, http: tuple[str, str]
) -> Iterator[OutsideCheck]:
    """Run the suites on the server and on the fixtures, over HTTP and on standard streams."""
    run = partial(_conformance, programs, project)
    with _with_token(programs, project, *http) as url:
        yield from run(
            "HTTP",
            url,
            ("tools", "", _LEGACY),
            ("modern", "2025-11-25", ("server-session-lifecycle",)),
            ("modern", "2026-07-28", (*_MODERN, "server-stateless")),
        )
    scenarios = (("tools", "", _OF_STDIO), ("modern", "2026-07-28", _MODERN_OF_STDIO))
    with _bridged(programs, project, _SERVE) as url:
        yield from run("stdio", url, *scenarios)
    of_sessions = ("tools", "", (*_WITH_FIXTURES, *_WITH_SESSIONS))
    of_calls = (*_WITH_FIXTURES, *_WITH_ROUNDS)
    with (
        programs.running([*_FIXTURES, "http"], cwd=project, PYTHONPATH=os.getcwd()) as place,  # noqa: PTH109  # a text
        _with_token(programs, project, place, fixtures.TOKEN) as url,
    ):
        of_http = ("modern", "2026-07-28", (*of_calls, *_OF_HTTP))
        yield from run("fixtures, HTTP", url, of_sessions, of_http)
    with _bridged(programs, project, _FIXTURES) as url:
        yield from run("fixtures, stdio", url, of_sessions, ("modern", "2026-07-28", of_calls))


@contextmanager
def _with_token(programs: OutsidePrograms, project: Path, url: str, token: str) -> Iterator[str]:
    """Give an address at which no token has to be shown."""
    target = url.split(":")[2].split("/", maxsplit=1)[0]
    proxy = [*programs.script("with_token.mjs"), target]
    with programs.running(proxy, cwd=project, TOKEN=token) as port:
        yield f"http://127.0.0.1:{port}/mcp"


@contextmanager
def _bridged(programs: OutsidePrograms, project: Path, command: Sequence[str]) -> Iterator[str]:
    """Give an address behind which a server answers on standard streams."""
    bridge = [*programs.script("stdio_bridge.mjs"), *command]
    with programs.running(bridge, cwd=project, PYTHONPATH=os.getcwd()) as port:  # noqa: PTH109  # a text
        yield f"http://127.0.0.1:{port}/mcp"


def _conformance(
    programs: OutsidePrograms,
    project: Path,
    door: str,
    url: str,
    *groups: tuple[str, str, Sequence[str]],
) -> Iterator[OutsideCheck]:
    for group, version, scenarios in groups:
        for scenario in scenarios:
            arguments = ["server", f"--url={url}", f"--scenario={scenario}"]
            arguments += [f"--spec-version={version}"] if version else []
            done = programs.run([*programs.node(group, "conformance"), *arguments], cwd=project)
            failed = set(_FAILURE.findall(done.stdout + done.stderr))
            # Rove has no tools that ask the client; the fixtures have, and pass all of it.
            lacks = _NEED_TOOLS if door == "HTTP" and scenario == "server-stateless" else set()
            failed -= lacks
            is_fine = not failed and (done.returncode == 0 or bool(lacks))
            note = json.dumps(sorted(failed)) if failed else ""
            named = f"conformance, {door}, {version or '2025-11-25'}: {scenario}"
            yield OutsideCheck(named, is_fine, note)
