"""A Slack to talk to: the simulator, with a workspace of its own whose pages hold two things."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import pytest

import rove_slack
from rove_core import Account, Clock, Credential, Http, Secret
from rove_core.clock import SYSTEM
from rove_core.testing import Scene, Vendor, VirtualClock
from rove_core.testing.scene import on_stage
from rove_sim import Conduct
from rove_sim.company import Company
from rove_sim.company_people import Person
from rove_sim.company_slack import Channel, SharedFile, SlackMessage
from rove_sim.server import serve
from rove_sim.slack import Slack
from rove_sim.specification_checks import Specifications
from rove_slack.settings import SlackSettings
from rove_slack.source import SlackSource

Connect: TypeAlias = Callable[..., SlackSource]

TOKEN = "xoxp-of-northwind"  # noqa: S105  # it opens a simulator
NOON = datetime(2024, 12, 15, 12, tzinfo=UTC)


def _at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes, microseconds=100)


PEOPLE = (
    Person(key="robin", name="Robin Doe", slack="U0ROBIN", time_zone="Europe/Berlin"),
    Person(key="sarah", name="Sarah Chen", slack="U0SARAH"),
    Person(key="omar", name="Omar Haddad", slack="U0OMAR", active=False, guest=True),
    Person(key="deploybot", name="deploybot", slack="B0DEPLOY", bot=True),
)
CHANNELS = (
    Channel(name="backend-team", id="C0BACKEND"),
    Channel(name="hiring", id="G0HIRING", kind="private"),
    Channel(name="old-plans", id="C0OLD", archived=True),
    Channel(name="sarah", id="D0SARAH", kind="im"),
)
MESSAGES = (
    SlackMessage(
        channel="backend-team",
        author="sarah",
        at=_at(0),
        text="TB-123: how long do *tokens* live? See https://example.com/a?b=1&c=2",
        replies=(
            SlackMessage(
                author="robin", at=_at(10), text="One hour, @sarah says. TB-123 is right."
            ),
            SlackMessage(author="omar", at=_at(20), text="Fine with me", edited=_at(25)),
            SlackMessage(
                author="robin",
                at=_at(30),
                text="The plan",
                files=(SharedFile(name="tokens.pdf"),),
            ),
        ),
    ),
    SlackMessage(
        channel="backend-team", author="robin", at=_at(60), text="TB-1234 is another ticket"
    ),
    SlackMessage(
        channel="backend-team", author="robin", at=_at(70), text="the TB 123 train is late"
    ),
    SlackMessage(
        channel="backend-team",
        author="deploybot",
        at=_at(80),
        blocks=(
            {"type": "section", "text": {"type": "mrkdwn", "text": "Deployed *TB-123* to `prod`"}},
        ),
    ),
    SlackMessage(channel="hiring", author="sarah", at=_at(90), text="TB-123 needs one more person"),
    SlackMessage(
        channel="old-plans", author="omar", at=_at(100), text="tokens as planned in TB-123"
    ),
    SlackMessage(channel="sarah", author="sarah", at=_at(110), text="TB-123, between us"),
)


@pytest.fixture
def company() -> Company:
    """Give a workspace with one of each kind of thing; override it for another one."""
    return Company(
        name="Northwind", token=TOKEN, people=PEOPLE, channels=CHANNELS, messages=MESSAGES
    )


@pytest.fixture
def vendor_clock() -> Clock:
    """Give the vendor's clock; override it for times that are the same in each run."""
    return SYSTEM


@pytest.fixture
def workspace(company: Company, vendor_clock: Clock) -> Iterator[Slack]:
    """Give the simulator; whatever was asked of it was asked as Slack specifies."""
    slack = Slack(company, conduct=Conduct(page_size=2), clock=vendor_clock)
    yield slack
    assert slack.refused == []
    if folder := os.environ.get("ROVE_SPECS", ""):
        word = Specifications(Path(folder))
        assert [said for exchange in slack.exchanges for said in word.slack(exchange)] == []


@asynccontextmanager
async def _northwind(workspace: Slack) -> AsyncIterator[Vendor]:
    async with serve(workspace) as base_url:
        yield Vendor(base_url=base_url, answers={"token": TOKEN})


@pytest.fixture
def northwind(workspace: Slack) -> AbstractAsyncContextManager[Vendor]:
    """Give the workspace, open as long as it is used."""
    return _northwind(workspace)


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
async def stranger(northwind: AbstractAsyncContextManager[Vendor]) -> AsyncIterator[Scene]:
    """Give an account that nobody has logged in to."""
    (kind,) = rove_slack.rove_sources()
    async with northwind as vendor, on_stage(kind, vendor, name="slack") as scene:
        yield scene


@pytest.fixture
async def slack(stranger: Scene) -> AsyncIterator[Scene]:
    """Give an account that is logged in, and waits for no limit: its clock obeys."""
    await stranger.enter()

    async def credential() -> Credential | None:
        return stranger.credential

    http = stranger.http = Http(
        account="slack",
        base_url=stranger.account.base_url,
        hosts=stranger.account.hosts,
        credential=credential,
        clock=VirtualClock(),
    )
    stranger.source = stranger.kind.connect(stranger.account, stranger.http)
    yield stranger
    await http.aclose()


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """Give what connects an account that is logged in: to a base URL, on a clock, with caps."""
    async with AsyncExitStack() as stack:

        async def credential() -> Credential:
            return Credential(
                headers={"Authorization": Secret(f"Bearer {TOKEN}")}, hosts=(places[-1],)
            )

        places: list[str] = []

        def connect(base_url: str, *, page_size: int = 100, **options: Any) -> SlackSource:  # noqa: ANN401  # as Http has them
            places.append(urlsplit(base_url).netloc)
            account = Account(
                name="slack",
                kind="slack",
                settings=SlackSettings(page_size=page_size),
                base_url=base_url,
                hosts=("northwind.slack.com",),
            )
            http = Http(account="slack", base_url=base_url, credential=credential, **options)
            stack.push_async_callback(http.aclose)
            return SlackSource(account, http)

        yield connect
