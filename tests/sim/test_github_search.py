"""GitHub's search in a box finds what GitHub's would, and refuses what it would."""

from datetime import UTC, datetime, timedelta

import attrs
import pytest

from rove_core.wire.json_types import JSON
from rove_sim import Company, Conduct
from rove_sim.company_github import (
    CompanyRepository,
    PullRequest,
    RepositoryComment,
    RepositoryCommit,
    RepositoryIssue,
)
from rove_sim.company_people import Person
from rove_sim.github import GitHub
from rove_sim.server import Request, Response

NOON = datetime(2024, 12, 10, 12, tzinfo=UTC)


def _company() -> Company:
    issue = RepositoryIssue(
        repository="northwind/backend",
        number=1,
        title="Rotate the keys of TB-123",
        body="Once a day.",
        author="ann",
        created=NOON - timedelta(days=9),
        updated=NOON,
        labels=("auth", "good first issue"),
        assignees=("ben",),
        comments=(RepositoryComment(author="ben", at=NOON, text="Rather every hour"),),
    )
    pull = PullRequest(
        repository="northwind/backend",
        number=2,
        title="Add a provider",
        body="Implements TB-1234: keys",
        author="ben",
        created=NOON,
        state="closed",
        merged=NOON + timedelta(hours=1),
        branch="tb-123-provider",
        commits=(
            RepositoryCommit(
                sha="a" * 40, message="TB-123: add the provider", author="ann", at=NOON
            ),
        ),
    )
    draft = attrs.evolve(
        pull,
        repository="northwind/web",
        number=7,
        title="Show the keys",
        body="",
        branch="next",
        state="open",
        merged=None,
        draft=True,
        updated=NOON + timedelta(days=5),
        commits=(RepositoryCommit(message="TB-123: unmerged", author="ann", at=NOON),),
    )
    hidden = attrs.evolve(issue, repository="northwind/secret")
    return Company(
        name="Northwind",
        token="ghp_1",  # noqa: S106  # nobody's
        people=(Person(key="ann", name="Ann Lee"), Person(key="ben", name="Ben Fox")),
        repositories=(
            CompanyRepository(name="northwind/secret", access="hidden"),
            CompanyRepository(
                name="northwind/web",
                private=False,
                commits=(
                    RepositoryCommit(
                        message="Fix TB-123", author="ben", at=NOON - timedelta(days=1)
                    ),
                ),
            ),
        ),
        repository_issues=(issue, hidden, attrs.evolve(issue, number=5, deleted=True)),
        pull_requests=(pull, draft),
    )


@pytest.fixture
def github() -> GitHub:
    """Give a GitHub with three things that can be found, and two that cannot."""
    return GitHub(_company(), conduct=Conduct(page_size=10))


def _search(github: GitHub, kind: str, **query: str) -> Response:
    token = github.company.token
    headers = {"authorization": f"Bearer {token}", "user-agent": "rove", "host": "github.test"}
    return github(Request("GET", f"/search/{kind}", query, headers, b""))


def _found(response: Response) -> list[dict[str, JSON]]:
    assert isinstance(response.value, dict), response
    return [dict(each) for each in response.value["items"]]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("keys", [1, 2, 7]),
        ("keys -provider", [1, 7]),
        ("keys NOT provider", [1, 7]),
        ("rotate OR provider", [1, 2]),
        ("(rotate OR show) AND keys", [1, 7]),
        ('"TB-123"', [1]),
        ('"the keys"', [1, 7]),
        ("KEYS rotate", [1]),
        ("hour", [1]),
        ("hour in:title", []),
        ("keys in:title,comments", [1, 7]),
        ("keys repo:northwind/web", [7]),
        ("keys repo:Northwind/Web", [7]),
        ("keys repo:northwind/web repo:northwind/backend", []),
        ("keys (repo:northwind/web OR repo:northwind/backend)", [1, 2, 7]),
        ("keys org:northwind", [1, 2, 7]),
        ("keys user:northwind", [1, 2, 7]),
        ("is:issue", [1]),
        ("is:pr", [2, 7]),
        ("is:pull-request is:merged", [2]),
        ("type:pr is:open is:draft", [7]),
        ("is:pr is:unmerged", [7]),
        ("state:closed", [2]),
        ("is:public", [7]),
        ("head:tb-123", [2]),
        ("base:main is:open", [7]),
        ("author:ann", [1]),
        ("author:@me", [1]),
        ("assignee:ben", [1]),
        ("commenter:ben", [1]),
        ("involves:ben", [1, 2, 7]),
        ("label:AUTH", [1]),
        ('label:"good first issue"', [1]),
        ("updated:2024-12-10", [1, 2]),
        ("updated:>=2024-12-10T13:00:00Z", [2, 7]),
        ("updated:>2024-12-10T13:00:00Z", [7]),
        ("updated:<=2024-12-10T13:00:00+01:00", [1]),
        ("updated:<2024-12-10T12:00:00Z", []),
        ("updated:2024-12-10T12:00:00Z..2024-12-10T13:00:00Z", [1, 2]),
        ("updated:2024-12-10..2024-12-10", [1, 2]),
        ("updated:*..2024-12-10", [1, 2]),
        ("updated:2024-12-11..*", [7]),
        ("created:<2024-12-10", [1]),
        ("merged:>2024-01-01", [2]),
        ("see https://example.org", []),
        ("nothing", []),
    ],
)
def test_finds(github: GitHub, query: str, numbers: list[int]) -> None:
    """Words are whole words, a space means and, and a limit counts to the second."""
    found = _found(_search(github, "issues", q=query))

    assert sorted(str(each["number"]) for each in found) == sorted(map(str, numbers))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("keys repo:northwind/secret", "cannot be searched"),
        ("keys org:globex", "cannot be searched"),
        ("updated:>=lately", "not a recognized date"),
        ("is:urgent", "not a value of is:"),
        ("a OR b OR c OR d OR e OR f OR g", "More than five"),
        ("word " * 64, "longer than 256"),
        ("(keys", "never closed"),
        ("keys)", "does not belong"),
        ("keys NOT", "ends where a word"),
        ("", "None of the search qualifiers"),
    ],
)
def test_refuses_what_it_cannot_run(github: GitHub, query: str, reason: str) -> None:
    """GitHub says why, with status 422, and the log keeps it."""
    response = _search(github, "issues", q=query)

    assert response.status == 422
    assert reason in str(response.value)
    assert len(github.refused) == 1


