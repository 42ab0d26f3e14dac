import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import attrs
import pytest
from tests.github.changes import repository_changes
from tests.github.test_discussions import TALK

from rove_core import (
    Facts,
    ItemNotFound,
    ItemStatus,
    MalformedReply,
    NamedValue,
    RateLimited,
    RoveError,
    ScopeMissing,
    WrongCall,
    WrongSetting,
)
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_core.testing.container_tests import ContainerTests
from rove_core.testing.faults import Fault
from rove_core.testing.recording_tests import RecordingTests
from rove_github.errors import Unsearchable
from rove_sim import Company
from rove_sim.company_github import (
    ChangedFile,
    DiscussionComment,
    ProjectPlace,
    PullRequest,
    PullRequestReview,
    RepositoryComment,
    RepositoryCommit,
    RepositoryDiscussion,
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
        repository_issues=(
            issue,
            _dropped(),
            attrs.evolve(issue, number=21, title="Vault", author="ci[bot]"),
            LITERAL,
        ),
        pull_requests=(
            pull,
            older,
            _merged(),
            attrs.evolve(older, repository="northwind/web", number=3),
            attrs.evolve(older, repository="globex/shop", number=5),
        ),
        discussions=(_talk(),),
    )


def _day(day: int) -> datetime:
    return datetime(2024, 11, day, 9, tzinfo=UTC)


#: An issue of what people write about code, which is easily read for markup.
LITERAL = RepositoryIssue(
    repository="northwind/backend",
    number=23,
    title="Types of <T> & *more*",
    body=r"A vault of `Map<K, V>`, not \<b> or 2*3*4: https://plan.example/?a=1&b=2.",
    author="ben",
    assignees=("sarah",),
    created=_day(2),
    updated=_day(6),
    comments=(
        RepositoryComment(
            id="51",
            author="sarah",
            at=_day(3),
            text="If a < b && c>d, `x<y` and &lt;i&gt;, <b>an hour</b>. <!-- Not shown. -->",
        ),
    ),
)


def _talk() -> RepositoryDiscussion:
    """Return a discussion."""
    return RepositoryDiscussion(
        repository="northwind/backend",
        number=31,
        title="How long may a key live?",
        body="TB-123 and the vault say a day.",
        author="ben",
        created=_day(2),
        updated=_day(5),
        comments=(
            DiscussionComment(
                id="61", author="sarah", at=_day(3), text="An hour, says the pilot.", answer=True
            ),
            DiscussionComment(id="62", author="ben", at=_day(4), text="Then an hour, @sarah."),
        ),
    )


def _dropped() -> RepositoryIssue:
    """Return an issue that was closed without being done."""
    return RepositoryIssue(
        repository="northwind/backend",
        number=20,
        title="Audit of the vault",
        body="Who has one?",
        author="ben",
        created=_day(1),
        updated=_day(9),
        state="closed",
        closed=_day(9),
        reason="not_planned",
        labels=("vault", "later"),
        assignees=("ben", "sarah"),
        comments=(
            RepositoryComment(
                id="31", author="sarah", at=_day(3), text="Since when?", updated=_day(5)
            ),
            RepositoryComment(id="32", author="ben", at=_day(4), text="Since May."),
        ),
        sub_issues=(21,),
        projects=(ProjectPlace(project="Roadmap", status="Dropped"),),
    )


OPENED = RepositoryCommit(message="Open it", author="ben", at=_day(11))


