"""Linear in a box behaves like Linear."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

import attrs
import pytest

from rove_core.testing import VirtualClock
from rove_sim import Company, Conduct
from rove_sim.company_linear import (
    LinearAttachment,
    LinearChange,
    LinearComment,
    LinearCycle,
    LinearIssue,
    LinearProject,
    LinearRelation,
)
from rove_sim.company_people import Person
from rove_sim.linear import Linear
from rove_sim.server import Request, Response

KEY = "lin_api_of_northwind"
DAY = datetime(2024, 12, 1, 9, tzinfo=UTC)
Ask: TypeAlias = Callable[..., Mapping[str, object]]


def _company() -> Company:
    issues = [
        LinearIssue(identifier=f"OPS-{number}", title=f"Task {number}", author="ann", created=DAY)
        for number in range(1, 6)
    ]
    whole = LinearIssue(
        identifier="TB-2",
        title="Rotate the keys",
        description="Once a **day**.",
        author="ann",
        assignee="ben",
        created=DAY,
        updated=datetime(2024, 12, 12, 9, tzinfo=UTC),
        state="In Progress",
        parent="OPS-1",
        project="Pilot",
        cycle=7,
        priority=2,
        old_identifiers=("OLD-9",),
        labels=("Auth", "pilot"),
        attachments=(
            LinearAttachment(title="PR 847", url="https://github.com/northwind/backend/pull/847"),
        ),
        comments=(
            LinearComment(id="c1", author="ben", at=DAY, text="How often?"),
            LinearComment(author="Ada of Globex", at=DAY, text="An hour", reply_to="c1"),
            LinearComment(author="robot", at=DAY, text="Linked a branch"),
        ),
        relations=(LinearRelation(kind="blocks", issue="OPS-2"),),
        history=(
            LinearChange(author="ben", at=DAY, what="state", before="Todo", after="In Progress"),
            LinearChange(
                author="ben", at=DAY, what="title", before="Keys", after="Rotate the keys"
            ),
        ),
    )
    child = attrs.evolve(issues[0], identifier="TB-3", title="Order a vault", parent="TB-2")
    old = attrs.evolve(
        issues[0],
        identifier="TB-1",
        title="Buy keys",
        author="ben",
        archived=DAY + timedelta(days=9),
    )
    return Company(
        name="Northwind",
        token=KEY,
        people=(
            Person(key="ann", name="Ann Lee", time_zone="Europe/Berlin"),
            Person(key="ben", name="Ben Fox"),
            Person(key="robot", name="Robot", bot=True),
        ),
        issues=(*issues, whole, child, old),
        linear_projects=(LinearProject(name="Pilot", lead="ann"),),
        cycles=(LinearCycle(team="TB", number=7, starts=DAY, ends=DAY + timedelta(days=14)),),
    )


@pytest.fixture
def clock() -> VirtualClock:
    """Give a time that nobody has to wait for."""
    return VirtualClock()


@pytest.fixture
def linear(clock: VirtualClock) -> Linear:
    """Give a Linear whose pages hold two things."""
    return Linear(_company(), clock=clock, conduct=Conduct(page_size=2))


def _send(linear: Linear, query: str, variables: object = None, *, key: str = KEY) -> Response:
    body = json.dumps({"query": query, "variables": variables}).encode()
    return linear(Request("POST", "/graphql", {}, {"authorization": key}, body))


@pytest.fixture
def ask(linear: Linear) -> Ask:
    """Ask, and return the data of the first field."""

    def asked(query: str, **variables: object) -> Mapping[str, object]:
        value = _send(linear, query, variables).value
        assert isinstance(value, dict)
        assert isinstance(value["data"], dict), value
        (found,) = value["data"].values()
        return found if isinstance(found, dict) else {}

    return asked


def _identifiers(found: Mapping[str, object]) -> list[str]:
    nodes = found["nodes"]
    assert isinstance(nodes, list)
    return sorted(node["identifier"] for node in nodes)


def _error(response: Response) -> tuple[str, str]:
    """Return the message and the code of the only error."""
    assert isinstance(response.value, dict)
    (error,) = response.value["errors"]
    return error["message"], error["extensions"]["code"]


def test_a_key_comes_bare(linear: Linear) -> None:
    """A personal key with a scheme before it is refused, and Linear says what to do."""
    refused = _send(linear, "{ viewer { name } }", key=f"Bearer {KEY}")
    message, code = _error(refused)

    assert code == "AUTHENTICATION_ERROR"
    assert "Remove the Bearer prefix" in message


def test_a_wrong_key_is_refused(linear: Linear) -> None:
    """An unknown key is no login."""
    refused = _send(linear, "{ viewer { name } }", key="lin_api_of_nobody")

    assert refused.status == 401
    assert _error(refused)[1] == "AUTHENTICATION_ERROR"


def test_an_oauth_token_needs_the_scheme() -> None:
    """A token of OAuth is sent as all the world sends it."""
    linear = Linear(attrs.evolve(_company(), token="lin_oauth_1"))  # noqa: S106  # nobody's

    assert _send(linear, "{ viewer { name } }", key="Bearer lin_oauth_1").status == 200
    assert _send(linear, "{ viewer { name } }", key="lin_oauth_1").status == 401


def test_knows_who_asks(ask: Ask) -> None:
    """The viewer is the person whose key it is."""
    asked = "{ viewer { name isMe timezone organization { name urlKey } } }"

    assert ask(asked) == {
        "name": "Ann Lee",
        "isMe": True,
        "timezone": "Europe/Berlin",
        "organization": {"name": "Northwind", "urlKey": "northwind"},
    }


@pytest.mark.parametrize("name", ["TB-2", "tb-2", "OLD-9"])
def test_an_issue_has_several_names(ask: Ask, name: str) -> None:
    """An issue is found by its identifier, and by one that it had before."""
    assert ask("query ($id: String!) { issue(id: $id) { title } }", id=name) == {
        "title": "Rotate the keys"
    }


def test_an_issue_is_found_by_its_uuid(ask: Ask) -> None:
    """The id of an issue is another of its names."""
    id_ = ask('{ issue(id: "TB-2") { id } }')["id"]

    assert ask("query ($id: String!) { issue(id: $id) { identifier } }", id=id_) == {
        "identifier": "TB-2"
    }


def test_what_is_not_there_is_an_error_with_status_200(linear: Linear) -> None:
    """Linear has no 404; there is no data, and a message."""
    response = _send(linear, '{ issue(id: "TB-99") { title } }')

    assert response.status == 200
    assert _error(response) == ("Entity not found: Issue", "INPUT_ERROR")
    assert isinstance(response.value, dict)
    assert response.value["data"] is None


def test_an_issue_tells_what_is_around_it(ask: Ask) -> None:
    """State, team, people, project and cycle come with an issue."""
    asked = """{ issue(id: "TB-2") {
      state { name type } team { key } creator { name } assignee { displayName }
      project { name lead { name } } cycle { number } priorityLabel branchName url
      parent { identifier } children { nodes { identifier } }
    } }"""

    assert ask(asked) == {
        "state": {"name": "In Progress", "type": "started"},
        "team": {"key": "TB"},
        "creator": {"name": "Ann Lee"},
        "assignee": {"displayName": "ben"},
        "project": {"name": "Pilot", "lead": {"name": "Ann Lee"}},
        "cycle": {"number": 7.0},
        "priorityLabel": "High",
        "branchName": "ann/tb-2-rotate-the-keys",
        "url": "https://linear.app/northwind/issue/TB-2/rotate-the-keys",
        "parent": {"identifier": "OPS-1"},
        "children": {"nodes": [{"identifier": "TB-3"}]},
    }


def test_comments_say_who_wrote_them(linear: Linear) -> None:
    """A comment is by a member, by somebody outside, or by a bot; the others are null."""
    linear.conduct = Conduct()
    asked = """{ issue(id: "TB-2") { comments { nodes {
      body user { name } externalUser { name } botActor { name } parent { body }
    } } } }"""
    value = _send(linear, asked).value
    assert isinstance(value, dict)
    nodes = value["data"]["issue"]["comments"]["nodes"]
    said = {
        node["body"]: (node["user"], node["externalUser"], node["botActor"], node["parent"])
        for node in nodes
    }

    assert said == {
        "How often?": ({"name": "Ben Fox"}, None, None, None),
        "An hour": (None, {"name": "Ada of Globex"}, None, {"body": "How often?"}),
        "Linked a branch": (None, None, {"name": "Robot"}, None),
    }


def test_relations_are_told_on_both_sides(ask: Ask) -> None:
    """What blocks an issue stands in its inverse relations."""
    there = '{ issue(id: "TB-2") { relations { nodes { type relatedIssue { identifier } } } } }'
    back = '{ issue(id: "OPS-2") { inverseRelations { nodes { type issue { identifier } } } } }'

    assert ask(there) == {
        "relations": {"nodes": [{"type": "blocks", "relatedIssue": {"identifier": "OPS-2"}}]}
    }
    assert ask(back) == {
        "inverseRelations": {"nodes": [{"type": "blocks", "issue": {"identifier": "TB-2"}}]}
    }


def test_history_tells_what_changed(ask: Ask) -> None:
    """Only the fields of what changed are filled."""
    asked = """{ issue(id: "TB-2") { history { nodes {
      actor { name } fromState { name } toState { name } fromTitle toTitle
    } } } }"""
    (history,) = ask(asked).values()
    assert isinstance(history, dict)
    changes = sorted(history["nodes"], key=lambda change: change["toTitle"] or "")

    assert changes == [
        {
            "actor": {"name": "Ben Fox"},
            "fromState": {"name": "Todo"},
            "toState": {"name": "In Progress"},
            "fromTitle": None,
            "toTitle": None,
        },
        {
            "actor": {"name": "Ben Fox"},
            "fromState": None,
            "toState": None,
            "fromTitle": "Keys",
            "toTitle": "Rotate the keys",
        },
    ]


def test_an_attachment_leads_back_to_its_issue(ask: Ask) -> None:
    """Who knows a pull request can ask which issues point at it."""
    asked = """query ($url: String!) { attachmentsForURL(url: $url) {
      nodes { sourceType issue { identifier } }
    } }"""
    found = ask(asked, url="https://github.com/northwind/backend/pull/847")

    assert found == {"nodes": [{"sourceType": "github", "issue": {"identifier": "TB-2"}}]}


def test_a_branch_leads_to_its_issue(ask: Ask) -> None:
    """The identifier in a branch's name is enough; a branch may also belong to none."""
    asked = "query ($b: String!) { issueVcsBranchSearch(branchName: $b) { identifier } }"

    assert ask(asked, b="ann/tb-2-anything") == {"identifier": "TB-2"}
    assert ask(asked, b="main") == {}


