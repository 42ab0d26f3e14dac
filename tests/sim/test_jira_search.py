"""The search of Jira in a box."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from rove_core.testing import VirtualClock
from rove_sim.company_jira import Ticket
from rove_sim.jira import Jira
from rove_sim.simulator_client import SimulatorClient, SimulatorReply

SEARCH = "/rest/api/3/search/jql"
COUNT = "/rest/api/3/search/approximate-count"
BULK = "/rest/api/3/issue/bulkfetch"


@pytest.fixture
def find(at_jira: SimulatorClient) -> Callable[[str], list[str]]:
    """Find the keys of what a query finds, over all pages."""

    def keys(jql: str) -> list[str]:
        page = at_jira.post(SEARCH, jql=jql, fields=["key"], maxResults=100).json
        found = [issue["key"] for issue in page["issues"]]
        while token := page.get("nextPageToken"):
            page = at_jira.post(SEARCH, jql=jql, fields=["key"], nextPageToken=token).json
            found += [issue["key"] for issue in page["issues"]]
        return found

    return keys


def refusal(answer: SimulatorReply) -> str:
    """Return what Jira says to a query that it does not take."""
    assert answer.status == 400
    (message,) = answer.json["errorMessages"]
    return str(message)


def test_gives_ids_alone_when_no_fields_are_named(at_jira: SimulatorClient) -> None:
    """That is the default of the search, unlike that of a ticket."""
    issues = at_jira.post(SEARCH, jql="project = TB").json["issues"]

    assert [set(issue) for issue in issues] == [{"id"}, {"id"}]


def test_the_last_page_has_no_token(at_jira: SimulatorClient) -> None:
    """The key itself is absent, and the page says that it is the last."""
    first = at_jira.post(SEARCH, jql="project = TB ORDER BY key").json
    token = first["nextPageToken"]
    last = at_jira.post(SEARCH, jql="project = TB ORDER BY key", nextPageToken=token).json

    assert (len(first["issues"]), first["isLast"]) == (2, False)
    assert (len(last["issues"]), last["isLast"]) == (1, True)
    assert "nextPageToken" not in last
    assert "total" not in first


def test_a_token_lasts_seven_days(at_jira: SimulatorClient, clock: VirtualClock) -> None:
    """Then, and for another query, it leads nowhere."""
    token = at_jira.post(SEARCH, jql="project = TB").json["nextPageToken"]
    other = at_jira.post(SEARCH, jql="project = tb", nextPageToken=token)
    clock.advance(timedelta(days=7).total_seconds() - 1)
    within = at_jira.post(SEARCH, jql="project = TB", nextPageToken=token)
    clock.advance(1)
    late = at_jira.post(SEARCH, jql="project = TB", nextPageToken=token)

    assert within.status == 200
    assert "token" in refusal(other)
    assert "token" in refusal(late)


def test_a_page_that_leads_to_itself(jira: Jira, at_jira: SimulatorClient) -> None:
    """A site can be stuck, for clients that would go on for ever."""
    first = at_jira.post(SEARCH, jql="project = TB").json
    jira.stuck = "/search/jql"
    second = at_jira.post(SEARCH, jql="project = TB", nextPageToken=first["nextPageToken"]).json

    assert second == first


def test_what_changes_between_pages_is_not_given_twice(
    jira: Jira, at_jira: SimulatorClient
) -> None:
    """A search goes on with what it found at first."""
    jql = "project = TB ORDER BY updated ASC"
    first = at_jira.post(SEARCH, jql=jql).json
    jira.add_comment("TB-1", "robin", "Newest now")
    rest = at_jira.post(SEARCH, jql=jql, nextPageToken=first["nextPageToken"]).json

    ids = [issue["id"] for page in (first, rest) for issue in page["issues"]]
    assert len(set(ids)) == len(ids) == 3


def test_learns_of_changes_late(jira: Jira, at_jira: SimulatorClient, clock: VirtualClock) -> None:
    """Unless a ticket's id is named, the search knows it as it was a moment ago."""
    jira.tickets.lag = timedelta(seconds=10)
    ticket = jira.add_ticket(Ticket(key="TB-9", title="New", author="robin", created=clock.now()))
    soon = at_jira.post(SEARCH, jql="key = TB-9").json
    named = at_jira.post(SEARCH, jql="key = TB-9", reconcileIssues=[int(ticket.id)]).json
    clock.advance(10)
    later = at_jira.post(SEARCH, jql="key = TB-9").json

    assert [len(page["issues"]) for page in (soon, named, later)] == [0, 1, 1]


