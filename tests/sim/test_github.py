"""GitHub in a box behaves like GitHub."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

import attrs
import pytest

from rove_core.testing import VirtualClock
from rove_core.wire.json_types import JSON
from rove_sim import Company, Conduct
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
from rove_sim.github import GitHub
from rove_sim.server import Request, Response

TOKEN = "github_pat_of_northwind"  # noqa: S105  # nobody's
NOON = datetime(2024, 12, 1, 12, tzinfo=UTC)
ME = {"authorization": f"Bearer {TOKEN}", "user-agent": "rove", "host": "github.test"}
HOME = "/repos/northwind/backend"


def _comment(number: int) -> RepositoryComment:
    at = NOON + timedelta(minutes=number)
    return RepositoryComment(id=str(number), author="ben", at=at, text=f"Word {number}")


def _company() -> Company:
    issue = RepositoryIssue(
        repository="northwind/backend",
        number=1,
        title="Sign in",
        author="ann",
        created=NOON,
        labels=("auth",),
        comments=tuple(map(_comment, range(1, 6))),
    )
    line = ReviewComment(id="71", author="ben", at=NOON, text="Why?", path="a.py", line=3)
    pull = PullRequest(
        repository="northwind/backend",
        number=2,
        title="Add a provider",
        body="For #1.",
        author="helper",
        assignees=("ann",),
        created=NOON + timedelta(hours=1),
        state="closed",
        merged=NOON + timedelta(hours=5),
        reviews=(
            PullRequestReview(
                id="70", author="ann", at=NOON + timedelta(hours=3), verdict="APPROVED"
            ),
        ),
        review_comments=(
            attrs.evolve(line, review="70"),
            attrs.evolve(
                line,
                id="72",
                reply_to="71",
                at=NOON + timedelta(hours=4),
                text="So",
                outdated=True,
            ),
        ),
        commits=tuple(
            RepositoryCommit(message=f"Step {number}", author="ann", at=NOON + timedelta(hours=2))
            for number in range(260)
        ),
    )
    return Company(
        name="Northwind",
        token=TOKEN,
        people=(
            Person(key="ann", name="Ann Lee", github="ann-lee"),
            Person(key="ben", name="Ben Fox"),
            Person(key="helper", name="Helper", bot=True),
        ),
        repositories=(
            CompanyRepository(name="northwind/backend", old_names=("northwind/server",)),
            CompanyRepository(name="northwind/secret", access="hidden"),
            CompanyRepository(name="northwind/vault", access="forbidden"),
            CompanyRepository(name="globex/shared", access="sso"),
        ),
        repository_issues=(
            issue,
            attrs.evolve(issue, number=3, deleted=True),
            attrs.evolve(issue, number=4, moved="northwind/web#9"),
        ),
        pull_requests=(pull,),
    )


@pytest.fixture
def clock() -> VirtualClock:
    """Give a time that nobody has to wait for."""
    return VirtualClock()


@pytest.fixture
def github(clock: VirtualClock) -> GitHub:
    """Give a GitHub whose pages hold two things."""
    return GitHub(_company(), clock=clock, conduct=Conduct(page_size=2))


def _get(github: GitHub, url: str, **headers: str) -> Response:
    place = urlsplit(url)
    sent = ME | {name.replace("_", "-"): value for name, value in headers.items()}
    return github(Request("GET", place.path, dict(parse_qsl(place.query)), sent, b""))


def _links(response: Response) -> dict[str, str]:
    """Return the links of a reply by what they lead to."""
    found = {}
    for link in response.headers.get("link", "").split(", "):
        url, _, rest = link.partition(">")
        found[rest.partition('rel="')[2].partition('"')[0]] = url.removeprefix("<")
    return found


def _all(github: GitHub, url: str) -> list[JSON]:
    """Return what all pages hold, following the links as they are given."""
    found: list[JSON] = []
    while url:
        response = _get(github, url)
        assert isinstance(response.value, list)
        found += response.value
        url = _links(response).get("next", "")
    return found


def _value(response: Response) -> Mapping[str, JSON]:
    assert isinstance(response.value, dict)
    return response.value


def _items(response: Response) -> list[dict[str, JSON]]:
    assert isinstance(response.value, list)
    return [dict(each) for each in response.value if isinstance(each, Mapping)]


@pytest.mark.parametrize(
    ("headers", "status", "message"),
    [
        ({"authorization": "Bearer nobody"}, 401, "Bad credentials"),
        ({"authorization": ""}, 401, "Requires authentication"),
        ({"user_agent": ""}, 403, "User-Agent"),
        ({"x_github_api_version": "2020-01-01"}, 400, "2020-01-01"),
    ],
)
def test_lets_nobody_in_who_may_not(
    github: GitHub, headers: dict[str, str], status: int, message: str
) -> None:
    """A request needs a good token, a name of its own, and a version that there is."""
    response = _get(github, "/user", **headers)

    assert status == response.status
    assert message in str(_value(response)["message"])


def test_a_token_may_be_called_a_token(github: GitHub) -> None:
    """GitHub's own older scheme works as Bearer does."""
    assert _get(github, "/user", authorization=f"token {TOKEN}").status == 200