def test_archived_issues_hide(ask: Ask) -> None:
    """What is archived is only found when it is asked for, but can always be read by name."""
    asked = """query ($all: Boolean) {
      searchIssues(term: "keys", includeArchived: $all) { nodes { identifier } }
    }"""

    assert _identifiers(ask(asked)) == ["TB-2"]
    assert _identifiers(ask(asked, all=True)) == ["TB-1", "TB-2"]
    assert ask('{ issue(id: "TB-1") { title } }') == {"title": "Buy keys"}


def test_comments_are_searched_when_asked(ask: Ask) -> None:
    """By default a search does not look below an issue."""
    asked = """query ($c: Boolean) {
      searchIssues(term: "hour", includeComments: $c) { nodes { identifier } }
    }"""

    assert _identifiers(ask(asked)) == []
    assert _identifiers(ask(asked, c=True)) == ["TB-2"]


def test_pages_lead_to_all(linear: Linear, ask: Ask) -> None:
    """Following the cursor gives every issue once, two at a time."""
    asked = """query ($after: String) { issues(first: 50, after: $after, orderBy: updatedAt) {
      nodes { identifier } pageInfo { hasNextPage endCursor }
    } }"""
    found: list[str] = []
    page = ask(asked)
    while True:
        found += _identifiers(page)
        info = page["pageInfo"]
        assert isinstance(info, dict)
        if not info["hasNextPage"]:
            break
        page = ask(asked, after=info["endCursor"])

    assert sorted(found) == sorted({"OPS-1", "OPS-2", "OPS-3", "OPS-4", "OPS-5", "TB-2", "TB-3"})
    assert len(linear.exchanges) == 4