def test_counts(at_jira: SimulatorClient) -> None:
    """How many tickets there are is asked for apart."""
    assert at_jira.post(COUNT, jql="project = TB").json == {"count": 3}


def test_asked_by_get(at_jira: SimulatorClient) -> None:
    """The same search takes its parameters in the query as well."""
    page = at_jira.get(SEARCH, jql="key = TB-2", fields="summary,status", maxResults=5).json

    assert page["issues"][0]["fields"]["summary"] == "Add OAuth2"


def test_many_at_once(at_jira: SimulatorClient) -> None:
    """What cannot be given is named, and the rest is given."""
    reply = at_jira.post(BULK, issueIdsOrKeys=["TB-2", "NO-1"], fields=["summary"]).json

    assert [issue["key"] for issue in reply["issues"]] == ["TB-2"]
    assert [each["id"] for each in reply["issueErrors"]] == ["NO-1"]
    assert at_jira.post(BULK, issueIdsOrKeys=[f"TB-{n}" for n in range(101)]).status == 400


def test_warns(jira: Jira, at_jira: SimulatorClient) -> None:
    """What the site warns of stands beside what it found."""
    jira.warnings = [{"type": "LIMIT", "message": "Too many clauses"}]

    assert at_jira.post(SEARCH, jql="key = TB-2").json["warnings"][0]["type"] == "LIMIT"


def test_the_old_search_is_gone(at_jira: SimulatorClient) -> None:
    """It was removed, and says where to go."""
    reply = at_jira.get("/rest/api/3/search", jql="key = TB-2")

    assert reply.status == 410
    assert "/rest/api/3/search/jql" in reply.json["errorMessages"][0]


@pytest.mark.parametrize(
    "body",
    [
        {"jql": "key = TB-2", "startAt": 0},
        {"jql": "key = TB-2", "fields": "summary"},
        {"jql": "key = TB-2", "expand": ["names"]},
        {"jql": "key = TB-2", "maxResults": "50"},
        {"jql": "key = TB-2", "maxResults": 0},
        {"jql": "key = TB-2", "reconcileIssues": list(range(51))},
    ],
)
def test_a_body_of_another_shape(at_jira: SimulatorClient, body: dict[str, object]) -> None:
    """Jira does not say what is wrong with it, only that something is."""
    reply = at_jira.post(SEARCH, **body)  # type: ignore[arg-type]  # wrong on purpose

    assert "Invalid request payload" in refusal(reply)


@pytest.mark.parametrize(
    ("jql", "keys"),
    [
        ("key = TB-2", {"TB-2"}),
        ("issuekey in (TB-1, tb-3)", {"TB-1", "TB-3"}),
        ("key > TB-1 AND key <= TB-3", {"TB-2", "TB-3"}),
        ("project = Toolbox and not key = TB-2", {"TB-1", "TB-3"}),
        ("project = TB AND (type = Epic OR type = Story)", {"TB-1", "TB-2"}),
        ("project = TB AND type != Epic AND type not in (Story)", {"TB-3"}),
        ('status = "In Progress"', {"TB-2"}),
        ("statusCategory = 'To Do'", {"TB-1", "TB-3"}),
        ("labels = auth", {"TB-2"}),
        ("labels is empty", {"TB-1", "TB-3"}),
        ("labels is not EMPTY", {"TB-2"}),
        ("labels != auth", set()),
        ("assignee = currentUser()", {"TB-2"}),
        ("assignee is null AND project = TB", {"TB-1", "TB-3"}),
        ("reporter in ('Sarah Chen')", {"TB-1", "TB-2"}),
        ("parent = TB-2", {"TB-3"}),
        ("component = backend", {"TB-2"}),
        ("priority >= High", {"TB-2"}),
        ("sprint = 'Sprint 51'", {"TB-2"}),
        ("resolution = Unresolved", {"TB-1", "TB-2", "TB-3"}),
        ("created < 2024-12-12", {"TB-1"}),
        ("created >= -9d", {"TB-2", "TB-3"}),
        ("created >= startOfMonth(5d) AND created < endOfDay()", {"TB-2", "TB-3"}),
        ("resolved is empty AND project = TB", {"TB-1", "TB-2", "TB-3"}),
        ("summary ~ identity", {"TB-1"}),
        ('description ~ "partners keep"', {"TB-2"}),
        ('comment ~ "python-jose"', {"TB-2"}),
        ("description is empty", {"TB-1", "TB-3"}),
        ('text ~ "oauth2"', {"TB-2"}),
        ('text !~ "oauth2" and project = TB', {"TB-1", "TB-3"}),
        (r'text ~ "\"python jose\""', {"TB-2"}),
        (r'text ~ "\"jose python\""', set()),
        ('text ~ "jose decided"', {"TB-2"}),
        ('text ~ "migrat*"', {"TB-3"}),
        ('text ~ "migration OR oauth2"', {"TB-2", "TB-3"}),
        ('text ~ "migration -write"', set()),
        (r'text ~ "jose\\:"', {"TB-2"}),
    ],
)
def test_finds(find: Callable[[str], list[str]], jql: str, keys: set[str]) -> None:
    """A query finds what it says, and nothing else."""
    assert keys == set(find(jql))


