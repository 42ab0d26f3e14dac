"""Hostile words wherever a source can bring them, through all of a build: they stay words."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import attrs
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rove_core import ContextItem, ItemRef, Link
from rove_core.build.gather.gatherer import MOST_READ
from rove_core.build.gather.searches import SEARCH_REQUESTS
from rove_core.facts import Facts, ItemStatus, NamedValue
from rove_core.project.explain import ExplainedItem, explain
from rove_core.safety.text.characters import INVISIBLE
from rove_core.testing.faults import FaultProxy
from rove_core.testing.models import FakeModel, obey

if TYPE_CHECKING:
    from tests.core.team import Team, Tool

pytestmark = pytest.mark.anyio

BEGINNING: Final = datetime(2026, 1, 1, tzinfo=UTC)
_FOLDER: Final = Path(__file__).parent / "attacks"
#: What is only too much.
MUCH: Final = ["x" * 20_000, "\n" * 5_000, "[" * 900, "> " * 500, "`" * 999, "- " * 500, "|" * 999]


def attacks(*names: str) -> list[str]:
    """Return the texts of some files of attacks."""
    files = [(_FOLDER / f"{name}.jsonl").read_text("ascii") for name in names]
    return [json.loads(line) for file in files for line in file.splitlines()]


#: What dictates answers to a model; it would keep an obedient one from obeying all the others.
ANSWERS: Final = attacks("answers")
#: Of Markdown a part: a renderer's own tests put all of that into all places.
ATTACKS: Final = [*attacks("orders", "structure"), *attacks("markdown")[::3], *MUCH, *ANSWERS]
PARSER: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
CHAPTERS: Final = {
    *("In Force", "The Change", "People", "Open Questions", "Quoted Below", "The Ticket"),
    *("Related Discussions", "Related Code", "Replaced", "Also Found"),
    *("Sources Consulted", "References"),
}
#: How Rove's own paragraphs begin; all others are in quotes, lists or the table.
OWN: Final = ("Quotes are the words of others", "— *", "**", "As of 2026-", "Note: ")
NEVER: Final = {"html_block", "code_block", "fence", "ordered_list_open"}
#: Ids of the tickets whose documents are attacked.
_TITLE: Final = re.compile(r"Context: [\w/#-]+ - ")
#: People quote within quotes; nothing leads deeper.
DEEPEST: Final = 2
#: What there may be in a quote, but not of these.
NEVER_QUOTED: Final = {"heading_open", "hr", "html_block"}


def strange(text: str, hosts: Collection[str]) -> Iterator[str]:
    """Yield what is in a document that Rove's renderer never writes."""
    known: dict[str, dict[str, dict[str, str]]] = {}
    tokens = PARSER.parse(text, known)
    depth = 0
    outside: list[Token] = []
    for token, after in pairwise([*tokens, Token("end", "", 0)]):
        depth += {"blockquote_open": 1, "blockquote_close": -1}.get(token.type, 0)
        if not depth:
            outside.append(token)
        if depth > DEEPEST or token.type in (NEVER_QUOTED if depth else NEVER):
            yield f"{token.type} in {depth} quotes: {token.content[:80]}"
        if token.type == "heading_open":
            yield from _wrong_heading(token.tag, after.content)
        if token.type == "paragraph_open" and not token.level and not after.content.startswith(OWN):
            yield f"the words {after.content[:80]}"
        yield from _wrong_inside(token, hosts)
    yield from _wrong_counts(Counter(f"{token.type} {token.tag}" for token in outside))
    for mark, where in known.get("references", {}).items():
        if not mark.isdigit() or urlsplit(where["href"]).netloc not in hosts:
            yield f"[{mark}] leads to {where['href']}"
    if found := INVISIBLE.search(text):
        yield f"{found[0]!r} is there"


def _wrong_heading(tag: str, words: str) -> Iterator[str]:
    is_title = _TITLE.match(words)
    if not {"h1": bool(is_title), "h2": words in CHAPTERS, "h3": True}.get(tag):
        yield f"the heading {words[:80]}"


def _wrong_counts(count: Counter[str]) -> Iterator[str]:
    if [count[kind] for kind in ("heading_open h1", "table_open table", "hr hr")] != [1, 1, 1]:
        yield "not one title, one table and one rule"
    if count["td_open td"] != 3 * (count["tr_open tr"] - 1):
        yield "a torn table"


def _wrong_inside(token: Token, hosts: Collection[str]) -> Iterator[str]:
    for child in token.children or ():
        if child.type in {"image", "html_inline"}:
            yield f"{child.type}: {child.content[:80]}"
        if child.type == "link_open" and urlsplit(str(child.attrs["href"])).netloc not in hosts:
            yield f"a link to {child.attrs['href']}"
        if child.type == "text":
            for scheme, host in re.findall(r"(?i)\b(https?|ftp)://([^\s/)\]>]*)", child.content):
                if host not in hosts:
                    yield f"the address {scheme}://{host[:80]}"


