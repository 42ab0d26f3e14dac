"""GitHub's GraphQL in a box tells what REST does not."""

import json
from datetime import UTC, datetime

import pytest

from rove_core.wire.json_types import JSON
from rove_sim import Company, Conduct
from rove_sim.company_github import CompanyRepository, PullRequest, RepositoryIssue, ReviewComment
from rove_sim.company_people import Person
from rove_sim.github import GitHub
from rove_sim.server import Request, Response

TOKEN = "github_pat_of_northwind"  # noqa: S105  # nobody's
NOON = datetime(2024, 12, 1, 12, tzinfo=UTC)
PULL = """{{ repository(owner: "northwind", name: "{name}") {{
  pullRequest(number: {number}) {{ {fields} }}
}} }}"""
CLOSES = """closingIssuesReferences(first: FIRST) {
  totalCount pageInfo { hasNextPage } nodes { number repository { nameWithOwner } }
}"""
THREADS = """reviewThreads(first: FIRST) { nodes {
  isResolved isOutdated line path comments(first: 9) { nodes { body author { login } } }
} }"""


def _issue(repository: str, number: int) -> RepositoryIssue:
    title = f"Issue {number}"
    return RepositoryIssue(
        repository=repository, number=number, title=title, author="ann", created=NOON
    )


def _company() -> Company:
    line = ReviewComment(
        id="71", author="ann", at=NOON, text="Why?", path="a.py", line=3, resolved=True
    )
    pull = PullRequest(
        repository="northwind/backend",
        number=2,
        title="Add a provider",
        author="ann",
        created=NOON,
        closes=("#1", "northwind/web#3", "#404"),
        review_comments=(
            line,
            ReviewComment(
                id="72", author="ann", at=NOON, text="So", path="a.py", line=3, reply_to="71"
            ),
            ReviewComment(
                id="73", author="", at=NOON, text="And?", path="b.py", line=1, outdated=True
            ),
        ),
    )
    return Company(
        name="Northwind",
        token=TOKEN,
        people=(Person(key="ann", name="Ann Lee"),),
        repositories=(
            CompanyRepository(name="northwind/backend", old_names=("northwind/server",)),
            CompanyRepository(name="northwind/secret", access="hidden"),
            CompanyRepository(name="northwind/vault", access="forbidden"),
        ),
        repository_issues=(_issue("northwind/backend", 1), _issue("northwind/web", 3)),
        pull_requests=(pull,),
    )


@pytest.fixture
def github() -> GitHub:
    """Give a GitHub with one pull request."""
    return GitHub(_company(), conduct=Conduct(page_size=10))


def _ask(github: GitHub, query: str, **variables: JSON) -> Response:
    headers = {"authorization": f"Bearer {TOKEN}", "user-agent": "rove"}
    body = json.dumps({"query": query, "variables": variables}).encode()
    return github(Request("POST", "/graphql", {}, headers, body))


def _pull(
    github: GitHub, fields: str, *, name: str = "backend", number: int = 2, first: JSON = 9
) -> tuple[JSON, list[dict[str, JSON]]]:
    """Return a pull request, and the errors of the reply."""
    asked = fields.replace("FIRST", json.dumps(first))
    value = _ask(github, PULL.format(name=name, number=number, fields=asked)).value
    assert isinstance(value, dict)
    repository = value["data"]["repository"]
    return repository and repository["pullRequest"], value.get("errors", [])


def test_knows_what_a_pull_request_closes(github: GitHub) -> None:
    """Issues of other repositories are among them; what is not there is not."""
    pull, _ = _pull(github, CLOSES)

    assert pull == {
        "closingIssuesReferences": {
            "totalCount": 2,
            "pageInfo": {"hasNextPage": False},
            "nodes": [
                {"number": 1, "repository": {"nameWithOwner": "northwind/backend"}},
                {"number": 3, "repository": {"nameWithOwner": "northwind/web"}},
            ],
        }
    }


