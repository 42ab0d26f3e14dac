"""Every kind of item that Rove reads of the sample company, quoted and cited in a document."""

import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest

from rove.operations.build import build
from rove.operations.source_item import sources_item
from rove_core import Account, MemoryStore, PreparedLogin, Project, Secret, open_project
from rove_core.testing import VirtualClock
from rove_github.settings import GitHubSettings
from rove_jira.settings import JiraSettings
from rove_sim import running, sample_company
from rove_sim.github import GitHubEnterprise
from rove_sim.jira import JiraDataCenter
from rove_sim.server import serve
from rove_sim.world import World

pytestmark = pytest.mark.anyio

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "what-is-read.md"
#: A bot reads 30 days back.
DAY_OF_THE_BOT = datetime(2024, 12, 20, tzinfo=UTC)
#: What is read in a way of its own.
BOT = "thread, for a bot's token"
CONFLUENCE = "Confluence page"
DATA_CENTER = "ticket of a Data Center"
ENTERPRISE_SERVER = "all of these on an Enterprise Server"
ATLASSIAN = "https://northwind.atlassian.net"
SLACK = "https://northwind.slack.com"
GITHUB = "https://github.com/northwind"
ENTERPRISE = "https://github.northwind.example/northwind"
LINEAR = "https://linear.app/northwind"


@attrs.frozen
class Shown:
    """What the document of a ticket shows of a kind of item.

    Attributes:
        ticket: The ticket whose document it is.
        quotes: The words, each with the beginning of the address that is cited behind them.
        accounts: The kinds of source that are asked.
    """

    ticket: str
    quotes: Mapping[str, str]
    accounts: tuple[str, ...] = ("jira",)


@attrs.frozen
class Site:
    """An account, and how one logs in to it.

    Attributes:
        account: The account.
        way: The way to log in; empty for a source without any.
        answers: What is asked then.
    """

    account: Account[Any]
    way: str
    answers: Mapping[str, str]


