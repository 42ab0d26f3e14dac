"""A vendor that means harm, or has gone mad: every value of its replies bent in every way.

Faults on the wire (endless, dripping, packed, redirecting) are played in each source's own tests.
"""

import resource
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from types import ModuleType
from typing import Final

import attrs
import pytest
from tests.vendors.malice import CPU_SECONDS, MEGABYTES, MODES, Bend, check_outcome

import rove_asana
import rove_azure
import rove_github
import rove_jira
import rove_linear
import rove_slack
from rove_core import JSON, ItemRef
from rove_core.testing import Scene, Vendor
from rove_core.testing.scene import on_stage
from rove_sim import sample_company
from rove_sim.asana import Asana
from rove_sim.azure import AzureDevOps
from rove_sim.company import Company
from rove_sim.company_asana import (
    AsanaField,
    AsanaPlace,
    AsanaProject,
    AsanaStory,
    AsanaTask,
    AsanaValue,
)
from rove_sim.company_azure import AzureChange, AzureComment, AzureLink, AzureWorkItem
from rove_sim.company_jira import WikiPage
from rove_sim.github import GitHub, GitHubEnterprise
from rove_sim.jira import Jira, JiraDataCenter
from rove_sim.linear import Linear
from rove_sim.server import Request, Response, serve
from rove_sim.slack import Slack

pytestmark = pytest.mark.anyio


@attrs.define
class Malicious:
    """Answers as a vendor does, with all values bent.

    Attributes:
        honest: The vendor.
        bend: What is done to its replies.
        refusal: The end of a path, and the status with which it is refused.
    """

    honest: Callable[[Request], Response]
    bend: Bend | None = None
    refusal: tuple[str, int] | None = None

    def __call__(self, request: Request) -> Response:
        """Answer a request."""
        if self.refusal and request.path.endswith(self.refusal[0]):
            return Response({"message": "No", "errorMessages": ["No"]}, self.refusal[1])
        response = self.honest(request)
        # A reply without a body (204, 304) has none to bend, or the next reply would begin in it.
        if self.bend is None or response.value is None:
            return response
        return attrs.evolve(response, value=self.bend(response.value))


def _asana(company: Company) -> Asana:
    """Return an Asana with one task that has all that a task can have."""
    at = datetime(2024, 12, 15, 9, tzinfo=UTC)
    fields = (AsanaField(name="Priority", kind="enum", options=("High", "Low")),)
    project = AsanaProject(name="Pilot", sections=("To do", "Done"), fields=fields)
    task = AsanaTask(
        gid="1200000000000002",
        name="Rotate tokens",
        notes="Once a <strong>day</strong>, all of the tokens that are in use.",
        author="sarah",
        created=at,
        places=(AsanaPlace(project="Pilot"),),
        values=(AsanaValue(field="Priority", value="High"),),
        stories=(AsanaStory(author="sarah", at=at, text="How often are these tokens used?"),),
    )
    return Asana(attrs.evolve(company, asana_projects=(project,), tasks=(task,)))


def _azure(company: Company) -> AzureDevOps:
    """Return an Azure DevOps with one work item that has all that one can have."""
    at = datetime(2024, 12, 15, 9, tzinfo=UTC)
    item = AzureWorkItem(
        id=2,
        project="Tracker",
        title="Rotate tokens",
        description="<div>Once a <b>day</b>, all of the tokens that are in use.</div>",
        criteria="<ul><li>Old tokens work for an hour</li></ul>",
        author="sarah",
        created=at,
        tags=("auth",),
        links=(AzureLink(kind="Hyperlink", to="https://a.example", name="The API"),),
        comments=(AzureComment(number=1, author="sarah", at=at, text="<div>How often?</div>"),),
        history=(AzureChange(author="sarah", at=at, field="System.State", after="Active"),),
    )
    return AzureDevOps(attrs.evolve(company, work_items=(item,)))


def _confluence(company: Company) -> Jira:
    """Return a Jira whose site has a Confluence with one page."""
    jira = Jira(company)
    at = datetime(2024, 12, 11, 15, tzinfo=UTC)
    text = "We **decided** that tokens live an hour.\n\n- all of the tokens that are in use"
    jira.pages["2201"] = WikiPage(id="2201", title="Tokens", text=text, author="priya", at=at)
    return jira


