"""Simulated vendors with two containers each, and mirrors of them."""

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from attrs import define, field, frozen
from tests.asana.changes import workspace_changes as asana_changes
from tests.azure.changes import organization_changes
from tests.changes import VendorChanges
from tests.github.changes import repository_changes
from tests.jira.changes import site_changes
from tests.linear.changes import workspace_changes as linear_changes
from tests.slack.changes import channel_changes

import rove_asana
import rove_azure
import rove_github
import rove_jira
import rove_linear
import rove_slack
from rove_core import Container
from rove_core.mirror.copies import read_copies
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.update import MirrorUpdated, update_mirror
from rove_core.mirror.update_limits import IN_BACKGROUND, UpdateLimits
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins
from rove_core.testing import Vendor, VirtualClock
from rove_core.testing.scene import on_stage
from rove_sim import Company
from rove_sim.asana import Asana
from rove_sim.azure import AzureDevOps
from rove_sim.company_asana import AsanaPlace, AsanaProject, AsanaTask, asana_gid
from rove_sim.company_azure import AzureWorkItem
from rove_sim.company_github import CompanyRepository, RepositoryIssue
from rove_sim.company_jira import JiraProject, Ticket
from rove_sim.company_linear import LinearIssue
from rove_sim.company_people import Person
from rove_sim.company_slack import Channel, SlackMessage
from rove_sim.github import GitHub
from rove_sim.jira import Jira
from rove_sim.linear import Linear
from rove_sim.server import Request, Response, serve
from rove_sim.slack import Slack
from rove_sim.vendor import SimulatedVendor

#: Only the second container of each vendor has this word.
SECRET_WORD: Final = "wombat"  # noqa: S105  # a word
_AT: Final = datetime(2025, 12, 1, 9, tzinfo=UTC)
_PILOT: Final = AsanaPlace(project="Pilot", section="To do")
_PEOPLE: Final = ("ann", "ben", "mike", "sarah")
_TEXTS: Final = ("Rotate the keys", f"Feed the {SECRET_WORD}")


def _company(*, private: bool) -> Company:
    open_, hidden = _TEXTS
    return Company(
        name="Northwind",
        token="token-of-northwind",  # noqa: S106  # nobody's
        me="ann",
        people=tuple(Person(key=each, name=f"{each.title()} Lee") for each in _PEOPLE),
        projects=(
            JiraProject(key="TB", name="Backend"),
            JiraProject(key="OPS", name="Operations", private=private),
        ),
        tickets=(
            Ticket(key="TB-1", title=open_, author="ann", created=_AT),
            Ticket(key="OPS-1", title=hidden, author="ann", created=_AT),
        ),
        channels=(
            Channel(name="backend-team", id="C0BACKEND"),
            Channel(name="ops", id="C0OPS", kind="private" if private else "public"),
        ),
        messages=(
            SlackMessage(channel="backend-team", author="mike", at=_AT, text=open_),
            SlackMessage(channel="ops", author="mike", at=_AT, text=hidden),
        ),
        repositories=(CompanyRepository(name="acme/api"), CompanyRepository(name="acme/ops")),
        repository_issues=(
            RepositoryIssue(
                repository="acme/api", number=1, title=open_, author="ann", created=_AT
            ),
            RepositoryIssue(
                repository="acme/ops", number=2, title=hidden, author="ann", created=_AT
            ),
        ),
        issues=(
            LinearIssue(identifier="TB-1", title=open_, author="ann", created=_AT),
            LinearIssue(identifier="OPS-1", title=hidden, author="ann", created=_AT),
        ),
        asana_projects=(
            AsanaProject(name="Pilot", sections=("To do",)),
            AsanaProject(name="Vault", private=private),
        ),
        private_teams=("OPS",) if private else (),
        tasks=(
            AsanaTask(gid="1200", name=open_, author="ann", created=_AT, places=(_PILOT,)),
            AsanaTask(
                gid="1201",
                name=hidden,
                author="ann",
                created=_AT,
                places=(AsanaPlace(project="Vault"),),
            ),
        ),
        work_items=(
            AzureWorkItem(id=1, project="Tracker", title=open_, author="ann", created=_AT),
            AzureWorkItem(id=2, project="Web", title=hidden, author="ann", created=_AT),
        ),
    )


