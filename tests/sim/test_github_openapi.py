"""What GitHub in a box takes and gives is what GitHub's own description says."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import attrs
import pytest

from rove_sim import Company, Conduct, sample_company
from rove_sim.company_github import (
    ChangedFile,
    CompanyRepository,
    PullRequest,
    PullRequestReview,
    RepositoryComment,
    RepositoryCommit,
    RepositoryIssue,
    ReviewComment,
)
from rove_sim.github import GitHub
from rove_sim.server import Request, Response
from rove_sim.specification_checks_github import GitHubDescription

#: What the description does not describe: written by hand, from what is known.
UNDESCRIBED = {
    "POST /graphql",
    "POST /login/device/code",
    "POST /login/oauth/access_token",
    "PATCH /repos/{owner}/{repo}/issues/comments/{id}",
    "PATCH /repos/{owner}/{repo}/issues/{number}",
    "DELETE /repos/{owner}/{repo}/issues/{number}/sub_issue",
    "GET /repositories/{id}",
    "GET /repositories/{id}/commits",
    "GET /repositories/{id}/commits/{ref}",
    "GET /repositories/{id}/issues",
    "GET /repositories/{id}/issues/{number}",
    "GET /repositories/{id}/issues/{number}/comments",
    "GET /repositories/{id}/issues/{number}/sub_issues",
    "GET /repositories/{id}/issues/{number}/timeline",
    "GET /repositories/{id}/pulls/{number}",
    "GET /repositories/{id}/pulls/{number}/comments",
    "GET /repositories/{id}/pulls/{number}/commits",
    "GET /repositories/{id}/pulls/{number}/files",
    "GET /repositories/{id}/pulls/{number}/reviews",
}
HOME = "/repos/northwind/backend"
MADE = RepositoryCommit(
    message="Add the provider", author="sarah", at=datetime(2024, 12, 15, 12, tzinfo=UTC)
)
SEARCH = {"q": "provider", "sort": "updated", "order": "asc", "per_page": "5"}
ASKED: list[tuple[str, dict[str, str]]] = [
    ("/user", {}),
    ("/user/repos", {"sort": "pushed"}),
    ("/rate_limit", {}),
    (HOME, {}),
    (f"{HOME}/issues", {"state": "all", "since": "2020-01-01T00:00:00Z"}),
    (f"{HOME}/issues/1", {}),
    (f"{HOME}/issues/2", {}),
    (f"{HOME}/issues/1/comments", {"since": "2020-01-01T00:00:00Z"}),
    (f"{HOME}/issues/1/timeline", {}),
    (f"{HOME}/issues/2/timeline", {}),
    (f"{HOME}/issues/1/sub_issues", {}),
    (f"{HOME}/pulls/2", {}),
    (f"{HOME}/pulls/2/reviews", {}),
    (f"{HOME}/pulls/2/comments", {"sort": "updated", "direction": "desc"}),
    (f"{HOME}/pulls/2/commits", {}),
    (f"{HOME}/pulls/2/files", {"per_page": "1"}),
    (f"{HOME}/commits", {"sha": MADE.sha, "since": "2024-01-01T00:00:00Z", "per_page": "5"}),
    (f"{HOME}/commits/{MADE.sha}", {}),
    ("/search/issues", {**SEARCH, "advanced_search": "true"}),
    ("/search/issues", {"q": "provider", "search_type": "hybrid"}),
    ("/search/commits", {"q": "provider", "sort": "author-date"}),
]
REFUSED: list[tuple[str, dict[str, str], int]] = [
    (f"{HOME}/issues/99", {}, 404),
    (f"{HOME}/commits/{'f' * 40}", {}, 422),
    (f"{HOME}/issues/3", {}, 410),
    (f"{HOME}/issues/4", {}, 301),
    ("/repos/northwind/old", {}, 301),
    ("/repos/northwind/nothing", {}, 404),
    ("/repos/northwind/closed", {}, 403),
    ("/search/issues", {"q": "repo:northwind/nothing key"}, 422),
    (f"{HOME}/issues", {"state": "half-open"}, 422),
]


def _company() -> Company:
    company = sample_company()
    when = company.pull_requests[0].created
    said = RepositoryComment(author="sarah", at=when, text="See #2")
    issue = RepositoryIssue(
        repository="northwind/backend",
        number=1,
        title="Sign in with a provider",
        author="sarah",
        created=when,
        labels=("auth",),
        assignees=("robin",),
        comments=(said, attrs.evolve(said, author="", text="From a gone account")),
        sub_issues=(5,),
    )
    line = ReviewComment(id="71", author="robin", at=when, text="Why?", path="a.py", line=3)
    pull = PullRequest(
        repository="northwind/backend",
        number=2,
        title="Add the provider",
        author="robot[bot]",
        created=when,
        state="closed",
        merged=when,
        reviews=(
            PullRequestReview(id="70", author="robin", at=when, verdict="APPROVED", text="Good"),
        ),
        review_comments=(
            line,
            attrs.evolve(line, id="72", reply_to="71", text="So", outdated=True, review="70"),
        ),
        commits=(MADE,),
        files=(ChangedFile(path="a.py", patch="@@"), ChangedFile(path="b.py", status="added")),
        closes=("#1",),
    )
    return attrs.evolve(
        company,
        repositories=(
            CompanyRepository(name="northwind/backend", old_names=("northwind/old",)),
            CompanyRepository(name="northwind/closed", access="sso"),
        ),
        pull_requests=(pull,),
        repository_issues=(
            issue,
            attrs.evolve(issue, number=3, deleted=True),
            attrs.evolve(issue, number=4, moved="northwind/web#4"),
            attrs.evolve(issue, number=5, state="closed", sub_issues=()),
        ),
    )


@pytest.fixture
def github() -> GitHub:
    """Give a GitHub with one of each thing."""
    return GitHub(_company(), conduct=Conduct(page_size=20))


@pytest.fixture
def description(specifications: Path) -> GitHubDescription:
    """Return GitHub's own description of its REST API."""
    return GitHubDescription(specifications)