@attrs.frozen
class Staged:
    """A source and its vendor.

    Attributes:
        package: The source.
        make: Makes the vendor of a company.
        ref: An item that it has.
        way: How one logs in.
        below: What its base URL has behind the host.
        settings: What an account of it sets.
    """

    package: ModuleType
    make: Callable[[Company], Callable[[Request], Response]]
    ref: ItemRef
    way: str = "token"
    below: str = ""
    settings: Mapping[str, JSON] = attrs.field(factory=dict)


_TICKET: Final = ItemRef(account="jira", kind="ticket", id="TB-123")
_PULL: Final = ItemRef(account="github", kind="pr", id="northwind/backend#847")
SOURCES: Final[Mapping[str, Staged]] = {
    "jira": Staged(rove_jira, Jira, _TICKET),
    "data center": Staged(rove_jira, JiraDataCenter, _TICKET, way="pat"),
    "confluence": Staged(
        rove_jira,
        _confluence,
        ItemRef(account="jira", kind="page", id="page/2201"),
        settings={"confluence": True},
    ),
    "slack": Staged(
        rove_slack,
        Slack,
        ItemRef(account="slack", kind="thread", id="C0BACKEND/1734264000.000100"),
    ),
    "github": Staged(rove_github, GitHub, _PULL),
    "enterprise": Staged(rove_github, GitHubEnterprise, _PULL, below="/api/v3"),
    "linear": Staged(rove_linear, Linear, ItemRef(account="linear", kind="ticket", id="OPS-31")),
    "asana": Staged(
        rove_asana, _asana, ItemRef(account="asana", kind="task", id="1200000000000002")
    ),
    "azure": Staged(
        rove_azure,
        _azure,
        ItemRef(account="azure", kind="work_item", id="2"),
        below="/northwind",
    ),
}


@pytest.fixture(scope="module")
def company() -> Company:
    """Give the sample company."""
    return sample_company()


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@asynccontextmanager
async def _staged(name: str, company: Company) -> AsyncIterator[tuple[Scene, Malicious, ItemRef]]:
    staged = SOURCES[name]
    malicious = Malicious(staged.make(company))
    (kind,) = staged.package.rove_sources()
    async with serve(malicious) as url:
        vendor = Vendor(
            base_url=f"{url}{staged.below}",
            answers={"email": company.owner.email, "token": company.token},
            way=staged.way,
            settings=staged.settings,
        )
        async with on_stage(kind, vendor, name=staged.ref.account) as scene:
            await scene.enter()
            yield scene, malicious, staged.ref


@pytest.mark.parametrize("name", SOURCES)
async def test_what_an_honest_vendor_sends(name: str, company: Company) -> None:
    """It is read: what the modes bend is not refused for another reason."""
    async with _staged(name, company) as (scene, _, ref):
        item = await scene.detail(ref)

        assert item.title
        assert not item.facts.incomplete


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SOURCES)
async def test_what_a_malicious_vendor_sends(name: str, mode: str, company: Company) -> None:
    """It is an item that fits and is harmless, or an error in clear words, in bounded time."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    async with _staged(name, company) as (scene, malicious, ref):
        malicious.bend = MODES[mode]
        for call in (lambda: scene.detail(ref), lambda: scene.find("tokens")):
            await check_outcome(scene.account.name, call, hosts=scene.account.hosts)
    after = resource.getrusage(resource.RUSAGE_SELF)

    assert (after.ru_maxrss - before.ru_maxrss) / 1024 < MEGABYTES
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < CPU_SECONDS


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("jira", "/remotelink"),
        ("data center", "/remotelink"),
        ("github", "/graphql"),
        ("enterprise", "/graphql"),
        ("asana", "/stories"),
        ("asana", "/attachments"),
        ("azure", "/comments"),
        ("azure", "/updates"),
    ],
)
async def test_what_is_refused_of_an_item_is_noted(name: str, part: str, company: Company) -> None:
    """The item is read all the same, whether its part is forbidden or not there."""
    async with _staged(name, company) as (scene, vendor, ref):
        for status in (403, 404):
            vendor.refusal = (part, status)
            scene.connect()
            item = await scene.detail(ref)

            assert item.title
            assert len(item.facts.incomplete) == 1, status