@frozen(kw_only=True)
class Site:
    """A simulated vendor whose containers can be copied.

    Attributes:
        package: The source.
        vendor: The simulator.
        changes: What changes the first container.
        containers: The names of both containers; the second one has the secret word.
        hide: Takes the right to read the second container away.
        answers: What lets one in.
        listing: Part of the path or the body of each request for the list of containers; empty
            for GitHub, which is asked for each repository.
        settings: What the account sets.
        rename: Gives the second container another name with a number; None where its name is all
            that it has, or nobody can change it.
    """

    package: ModuleType
    vendor: SimulatedVendor
    changes: VendorChanges
    containers: tuple[str, str]
    hide: Callable[[], None]
    answers: Mapping[str, str]
    listing: str
    settings: Mapping[str, tuple[str, ...]] = field(factory=dict)
    rename: Callable[[int], None] | None = None

    def lists_containers(self, request: Request) -> bool:
        """Return whether a request asks for the containers."""
        return self.listing in f"{request.path} {request.body.decode()}"


def site(name: str, clock: VirtualClock, *, private: bool = False) -> Site:
    """Return a vendor by its name; its second container may be private."""
    company = _company(private=private)
    token, repositories = {"token": company.token}, ("acme/api", "acme/ops")
    match name:
        case "jira":
            jira = Jira(company, clock=clock)
            return Site(
                package=rove_jira,
                listing="/project/search",
                vendor=jira,
                changes=site_changes(jira, clock),
                containers=("TB", "OPS"),
                hide=lambda: jira.tickets.hide("OPS"),
                answers={"email": company.owner.email, **token},
            )
        case "slack":
            slack = Slack(company, clock=clock)
            channels = ["ops"]

            def rename_channel(number: int) -> None:
                channels.append(f"ops-{number}")
                slack.conversations.rename(*channels[-2:])

            return Site(
                package=rove_slack,
                listing="conversations.list",
                vendor=slack,
                changes=channel_changes(slack, clock),
                containers=("C0BACKEND", "C0OPS"),
                hide=lambda: slack.conversations.hide(channels[-1]),
                rename=rename_channel,
                answers=token,
            )
        case "github":
            github = GitHub(company, clock=clock)
            names = ["acme/ops"]

            def rename_repository(number: int) -> None:
                names.append(f"acme/ops-{number}")
                github.hub.move(*names[-2:])

            return Site(
                package=rove_github,
                listing="",
                vendor=github,
                changes=repository_changes(github, "acme/api", clock),
                containers=("acme/api", "acme/ops"),
                hide=lambda: github.hub.allow(names[-1], "hidden"),
                rename=rename_repository,
                answers=token,
                settings={"repositories": repositories},
            )
        case "linear":
            linear = Linear(company, clock=clock)
            return Site(
                package=rove_linear,
                listing="query Teams",
                vendor=linear,
                changes=linear_changes(linear, clock),
                containers=("TB", "OPS"),
                hide=lambda: linear.hide("OPS"),
                answers=token,
            )
        case "asana":
            asana = Asana(company, clock=clock)
            return Site(
                package=rove_asana,
                listing="/projects",
                vendor=asana,
                changes=asana_changes(asana, clock),
                containers=(asana_gid("project/Pilot"), asana_gid("project/Vault")),
                hide=lambda: asana.hide("Vault"),
                answers=token,
            )
        case _:
            azure = AzureDevOps(company, clock=clock)
            return Site(
                package=rove_azure,
                listing="_apis/projects",
                vendor=azure,
                changes=organization_changes(azure, clock),
                containers=("Tracker", "Web"),
                hide=lambda: azure.board.hidden.add("Web"),
                answers=token,
            )