#: By the source and the kind, as the page calls them.
KINDS = {
    ("jira", "ticket"): Shown(
        "TB-123", {"Enterprise customers cannot sign in": f"{ATLASSIAN}/browse/TB-123"}
    ),
    ("jira", DATA_CENTER): Shown(
        "TB-123",
        {
            "Decided to use python-jose for JWT handling": "{site}/browse/TB-123",
            "authorization code flow with PKCE": "{site}/browse/TB-123",
        },
    ),
    ("jira", "attached file"): Shown(
        "TB-461", {"**Attachments:** auth-7c9d.log": f"{ATLASSIAN}/browse/TB-461"}
    ),
    ("jira", "image in a text"): Shown(
        "TB-123", {"[attachment: sign-in-flow.png]": f"{ATLASSIAN}/browse/TB-123"}
    ),
    ("jira", "development panel"): Shown(
        "TB-468",
        {
            "Pull request Keep the byte order mark of the samples in samples (merged): "
            "hxxps://gitlab[.]northwind[.]example/": f"{ATLASSIAN}/browse/TB-468",
            "Branch tb-468-samples in samples": f"{ATLASSIAN}/browse/TB-468",
        },
    ),
    ("jira", CONFLUENCE): Shown(
        "TB-100",
        {"**Decided:** enterprise customers sign in": f"{ATLASSIAN}/wiki/pages/viewpage.action?"},
    ),
    ("slack", "thread"): Shown(
        "TB-123",
        {"About TB-123: we need to support OAuth2": f"{SLACK}/archives/C0BACKEND/p1734264000000"},
        ("jira", "slack"),
    ),
    ("slack", BOT): Shown(
        "TB-123",
        {"About TB-123: we need to support OAuth2": f"{SLACK}/archives/C0BACKEND/p1734264000000"},
        ("jira", "slack"),
    ),
    ("slack", "file of a message"): Shown(
        "OPS-32",
        {"[file: globex-callback (globex-callback.png)]": f"{SLACK}/archives/"},
        ("linear", "slack"),
    ),
    ("slack", "canvas"): Shown(
        "OPS-37", {"- Friday: the cat": f"{SLACK}/docs/"}, ("linear", "slack")
    ),
    ("slack", "text file"): Shown(
        "OPS-37",
        {"The cat may come on Fridays, the parrot never again.": f"{SLACK}/files/"},
        ("linear", "slack"),
    ),
    ("github", "issue"): Shown(
        "northwind/infra#104",
        {"We write a dump every night": f"{GITHUB}/infra/issues/104"},
        ("github",),
    ),
    ("github", "sub-issue"): Shown(
        "northwind/infra#104",
        {
            "has the part northwind/infra#106": f"{GITHUB}/infra/issues/106",
            "They lie on a disk of their own": f"{GITHUB}/infra/issues/106",
        },
        ("github",),
    ),
    ("github", "status in a project"): Shown(
        "northwind/infra#104",
        {"**Status in Housekeeping:** In progress": f"{GITHUB}/infra/issues/104"},
        ("github",),
    ),
    ("github", "discussion"): Shown(
        "northwind/infra#104",
        {
            "thirty of them fill the disk": f"{GITHUB}/infra/discussions/107",
            "Fourteen daily dumps and one a month": (
                f"{GITHUB}/infra/discussions/107#discussioncomment-5702"
            ),
        },
        ("github",),
    ),
    ("github", "pull request"): Shown(
        "TB-124",
        {"`IdentityProvider`: authorize address": f"{GITHUB}/backend/pull/847"},
        ("jira", "github"),
    ),
    ("github", ENTERPRISE_SERVER): Shown(
        "northwind/infra#104",
        {
            "We write a dump every night": f"{ENTERPRISE}/infra/issues/104",
            "They lie on a disk of their own": f"{ENTERPRISE}/infra/issues/106",
            "**Status in Housekeeping:** In progress": f"{ENTERPRISE}/infra/issues/104",
            "Fourteen daily dumps and one a month": f"{ENTERPRISE}/infra/discussions/107#",
        },
        ("github",),
    ),
    ("linear", "issue"): Shown(
        "OPS-37", {"Eighteen desks in one weekend": f"{LINEAR}/issue/"}, ("linear",)
    ),
    ("linear", "document"): Shown(
        "OPS-37",
        {
            "Decided: the support team sits next to the kitchen": f"{LINEAR}/document/",
            "There are two sockets at that wall": f"{LINEAR}/document/",
        },
        ("linear",),
    ),
    ("linear", "project"): Shown(
        "OPS-37",
        {
            "From the second floor to the fourth": f"{LINEAR}/project/",
            "The lift company comes a week later": f"{LINEAR}/update/",
        },
        ("linear",),
    ),
    ("linear", "initiative"): Shown(
        "OPS-37",
        {
            "Nobody climbs stairs to ask a question.": f"{LINEAR}/initiative/",
            "The lease of the second floor ends in March.": f"{LINEAR}/update/",
        },
        ("linear",),
    ),
    ("notes", "note"): Shown(
        "TB-123", {"We never see their password.": "file://"}, ("jira", "notes")
    ),
}


@pytest.mark.parametrize(("source", "kind"), KINDS)
async def test_a_document_quotes_and_cites_it(tmp_path: Path, source: str, kind: str) -> None:
    """Its words stand in the document of a ticket, with the address of where they are read."""
    shown = KINDS[source, kind]
    async with _company(tmp_path, source, kind) as (project, site):
        results = await build(project, tickets=(shown.ticket,))
        text = results.built[0].document.path.read_text("utf-8")

    cited = {quote: _address_behind(quote, text) for quote in shown.quotes}
    expected = {quote: url.replace("{site}", site) for quote, url in shown.quotes.items()}
    assert {quote: cited[quote][: len(url)] for quote, url in expected.items()} == expected