def test_knows_which_threads_are_settled(github: GitHub) -> None:
    """A thread is its first comment with the answers to it."""
    pull, _ = _pull(github, THREADS)
    ann = {"login": "ann"}

    assert pull == {
        "reviewThreads": {
            "nodes": [
                {
                    "isResolved": True,
                    "isOutdated": False,
                    "line": 3,
                    "path": "a.py",
                    "comments": {
                        "nodes": [{"body": "Why?", "author": ann}, {"body": "So", "author": ann}]
                    },
                },
                {
                    "isResolved": False,
                    "isOutdated": True,
                    "line": None,
                    "path": "b.py",
                    "comments": {"nodes": [{"body": "And?", "author": None}]},
                },
            ]
        }
    }


def test_an_issue_knows_what_closes_it(github: GitHub) -> None:
    """The way back from an issue to the pull requests."""
    asked = """{ repository(owner: "northwind", name: "web") { issue(number: 3) {
      closedByPullRequestsReferences(first: 5) { nodes { number state } }
    } } }"""
    value = _ask(github, asked).value

    assert isinstance(value, dict)
    assert value["data"]["repository"]["issue"] == {
        "closedByPullRequestsReferences": {"nodes": [{"number": 2, "state": "OPEN"}]}
    }


def test_pages_lead_to_all(github: GitHub) -> None:
    """The cursor of a page leads to the next one."""
    github.conduct = Conduct(page_size=1)
    asked = """query ($after: String) { repository(owner: "northwind", name: "backend") {
      pullRequest(number: 2) { closingIssuesReferences(first: 100, after: $after) {
        nodes { number } pageInfo { endCursor hasNextPage }
      } }
    } }"""
    found, after, more = [], None, True
    while more:
        value = _ask(github, asked, after=after).value
        assert isinstance(value, dict)
        page = value["data"]["repository"]["pullRequest"]["closingIssuesReferences"]
        found += [node["number"] for node in page["nodes"]]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]

    assert found == [1, 3]


@pytest.mark.parametrize(
    ("first", "kind"), [(None, "MISSING_PAGINATION_BOUNDARIES"), (101, "EXCESSIVE_PAGINATION")]
)
def test_a_page_needs_a_length(github: GitHub, first: JSON, kind: str) -> None:
    """Who does not say how many, or wants too many, gets none of it."""
    pull, errors = _pull(github, CLOSES, first=first)

    assert pull == {"closingIssuesReferences": None}
    assert [error["type"] for error in errors] == [kind]


@pytest.mark.parametrize(
    ("name", "number", "kind"),
    [
        ("nothing", 2, "NOT_FOUND"),
        ("secret", 2, "NOT_FOUND"),
        ("vault", 2, "FORBIDDEN"),
        ("backend", 1, "NOT_FOUND"),
    ],
)
def test_what_may_not_be_read_is_an_error(
    github: GitHub, name: str, number: int, kind: str
) -> None:
    """The status is 200 all the same; the type stands beside the message."""
    pull, errors = _pull(github, "title", name=name, number=number)

    assert pull is None
    assert [error["type"] for error in errors] == [kind]


def test_follows_an_old_name(github: GitHub) -> None:
    """A repository is found by the name it had."""
    assert _pull(github, "title", name="server") == ({"title": "Add a provider"}, [])


def test_gives_a_part_when_the_rest_costs_too_much(github: GitHub) -> None:
    """The data are there as far as they go, with an error that says why they end."""
    github.starved = True
    pull, errors = _pull(github, f"title {CLOSES}")

    assert pull == {"title": "Add a provider", "closingIssuesReferences": None}
    assert [error["type"] for error in errors] == ["RESOURCE_LIMITS_EXCEEDED"]


def test_refuses_what_it_does_not_know(github: GitHub) -> None:
    """A wrong query is an error with status 200, and stands in the log for a test to see."""
    response = _ask(github, "{ repository { name } }")

    assert response.status == 200
    assert isinstance(response.value, dict)
    assert "data" not in response.value
    assert len(github.refused) == 1


def test_says_what_is_left(github: GitHub) -> None:
    """The limit of GraphQL is one of its own, and can be asked for."""
    response = _ask(github, "{ rateLimit { limit remaining } viewer { login } }")

    assert response.headers["x-ratelimit-resource"] == "graphql"
    assert response.value == {
        "data": {"rateLimit": {"limit": 5000, "remaining": 5000}, "viewer": {"login": "ann"}}
    }