def test_knows_who_asks(github: GitHub) -> None:
    """The user is the person whose token it is."""
    assert _value(_get(github, "/user"))["login"] == "ann-lee"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/repos/northwind/secret", 404),
        ("/repos/northwind/nothing", 404),
        ("/repos/northwind/vault/issues/1", 403),
        (f"{HOME}/issues/99", 404),
        (f"{HOME}/issues/last", 404),
        (f"{HOME}/issues/3", 410),
        (f"{HOME}/pulls/1", 404),
        ("/nothing", 404),
    ],
)
def test_hides_what_may_not_be_read(github: GitHub, path: str, status: int) -> None:
    """What is hidden is as if it were not there; what is deleted is gone."""
    assert status == _get(github, path).status


def test_sends_to_the_sign_on(github: GitHub) -> None:
    """An organization with a sign-on of its own says where it is."""
    response = _get(github, "/repos/globex/shared/issues/1")

    assert response.status == 403
    assert response.headers["x-github-sso"].startswith(
        "required; url=https://github.com/orgs/globex"
    )


def test_a_renamed_repository_is_found_again(github: GitHub) -> None:
    """The old name leads to the number of the repository, which answers as its name does."""
    moved = _get(github, "/repos/northwind/server/issues/1/comments?per_page=1")
    followed = _get(github, moved.headers["location"])

    assert moved.status == 301
    assert "/repositories/" in moved.headers["location"]
    assert [each["id"] for each in _items(followed)] == [1]


def test_a_repository_may_be_renamed_later(github: GitHub) -> None:
    """What it holds moves with it, and keeps its numbers."""
    before = _value(_get(github, HOME))["id"]
    github.hub.move("northwind/backend", "northwind/core")

    assert _get(github, HOME).status == 301
    assert _value(_get(github, "/repos/northwind/core"))["id"] == before
    assert _value(_get(github, "/repos/northwind/core/issues/1"))["title"] == "Sign in"


def test_a_transferred_issue_leads_to_where_it_is(github: GitHub) -> None:
    """The whole path is kept on the way."""
    moved = _get(github, f"{HOME}/issues/4/comments")

    assert moved.status == 301
    assert moved.headers["location"] == "http://github.test/repos/northwind/web/issues/9/comments"


def test_the_old_version_says_that_it_ends(github: GitHub) -> None:
    """Its first link is none to a page, which a hasty client follows."""
    response = _get(github, f"{HOME}/issues/1/comments")

    assert response.headers["deprecation"].startswith("Tue, 10 Mar 2026")
    assert response.headers["sunset"].startswith("Fri, 10 Mar 2028")
    assert list(_links(response)) == ["deprecation", "next", "last"]


def test_the_new_version_tells_less(github: GitHub) -> None:
    """One assignee and the merge commit are gone, and so is the old summary of the limits."""
    new = {"x_github_api_version": "2026-03-10"}
    pull, before = _get(github, f"{HOME}/pulls/2", **new), _get(github, f"{HOME}/pulls/2")
    left = _get(github, "/rate_limit", **new)

    assert set(_value(before)) - set(_value(pull)) == {"assignee", "merge_commit_sha"}
    assert set(_value(left)) == {"resources"}
    assert "deprecation" not in pull.headers
    assert "link" not in pull.headers


def test_a_pull_request_is_an_issue_too(github: GitHub) -> None:
    """Seen as an issue it says that it is a pull request."""
    seen = _value(_get(github, f"{HOME}/issues/2"))

    assert seen["html_url"] == "https://github.com/northwind/backend/pull/2"
    assert isinstance(seen["pull_request"], dict)
    assert seen["pull_request"]["merged_at"] == "2024-12-01T17:00:00Z"
    assert "pull_request" not in _value(_get(github, f"{HOME}/issues/1"))


