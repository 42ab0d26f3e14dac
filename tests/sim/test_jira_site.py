"""Who may ask Jira in a box, what it is, and how often it answers."""

from base64 import b64encode

import attrs
import pytest

from rove_core.testing import VirtualClock
from rove_sim import Company, Conduct
from rove_sim.jira import Jira
from rove_sim.simulator_client import SimulatorClient

MYSELF = "/rest/api/3/myself"


def basic(email: str, token: str) -> dict[str, str]:
    """Return the header of a login by e-mail and token."""
    return {"authorization": f"Basic {b64encode(f'{email}:{token}'.encode()).decode()}"}


def test_says_who_one_is(at_jira: SimulatorClient) -> None:
    """With the time zone, in which its dates are written."""
    me = at_jira.get(MYSELF).json

    assert (me["displayName"], me["timeZone"]) == ("Robin Doe", "Europe/Berlin")
    assert me["emailAddress"] == "robin@northwind.example"


def test_says_what_it_is(at_jira: SimulatorClient) -> None:
    """It is Cloud, at an address of its own."""
    server = at_jira.get("/rest/api/3/serverInfo").json

    assert server["deploymentType"] == "Cloud"
    assert server["baseUrl"] == "https://northwind.atlassian.net"


def test_lists_projects(jira: Jira, at_jira: SimulatorClient) -> None:
    """Projects come in pages, and can be looked for."""
    page = at_jira.get("/rest/api/3/project/search", query="tool").json

    assert [project["key"] for project in page["values"]] == ["TB"]
    assert page["isLast"] is True
    assert at_jira.get("/rest/api/3/project/search", keys="NO").json["total"] == 0
    assert jira.refused == []


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({}, "OUT"),
        (basic("robin@northwind.example", "wrong"), "AUTHENTICATED_FAILED"),
        (basic("somebody@northwind.example", "token-of-northwind"), "AUTHENTICATED_FAILED"),
        ({"authorization": "Basic no base64"}, "AUTHENTICATED_FAILED"),
        ({"authorization": "Bearer token-of-northwind"}, "AUTHENTICATED_FAILED"),
    ],
)
def test_lets_nobody_else_in(jira: Jira, headers: dict[str, str], reason: str) -> None:
    """A wrong login, none, or one of another kind is told so in a header."""
    reply = SimulatorClient(jira, headers).get(MYSELF).response

    assert reply.status == 401
    assert reply.headers["x-seraph-loginreason"] == reason


def test_a_challenge_after_wrong_logins(jira: Jira, at_jira: SimulatorClient) -> None:
    """Then the right one is not looked at."""
    jira.captcha = True
    reply = at_jira.get(MYSELF)

    assert reply.headers["x-seraph-loginreason"] == "AUTHENTICATION_DENIED"


def test_tells_its_id_to_anybody(jira: Jira) -> None:
    """The gateway is reached by it."""
    assert SimulatorClient(jira).get("/_edge/tenant_info").json == {"cloudId": jira.cloud_id}


def test_a_bearer_token_goes_through_the_gateway(jira: Jira, company: Company) -> None:
    """It opens the site there, and lists the sites that it opens."""
    caller = SimulatorClient(jira, {"authorization": f"Bearer {company.token}"})
    site, again = caller.get("/oauth/token/accessible-resources").json

    assert site["url"] == "https://northwind.atlassian.net"
    assert (again["id"], again["scopes"][0]) == (site["id"], "read:page:confluence")
    assert caller.get(f"/ex/jira/{site['id']}{MYSELF}").json["displayName"] == "Robin Doe"
    assert caller.get(f"/ex/jira/another{MYSELF}").status == 404
    wrong = SimulatorClient(jira, {"authorization": "Bearer wrong"}).get(
        f"/ex/jira/{site['id']}{MYSELF}"
    )
    assert (wrong.status, wrong.json["code"]) == (401, 401)


def test_a_token_with_scopes(jira: Jira, at_jira: SimulatorClient) -> None:
    """The site itself refuses it, the gateway takes it."""
    jira.scoped = True

    assert at_jira.get(MYSELF).status == 401
    assert at_jira.get(f"/ex/jira/{jira.cloud_id}{MYSELF}").status == 200


def test_too_many_at_once(jira: Jira, at_jira: SimulatorClient) -> None:
    """Beyond the limit of an endpoint it says when to come back; another endpoint answers."""
    jira.conduct = Conduct(limits=True)
    statuses = [at_jira.get(MYSELF).status for _ in range(201)]
    refused = at_jira.get(MYSELF)

    assert statuses == [200] * 200 + [429]
    assert refused.headers["retry-after"] == "60"
    assert refused.headers["x-ratelimit-reset"] == "2024-12-20T12:01Z"
    assert refused.headers["ratelimit-reason"] == "jira-burst-based"
    assert at_jira.get("/rest/api/3/serverInfo").status == 200


def test_the_limit_passes(jira: Jira, at_jira: SimulatorClient, clock: VirtualClock) -> None:
    """A minute later it answers again."""
    jira.conduct = Conduct(limits=True)
    for _ in range(200):
        at_jira.get(MYSELF)
    clock.advance(59)
    early = at_jira.get(MYSELF).status
    clock.advance(1)

    assert (early, at_jira.get(MYSELF).status) == (429, 200)


def test_fails_on_demand(jira: Jira, at_jira: SimulatorClient) -> None:
    """A test says which requests fail, and how."""
    jira.fail_next(503, times=2, path="/issue/")
    statuses = [
        at_jira.get(path).status
        for path in (MYSELF, "/rest/api/3/issue/TB-2", "/rest/api/3/issue/TB-2", MYSELF)
    ]

    assert statuses == [200, 503, 503, 200]
    assert at_jira.get("/rest/api/3/issue/TB-2").status == 200


def test_fails_now_and_then(jira: Jira, at_jira: SimulatorClient) -> None:
    """A share of all requests fails, the same ones in each run."""
    jira.conduct = attrs.evolve(jira.conduct, failing=0.1)
    statuses = [at_jira.get(MYSELF).status for _ in range(200)]

    assert set(statuses) == {200, 429}
    assert 5 < statuses.count(429) < 40


@pytest.mark.parametrize(
    ("path", "status"), [("/rest/api/2/myself", 404), ("/rest/api/3/search/approximate-count", 405)]
)
def test_no_such_thing(jira: Jira, at_jira: SimulatorClient, path: str, status: int) -> None:
    """A path that is none, or another method, is refused and remembered."""
    assert at_jira.get(path).status == status
    assert len(jira.refused) == 1
