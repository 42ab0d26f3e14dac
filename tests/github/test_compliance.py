from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from types import MappingProxyType

import attrs
import pytest
from tests.github.changes import repository_changes

from rove_core import Facts, ItemStatus
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_sim import Company
from rove_sim.company_github import (
    PullRequest,
    PullRequestReview,
    RepositoryComment,
    RepositoryIssue,
    ReviewComment,
)
from rove_sim.company_people import Person
from rove_sim.github import GitHub, GitHubEnterprise
from rove_sim.github.enterprise import ENTERPRISE_HTML
from rove_sim.server import serve


def _hour(hour: int) -> datetime:
    return datetime(2024, 12, 20, hour, tzinfo=UTC)


def _company() -> Company:
    """Return a company with two pull requests."""
    pull = PullRequest(
        repository="northwind/backend",
        number=847,
        title="Add OAuth2 provider base class",
        body="Implements TB-123. Its keys follow.",
        author="sarah",
        created=datetime(2024, 12, 20, 10, tzinfo=UTC),
        updated=_hour(15),
        labels=("auth", "keys"),
        assignees=("ben", "sarah"),
        comments=(RepositoryComment(id="11", author="ben", at=_hour(11), text="Since when?"),),
        reviews=(
            PullRequestReview(
                id="12", author="ben", at=_hour(12), verdict="CHANGES_REQUESTED", text="Not yet."
            ),
        ),
        review_comments=(
            ReviewComment(
                id="13",
                author="ben",
                at=_hour(13),
                text="A name?",
                path="a.py",
                line=3,
                review="12",
            ),
            ReviewComment(
                id="14",
                author="sarah",
                at=_hour(14),
                text="Renamed.",
                path="a.py",
                line=3,
                review="12",
                reply_to="13",
            ),
        ),
    )
    older = attrs.evolve(
        pull,
        number=846,
        title="Rotate the keys",
        body="Implements TB-123.",
        created=datetime(2024, 12, 19, 10, tzinfo=UTC),
        updated=None,
        comments=(),
        reviews=(),
        review_comments=(),
    )
    issue = RepositoryIssue(
        repository="northwind/backend",
        number=12,
        title="Keys are never rotated",
        body="Found by chance.",
        author="sarah",
        created=datetime(2024, 12, 1, 10, tzinfo=UTC),
        labels=("auth",),
    )
    return Company(
        name="Northwind",
        token="token-of-northwind",  # noqa: S106  # nobody's
        people=(
            Person(key="sarah", name="Sarah Chen", github="sarah"),
            Person(key="ben", name="Ben Fox", github="ben"),
        ),
        repository_issues=(issue,),
        pull_requests=(pull, older, attrs.evolve(older, repository="northwind/web", number=3)),
    )


@asynccontextmanager
async def _northwind(
    make: Callable[..., GitHub] = GitHub, below: str = ""
) -> AsyncIterator[Vendor]:
    company = _company()
    clock = VirtualClock()
    github = make(company, clock=clock)
    github.reader_token = "token-of-a-reader"  # noqa: S105  # nobody's
    changes = repository_changes(github, "northwind/backend", clock)
    async with serve(github) as url:
        settings = {"repositories": ("northwind/backend",)}
        place = f"{url}{below}"
        yield Vendor(
            base_url=place,
            answers={"token": company.token},
            settings=settings,
            steps=changes.steps(),
            there=lambda: changes.there,
            reader=Vendor(
                base_url=place, answers={"token": github.reader_token}, settings=settings
            ),
        )


class TestGitHub(SourceTests):
    kind = "github"
    known, known_kind, unknown = "northwind/backend#847", "pr", "northwind/backend#99999"
    query = "TB-123"
    in_fields = MappingProxyType(
        {
            "issue_title": ("keys", ("northwind/backend#12",)),
            "pr_title": ("keys", ("northwind/backend#846",)),
        }
    )
    mentions = (
        "see northwind/backend#847",
        "(https://github.com/northwind/backend/pull/847)",
        "PR #847 is merged",
    )
    newest_first = False
    work, work_kind, work_container = "northwind/backend#12", "issue", "northwind/backend"
    work_assignee = "sarah"
    work_statuses = MappingProxyType(
        {"open": "todo", "completed": "done", "not planned": "canceled"}
    )
    work_guard = False
    comment_edits = True
    expected = ExpectedItem(
        id="northwind/backend#847",
        role="change",
        title="PR #847: Add OAuth2 provider base class",
        author="sarah",
        timestamp=_hour(15),
        url="https://github.com/northwind/backend/pull/847",
        words=("Implements TB-123.",),
        facts=Facts(
            short_name="PR #847",
            created=datetime(2024, 12, 20, 10, tzinfo=UTC),
            status=ItemStatus(name="open", category="in_progress"),
            branch="change",
            labels=("auth", "keys"),
            assignees=("ben", "sarah"),
        ),
        thread=(
            ExpectedItem(
                author="ben",
                timestamp=_hour(11),
                url="/northwind/backend/pull/847#issuecomment-11",
                words=("Since when?",),
            ),
            ExpectedItem(
                author="ben",
                timestamp=_hour(12),
                words=("Not yet.",),
                facts=Facts(verdict="changes requested"),
            ),
            ExpectedItem(
                author="ben",
                timestamp=_hour(13),
                words=("A name?",),
                facts=Facts(path="a.py", line=3, resolved=False),
            ),
            ExpectedItem(
                author="sarah",
                timestamp=_hour(14),
                words=("Renamed.",),
                facts=Facts(path="a.py", line=3, resolved=False),
                links=(("replies_to", "northwind/backend#847/review-comment/13"),),
            ),
        ),
    )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give a GitHub with two pull requests."""
        return _northwind()


class TestEnterpriseServer(TestGitHub):
    mentions = (
        "see northwind/backend#847",
        f"({ENTERPRISE_HTML}/northwind/backend/pull/847)",
        "PR #847 is merged",
    )
    expected = attrs.evolve(
        TestGitHub.expected, url=f"{ENTERPRISE_HTML}/northwind/backend/pull/847"
    )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give a GitHub on a company's own host."""
        return _northwind(GitHubEnterprise, "/api/v3")