def test_pages_lead_to_all(github: GitHub) -> None:
    """Following the links gives every comment once; they go by the repository's number."""
    first = _get(github, f"{HOME}/issues/1/comments?per_page=100")
    numbers = [
        each["id"] for each in _all(github, f"{HOME}/issues/1/comments") if isinstance(each, dict)
    ]

    assert "/repositories/" in _links(first)["next"]
    assert "page=3" in _links(first)["last"]
    assert numbers == [1, 2, 3, 4, 5]


def test_a_list_of_issues_goes_by_cursors(github: GitHub) -> None:
    """An issue that is new meanwhile shifts no page."""
    for number in range(10, 15):
        at = NOON + timedelta(days=number)
        issue = attrs.evolve(_company().repository_issues[0], number=number, created=at)
        github.put(issue)
    first = _get(github, f"{HOME}/issues?state=all")
    github.put(attrs.evolve(issue, number=20, created=NOON + timedelta(days=40)))
    rest = _all(github, _links(first)["next"])
    numbers = [each["number"] for each in [*_items(first), *rest] if isinstance(each, dict)]

    assert "after=" in _links(first)["next"]
    assert numbers == [14, 13, 12, 11, 10, 2, 1]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", [1]),
        ("state=closed", [2]),
        ("state=all&sort=updated&direction=asc", [1, 2]),
        ("state=all&labels=auth", [1]),
        ("state=all&assignee=ann-lee", [2]),
        ("state=all&creator=helper[bot]", [2]),
        ("state=all&since=2024-12-01T17:00:00Z", [2]),
    ],
)
def test_lists_what_is_wanted(github: GitHub, query: str, numbers: list[int]) -> None:
    """The list of a repository is filtered and sorted; open ones come by default."""
    assert [each["number"] for each in _items(_get(github, f"{HOME}/issues?{query}"))] == numbers


def test_since_is_inclusive(github: GitHub) -> None:
    """A comment of that very second is there, in whatever zone it is named."""
    asked = f"{HOME}/issues/1/comments?since=2024-12-01T13:04:00%2B01:00"

    assert [each["id"] for each in _items(_get(github, asked))] == [4, 5]


def test_comments_at_lines_belong_to_threads(github: GitHub) -> None:
    """An answer names the first comment of its thread; what is outdated has no line any more."""
    first, second = _items(_get(github, f"{HOME}/pulls/2/comments"))

    assert first["pull_request_review_id"] == 70
    assert "in_reply_to_id" not in first
    assert (second["in_reply_to_id"], second["line"], second["original_line"]) == (71, None, 3)


def test_comments_at_lines_are_sorted_when_asked(github: GitHub) -> None:
    """Without a sort the direction does not count."""
    asked = f"{HOME}/pulls/2/comments?direction=desc"

    assert [each["id"] for each in _items(_get(github, asked))] == [71, 72]
    assert [each["id"] for each in _items(_get(github, f"{asked}&sort=updated"))] == [72, 71]


def test_nobody_sees_all_commits_of_a_long_pull_request(github: GitHub) -> None:
    """There are 250 and no more, though the pull request says how many there are."""
    github.conduct = Conduct()

    assert len(_all(github, f"{HOME}/pulls/2/commits?per_page=100")) == 250
    assert _value(_get(github, f"{HOME}/pulls/2"))["commits"] == 260


def test_the_timeline_tells_what_happened(github: GitHub) -> None:
    """Events of many kinds come in order; a commit has no number, a verdict is in small letters."""
    github.conduct = Conduct()
    events = _items(_get(github, f"{HOME}/issues/2/timeline?per_page=100&exclude=committed"))
    (committed,) = _items(_get(github, f"{HOME}/issues/2/timeline?page=2&per_page=1"))

    assert [each["event"] for each in events] == ["line-commented", "reviewed", "merged", "closed"]
    assert events[1]["state"] == "approved"
    assert "id" not in committed


def test_the_timeline_tells_who_refers_to_it(github: GitHub) -> None:
    """An issue knows the pull requests that name it."""
    github.conduct = Conduct()
    events = _items(_get(github, f"{HOME}/issues/1/timeline"))
    (source,) = [each["source"] for each in events if each["event"] == "cross-referenced"]

    assert isinstance(source, dict)
    assert isinstance(source["issue"], dict)
    assert source["issue"]["number"] == 2


