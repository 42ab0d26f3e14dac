"""A GitHub to talk to: the simulator, with repositories of its own, and what GitHub says of it."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import attrs
import pytest

import rove_github
from rove_core import Credential, Http
from rove_core.testing import Scene, Vendor, VirtualClock
from rove_core.testing.scene import on_stage
from rove_sim.company import Company
from rove_sim.company_github import (
    CompanyRepository,
    PullRequest,
    PullRequestReview,
    RepositoryComment,
    RepositoryCommit,
    RepositoryIssue,
    ReviewComment,
)
from rove_sim.company_people import Person
from rove_sim.conduct import Conduct
from rove_sim.github import GitHub
from rove_sim.server import serve
from rove_sim.specification_checks_github import GitHubDescription
from rove_sim.specification_checks_graphql import query_problems

Talk: TypeAlias = Callable[..., Http]

TOKEN = "github_pat_of_nobody"  # noqa: S105  # the simulator's
DAY = datetime(2024, 12, 10, 12, tzinfo=UTC)


def _line(id_: str, day: int, text: str, reply_to: str = "") -> ReviewComment:
    return ReviewComment(
        id=id_,
        author="ben" if reply_to else "ann",
        at=DAY.replace(day=day),
        text=text,
        path="auth/keys.py",
        line=12,
        review="70",
        reply_to=reply_to,
        resolved=not reply_to and id_ == "71",
    )


def _company() -> Company:
    """Return repositories in which one pull request has all that one can have."""
    issue = RepositoryIssue(
        repository="acme/api",
        number=12,
        title="Keys are never rotated",
        body="Found while working on TB-123.",
        author="ann",
        created=DAY.replace(day=1),
        updated=DAY.replace(day=2),
        labels=("bug", "auth"),
        assignees=("ben",),
        comments=(
            RepositoryComment(id="50", author="ben", at=DAY.replace(day=2), text="Once an hour."),
        ),
    )
    pull = PullRequest(
        repository="acme/api",
        number=847,
        title="Rotate keys",
        body="Implements TB-123: one key an hour.",
        author="ben",
        created=DAY.replace(day=3),
        updated=DAY.replace(day=9),
        state="closed",
        merged=DAY.replace(day=9),
        branch="TB-123-keys",
        labels=("auth",),
        comments=(
            RepositoryComment(id="71", author="ann", at=DAY.replace(day=4), text="Why an hour?"),
            RepositoryComment(id="62", author="", at=DAY.replace(day=8), text="From the spike."),
        ),
        reviews=(
            PullRequestReview(id="70", author="ann", at=DAY.replace(day=5), verdict="COMMENTED"),
            PullRequestReview(id="73", author="ann", at=DAY.replace(day=9), verdict="APPROVED"),
            PullRequestReview(
                id="74",
                author="cy",
                at=DAY.replace(day=6),
                verdict="CHANGES_REQUESTED",
                text="No clock in here.",
            ),
        ),
        review_comments=(
            _line("71", 5, "A constant, please."),
            _line("72", 7, "Done.", reply_to="71"),
            _line("75", 6, "And a test."),
        ),
        commits=(
            RepositoryCommit(
                sha="a" * 40,
                message="Rotate keys\n\nEach hour, for TB-123.",
                author="ben",
                at=DAY.replace(day=3),
            ),
        ),
        closes=("#12",),
    )
    branch = attrs.evolve(
        pull,
        number=850,
        title="Follow-up",
        body="",
        branch="TB-777-next",
        updated=DAY.replace(day=10),
        merged=None,
        state="open",
        comments=(),
        reviews=(),
        review_comments=(),
        commits=(),
        closes=(),
    )
    return Company(
        name="Acme",
        token=TOKEN,
        people=tuple(
            Person(key=name.lower(), name=f"{name} Doe", github=f"{name.lower()}-doe")
            for name in ("Ann", "Ben", "Cy")
        ),
        repositories=(
            CompanyRepository(name="acme/api", old_names=("acme/backend",)),
            CompanyRepository(name="acme/secret", access="hidden"),
            CompanyRepository(name="acme/guarded", access="sso"),
        ),
        repository_issues=(
            issue,
            attrs.evolve(issue, number=13, deleted=True),
            attrs.evolve(issue, number=14, moved="acme/api#12"),
        ),
        pull_requests=(pull, branch),
    )


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def company() -> Company:
    """Give a company with one of each thing."""
    return _company()


@pytest.fixture(scope="session")
def described() -> GitHubDescription | None:
    """Give GitHub's own description where there is one."""
    folder = os.environ.get("ROVE_SPECS", "")
    return GitHubDescription(Path(folder)) if folder else None


@pytest.fixture
def github(company: Company, described: GitHubDescription | None) -> Iterator[GitHub]:
    """Give a GitHub whose pages hold two things; whatever passes is as GitHub specifies it."""
    site = GitHub(company, conduct=Conduct(page_size=2))
    yield site
    if described:
        said = [each for exchange in site.exchanges for each in described.problems(exchange)]
        for exchange in site.exchanges:
            said += query_problems(described.folder, "github", exchange)
        assert said == []


@pytest.fixture
async def vendor(github: GitHub) -> AsyncIterator[Vendor]:
    """Give where GitHub answers, with an account that is set to one repository."""
    async with serve(github) as base_url:
        settings = {"repositories": ("acme/api",)}
        yield Vendor(base_url=base_url, answers={"token": TOKEN}, settings=settings)


@pytest.fixture
async def stranger(vendor: Vendor) -> AsyncIterator[Scene]:
    """Give an account that nobody has logged in to."""
    (kind,) = rove_github.rove_sources()
    async with on_stage(kind, vendor, name="github") as scene:
        yield scene


@pytest.fixture
def clock() -> VirtualClock:
    """Give a clock on which waiting takes no time."""
    return VirtualClock()


@pytest.fixture
async def talk(clock: VirtualClock) -> AsyncIterator[Talk]:
    """Give a way to let an account that is logged in talk to another place, or otherwise."""
    async with AsyncExitStack() as stack:

        def again(scene: Scene, **options: Any) -> Http:  # noqa: ANN401  # whatever Http takes
            async def credential() -> Credential | None:
                return scene.credential

            known = {
                "account": scene.account.name,
                "base_url": scene.account.base_url,
                "hosts": scene.account.hosts,
                "clock": clock,
            }
            scene.http = Http(credential=credential, **{**known, **options})
            stack.push_async_callback(scene.http.aclose)
            # The address of GraphQL is made from the account's.
            place = options.get("base_url", scene.account.base_url)
            account = attrs.evolve(scene.account, base_url=place)
            scene.source = scene.kind.connect(account, scene.http)
            return scene.http

        yield again


@pytest.fixture
async def scene(stranger: Scene, talk: Talk) -> Scene:
    """Give an account that is logged in."""
    await stranger.enter()
    talk(stranger)
    return stranger