def test_qualifiers_do_not_count_as_length(github: GitHub) -> None:
    """Only the words have to be short."""
    query = "keys " + "-label:a-very-long-label " * 30

    assert _search(github, "issues", q=query).status == 200


@pytest.mark.parametrize(
    ("order", "numbers"),
    [
        ({"sort": "updated"}, [7, 2, 1]),
        ({"sort": "updated", "order": "asc"}, [1, 2, 7]),
        ({"sort": "comments"}, [1, 7, 2]),
        ({}, [7, 1, 2]),
    ],
)
def test_sorts(github: GitHub, order: dict[str, str], numbers: list[int]) -> None:
    """Newest first when asked; by default those first that have the words in the title."""
    found = _found(_search(github, "issues", q="keys", **order))

    assert [each["number"] for each in found] == numbers


def test_nobody_sees_more_than_a_thousand(github: GitHub) -> None:
    """A search tells how many there are, but its pages end."""
    issue = _company().repository_issues[0]
    for number in range(100, 1_200):
        github.put(attrs.evolve(issue, number=number))
    github.conduct = Conduct()
    last = _search(github, "issues", q="rotate", per_page="100", page="10")
    beyond = _search(github, "issues", q="rotate", per_page="100", page="11")

    assert isinstance(last.value, dict)
    assert last.value["total_count"] == 1_101
    assert len(_found(last)) == 100
    assert 'rel="next"' not in last.headers["link"]
    assert beyond.status == 422
    assert "first 1000" in str(beyond.value)


def test_pages_keep_the_query(github: GitHub) -> None:
    """The link to the next page is complete."""
    github.conduct = Conduct(page_size=2)
    response = _search(github, "issues", q="keys updated:>2024-01-01")

    assert (
        "http://github.test/search/issues?q=keys+updated%3A%3E2024-01-01&page=2"
        in (response.headers["link"])
    )


def test_a_search_may_run_out_of_time(github: GitHub) -> None:
    """Then it says that there may be more."""
    github.incomplete = True
    response = _search(github, "issues", q="keys")

    assert isinstance(response.value, dict)
    assert response.value["incomplete_results"] is True


def test_a_search_by_meaning_falls_back_to_words(github: GitHub) -> None:
    """There is no such search in the box, and it says so as GitHub does."""
    response = _search(github, "issues", q="keys", search_type="hybrid")

    assert isinstance(response.value, dict)
    assert response.value["search_type"] == "lexical"
    assert response.value["lexical_fallback_reason"] == ["service_unavailable"]
    assert response.headers["x-ratelimit-resource"] == "semantic_search"


def test_an_app_has_to_say_what_it_looks_for() -> None:
    """The token of an app's user finds issues or pull requests, never both."""
    github = GitHub(attrs.evolve(_company(), token="ghu_1"))  # noqa: S106  # nobody's

    assert _search(github, "issues", q="keys").status == 422
    assert len(_found(_search(github, "issues", q="keys is:issue"))) == 1


@pytest.mark.parametrize(
    ("query", "messages"),
    [
        ('"TB-123"', ["TB-123: add the provider", "Fix TB-123"]),
        ("TB-123 repo:northwind/web", ["Fix TB-123"]),
        ("TB-123 author:ann", ["TB-123: add the provider"]),
        (
            "TB-123 repo:northwind/web repo:northwind/backend",
            ["TB-123: add the provider", "Fix TB-123"],
        ),
        ("hash:aaaa", ["TB-123: add the provider"]),
        ("author-date:<2024-12-10", ["Fix TB-123"]),
    ],
)
def test_finds_commits_of_default_branches(github: GitHub, query: str, messages: list[str]) -> None:
    """Commits that were merged, or made there, are found; those of open pull requests are not."""
    found = _found(_search(github, "commits", q=query, sort="author-date"))
    said = [each["commit"] for each in found]

    assert [each["message"] for each in said if isinstance(each, dict)] == messages
