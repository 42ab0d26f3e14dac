"""Vendor calls of a first copy, of a catch-up after ten changes, and of one after none.

Counted from the request logs of the simulators, at the page sizes and limits of the vendors:
``python -m benchmarks.listing [ITEMS]``.
"""

import asyncio
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from attrs import frozen

import rove_asana
import rove_azure
import rove_github
import rove_jira
import rove_linear
import rove_slack
from rove_core.testing import Vendor, VirtualClock
from rove_core.testing.scene import on_stage
from rove_sim import Company
from rove_sim.asana import Asana
from rove_sim.azure import AzureDevOps
from rove_sim.company_asana import AsanaPlace, AsanaTask
from rove_sim.company_azure import AzureWorkItem
from rove_sim.company_github import (
    CompanyRepository,
    PullRequest,
    RepositoryCommit,
    RepositoryIssue,
)
from rove_sim.company_jira import Ticket
from rove_sim.company_linear import LinearIssue
from rove_sim.company_people import Person
from rove_sim.company_slack import Channel
from rove_sim.github import GitHub
from rove_sim.jira import Jira
from rove_sim.linear import Linear
from rove_sim.server import serve
from rove_sim.slack import Slack
from rove_sim.vendor import SimulatedVendor

_BEGIN: Final = datetime(2025, 1, 1, tzinfo=UTC)
_TOKEN: Final = "token-of-nobody"  # noqa: S105  # the simulators'
_MOST: Final = 1_000_000


@frozen(kw_only=True)
class Site:
    """A simulator to be copied.

    Attributes:
        kind: The source's package.
        vendor: The simulator.
        answers: What lets one in.
        add: Adds the item of a number, or changes it.
        settings: What the account sets.
    """

    kind: object
    vendor: SimulatedVendor
    answers: dict[str, str]
    add: Callable[[int, datetime], None]
    settings: Mapping[str, tuple[str, ...]]


def sites(clock: VirtualClock) -> dict[str, Site]:
    """Return an empty site of each vendor."""
    company = Company(
        name="Northwind",
        token=_TOKEN,
        me="ann",
        people=(Person(key="ann", name="Ann Lee"),),
        repositories=(CompanyRepository(name="acme/api"),),
        channels=(Channel(name="general"),),
    )
    jira, github = Jira(company, clock=clock), GitHub(company, clock=clock)
    requests, histories = GitHub(company, clock=clock), GitHub(company, clock=clock)
    commits: list[RepositoryCommit] = []
    linear, slack = Linear(company, clock=clock), Slack(company, clock=clock)
    asana, azure = Asana(company, clock=clock), AzureDevOps(company, clock=clock)
    shared: dict[str, Any] = {"author": "ann", "created": _BEGIN}

    def ticket(number: int, at: datetime) -> None:
        jira.add_ticket(Ticket(key=f"TB-{number}", title="A", updated=at, **shared))

    def issue(number: int, at: datetime) -> None:
        github.put(
            RepositoryIssue(repository="acme/api", number=number, title="A", updated=at, **shared)
        )

    def pull(number: int, at: datetime) -> None:
        requests.put(
            PullRequest(repository="acme/api", number=number, title="A", updated=at, **shared)
        )

    def push(number: int, at: datetime) -> None:
        commits.append(RepositoryCommit(message=f"Commit {number}", author="ann", at=at))
        histories.hub.push("acme/api", commits, at)

    def node(number: int, at: datetime) -> None:
        linear.put(LinearIssue(identifier=f"TB-{number}", title="A", updated=at, **shared))

    def task(number: int, at: datetime) -> None:
        places = (AsanaPlace(project="API"),)
        asana.put(AsanaTask(gid=f"12{number:014}", name="A", updated=at, places=places, **shared))

    def work_item(number: int, at: datetime) -> None:
        azure.put(AzureWorkItem(id=number, project="API", title="A", updated=at, **shared))

    def message(number: int, _: datetime) -> None:
        clock.advance(60)
        root = slack.post("general", "ann", f"Message {number}")
        if number % 5 == 0:
            slack.post("general", "ann", "Yes", thread=root)

    email = {"email": company.owner.email, "token": _TOKEN}
    token, none = {"token": _TOKEN}, dict[str, tuple[str, ...]]()
    repositories = {"repositories": ("acme/api",)}
    return {
        "Jira": Site(kind=rove_jira, vendor=jira, answers=email, add=ticket, settings=none),
        "GitHub": Site(
            kind=rove_github, vendor=github, answers=token, add=issue, settings=repositories
        ),
        "GitHub requests": Site(
            kind=rove_github, vendor=requests, answers=token, add=pull, settings=repositories
        ),
        "GitHub commits": Site(
            kind=rove_github, vendor=histories, answers=token, add=push, settings=repositories
        ),
        "Linear": Site(kind=rove_linear, vendor=linear, answers=token, add=node, settings=none),
        "Asana": Site(kind=rove_asana, vendor=asana, answers=token, add=task, settings=none),
        "Azure DevOps": Site(
            kind=rove_azure, vendor=azure, answers=token, add=work_item, settings=none
        ),
        "Slack": Site(kind=rove_slack, vendor=slack, answers=token, add=message, settings=none),
    }


async def measure(site: Site, items: int, clock: VirtualClock) -> list[int]:
    """Return the calls of a first copy, of ten changes, and of none."""
    for number in range(1, items + 1):
        site.add(number, _BEGIN + timedelta(minutes=number))
    (kind,) = site.kind.rove_sources()  # type: ignore[attr-defined]  # a source's package
    calls: list[int] = []
    async with serve(site.vendor) as url:
        base_url = url + site.vendor.path
        vendor = Vendor(base_url=base_url, answers=site.answers, settings=site.settings)
        async with on_stage(kind, vendor, clock=clock) as scene:
            await scene.enter()
            cursor = ""
            for changes in (0, 10, 0):
                for number in range(items - changes + 1, items + 1):
                    site.add(number, _BEGIN + timedelta(minutes=items + number))
                before = len(site.vendor.exchanges)
                _, cursor = await scene.list_changes(cursor, limit=_MOST)
                calls.append(len(site.vendor.exchanges) - before)
    return calls


async def main(items: int) -> None:
    """Print a row for each vendor."""
    print(f"| {items:,} items | first copy | ten changes | no change |\n| --- | --- | --- | --- |")
    clock = VirtualClock(_BEGIN)
    for name, site in sites(clock).items():
        first, changed, same = await measure(site, items, clock)
        print(f"| {name} | {first:,} | {changed:,} | {same:,} |")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000))
