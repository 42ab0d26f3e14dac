"""Every simulator at once, each on a loopback port of its own."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from attrs import frozen

from rove_core.items import Account, AnyAccount
from rove_core.plain import JSON
from rove_core.sources import AnySourceKind
from rove_sim.company import Company
from rove_sim.github import GitHub
from rove_sim.jira import Jira
from rove_sim.linear import Linear
from rove_sim.server import Handler, serve
from rove_sim.slack import Slack

_VENDORS: Mapping[str, Callable[[Company], Handler]] = {
    "jira": Jira,
    "slack": Slack,
    "github": GitHub,
    "linear": Linear,
}


@frozen(kw_only=True)
class World:
    """Where the simulators of a company answer.

    Attributes:
        company: Whose they are.
        urls: The base URL of each, by the kind of source it stands for.
        answers: What to answer when a source asks for a log-in, by the field's name.
        settings: What an account of each should set, by the kind of source.
    """

    company: Company
    urls: dict[str, str]
    answers: dict[str, str]
    settings: Mapping[str, Mapping[str, JSON]]

    def accounts(self, kinds: Mapping[str, AnySourceKind]) -> tuple[AnyAccount, ...]:
        """Return an account of each simulated vendor whose kind of source is at hand."""
        return tuple(
            Account(
                name=name,
                kind=name,
                settings=kinds[name].settings(**self.settings.get(name, {})),
                base_url=url,
            )
            for name, url in self.urls.items()
            if name in kinds
        )


@asynccontextmanager
async def running(company: Company) -> AsyncIterator[World]:
    """Run all simulators for as long as the context is open."""
    async with AsyncExitStack() as stack:
        urls = {
            name: await stack.enter_async_context(serve(vendor(company)))
            for name, vendor in _VENDORS.items()
        }
        answers = {"email": "robin@northwind.example", "token": company.token}
        repositories = {pull.repository: None for pull in company.pull_requests}
        settings = {"github": {"repositories": tuple(repositories)}}
        yield World(company=company, urls=urls, answers=answers, settings=settings)
