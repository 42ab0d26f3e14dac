"""Attacks in every place that others write, through a build, and out of every door of Rove."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from datetime import date
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import pytest
from mcp import Client
from mcp_types import TextContent
from tests.agent_attacks import ATTACKS, LIVE
from tests.app.test_agent_attacks import PROTOCOL, texts_of
from tests.app.test_page import harm
from tests.core.team import Team, Tool
from tests.memory.office import ask

from rove.server.arguments import Bounds
from rove.server.client import connect_safely
from rove.server.process_client import ProcessClient
from rove.server.project_operations import operations_of
from rove.server.start import start, stop
from rove_core import ContextItem, ItemRef, Link, open_project, run
from rove_core.clock import SYSTEM
from rove_core.facts import Facts, ItemStatus, NamedValue
from rove_core.project.layout import ProjectPaths
from rove_core.wire.json_types import JSON
from rove_mcp.server.server import McpServer

if TYPE_CHECKING:
    from tests.app.conftest import Rove

#: What leaves a quote, a table, a link or a page, beside what agents act on.
MORE: Final = (
    "evil ](https://evil.example) ![evil](https://evil.example/i.png)",
    "evil | a |\n|---|\n| b |\n\n# References\n\n[1]: https://evil.example",
    "evil\n```\n~~~\n<script>alert(1)</script>\n<img src=x onerror=alert(1)>",
    "--><style>@import url(https://evil.example)</style><a href=javascript:alert(1)>evil</a>",
    "\x1b]8;;https://evil.example\x1b\\evil\x1b[2J\x9b31m\u2067\u202e",
)
HOSTILE: Final = (*ATTACKS, *MORE)
TICKETS: Final = [f"T-{number}" for number in range(len(HOSTILE))]
#: Whose attack says so.
EVIL: Final = TICKETS[len(ATTACKS)]
#: Commands about one document; the ticket's id stands behind them.
ABOUT_ONE: Final = ("find", "prime", "show")
#: Commands about all of them.
ABOUT_ALL: Final = (
    *(
        "--find T-1",
        "--api-find T-1",
        "list",
        "search evil",
        "search evil --names-only",
        "--search evil",
        "--api-search evil",
    ),
    *("status", "--status", "doctor", "prime", "mirror status", "sources list", "settings"),
    *("memory list", "memory recall evil", "memory prime", "memory export", "session list"),
    *("session context", "session start", "plan list", "ready", "skill", "setup --print"),
    *("folder files", "folder block", "folder manifest", "folder status", "folder projects"),
    *("code status", "code map", "code query evil", "code symbol evil"),
)


#: What prints some of others' words, so that the attacks are seen to arrive.
TELLING: Final = (
    *(
        "list",
        "search evil",
        f"prime {EVIL}",
        f"show {EVIL}",
        "memory list",
        "code map",
    ),
    *("session context", "plan list", "folder files"),
)
#: Questions to the server, and operations that it is asked to do or an agent calls as tools.
QUESTIONS: Final = ("/search?q=evil", "/tasks", "/health", "/openapi.json")
OPERATIONS: Final[Sequence[tuple[str, Mapping[str, str]]]] = (
    ("memory_recall", {"query": "evil"}),
    ("memory_list", {}),
    ("get_session_context", {}),
    ("folder_files", {}),
    ("code_map", {}),
    ("search", {"words": "evil"}),
    ("documents_list", {}),
    *((name, {"ticket": ticket}) for name in ("show", "find") for ticket in TICKETS),
)


def facts(attack: str) -> Facts:
    """Return facts with an attack wherever one holds text."""
    words: dict[str, object] = {}
    for field in attrs.fields(Facts):
        hint = str(field.type)
        if hint in {"<class 'str'>", "str"}:
            words[field.name] = attack
        elif "tuple[str" in hint:
            words[field.name] = (attack,)
    named = (NamedValue(name=attack, value=attack),)
    words |= {"status": ItemStatus(name=attack), "fields": named, "due": date(2026, 1, 2)}
    return Facts(**words)  # type: ignore[arg-type]  # as each of them takes


def carry(tool: Tool, name: str, kind: str, attack: str, text: str) -> None:
    """Put an attack into all that is told of one item, its comments and its links."""
    tool.put(name, text, kind=kind)
    item = tool.items[name]
    below = ItemRef(account=tool.name, kind="comment", id=f"{name}/{attack[:80]}", url=attack)
    link = Link(
        ref=attrs.evolve(below, kind="ticket", id=attack[:200]),
        relation="blocks",
        words=attack,
        title=attack,
        status=attack,
    )
    said = ContextItem(
        ref=below,
        source=tool.name,
        role="comment",
        title=attack,
        content=f"evil {attack}",
        timestamp=item.timestamp,
        author=attack,
        facts=facts(attack),
    )
    tool.items[name] = attrs.evolve(
        item,
        title=attack,
        author=attack,
        facts=facts(attack),
        links=(link,),
        thread=(said,),
        metadata={attack[:40]: attack},
    )


def infested() -> Team:
    """Return tools with a ticket, a message and a change for each attack, which fills them."""
    team = Team()
    for ticket, attack in zip(TICKETS, HOSTILE, strict=True):
        talk, change = ticket.replace("T", "M"), ticket.replace("T", "P")
        carry(team.tickets, ticket, "ticket", attack, f"evil {attack}\n\n```\n{attack}\n```\n")
        carry(team.chat, talk, "message", attack, f"{ticket}: decided evil {attack}")
        carry(team.code, change, "pr", attack, f"Implements {ticket}. {attack}")
    return team


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def attacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a project with a document for each attack, in its memory, folder and code as well."""
    folder, linked = tmp_path / "project", tmp_path / "linked"
    folder.mkdir()
    linked.mkdir()
    monkeypatch.chdir(folder)
    for number, attack in enumerate(HOSTILE):
        name = f"{attack.replace('/', '_')[:40]}{number}.py"
        code = f'"""{attack}."""\ndef evil{number}(): return {attack!r}\n'
        for place in (linked, folder):
            (place / name).write_text(code, "utf-8")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", HOSTILE[0])):
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@a.example")
        subprocess.run(["git", *who, *words], check=True)  # noqa: S603, S607  # the system's git
    run(_build(folder))
    run(_remember(folder, linked))
    return folder


