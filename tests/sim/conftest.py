"""Simulators to ask without a network, and what the vendors themselves say of each answer."""

import os
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest

from rove_core.testing import VirtualClock
from rove_sim import Company, Conduct, load_company
from rove_sim.jira import Jira
from rove_sim.simulator_client import SimulatorClient
from rove_sim.slack import Slack
from rove_sim.specification_checks import Specifications


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def vendors_word() -> Specifications | None:
    """Give the vendors' specifications where there are any."""
    folder = os.environ.get("ROVE_SPECS", "")
    return Specifications(Path(folder)) if folder else None


@pytest.fixture(scope="session")
def company() -> Company:
    """Give a company with one of each kind of thing."""
    return load_company(Path(str(files("rove_sim").joinpath("example.toml"))))


@pytest.fixture
def clock() -> VirtualClock:
    """Give a clock that says it is noon of December 20, 2024."""
    return VirtualClock(datetime(2024, 12, 20, 12, tzinfo=UTC))


@pytest.fixture
def jira(
    company: Company, clock: VirtualClock, vendors_word: Specifications | None
) -> Iterator[Jira]:
    """Give a site whose pages hold two things; whatever passes is as Jira specifies it."""
    site = Jira(company, clock=clock, conduct=Conduct(page_size=2))
    yield site
    if vendors_word:
        assert [said for each in site.exchanges for said in vendors_word.jira(each)] == []


@pytest.fixture
def slack(
    company: Company, clock: VirtualClock, vendors_word: Specifications | None
) -> Iterator[Slack]:
    """Give a workspace whose pages hold two things; whatever passes is as Slack specifies it."""
    workspace = Slack(company, clock=clock, conduct=Conduct(page_size=2))
    yield workspace
    if vendors_word:
        assert [said for each in workspace.exchanges for said in vendors_word.slack(each)] == []


@pytest.fixture
def at_jira(jira: Jira, company: Company) -> SimulatorClient:
    """Give a client that the site lets in."""
    basic = b64encode(f"{company.owner.email}:{company.token}".encode()).decode()
    return SimulatorClient(jira, {"authorization": f"Basic {basic}"})


@pytest.fixture
def at_slack(slack: Slack, company: Company) -> SimulatorClient:
    """Give a client that the workspace lets in."""
    return SimulatorClient(slack, {"authorization": f"Bearer {company.token}"})