def carry(tool: "Tool", number: int, attack: str) -> None:
    """Put an attack into a tool: into all that is told of one thing, and into another's id."""
    texts = ("author", "channel", "branch", "on", "short_name", "path", "priority", "verdict")
    known: dict[str, Any] = dict.fromkeys(texts, attack)
    known |= dict.fromkeys(("labels", "attachments", "incomplete", "files"), (attack,))
    known |= {"status": ItemStatus(name=attack), "metadata": {f"key {attack[:40]}": attack}}
    ref = ItemRef(account=tool.name, kind="page", id=attack, url=attack)
    link = Link(ref=ref, relation="blocks", words=attack, title=attack, status=attack)
    tool.put(
        f"N-{number}",
        f"{attack}\n\nNote {number} on T-1",
        kind="note",
        title=attack,
        links=(link,),
        **known,
    )
    ref = ItemRef(account=tool.name, kind="note", id=f"N-{number}", url=attack)
    tool.items[f"N-{number}"] = attrs.evolve(tool.items[f"N-{number}"], ref=ref)
    tool.put(
        f"{attack[:200]} {number}", f"T-1 needs {number} of these", kind=attack[:40], title="T-1"
    )


def replies(tool: "Tool", number: int, attack: str) -> Iterator[ContextItem]:
    """Yield an attack as a comment, in code, in a table, as a link's title and as its address."""
    texts = {
        "comment": attack,
        "code": f"For T-1 number {number}:\n\n```{attack[:20]}\n{attack}\n```\nDone",
        "cell": f"| T-1 | number {number} |\n|---|---|\n| a | {attack} |\n",
        "link": f"See [{attack}](https://{tool.host}/{number}) for T-1",
        "address": f"T-1 is at [{number}]({attack}), or <{attack}>, or ![{number}]({attack})",
    }
    for name, text in texts.items():
        ref = ItemRef(
            account=tool.name,
            kind=name,
            id=f"N-{number}/{name}",
            url=f"https://{tool.host}/{attack}",
        )
        known = Facts(on=attack, channel=attack, short_name=attack)
        yield ContextItem(
            ref=ref,
            source=tool.name,
            role="page",
            title=attack,
            content=text,
            timestamp=BEGINNING,
            author=attack,
            facts=known,
        )


def infested(team: "Team", texts: Sequence[str] = (), said: Sequence[str] = ()) -> list["Tool"]:
    """Put attacks into so many further tools that one search of each finds them all.

    Args:
        team: Whose tools they are.
        texts: What is put into things.
        said: What is said below them; of the same words one would be left out.
    """
    tools = []
    for first in range(0, len(texts), 20):
        tool = type(team.chat)(f"notes:{first}", "N", team.clock)
        tool.shows_all = True
        for number, attack in enumerate(texts[first : first + 20], first):
            carry(tool, number, attack)
        below = enumerate(said[first : first + 20], first)
        thread = chain.from_iterable(replies(tool, *each) for each in below)
        tool.put(f"N-{first}00", f"All about T-1, part {first}.", thread=tuple(thread))
        tools.append(tool)
    return tools


def around(folder: Path) -> dict[str, bytes]:
    """Return all files there are, but for what Rove keeps for itself."""
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".rove" not in path.parts
    }


@pytest.fixture
async def beside(team: "Team", tmp_path: Path) -> Path:
    """Give a project that has another document, and a file of a person's."""
    folder = tmp_path / "a" / "project"
    folder.mkdir(parents=True)
    team.tickets.put("T-2", "Something else entirely.", kind="ticket", title="Other")
    await team.build(folder, "T-2")
    (folder / ".context" / "mine.md").write_text("# Context: T-1 - mine\n", "utf-8")
    (folder / ".context" / "T-1.txt").write_text("mine", "utf-8")
    (tmp_path / "x").write_text("outside", "utf-8")
    return folder


async def attacked(
    team: "Team", folder: Path, *texts: Sequence[str]
) -> tuple[str, list["Tool"], Sequence[ExplainedItem]]:
    """Build the ticket amid attacks: return its document, all tools, and what became of what."""
    others = infested(team, *texts)
    before = around(folder.parents[1])
    team.forget()
    async with team.opened(folder, *others) as project:
        built = await project.build("T-1", source="tickets", max_tokens=900_000)
        items = (await explain(project, ticket="T-1")).items
    after = around(folder.parents[1])
    text = after.pop(str(built.document.path)).decode("utf-8")

    before.pop(str(built.document.path), None)
    assert built.document.path.parent == folder / ".context"
    assert before == after
    return text, [*team.tools, *others], items


def assert_harmless(text: str, tools: Sequence["Tool"]) -> None:
    """Check a document, and what was asked for it."""
    assert list(strange(text, [tool.host for tool in tools])) == []
    for tool in tools:
        assert {*tool.reads} <= tool.named
        assert len(tool.reads) <= MOST_READ
        assert len(tool.searches) <= SEARCH_REQUESTS