@pytest.mark.parametrize("arguments", ["first: 251", 'first: 1, after: "nowhere"', "last: 0"])
def test_refuses_a_page_that_cannot_be(linear: Linear, arguments: str) -> None:
    """A page is too long, or after nothing."""
    response = _send(linear, f"{{ issues({arguments}) {{ nodes {{ id }} }} }}")

    assert _error(response)[1] == "INPUT_ERROR"


@pytest.mark.parametrize(
    ("limits", "found"),
    [
        ({"updatedAt": {"gte": "2024-12-12T09:00:00Z"}}, ["TB-2"]),
        ({"updatedAt": {"gt": "2024-12-12T10:00:00+01:00"}}, []),
        ({"updatedAt": {"lte": "2024-12-12T09:00:00Z", "gt": "2024-12-10"}}, ["TB-2"]),
        ({"updatedAt": None, "number": {"eq": 3}}, ["OPS-3", "TB-3"]),
        ({"team": {"key": {"eq": "TB"}}}, ["TB-2", "TB-3"]),
        ({"labels": {"some": {"name": {"eqIgnoreCase": "auth"}}}}, ["TB-2"]),
        ({"labels": {"name": {"in": ["pilot"]}}}, ["TB-2"]),
        (
            {"labels": {"every": {"name": {"neq": "x"}}}, "number": {"lt": 3}},
            ["OPS-1", "OPS-2", "TB-2"],
        ),
        ({"assignee": {"null": False}}, ["TB-2"]),
        ({"assignee": {"isMe": {"eq": True}}}, []),
        ({"or": [{"id": {"eq": "OPS-4"}}, {"title": {"startsWith": "Rotate"}}]}, ["OPS-4", "TB-2"]),
        ({"and": [{"state": {"type": {"eq": "unstarted"}}}, {"number": {"gte": 5}}]}, ["OPS-5"]),
        ({"searchableContent": {"contains": "How often"}}, ["TB-2"]),
        ({"comments": {"body": {"containsIgnoreCase": "HOUR"}}}, ["TB-2"]),
        ({"description": {"null": False}, "project": {"name": {"notContains": "X"}}}, ["TB-2"]),
    ],
)
def test_filters(linear: Linear, ask: Ask, limits: object, found: list[str]) -> None:
    """A filter keeps what it describes; times are exact, in whatever zone they are given."""
    linear.conduct = Conduct()
    asked = "query ($f: IssueFilter) { issues(filter: $f) { nodes { identifier } } }"

    assert _identifiers(ask(asked, f=limits)) == found