def _merged() -> PullRequest:
    """Return a pull request that was merged and closes an issue."""
    return PullRequest(
        repository="northwind/backend",
        number=22,
        title="Open the vault",
        body="By hand.",
        author="ben",
        created=_day(10),
        updated=_day(14),
        state="closed",
        branch="open-the-vault",
        closed=_day(14),
        merged=_day(14),
        reviews=(
            PullRequestReview(
                id="41", author="sarah", at=_day(12), verdict="APPROVED", text="Go on."
            ),
        ),
        comments=(RepositoryComment(id="43", author="ci[bot]", at=_day(13), text="Built."),),
        review_comments=(
            ReviewComment(
                id="42",
                author="sarah",
                at=_day(12),
                text="Locked?",
                path="vault.py",
                line=7,
                review="41",
                resolved=True,
            ),
        ),
        commits=(OPENED,),
        files=(ChangedFile(path="vault.py"), ChangedFile(path="keys.py")),
        closes=("#20",),
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


def _refused(status: int, message: str, errors: str = "", **headers: str) -> Fault:
    """Return a reply that reports a failure as GitHub does."""
    body = {"message": message, "errors": [{"message": errors}] if errors else []}
    given = {name.replace("_", "-"): text for name, text in headers.items()}
    return Fault(status=status, headers=given, body=json.dumps(body).encode())


def _graph(kind: str, message: str) -> Fault:
    errors = [{"type": kind, "message": message}]
    return Fault(body=json.dumps({"data": None, "errors": errors}).encode())


FAILURES = MappingProxyType(
    {
        "limit": _refused(403, "API rate limit exceeded", x_ratelimit_remaining="0"),
        "second limit": _refused(403, "You have exceeded a secondary rate limit"),
        "wait": _refused(403, "Wait.", retry_after="7"),
        "sso": _refused(
            403, "SSO", x_github_sso="required; url=https://github.com/orgs/northwind/sso"
        ),
        "permission": _refused(403, "No.", x_accepted_github_permissions="issues=read"),
        "scopes": _refused(403, "No.", x_accepted_oauth_scopes="repo"),
        "no commit": _refused(422, "No commit found for SHA"),
        "no search": _refused(
            422, "Validation Failed", "The listed users and repositories cannot be searched"
        ),
        "impossible": _refused(422, "Validation Failed", "too long"),
        "lawyers": _refused(451, "Blocked"),
        **{
            kind: _graph(kind, "No.")
            for kind in ("NOT_FOUND", "FORBIDDEN", "INSUFFICIENT_SCOPES", "RATE_LIMITED", "SOME")
        },
    }
)


ERRORS: Mapping[str, type[RoveError]] = MappingProxyType(
    {
        "limit": RateLimited,
        "second limit": RateLimited,
        "wait": RateLimited,
        "sso": ScopeMissing,
        "permission": ScopeMissing,
        "scopes": ScopeMissing,
        "no commit": ItemNotFound,
        "no search": Unsearchable,
        "impossible": WrongCall,
        "lawyers": WrongSetting,
        "NOT_FOUND": ItemNotFound,
        "FORBIDDEN": ScopeMissing,
        "INSUFFICIENT_SCOPES": ScopeMissing,
        "RATE_LIMITED": RateLimited,
        "SOME": MalformedReply,
    }
)


#: What only a commit, or what GraphQL answers with.
FAILURE_ITEMS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "no commit": ("commit", f"northwind/backend@{OPENED.sha}"),
        **dict.fromkeys(
            ("NOT_FOUND", "FORBIDDEN", "INSUFFICIENT_SCOPES", "RATE_LIMITED", "SOME"),
            ("discussion", "northwind/backend#31"),
        ),
    }
)


#: What a search, a commit or GraphQL answers with answers no change.
CHANGE_ERRORS: Mapping[str, type[RoveError]] = MappingProxyType(
    {
        name: error
        for name, error in ERRORS.items()
        if name not in {*FAILURE_ITEMS, "no search", "lawyers"}
    }
)