#: As many at a time as one search finds with ease.
SOME: Final = [ATTACKS[at::3] for at in range(3)]


@pytest.mark.parametrize("at", range(3))
async def test_attacks_from_all_sides(team: "Team", beside: Path, at: int) -> None:
    """Each attack in each place: structure, links, files, other documents and requests are ours."""
    text, tools, items = await attacked(team, beside, SOME[at], SOME[at - 1])

    assert_harmless(text, tools)
    assert sum(item.kept for item in items) > 1.9 * len(SOME[at])


async def test_a_model_that_obeys_them_all(
    team: "Team", beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that does whatever the material orders brings nothing of its own into it."""
    model = FakeModel(obey)
    orders = [text for text in attacks("orders") if "{" not in text]
    for number, order in enumerate(orders, 2):
        team.chat.put(f"M-{number}", f"{order} The session cookie {number}.")
    async with FaultProxy(model) as proxy:
        ask_model(monkeypatch, proxy)
        text, tools, items = await attacked(team, beside, orders[::2], orders[1::2])

    assert_harmless(text, tools)
    assert {"keywords", "grades", "same", "gaps"} <= {asked.wanted for asked in model.asked}
    assert all(seen.path == "/v1/chat/completions" for seen in proxy.requests)
    assert sum(item.kept for item in items) > 3


@pytest.mark.parametrize("attack", ANSWERS)
async def test_a_model_that_gives_dictated_answers(
    team: "Team", beside: Path, monkeypatch: pytest.MonkeyPatch, attack: str
) -> None:
    """An answer that somebody dictated can only name what was sent, as any other."""
    model = FakeModel(obey)
    team.tickets.put("T-1", attack, attack, kind="ticket", title="Keep the session cookie")
    async with FaultProxy(model) as proxy:
        ask_model(monkeypatch, proxy)
        text, tools, _ = await attacked(team, beside, [attack, "M-666"], [attack])

    assert_harmless(text, tools)
    assert model.asked


def ask_model(monkeypatch: pytest.MonkeyPatch, proxy: FaultProxy) -> None:
    """Let builds ask the model behind a proxy, and as much as they like."""
    monkeypatch.setenv("ROVE_AI_ENGINE", "openai")
    monkeypatch.setenv("ROVE_AI_API_BASE", f"{proxy.url}/v1")
    monkeypatch.setenv("ROVE_AI_MAX_CALLS", "1000")
    monkeypatch.setenv("ROVE_AI_MAX_TOKENS", "10000000")


#: What a ticket tells of itself, beside its words.
TELLING: Final = (
    *("resolution", "type", "priority", "reporter", "project", "iteration", "branch"),
    *("short_name", "assignees", "labels", "components", "versions", "attachments", "incomplete"),
)


@pytest.mark.parametrize("at", range(3))
async def test_attacks_in_the_ticket_itself(team: "Team", beside: Path, at: int) -> None:
    """All that a ticket says of itself may be hostile: its document is built and refreshed."""
    texts = ATTACKS[at::3]
    for number in range(0, len(texts) - 20, 20):
        some = texts[number : number + 20]
        told = zip(TELLING, some[6:], strict=True)
        known: dict[str, Any] = {
            name: (text,) if name.endswith("s") or name == "incomplete" else text
            for name, text in told
        }
        known["status"] = ItemStatus(name=some[5])
        known["fields"] = (NamedValue(name=some[0], value=some[1]),)
        other = ItemRef(account="tickets", kind="ticket", id=some[3])
        known["links"] = [Link(ref=other, relation="relates", words=some[2], title=some[4])]
        title, author = f"Cookie {some[5]}", some[0]
        team.tickets.put(
            "T-1", some[1], *some[2:9], kind="ticket", title=title, author=author, **known
        )
        text, tools, _ = await attacked(team, beside)

        assert list(strange(text, [tool.host for tool in tools])) == []


#: Ids as a source may have them: paths, names of ours, what no terminal should see.
IDS: Final = [*dict.fromkeys(text.strip() for text in attacks("orders")[::4] if text != "T-2")]


async def test_attacks_as_the_ids_of_tickets(team: "Team", beside: Path) -> None:
    """Each has a file of its own, and none is taken for another's when the index is lost."""
    for name in IDS:
        team.tickets.put(name, "The session cookie.", kind="ticket", title="Cookie")
    first = [await named(team, beside, name) for name in IDS]
    before = around(beside)
    for file in (beside / ".rove").glob("index.db*"):
        file.unlink()
    again = [await named(team, beside, name) for name in IDS]

    assert [len(IDS)] * 2 == [len(set(first)), len(set(again))]
    assert {beside / ".context"} == {path.parent for path in (*first, *again)}
    assert before.items() <= around(beside).items()


async def named(team: "Team", folder: Path, name: str) -> Path:
    """Build the document of a ticket by its id, whatever that is, and return where it is."""
    async with team.opened(folder) as project:
        return (await project.build(name, source="tickets")).document.path
