"""An Asana to talk to: the simulator, with a workspace of its own and two things on a page."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

import rove_asana
from rove_asana.settings import AsanaSettings
from rove_asana.source import AsanaSource
from rove_core import Account, Clock, Credential, Http, Identity, authorization
from rove_core.clock import SYSTEM
from rove_core.http import Caps
from rove_core.testing import Scene, Vendor
from rove_core.testing.scene import on_stage
from rove_sim import Company, Conduct
from rove_sim.asana import Asana
from rove_sim.company_asana import (
    AsanaAttachment,
    AsanaField,
    AsanaPlace,
    AsanaProject,
    AsanaStory,
    AsanaTask,
    AsanaValue,
    asana_gid,
)
from rove_sim.company_people import Person
from rove_sim.server import serve
from rove_sim.specification_checks_asana import AsanaDescription

TOKEN: Final = "CANARY-asana-token-of-northwind"  # noqa: S105  # nobody's
DAY: Final = datetime(2024, 12, 1, 9, tzinfo=UTC)
WORKSPACE: Final = asana_gid("workspace")
#: The task that has all that a task can have, and others around it.
KEYS, VAULT, SIGN_IN, AUDIT = (str(1_200_000_000_000_000 + number) for number in (2, 3, 1, 4))
FIELDS: Final = (
    AsanaField(name="Priority", kind="enum", options=("Urgent", "High", "Medium", "Low")),
    AsanaField(name="Customer"),
    AsanaField(name="Story points", kind="number"),
    AsanaField(name="Ticket", kind="id", prefix="TB"),
)


def day(days: int) -> datetime:
    """Return the morning so many days after the first one."""
    return DAY + timedelta(days=days)


def _tasks() -> Iterator[AsanaTask]:
    pilot = AsanaPlace(project="Pilot", section="To do")
    yield AsanaTask(gid=SIGN_IN, name="Sign in", author="ann", created=DAY, places=(pilot,))
    yield AsanaTask(
        gid=KEYS,
        name="Rotate keys",
        notes="Once a <strong>day</strong>, if a&lt;b.\nSee the vault.",
        author="ann",
        assignee="ben",
        created=DAY,
        parent=SIGN_IN,
        places=(AsanaPlace(project="Pilot", section="In progress"), AsanaPlace(project="Vault")),
        due=date(2024, 12, 24),
        tags=("auth", "pilot", "keys", "needs review"),
        followers=("ann", "ben"),
        depends_on=(VAULT,),
        values=(
            AsanaValue(field="Priority", value="High"),
            AsanaValue(field="Customer", value="Globex"),
            AsanaValue(field="Ticket", value="TB-2"),
        ),
        stories=(
            AsanaStory(author="ben", at=day(2), kind="added_to_project", text="added to Pilot"),
            AsanaStory(author="ann", at=day(9), text="How often?"),
            AsanaStory(author="ben", at=day(10), text="Every <em>hour</em>.\nBy hand."),
            AsanaStory(
                author="ben",
                at=day(11),
                kind="section_changed",
                text='moved this Task from "To do" to "In progress" in Pilot',
            ),
        ),
        attachments=(
            AsanaAttachment(name="PR 847", at=day(9), url="https://github.com/acme/api/pull/847"),
            AsanaAttachment(name="plan.pdf", at=day(9), size=2048),
        ),
    )
    yield AsanaTask(
        gid=VAULT,
        name="Vault for keys",
        notes="Holds the keys",
        author="ben",
        created=day(3),
        places=(AsanaPlace(project="Vault"),),
        parent="",
        completed=day(8),
    )
    yield AsanaTask(
        gid=AUDIT, name="Audit", notes="Who has keys?", author="ben", created=day(4), parent=KEYS
    )


def company() -> Company:
    """Return a company that keeps its tasks in Asana."""
    return Company(
        name="Northwind",
        token=TOKEN,
        people=(
            Person(key="ann", name="Ann Lee"),
            Person(key="ben", name="Ben Fox"),
            Person(key="ada", name="Ada Ray"),
        ),
        asana_projects=(
            AsanaProject(name="Pilot", sections=("To do", "In progress", "Done"), fields=FIELDS),
            AsanaProject(name="Vault"),
        ),
        tasks=tuple(_tasks()),
        asana_tags=("suite",),
    )


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def workspace() -> Iterator[Asana]:
    """Give the workspace; whatever it is asked suits its routes and Asana's description."""
    asana = Asana(company(), conduct=Conduct(page_size=2))
    yield asana
    assert asana.refused == []
    if folder := os.environ.get("ROVE_SPECS"):
        description = AsanaDescription(Path(folder))
        wrong = [line for each in asana.exchanges for line in description.problems(each)]
        assert wrong == []


@pytest.fixture
def northwind(workspace: Asana) -> AbstractAsyncContextManager[Vendor]:
    """Give the workspace, open as long as it is used."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Vendor]:
        async with serve(workspace) as base_url:
            yield Vendor(base_url=base_url, answers={"token": TOKEN})

    return opened()


@pytest.fixture
async def stranger(northwind: AbstractAsyncContextManager[Vendor]) -> AsyncIterator[Scene]:
    """Give an account that nobody has logged in to."""
    (kind,) = rove_asana.rove_sources()
    async with northwind as vendor, on_stage(kind, vendor, name="asana") as scene:
        yield scene


@pytest.fixture
async def asana(stranger: Scene) -> Scene:
    """Give an account that is logged in."""
    await stranger.enter()
    return stranger


@pytest.fixture
async def connect() -> AsyncIterator[Callable[..., AsanaSource]]:
    """Return what makes a source of an account, with its own clock and its own limits."""
    opened: list[Http] = []

    def connect(base_url: str, *, clock: Clock = SYSTEM, caps: Caps | None = None) -> AsanaSource:
        account = Account(
            name="asana",
            kind="asana",
            settings=AsanaSettings(),
            base_url=base_url,
            identity=Identity(name="Ann Lee", prefixes=("TB",), workspace=WORKSPACE),
        )

        async def credential() -> Credential:
            return authorization(account, f"Bearer {TOKEN}")

        http = Http(
            account="asana",
            base_url=base_url,
            credential=credential,
            clock=clock,
            caps=caps or Caps(rate_limit=account.settings.rate_limit),
        )
        opened.append(http)
        return AsanaSource(account, http)

    yield connect
    for http in opened:
        await http.aclose()