@pytest.mark.parametrize(
    ("source", "id_", "name", "words"),
    [
        ("jira", "TB-461", "auth-7c9d.log", "auth.verify pod=auth-7c9d issuer=globex"),
        (
            "slack",
            f"{SLACK}/archives/C0RANDOM/p1731078032760113",
            "Office pets (office-pets.md)",
            "Fridays",
        ),
    ],
)
async def test_a_file_is_read_on_demand(
    tmp_path: Path, source: str, id_: str, name: str, words: str
) -> None:
    """What a document only names, ``rove sources item --attachments`` reads."""
    async with _company(tmp_path, source, "") as (project, _):
        item = await sources_item(project, account=source, id=id_, attachments=True)

    assert {part.title: words in part.content for part in item.thread if part.role == "file"}[name]


def test_the_page_lists_every_kind() -> None:
    """And nothing else: each row of its table was seen in a document."""
    rows = re.findall(r"^\| ([A-Z]\w+) \| ([^|]+?) \|", PAGE.read_text("utf-8"), re.MULTILINE)

    assert [(source.lower(), kind) for source, kind in rows if kind != "Kind"] == [*KINDS]


def _address_behind(quote: str, document: str) -> str:
    """Return the address that a document cites first behind some words of it."""
    _, found, behind = document.partition(quote)
    assert found, f"{quote!r} is not quoted"
    number = re.search(r"(?<=\[)\d+(?=\])", behind)
    assert number
    address = re.search(rf"(?m)^\[{number[0]}\]: (\S+)", behind)
    assert address
    return address[1]


@asynccontextmanager
async def _company(folder: Path, source: str, kind: str) -> AsyncIterator[tuple[Project, str]]:
    """Open a project that is logged in where a kind is read, with the address of that site."""
    clock = VirtualClock(DAY_OF_THE_BOT) if kind == BOT else VirtualClock()
    async with (
        _sites(source, kind, clock) as sites,
        open_project(folder, accounts=(), credentials=MemoryStore(), clock=clock) as project,
    ):
        for site in sites(project):
            if site.way:
                answers = {name: Secret(answer) for name, answer in site.answers.items()}
                await project.log_in(site.account, partial(PreparedLogin, site.way, answers))
            else:
                await project.connect(site.account)
        yield project, site.account.base_url


@asynccontextmanager
async def _sites(
    source: str, kind: str, clock: VirtualClock
) -> AsyncIterator[Callable[[Project], Sequence[Site]]]:
    """Run what a kind is read from, and give what names the accounts."""
    company = sample_company()
    answers = {"token": company.token}
    if kind == DATA_CENTER:
        async with serve(JiraDataCenter(company)) as url:
            account = _account("jira", JiraSettings(), url)
            yield lambda _: [Site(account, "pat", answers)]
    elif kind == ENTERPRISE_SERVER:
        async with serve(GitHubEnterprise(company)) as url:
            settings = GitHubSettings(owners=("northwind",))
            account = _account("github", settings, f"{url}/api/v3")
            yield lambda _: [Site(account, "token", answers)]
    else:
        async with running(company, clock=clock) as world:
            shown = KINDS.get((source, kind))
            yield partial(_of_world, world, kind, shown.accounts if shown else (source,))


def _of_world(world: World, kind: str, sources: Sequence[str], project: Project) -> Sequence[Site]:
    """Return the accounts of some kinds of source, as one kind of item needs them."""
    found = []
    if kind == BOT:
        world.slack.invite("backend-team")
    for account in world.accounts(project.plugins.kinds, project=project.places.root):
        answers, way = dict(world.answers), "" if account.kind == "notes" else "token"
        if account.kind == "slack" and kind == BOT:
            answers["token"] = world.slack.bot_token
        settings = JiraSettings(confluence=True) if kind == CONFLUENCE else account.settings
        if account.kind in sources:
            found.append(Site(attrs.evolve(account, settings=settings), way, answers))
    return found


def _account(kind: str, settings: object, url: str) -> Account[Any]:
    return Account(name=kind, kind=kind, settings=settings, base_url=url)
