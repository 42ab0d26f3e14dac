"""A site of Jira in a box, what Jira's own specification says of each request, and a way in."""

import os
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from rove_core import Account, Credential, Http, Identity, Secret
from rove_core.http import Caps
from rove_core.testing import VirtualClock
from rove_jira.settings import JiraSettings
from rove_jira.tracker import JiraTracker
from rove_sim import Company, Conduct
from rove_sim.company_jira import Ticket
from rove_sim.company_people import Person
from rove_sim.jira import Jira
from rove_sim.server import serve
from rove_sim.specification_checks import Specifications

Connect: TypeAlias = Callable[..., JiraTracker]

HOST = "northwind.atlassian.net"


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def clock() -> VirtualClock:
    """Give a clock that says it is noon of December 20, 2024."""
    return VirtualClock(datetime(2024, 12, 20, 12, tzinfo=UTC))


@pytest.fixture
def zone() -> str:
    """Give the time zone of whose login it is."""
    return "UTC"


@pytest.fixture
def company(zone: str) -> Company:
    """Give a company of two people without a ticket."""
    people = (
        Person(key="robin", name="Robin Doe", time_zone=zone),
        Person(key="mike", name="Mike Torres"),
    )
    return Company(name="Northwind", token="canary-token", me="robin", people=people)  # noqa: S106  # it opens a simulator


@pytest.fixture
def site(company: Company, clock: VirtualClock) -> Iterator[Jira]:
    """Give its site, whose pages hold two things; nothing may be asked of it in a wrong way."""
    jira = Jira(company, clock=clock, conduct=Conduct(page_size=2))
    yield jira
    assert jira.refused == []
    if folder := os.environ.get("ROVE_SPECS", ""):
        vendors_word = Specifications(Path(folder))
        assert [said for each in jira.exchanges for said in vendors_word.jira(each)] == []


@pytest.fixture
def add(site: Jira) -> Callable[..., Ticket]:
    """Give what adds a ticket to the site: ``add("TB-1", title=...)``."""

    def added(key: str, **parts: Any) -> Ticket:  # noqa: ANN401  # as a ticket has it
        at = datetime(2024, 12, 1, 9, tzinfo=UTC)
        return site.add_ticket(
            Ticket(key=key, **{"title": key, "author": "mike", "created": at, **parts})
        )

    return added


@pytest.fixture
async def served(site: Jira) -> AsyncIterator[str]:
    """Give the address at which the site answers."""
    async with serve(site) as url:
        yield url


@pytest.fixture
async def connect(company: Company, clock: VirtualClock) -> AsyncIterator[Connect]:
    """Give what connects to an address as the owner of the company, or with another header."""
    async with AsyncExitStack() as stack:
        basic = b64encode(f"{company.owner.email}:{company.token}".encode()).decode()

        def connected(url: str, *, header: str = f"Basic {basic}", **options: Any) -> JiraTracker:  # noqa: ANN401  # caps and settings
            host = url.partition("://")[2]
            credential = Credential(headers={"Authorization": Secret(header)}, hosts=(host,))

            async def give() -> Credential:
                return credential

            account = Account(
                name="jira:work",
                kind="jira",
                settings=options.get("settings", JiraSettings()),
                base_url=url,
                hosts=(HOST,),
                identity=Identity(name="Robin Doe", prefixes=("TB", "OPS")),
            )
            http = Http(
                account=account.name,
                base_url=url,
                hosts=account.hosts,
                credential=give,
                clock=clock,
                caps=options.get("caps", Caps()),
                limits=options.get("limits"),
            )
            stack.push_async_callback(http.aclose)
            return JiraTracker(account, http)

        yield connected


@pytest.fixture
def source(served: str, connect: Connect) -> JiraTracker:
    """Give a source that is connected to the site."""
    return connect(served)


@pytest.fixture
def visit(clock: VirtualClock) -> Callable[[Jira], Any]:
    """Give what connects to a site outside of a test's own loop, for properties."""

    @asynccontextmanager
    async def visited(jira: Jira) -> AsyncIterator[JiraTracker]:
        owner = jira.company.owner
        basic = b64encode(f"{owner.email}:{jira.company.token}".encode()).decode()
        async with serve(jira) as url:
            host = url.partition("://")[2]
            header = {"Authorization": Secret(f"Basic {basic}")}
            credential = Credential(headers=header, hosts=(host,))

            async def give() -> Credential:
                return credential

            http = Http(account="jira", base_url=url, credential=give, clock=clock)
            account = Account(name="jira", kind="jira", settings=JiraSettings(), base_url=url)
            yield JiraTracker(account, http)
            await http.aclose()

    return visited
