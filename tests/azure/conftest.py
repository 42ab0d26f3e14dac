"""An Azure DevOps to talk to: the simulator, with an organization of its own."""

import os
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

import rove_azure
from rove_azure.settings import AzureSettings
from rove_azure.source import AzureSource
from rove_core import Account, Clock, Credential, Http, Identity, authorization
from rove_core.clock import SYSTEM
from rove_core.http import Caps
from rove_core.testing import Scene, Vendor
from rove_core.testing.scene import on_stage
from rove_sim import Company, Conduct
from rove_sim.azure import AzureDevOps
from rove_sim.company_azure import (
    AzureChange,
    AzureComment,
    AzureFile,
    AzureIteration,
    AzureLink,
    AzureWorkItem,
)
from rove_sim.company_people import Person
from rove_sim.server import serve
from rove_sim.specification_checks_azure import request_problems

KEY: Final = "pat-of-northwind"
DAY: Final = datetime(2024, 12, 1, 9, tzinfo=UTC)
_REPOSITORY: Final = "a1b2c3d4-0000-0000-0000-000000000001%2Fa1b2c3d4-0000-0000-0000-000000000002"


def day(days: float) -> datetime:
    """Return a time, so many days after the first one."""
    return DAY + timedelta(days=days)


def _work_items() -> Iterator[AzureWorkItem]:
    """Yield an organization in which one work item has all that one can have."""
    yield AzureWorkItem(
        id=1,
        project="Tracker",
        type="Epic",
        title="Sign in",
        author="ann",
        created=DAY,
        updated=day(1),
        links=(AzureLink(kind="Dependency-Forward", to="2"),),
    )
    yield AzureWorkItem(
        id=2,
        project="Tracker",
        title="Rotate keys",
        description="<div>Once a <b>day</b>.</div>",
        criteria="<ul><li>Old keys work for an hour</li></ul>",
        author="ann",
        assignee="ben",
        created=DAY,
        updated=datetime(2024, 12, 12, 9, 0, 0, 120_000, tzinfo=UTC),
        state="Active",
        priority=1,
        tags=("auth", "pilot"),
        iteration="Sprint 7",
        due=date(2024, 12, 24),
        points=5.0,
        values={
            "Custom.RolloutPlan": "<p>First the <i>pilot</i></p>",
            "Custom.Customer": "Globex",
        },
        links=(
            AzureLink(kind="Hierarchy-Reverse", to="1"),
            AzureLink(kind="Related", to="3"),
            AzureLink(kind="Duplicate-Reverse", to="5"),
            AzureLink(
                kind="ArtifactLink",
                to=f"vstfs:///Git/PullRequestId/{_REPOSITORY}%2F847",
                name="Pull Request",
            ),
            AzureLink(kind="Hyperlink", to="https://github.com/acme/api/pull/847", name="The API"),
        ),
        attached=(AzureFile(id="0000000f-0000-0000-0000-00000000000f", name="keys.md"),),
        comments=(
            AzureComment(number=12, author="ben", at=day(10), text="<div>And who?</div>"),
            AzureComment(number=11, author="ann", at=day(9), text="<div>How often?</div>"),
            AzureComment(number=13, author="ann", at=day(11), text="**One** hour", markdown=True),
        ),
        history=(
            AzureChange(
                author="ben", at=day(2), field="System.State", before="New", after="Active"
            ),
            AzureChange(author="ann", at=day(4), field="System.AssignedTo", after="ben"),
        ),
    )
    for number in (3, 4, 5):
        yield AzureWorkItem(
            id=number,
            project="Tracker" if number == 3 else "Web",
            type="Task",
            title=f"Vault {number}",
            description="<div>The keys of the pilot</div>",
            author="ben",
            created=day(number),
        )


def company() -> Company:
    """Return a company with an organization."""
    return Company(
        name="Northwind",
        token=KEY,
        people=(Person(key="ann", name="Ann Lee"), Person(key="ben", name="Ben Fox")),
        work_items=tuple(_work_items()),
        azure_projects=("Empty", "Web"),
        iterations=(
            AzureIteration(
                project="Tracker",
                number=7,
                name="Sprint 7",
                starts=date(2024, 12, 1),
                ends=date(2024, 12, 14),
            ),
            AzureIteration(project="Tracker", number=8, name="Sprint 8"),
        ),
    )


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def organization() -> Iterator[AzureDevOps]:
    """Give the organization; whatever it is asked suits it and the vendor's own description."""
    azure = AzureDevOps(company(), conduct=Conduct(page_size=2))
    yield azure
    assert azure.refused == []
    if folder := os.environ.get("ROVE_SPECS"):
        problems = [request_problems(Path(folder), each) for each in azure.exchanges]
        assert not any(problems), problems


@pytest.fixture
def northwind(organization: AzureDevOps) -> AbstractAsyncContextManager[Vendor]:
    """Give the organization, open as long as it is used."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Vendor]:
        async with serve(organization) as url:
            yield Vendor(base_url=f"{url}/northwind", answers={"token": KEY})

    return opened()


@pytest.fixture
async def stranger(northwind: AbstractAsyncContextManager[Vendor]) -> AsyncIterator[Scene]:
    """Give an account that nobody has logged in to."""
    (kind,) = rove_azure.rove_sources()
    async with northwind as vendor, on_stage(kind, vendor, name="azure") as scene:
        yield scene


@pytest.fixture
async def azure(stranger: Scene) -> Scene:
    """Give an account that is logged in."""
    await stranger.enter()
    return stranger


@pytest.fixture
async def connect() -> AsyncIterator[Callable[..., AzureSource]]:
    """Return what makes a source of an account, with its own clock and its own limits."""
    opened: list[Http] = []

    def connect(
        base_url: str, *, clock: Clock = SYSTEM, caps: Caps | None = None, page_size: int = 50
    ) -> AzureSource:
        account = Account(
            name="azure",
            kind="azure",
            settings=AzureSettings(page_size=page_size),
            base_url=base_url,
            identity=Identity(name="Ann Lee", hosts=("dev.azure.com",), workspace="northwind"),
        )

        async def credential() -> Credential:
            return authorization(account, f"Basic {b64encode(f':{KEY}'.encode()).decode()}")

        http = Http(
            account="azure",
            base_url=base_url,
            credential=credential,
            clock=clock,
            caps=caps or Caps(rate_limit=account.settings.rate_limit),
        )
        opened.append(http)
        return AzureSource(account, http)

    yield connect
    for http in opened:
        await http.aclose()