def test_a_time_that_is_none_is_refused(linear: Linear) -> None:
    """A filter with a date that nobody can read is an input error."""
    asked = '{ issues(filter: {updatedAt: {gte: "yesterday"}}) { nodes { id } } }'

    assert _error(_send(linear, asked))[1] == "INPUT_ERROR"


def test_says_what_a_query_costs(linear: Linear) -> None:
    """A value counts a tenth, an object one, and a page as often as it may hold things."""
    response = _send(linear, "{ issues(first: 10) { nodes { id title state { name } } } }")

    assert response.headers["x-complexity"] == "24"
    assert _send(linear, '{ issue(id: "TB-2") { id title } }').headers["x-complexity"] == "2"


def test_refuses_a_query_that_costs_too_much(linear: Linear) -> None:
    """Pages within pages are dear: 50 times 50 without a number given."""
    asked = "{ issues { nodes { children { nodes { comments { nodes { id } } } } } } }"
    response = _send(linear, asked)

    assert response.status == 400
    assert "too complex" in _error(response)[0]


def test_searches_have_a_limit_of_their_own(linear: Linear, clock: VirtualClock) -> None:
    """Thirty searches a minute are answered; the next is told when to come back, in ms."""
    linear.conduct = Conduct(limits=True)
    asked = '{ searchIssues(term: "keys") { nodes { id } } }'
    answered = [_send(linear, asked).status for _ in range(30)]
    refused = _send(linear, asked)
    reset = int(refused.headers["x-ratelimit-endpoint-requests-reset"])

    assert set(answered) == {200}
    assert refused.status == 429
    assert _error(refused)[1] == "RATELIMITED"
    assert clock.now() + timedelta(seconds=60) == datetime.fromtimestamp(reset / 1000, UTC)