@frozen
class Copying:
    """Copies a site.

    Attributes:
        site: The site.
        clock: The clock of both.
        accounts: The account of it.
        name: The name of that account.
        broken: The answer to every request for the list of containers, instead of that list.
        faults: Lets requests fail.
    """

    site: Site
    clock: VirtualClock
    accounts: Accounts
    name: str
    broken: list[Response]
    faults: "Faults"

    def mirror(self, path: Path, containers: Sequence[str]) -> Mirror:
        """Return a mirror of some containers that nothing was copied to yet."""
        mirror = Mirror(self.name, path)
        scope = MirrorScope(containers=tuple(containers))
        with mirror.writing() as writer:
            named = [Container(name=each) for each in containers]
            writer.choose(scope, named, owner="", now=self.clock.now())
        return mirror

    def requests(self) -> list[str]:
        """Return the requests so far: method, path, query and body of each."""
        return [
            f"{each.method} {each.path}?{dict(each.query)} {each.body.decode()}"
            for each in (exchange.request for exchange in self.site.vendor.exchanges)
        ]

    async def update(self, mirror: Mirror, limits: UpdateLimits = IN_BACKGROUND) -> MirrorUpdated:
        """Bring a mirror up to date."""
        return await update_mirror(mirror, self.accounts, self.clock, limits)


@define
class Faults:
    """Lets requests fail.

    Attributes:
        left: How many requests succeed before all others fail; None if none fails.
    """

    left: int | None = None

    def is_next(self) -> bool:
        """Return whether the next request fails."""
        if self.left:
            self.left -= 1
            return False
        return self.left is not None


@asynccontextmanager
async def copying(name: str, *, private: bool = False) -> AsyncIterator[Copying]:
    """Open a vendor, and an account of it; the vendor's second container may be private."""
    clock = VirtualClock()
    it = site(name, clock, private=private)
    (kind,) = it.package.rove_sources()
    broken: list[Response] = []
    faults = Faults()

    def answer(request: Request) -> Response:
        if faults.is_next():
            return it.vendor.failed(request, 500)
        return broken[0] if broken and it.lists_containers(request) else it.vendor(request)

    async with serve(answer) as url:
        vendor = Vendor(
            base_url=url + it.vendor.path, answers=it.answers, settings=dict(it.settings)
        )
        async with on_stage(kind, vendor, clock=clock) as scene:
            await scene.enter()
            accounts = Accounts(use_plugins([]).manager)
            accounts.connect(scene.account.name, scene.source)
            yield Copying(it, clock, accounts, scene.account.name, broken, faults)


def content(mirror: Mirror) -> Mapping[str, tuple[object, ...]]:
    """Return what a mirror has, by id."""
    with mirror.reading() as db:
        rows = [row for (row,) in db.execute("SELECT row FROM items")]
        items = [each.item for each in read_copies(db, mirror.account, rows)]
    return {
        item.ref.id: (
            item.title,
            item.content,
            item.facts.channel,
            item.facts.status,
            *(part.content for part in item.thread),
        )
        for item in items
    }


class KilledError(Exception):
    """The process was killed."""


@contextmanager
def killed_at(write: int) -> Iterator[list[str]]:
    """Let the process end before a write to SQLite, counted from 0; give the writes before it."""
    done: list[str] = []

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
            _count(sql)
            return super().execute(sql, *values)  # type: ignore[arg-type]  # as given

        def executemany(self, sql: str, *values: object) -> sqlite3.Cursor:
            _count(sql)
            return super().executemany(sql, *values)  # type: ignore[arg-type]  # as given

    def _count(sql: str) -> None:
        if sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE", "COMMIT")):
            if len(done) == write:
                raise KilledError
            done.append(sql)

    connect = sqlite3.connect
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            sqlite3, "connect", lambda *args, **named: connect(*args, factory=Connection, **named)
        )
        yield done