class TestGitHub(SourceTests):
    kind = "github"
    recordings = Path(__file__).with_name("recordings")
    vendor_failures = FAILURES
    failure_errors = ERRORS
    change_errors = CHANGE_ERRORS
    failure_items = FAILURE_ITEMS
    # Its account names a repository; what names narrow is for the account of a member.
    narrowing = MappingProxyType({"repositories": None, "owners": None})
    private = ()
    known, known_kind, unknown = "northwind/backend#847", "pr", "northwind/backend#99999"
    user = "sarah"
    query = "TB-123"
    in_fields = MappingProxyType(
        {
            "pr_title": ("keys", ("northwind/backend#846",)),
            "pr_description": ("keys", ("northwind/backend#847",)),
            "pr_comments": ("since", ("northwind/backend#847",)),
            "commit_messages": ("open", (f"northwind/backend@{OPENED.sha}",)),
            "issue_title": ("keys", ("northwind/backend#12",)),
            "issue_body": ("vault", ("northwind/backend#23",)),
            "discussions": ("hour", ("northwind/backend#31",)),
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
        {"open": "todo", "completed": "done", "not planned": "canceled", "duplicate": "canceled"}
    )
    work_fields = MappingProxyType(
        {
            "type": "ticket",
            "type_name": "Issue",
            "status": ItemStatus(name="open", category="todo"),
            "title": "Keys are never rotated",
            "description": "Found by chance.",
            "labels": ("auth",),
            "created": datetime(2024, 12, 1, 10, tzinfo=UTC),
            "updated": datetime(2024, 12, 1, 10, tzinfo=UTC),
        }
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
        words=("Implements TB-123. Its keys follow.",),
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
                url="/northwind/backend/pull/847#pullrequestreview-12",
                words=("Not yet.",),
                facts=Facts(verdict="changes requested"),
            ),
            ExpectedItem(
                author="ben",
                timestamp=_hour(13),
                url="/northwind/backend/pull/847#discussion_r13",
                words=("A name?",),
                facts=Facts(path="a.py", line=3, resolved=False),
            ),
            ExpectedItem(
                author="sarah",
                timestamp=_hour(14),
                url="/northwind/backend/pull/847#discussion_r14",
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

    more_expected = (
        ExpectedItem(
            id="northwind/backend#20",
            kind="issue",
            role="ticket",
            author="ben",
            timestamp=_day(9),
            words=("Who has one?",),
            facts=Facts(
                created=_day(1),
                status=ItemStatus(name="closed", category="canceled"),
                resolution="not_planned",
                labels=("vault", "later"),
                assignees=("ben", "sarah"),
                project="Roadmap",
                fields=(NamedValue(name="Status in Roadmap", value="Dropped"),),
            ),
            links=(("child", "northwind/backend#21", "Vault"), ("relates", "northwind/backend#22")),
            thread=(
                ExpectedItem(
                    author="sarah",
                    timestamp=_day(5),
                    words=("Since when?",),
                    facts=Facts(created=_day(3), on="backend#20"),
                ),
                ExpectedItem(author="ben", timestamp=_day(4), words=("Since May.",)),
            ),
        ),
        ExpectedItem(
            id="northwind/backend#22",
            kind="pr",
            facts=Facts(
                status=ItemStatus(name="merged", category="done"),
                branch="open-the-vault",
                files=("vault.py", "keys.py"),
            ),
            links=(("implements", "northwind/backend#20"),),
            thread=(
                ExpectedItem(author="ben", timestamp=_day(11), words=("Open it",)),
                ExpectedItem(
                    author="sarah",
                    timestamp=_day(12),
                    words=("Go on.",),
                    facts=Facts(verdict="approved"),
                ),
                ExpectedItem(
                    author="sarah",
                    timestamp=_day(12),
                    words=("Locked?",),
                    facts=Facts(path="vault.py", line=7, resolved=True),
                ),
                ExpectedItem(
                    author="ci-bot[bot]",
                    timestamp=_day(13),
                    words=("Built.",),
                    facts=Facts(robot=True),
                ),
            ),
        ),
        ExpectedItem(
            id="northwind/backend#23",
            kind="issue",
            role="ticket",
            title="Issue #23: Types of <T> & *more*",
            author="ben",
            timestamp=_day(6),
            words=(r"A vault of `Map<K, V>`, not \<b> or 2*3*4: https://plan.example/?a=1&b=2.",),
            facts=Facts(
                short_name="Issue #23",
                created=_day(2),
                status=ItemStatus(name="open", category="todo"),
                assignees=("sarah",),
            ),
            thread=(
                ExpectedItem(
                    author="sarah",
                    timestamp=_day(3),
                    words=(
                        "If a < b && c>d, `x<y` and &lt;i&gt;, <b>an hour</b>.",
                        "<!-- Not shown. -->",
                    ),
                    facts=Facts(on="backend#23", created=_day(3)),
                ),
            ),
        ),
        ExpectedItem(
            id="northwind/backend#31",
            kind="discussion",
            role="talk",
            title="Discussion #31: How long may a key live?",
            author="ben",
            timestamp=_day(5),
            words=("TB-123 and the vault say a day.",),
            facts=Facts(
                short_name="Discussion #31",
                created=_day(2),
                status=ItemStatus(name="answered", category="done"),
                type="Q&A",
            ),
            thread=(
                ExpectedItem(
                    author="sarah",
                    timestamp=_day(3),
                    words=("An hour, says the pilot.",),
                    facts=Facts(on="backend#31", created=_day(3), answer=True),
                ),
                ExpectedItem(author="ben", timestamp=_day(4), words=("Then an hour, @sarah.",)),
            ),
        ),
        ExpectedItem(
            id=f"northwind/backend@{OPENED.sha}",
            kind="commit",
            role="commit",
            author="ben",
            timestamp=_day(11),
            words=("Open it",),
            thread=(),
        ),
        ExpectedItem(
            id="northwind/backend#21",
            kind="issue",
            author="ci-bot[bot]",
            facts=Facts(robot=True),
            links=(("parent", "northwind/backend#20"),),
        ),
    )


@asynccontextmanager
async def _of_a_member() -> AsyncIterator[Vendor]:
    async with _northwind() as vendor:
        yield attrs.evolve(vendor, settings={})


class TestGitHubOfAMember(ContainerTests):
    """Accounts that name no place and read what their login reads."""

    kind = "github"
    private = ()
    known, known_kind, unknown = "northwind/backend#847", "pr", "northwind/backend#99999"
    query = "TB-123"
    narrowing = MappingProxyType(
        {
            "repositories": (("northwind/backend",), ("northwind/web#3", "globex/shop#5")),
            "owners": (("northwind",), ("globex/shop#5",)),
        }
    )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give a GitHub with repositories of two owners."""
        return _of_a_member()


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


@asynccontextmanager
async def _acme(company: Company) -> AsyncIterator[Vendor]:
    clock = VirtualClock()
    commits = tuple(
        RepositoryCommit(
            sha=f"{number:040x}",
            message=f"Keys {number}\n\nFor TB-123, as #12 says.",
            author=author,
            at=_hour(number),
        )
        for number, author in ((1, "ann"), (2, ""), (3, "ben"))
    )
    github = GitHub(attrs.evolve(company, discussions=(TALK,)), clock=clock)
    github.hub.push("acme/api", commits, _hour(4))
    changes = repository_changes(github, "acme/api", clock)
    async with serve(github) as url:
        yield Vendor(
            base_url=url,
            answers={"token": company.token},
            settings={"repositories": ("acme/api",)},
            steps=changes.steps(),
            there=lambda: changes.there,
        )


class TestGitHubOfAcme(RecordingTests):
    """Recordings of discussions, commits, and repositories that one may not read."""

    kind = "github"
    recordings = Path(__file__).with_name("recordings")
    private = ()
    known, known_kind, unknown = "acme/api#847", "pr", "acme/api#99999"
    query = "TB-123"
    mentions = ("see acme/api#847", "#847", "https://github.com/acme/backend/pull/847")
    more_expected = tuple(
        ExpectedItem(id=f"acme/api{name}", kind=kind)
        for name, kind in (
            ("#31", "discussion"),
            ("#31", "issue"),
            ("#12", "issue"),
            ("#12", "pr"),
            ("#13", "issue"),
            ("#14", "issue"),
            (f"@{1:040x}", "commit"),
            (f"@{1:07x}", "commit"),
            (f"@{'a' * 40}", "commit"),
        )
    )

    @pytest.fixture
    def vendor(self, company: Company) -> AbstractAsyncContextManager[Vendor]:
        """Give a GitHub with discussions and commits."""
        return _acme(company)