def test_a_limit_ends(linear: Linear, clock: VirtualClock) -> None:
    """After a minute there are searches again."""
    linear.conduct = Conduct(limits=True)
    asked = '{ searchIssues(term: "keys") { nodes { id } } }'
    for _ in range(31):
        _send(linear, asked)
    clock.advance(61)

    assert _send(linear, asked).status == 200


def test_limits_that_are_not_kept_stay_full(linear: Linear) -> None:
    """A test that does not want limits is not told that they come near."""
    for _ in range(3):
        response = _send(linear, "{ viewer { id } }")

    assert response.headers["x-ratelimit-requests-remaining"] == "2500"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ('{ issue(id: "TB-2") { nothing } }', "GRAPHQL_VALIDATION_FAILED"),
        ("{ issue { title } }", "GRAPHQL_VALIDATION_FAILED"),
        ('mutation { issueDelete(id: "TB-2") { success } }', "GRAPHQL_VALIDATION_FAILED"),
        ("{ issue(", "GRAPHQL_PARSE_FAILED"),
        ("query ($id: String!) { issue(id: $id) { title } }", "INPUT_ERROR"),
    ],
)
def test_refuses_what_it_does_not_know(linear: Linear, query: str, code: str) -> None:
    """What no schema allows is refused, and stands in the log for a test to see."""
    response = _send(linear, query)

    assert response.status == 400
    assert _error(response)[1] == code
    assert len(linear.refused) == 1


def test_a_query_that_is_wrong_may_be_a_server_error(linear: Linear) -> None:
    """Linear was seen to answer 500 to a query that is not valid."""
    linear.invalid_status = 500

    assert _send(linear, "{ nothing }").status == 500


def test_fails_when_told(linear: Linear) -> None:
    """A failure says so in the body, as Linear does."""
    linear.fail_next(503)

    assert _error(_send(linear, "{ viewer { id } }"))[1] == "INTERNAL_SERVER_ERROR"
    assert _send(linear, "{ viewer { id } }").status == 200


def test_what_is_put_is_there(linear: Linear, ask: Ask) -> None:
    """An issue can be changed, and is gone when it is removed."""
    issue = attrs.evolve(_company().issues[0], title="Task one")
    linear.put(issue)
    changed = ask('{ issue(id: "OPS-1") { title } }')
    linear.remove("OPS-1")

    assert changed == {"title": "Task one"}
    assert _error(_send(linear, '{ issue(id: "OPS-1") { title } }'))[1] == "INPUT_ERROR"
