"""A sample company: its people, and everything they wrote.

It is read from TOML: one file, or a folder of them whose tables are joined. Each kind of thing is
an array of tables at the top, named like the attribute of :class:`Company`; ``example.toml``
beside this module has one of each. What a table may hold is told by the class of its kind, in
:mod:`rove_sim.company_people`, :mod:`~rove_sim.company_jira`, :mod:`~rove_sim.company_slack`,
:mod:`~rove_sim.company_github`, :mod:`~rove_sim.company_linear`, :mod:`~rove_sim.company_asana` and
:mod:`~rove_sim.company_azure`.
"""

from pathlib import Path

from attrs import frozen

from rove_core import WrongSetting
from rove_core.wire import STRICT, WrongShape
from rove_sim.company_asana import AsanaProject, AsanaTask
from rove_sim.company_azure import AzureIteration, AzureWorkItem
from rove_sim.company_checks import problems
from rove_sim.company_files import read
from rove_sim.company_github import (
    CompanyRepository,
    PullRequest,
    RepositoryDiscussion,
    RepositoryIssue,
)
from rove_sim.company_jira import JiraProject, Ticket, WikiPage
from rove_sim.company_linear import (
    LinearCycle,
    LinearDocument,
    LinearInitiative,
    LinearIssue,
    LinearProject,
)
from rove_sim.company_people import CompanyNote, Person, stranger
from rove_sim.company_slack import Channel, SlackMessage

_HERE = Path(__file__).parent
_HINT = (
    "rove_sim/example.toml shows one of each kind; the classes of rove_sim.company tell the rest."
)


@frozen(kw_only=True)
class Company:
    """All that one company wrote.

    Attributes:
        name: Like ``Northwind``.
        slug: What its sites are called: ``northwind.atlassian.net``, ``northwind.slack.com``.
        token: What each simulator takes as the log-in of ``me``.
        me: The key of the person whose log-in it is; the first one when not given.
        projects: Those of Jira; one that only tickets name is there as well.
        tickets: Those of Jira.
        wiki_pages: Pages of the Confluence beside Jira.
        channels: Those of Slack; one that only messages name is there as well, and public.
        messages: What stands in the channels; replies stand in their message.
        repositories: On GitHub; one that only pull requests name is there as well.
        repository_issues: The issues on GitHub.
        discussions: Those on GitHub.
        issues: Those of Linear.
        linear_projects: Those of Linear.
        linear_documents: Those of Linear.
        linear_initiatives: Those of Linear.
        cycles: Those of Linear.
        private_teams: The keys of teams in Linear that only their members see.
        linear_labels: Labels of Linear's that no issue need have.
        asana_projects: Those of Asana; one that only tasks name is there as well.
        tasks: Those of Asana.
        asana_tags: Tags of Asana's that no task need have.
        work_items: Those of Azure DevOps.
        azure_projects: Projects of Azure DevOps that no work item need be in.
        iterations: The sprints of Azure DevOps.
        notes: Files of notes; in a folder, also every file below ``notes/``.
    """

    name: str
    slug: str = "northwind"
    token: str
    me: str = ""
    people: tuple[Person, ...] = ()
    projects: tuple[JiraProject, ...] = ()
    tickets: tuple[Ticket, ...] = ()
    wiki_pages: tuple[WikiPage, ...] = ()
    channels: tuple[Channel, ...] = ()
    messages: tuple[SlackMessage, ...] = ()
    repositories: tuple[CompanyRepository, ...] = ()
    repository_issues: tuple[RepositoryIssue, ...] = ()
    pull_requests: tuple[PullRequest, ...] = ()
    discussions: tuple[RepositoryDiscussion, ...] = ()
    issues: tuple[LinearIssue, ...] = ()
    linear_projects: tuple[LinearProject, ...] = ()
    linear_documents: tuple[LinearDocument, ...] = ()
    linear_initiatives: tuple[LinearInitiative, ...] = ()
    cycles: tuple[LinearCycle, ...] = ()
    private_teams: tuple[str, ...] = ()
    linear_labels: tuple[str, ...] = ()
    asana_projects: tuple[AsanaProject, ...] = ()
    tasks: tuple[AsanaTask, ...] = ()
    asana_tags: tuple[str, ...] = ()
    work_items: tuple[AzureWorkItem, ...] = ()
    azure_projects: tuple[str, ...] = ()
    iterations: tuple[AzureIteration, ...] = ()
    notes: tuple[CompanyNote, ...] = ()

    @property
    def owner(self) -> Person:
        """The person whose login the simulators accept."""
        if self.me:
            return self.person(self.me)
        return self.people[0] if self.people else stranger("Robin Doe")

    def person(self, who: str) -> Person:
        """Return a person by key or name; an unknown one has a name only."""
        matches = (one for one in self.people if who in (one.key, one.name))
        return next(matches, None) or stranger(who)


def load_company(path: Path) -> Company:
    """Read a company from a TOML file, or from a folder of them."""
    try:
        company = STRICT.structure(read(path), Company)
    except WrongShape as error:
        raise WrongSetting(f"{path}: {error}", hint=_HINT) from None
    if wrong := problems(company):
        raise WrongSetting("\n".join([f"{path} is not a company yet:", *wrong]), hint=_HINT)
    return company


def sample_company() -> Company:
    """Return the company that comes with Rove."""
    return load_company(_HERE / "sample")