def test_a_bot_and_a_gone_account_are_users_of_a_kind(github: GitHub) -> None:
    """A bot says so; who is gone is nobody."""
    github.put(attrs.evolve(_company().repository_issues[0], author=""))
    bot = _value(_get(github, f"{HOME}/pulls/2"))["user"]

    assert isinstance(bot, dict)
    assert (bot["login"], bot["type"]) == ("helper[bot]", "Bot")
    assert _value(_get(github, f"{HOME}/issues/1"))["user"] is None


def test_what_did_not_change_is_not_sent_and_costs_nothing(github: GitHub) -> None:
    """A tag that is still good is answered with 304, which does not count."""
    github.conduct = Conduct(limits=True)
    first = _get(github, f"{HOME}/issues/1")
    again = _get(github, f"{HOME}/issues/1", if_none_match=first.headers["etag"])
    github.put(attrs.evolve(_company().repository_issues[0], title="Sign out"))
    changed = _get(github, f"{HOME}/issues/1", if_none_match=first.headers["etag"])

    assert (again.status, again.value) == (304, None)
    assert again.headers["x-ratelimit-remaining"] == first.headers["x-ratelimit-remaining"]
    assert _value(changed)["title"] == "Sign out"


def test_what_did_not_change_since_is_not_sent(github: GitHub) -> None:
    """The time of the last change is as good as a tag."""
    when = _get(github, f"{HOME}/issues/1").headers["last-modified"]

    assert _get(github, f"{HOME}/issues/1", if_modified_since=when).status == 304


def test_says_what_is_left(github: GitHub) -> None:
    """Each resource has a limit of its own, and resets at a time in seconds."""
    github.conduct = Conduct(limits=True)
    core, search = _get(github, "/user"), _get(github, "/search/issues?q=sign")

    assert core.headers["x-ratelimit-resource"] == "core"
    assert core.headers["x-ratelimit-remaining"] == "4999"
    assert search.headers["x-ratelimit-resource"] == "search"
    assert search.headers["x-ratelimit-limit"] == "30"
    assert int(search.headers["x-ratelimit-reset"]) == int(github.clock.now().timestamp()) + 60


def test_searches_end_after_thirty(github: GitHub, clock: VirtualClock) -> None:
    """The next one is refused until the minute is over; all else goes on."""
    github.conduct = Conduct(limits=True)
    answered = {_get(github, "/search/issues?q=sign").status for _ in range(30)}
    refused = _get(github, "/search/issues?q=sign")
    others = _get(github, "/user").status
    clock.advance(60)

    assert answered == {200}
    assert refused.status == 403
    assert refused.headers["x-ratelimit-remaining"] == "0"
    assert "rate limit exceeded" in str(_value(refused)["message"])
    assert others == 200
    assert _get(github, "/search/issues?q=sign").status == 200


@pytest.mark.parametrize("status", [403, 429])
def test_too_fast_is_refused_too(github: GitHub, status: int) -> None:
    """After 900 requests in a minute there is a second limit, which says how long to wait."""
    github.conduct = Conduct(limits=True)
    github.fast_status = status
    for _ in range(900):
        _get(github, "/user")
    refused = _get(github, "/user")

    assert status == refused.status
    assert "secondary rate limit" in str(_value(refused)["message"])
    assert refused.headers["retry-after"] == "60"


def test_limits_that_are_not_kept_stay_full(github: GitHub) -> None:
    """A test that does not want limits is not told that they come near."""
    for _ in range(40):
        response = _get(github, "/search/issues?q=sign")

    assert response.headers["x-ratelimit-remaining"] == "30"


@pytest.mark.parametrize(
    "path",
    [f"{HOME}/issues/1?verbose=1", f"{HOME}/issues/1/comments?since=lately", "/search/issues"],
)
def test_refuses_parameters_that_are_wrong(github: GitHub, path: str) -> None:
    """What is unknown, unreadable or missing is refused, and the log keeps it."""
    assert _get(github, path).status == 422
    assert len(github.refused) == 1


def test_fails_when_told(github: GitHub) -> None:
    """A failure looks like one of GitHub's."""
    github.fail_next(502)
    github.fail_next(429)

    assert _get(github, "/user").status == 502
    assert _get(github, "/user").headers["retry-after"] == "1"
    assert _get(github, "/user").status == 200