def _get(github: GitHub, path: str, query: Mapping[str, str]) -> Response:
    headers = {"authorization": f"Bearer {github.company.token}", "user-agent": "rove"}
    return github(Request("GET", path, query, headers, b""))


@pytest.mark.parametrize(("path", "query"), ASKED)
def test_a_reply_is_as_described(
    github: GitHub, description: GitHubDescription, path: str, query: dict[str, str]
) -> None:
    """Every reply has what GitHub says that it has, and there is something in it."""
    response = _get(github, path, query)

    assert response.status == 200
    assert response.value
    assert github.refused == []
    assert description.problems(github.exchanges[-1]) == []


@pytest.mark.parametrize(("path", "query", "status"), REFUSED)
def test_a_refusal_is_as_described(
    github: GitHub, description: GitHubDescription, path: str, query: dict[str, str], status: int
) -> None:
    """Errors have the shape that GitHub gives them."""
    response = _get(github, path, query)

    assert status == response.status
    assert description.problems(github.exchanges[-1]) == []


def test_a_parameter_is_one_of_githubs(github: GitHub, description: GitHubDescription) -> None:
    """No route takes what GitHub would not take, and what GitHub requires is required."""
    for route in github.routes():
        if operation := description.operation(route):
            known = description.parameters(operation)
            required = {name for name, told in known.items() if told.get("required")}

            assert set(route.query.readers) - {"after"} <= set(known), route.path
            assert required == route.query.required, route.path


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"sort": "stars"}, "sort cannot be 'stars'"),
        ({"since": "2024-12-01", "language": "en"}, "takes no language"),
        ({"page": "two"}, "page cannot be 'two'"),
    ],
)
def test_a_request_that_is_wrong_is_seen(
    github: GitHub, description: GitHubDescription, query: dict[str, str], problem: str
) -> None:
    """The description finds what is wrong with a request, even when the simulator let it pass."""
    _get(github, f"{HOME}/issues", {})
    sent = attrs.evolve(github.exchanges[-1].request, query=query)
    exchange = attrs.evolve(github.exchanges[-1], request=sent)

    assert description.problems(exchange) == [f"{HOME}/issues: {problem}"]


def test_a_search_without_words_is_seen(github: GitHub, description: GitHubDescription) -> None:
    """What GitHub requires is missed when it is not there."""
    _get(github, "/search/issues", {"q": "key"})
    sent = attrs.evolve(github.exchanges[-1].request, query={})
    exchange = attrs.evolve(github.exchanges[-1], request=sent)

    assert description.problems(exchange) == ["/search/issues: lacks q"]


def test_a_reply_that_is_wrong_is_seen(github: GitHub, description: GitHubDescription) -> None:
    """A user without a login, or with a number for one, is none."""
    _get(github, "/user", {})
    before = github.exchanges[-1]
    reply = attrs.evolve(before.response, value=[{"login": 1}])

    assert description.problems(attrs.evolve(before, response=reply)) != []


def test_what_is_not_described_is_known(
    github: GitHub, description: GitHubDescription, capsys: pytest.CaptureFixture[str]
) -> None:
    """The routes that no description backs are these, and no more."""
    found = {
        f"{route.method} {route.path}"
        for route in github.routes()
        if description.operation(route) is None
    }
    with capsys.disabled():
        print("\nGitHub, without a schema:", *sorted(found), sep="\n  ")  # noqa: T201  # for who reads the run

    assert found == UNDESCRIBED


def test_every_described_route_is_asked(github: GitHub, description: GitHubDescription) -> None:
    """The replies above are those of all routes that GitHub describes."""
    for path, query in ASKED:
        _get(github, path, query)
    asked = {exchange.route.path for exchange in github.exchanges if exchange.route}
    known = {route.path for route in github.routes() if description.operation(route)}

    assert known == asked