def test_sorts(find: Callable[[str], list[str]]) -> None:
    """Tickets come in the order that the query says."""
    assert find("project = TB ORDER BY created DESC") == ["TB-3", "TB-2", "TB-1"]
    assert find("project = TB order by priority desc, key asc") == ["TB-2", "TB-1", "TB-3"]


def test_dates_are_the_readers_own(find: Callable[[str], list[str]]) -> None:
    """They are written in the zone of the profile, to the minute."""
    assert find('created >= "2024/12/12 10:15" AND key = TB-2') == ["TB-2"]
    assert find('created >= "2024-12-12 10:16" AND key = TB-2') == []


@pytest.mark.parametrize(
    ("jql", "message"),
    [
        ("", "Unbounded JQL queries are not allowed here"),
        ("ORDER BY key", "Unbounded JQL queries are not allowed here"),
        ("key = NO-1", "An issue with key 'NO-1' does not exist for field 'key'."),
        ("key = what", "is invalid"),
        ("project = NO", "The value 'NO' does not exist for the field 'project'."),
        ("flavour = sweet", "Field 'flavour' does not exist"),
        ("summary = OAuth2", "The operator '=' is not supported by the 'summary' field."),
        ("status ~ Done", "The operator '~' is not supported by the 'status' field."),
        ("updated >= 'last week'", "Date value 'last week' for field 'updated' is invalid."),
        ("updated >= lastLogin()", "Unable to find JQL function 'lastLogin()'."),
        ("key = TB-2 AND", "before the end of the query"),
        ("key = TB-2 key = TB-3", "Expecting either 'OR' or 'AND' but got 'key'."),
        ("(key = TB-2", "Expecting ')'"),
        ("key TB-2", "Expecting operator"),
        ("labels is sweet", "'EMPTY' or 'NULL'"),
        ("labels = a@b", "The character '@' is a reserved JQL character."),
        ("labels = select", "'select' is a reserved JQL word."),
        ("labels = 'open", "has not been completed"),
        (r"labels = 'a\qb'", r"'\q' is an illegal JQL escape sequence."),
        ("labels = 'a\x07b'", "illegal character"),
        ("text ~ ''", "does not support searching for an empty string"),
        ("text ~ 'a:b'", "Unable to parse the text 'a:b' for field 'text'."),
        ("text ~ '\"open'", "Unable to parse the text"),
        ("text ~ '*start'", "not allowed to start with character '*'"),
        ("key = TB-2 ORDER BY flavour", "Not able to sort using field 'flavour'."),
        (
            "key = TB-2 ORDER BY key, created, updated, summary, status, priority, project, id",
            "The maximum number of fields to order by is 7.",
        ),
    ],
)
def test_refuses(at_jira: SimulatorClient, jql: str, message: str) -> None:
    """A query that Jira does not take is refused in its words."""
    assert message in refusal(at_jira.post(SEARCH, jql=jql))