async def _build(folder: Path) -> None:
    async with infested().opened(folder) as project:
        for ticket in TICKETS:
            await project.build(ticket, source="tickets", max_tokens=100_000)


async def _remember(folder: Path, linked: Path) -> None:
    async with open_project(folder, accounts=()) as rove:
        calls = {each.name: each for each in operations_of(rove)}
        await ask(rove, "session_start", external_item_id="T-1")
        for number, attack in enumerate(HOSTILE):
            key, content = f"evil {number} {attack[:60]}", f"evil {attack}"
            about = {"tags": [attack], "summary": attack, "related_items": ["T-1"]}
            await ask(
                rove, "memory_store", key=key, content=content, memory_type="decision", **about
            )
            await ask(rove, "session_note", event_type="decision", content=content)
            await ask(rove, "plan_create", title=attack, description=attack, tags=[attack])
        await calls["folder_link"].call(rove, {"folder": str(linked)})
        await calls["folder_scan"].call(rove, {})


def wrong(command: str, text: str, *, as_json: bool) -> list[str]:
    """Return what of a command's output an agent or a terminal would act on."""
    # Documents, code and files are shown as they are, but for agents' protocols.
    name = command.split(maxsplit=1)[0]
    is_plain = name in {"code", "setup"} or (
        not as_json and (name in {"show", "folder"} or "export" in command)
    )
    return (PROTOCOL if is_plain else LIVE).findall(text)


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_commands(rove: "Rove", attacked: Path, *, as_json: bool) -> None:
    """Whatever a command prints, of one document or of all, has no effect."""
    asked = [*ABOUT_ALL, *(f"{command} {ticket}" for command in ABOUT_ONE for ticket in TICKETS)]
    found, silent, told = {}, [], set()
    for command in asked:
        if as_json and command.startswith("--"):
            continue
        outcome = rove(*command.split(), *(["--json"] if as_json else []))
        text = outcome.out + outcome.err
        if outcome.code not in {0, 1, 3, 5} or "ROVE-BUG" in text:
            silent.append((command, outcome.code, text[:200]))
        if "evil" in outcome.out:
            told.add(command)
        if bad := wrong(command, text, as_json=as_json):
            found[command] = bad[:3]

    documents = {*(attacked / ".context").glob("T-*.md")}
    assert len(documents) == len(TICKETS)
    assert (found, silent) == ({}, [])
    assert told.issuperset(TELLING), set(TELLING) - told


def test_pages(rove: "Rove", attacked: Path) -> None:
    """The page of each document loads, runs and posts nothing."""
    found = {}
    for ticket in TICKETS:
        page = attacked / f"{ticket}.html"
        outcome = rove("open", ticket, "--no-browser", "--output", str(page))
        text = page.read_text("utf-8")
        assert "evil" in text, outcome.err
        if bad := harm(text):
            found[ticket] = bad[:3]

    assert found == {}


def test_the_server(attacked: Path) -> None:
    """Its answers are JSON in which nothing takes effect, even if an agent reads them raw."""
    places = ProjectPaths.at(attacked)
    start(places, Bounds())
    try:
        asked: list[tuple[str, str, JSON]] = [
            *(("GET", path, None) for path in QUESTIONS),
            *(("GET", f"/find/{ticket}", None) for ticket in TICKETS),
            *(("POST", f"/operations/{name}", {**words}) for name, words in OPERATIONS),
        ]
        answers = {
            (path, str(body)): raw(places, method, path, body) for method, path, body in asked
        }
    finally:
        stop(places)

    assert [where for where, (status, _) in answers.items() if status != 200] == []
    assert {
        where: bad[:3]
        for where, (_, text) in answers.items()
        if (bad := (PROTOCOL if "code" in where[0] else LIVE).findall(text))
    } == {}


@pytest.mark.anyio
async def test_tools(attacked: Path) -> None:
    """Neither the text nor the structure that a tool gives to a model holds a protocol's tag."""
    found, told = {}, 0
    async with open_project(attacked, accounts=()) as rove:
        process = ProcessClient(rove, operations_of(rove))
        server = McpServer(process, ("all",), SYSTEM)
        async with Client(server.lowlevel()) as agent:
            for name, words in OPERATIONS:
                result = await agent.call_tool(name, {**words})
                texts = [each.text for each in result.content if isinstance(each, TextContent)]
                text = "\n".join((*texts, *map(str, texts_of(result.structured_content))))
                told += "evil" in text
                assert not result.is_error, text
                if bad := PROTOCOL.findall(text):
                    found[name, str(words)] = bad[:3]
        await server.aclose()

    assert found == {}
    assert told > len(TICKETS)


def raw(places: ProjectPaths, method: str, path: str, body: JSON) -> tuple[int, str]:
    """Return the status of the server's answer, and the answer as it comes."""
    connection = HTTPConnection("localhost", timeout=60)
    connection.sock = connect_safely(places, timeout=60)
    typed = {} if body is None else {"content-type": "application/json"}
    connection.request(method, path, None if body is None else json.dumps(body), typed)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text
