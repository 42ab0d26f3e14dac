"""All simulators at once, each on its own loopback port."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rove_core import JSON, Account, SourceKind
from rove_core.clock import SYSTEM, Clock
from rove_sim.asana import Asana
from rove_sim.azure import AzureDevOps
from rove_sim.company import Company
from rove_sim.company_people import CompanyNote
from rove_sim.conduct import Conduct
from rove_sim.github import GitHub
from rove_sim.jira import Jira
from rove_sim.linear import Linear
from rove_sim.server import serve
from rove_sim.slack import Slack
from rove_sim.vendor import SimulatedVendor


@frozen(kw_only=True)
class World:
    """The vendors of a company and their addresses.

    Each vendor has its ``conduct``, its log (``exchanges``), ``fail_next``, and methods that
    change what it holds.

    Attributes:
        company: Whose they are.
        urls: The base URL of each, by the kind of source it stands for.
        answers: What to answer when a source asks for a login, by the field's name.
        settings: What an account of each should set, by the kind of source.
    """

    company: Company
    jira: Jira
    slack: Slack
    github: GitHub
    linear: Linear
    asana: Asana
    azure: AzureDevOps
    urls: dict[str, str] = field(factory=dict)
    answers: dict[str, str] = field()
    settings: Mapping[str, Mapping[str, JSON]] = field()

    @answers.default
    def _answers(self) -> dict[str, str]:
        return {
            "email": self.company.owner.email,
            "token": self.company.token,
            "client_id": self.jira.oauth.client_id,
            "client_secret": self.jira.oauth.client_secret,
        }

    @settings.default
    def _settings(self) -> Mapping[str, Mapping[str, JSON]]:
        repositories = dict.fromkeys(pull.repository for pull in self.company.pull_requests)
        return {"github": {"repositories": tuple(repositories)}}

    @property
    def vendors(self) -> Mapping[str, SimulatedVendor]:
        """The vendors by kind of source, some only for companies that use them for work."""
        vendors = (self.jira, self.slack, self.github, self.linear)
        asana = (self.asana,) if self.company.tasks else ()
        azure = (self.azure,) if self.company.work_items else ()
        return {vendor.name: vendor for vendor in (*vendors, *asana, *azure)}

    @property
    def refused(self) -> list[str]:
        """What was asked in the wrong way, of any vendor: one line each."""
        return [line for vendor in self.vendors.values() for line in vendor.refused]

    def accounts(
        self, kinds: Mapping[str, SourceKind[Any]], project: Path | None = None
    ) -> tuple[Account[Any], ...]:
        """Return an account of each simulated vendor whose kind of source is at hand.

        Args:
            kinds: The kinds at hand.
            project: A folder below which the company's notes are laid, for a source of notes.
        """
        places = dict(self.urls)
        if project is not None and self.company.notes:
            _lay_notes(self.company.notes, project / "notes")
            places["notes"] = project.absolute().as_uri()
        return tuple(
            Account(
                name=name,
                kind=name,
                settings=kinds[name].settings(**self.settings.get(name, {})),
                base_url=url,
            )
            for name, url in places.items()
            if name in kinds
        )


@asynccontextmanager
async def running(
    company: Company,
    *,
    clock: Clock = SYSTEM,
    conduct: Conduct | None = None,
    ports: Mapping[str, int] | None = None,
) -> AsyncIterator[World]:
    """Run all simulators for as long as the context is open.

    Args:
        company: Whose they are.
        clock: What they count and wait by.
        conduct: How each of them behaves at first.
        ports: Where each listens, by the kind of source it stands for; a free port by default.
    """
    world = World(
        company=company,
        jira=Jira(company, clock=clock, conduct=conduct),
        slack=Slack(company, clock=clock, conduct=conduct),
        github=GitHub(company, clock=clock, conduct=conduct),
        linear=Linear(company, clock=clock, conduct=conduct),
        asana=Asana(company, clock=clock, conduct=conduct),
        azure=AzureDevOps(company, clock=clock, conduct=conduct),
    )
    async with AsyncExitStack() as stack:
        for name, vendor in world.vendors.items():
            server = serve(vendor, clock=clock, port=(ports or {}).get(name, 0))
            world.urls[name] = await stack.enter_async_context(server) + vendor.path
        yield world


def _lay_notes(notes: Iterable[CompanyNote], folder: Path) -> None:
    """Write notes to a folder, keeping existing files."""
    for note in notes:
        path = folder / note.path
        if not path.exists() and path.resolve().is_relative_to(folder.resolve()):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(note.text, "utf-8")
