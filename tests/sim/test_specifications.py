"""What the vendors specify of the simulators' routes, and what they do not."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qsl

import attrs
import pytest

from rove_core.wire.json_types import JSON
from rove_sim import Company, load_company
from rove_sim.jira import Jira
from rove_sim.server import Response
from rove_sim.simulator_client import SimulatorClient
from rove_sim.slack import Slack
from rove_sim.specification_checks import Specifications

#: Modelled by hand: the specifications at hand say nothing of these.
UNSPECIFIED = {
    "GET /_edge/tenant_info: reply",
    "GET /_edge/tenant_info: request",
    "GET /authorize: reply",
    "GET /authorize: request",
    "GET /oauth/v2/authorize: reply",
    "GET /oauth/v2/authorize: request",
    "POST /oauth/token: reply",
    "POST /oauth/token: request",
    "GET /oauth/token/accessible-resources: reply",
    "GET /oauth/token/accessible-resources: request",
    "GET /files-pri/{place}/{name}: request",
    "GET /files-pri/{place}/{name}: reply",
    "GET /rest/api/3/attachment/content/{id}: reply",
    "GET /ex/jira/{cloud}/rest/api/3/attachment/content/{id}: reply",
    "GET /wiki/api/v2/pages/{id}: reply",
    "GET /wiki/api/v2/pages/{id}: request",
    "GET /ex/confluence/{cloud}/wiki/api/v2/pages/{id}: reply",
    "GET /ex/confluence/{cloud}/wiki/api/v2/pages/{id}: request",
    "GET /rest/dev-status/1.0/issue/detail: reply",
    "GET /rest/dev-status/1.0/issue/detail: request",
    "GET /rest/dev-status/1.0/issue/summary: reply",
    "GET /rest/dev-status/1.0/issue/summary: request",
    "GET /rest/api/3/serverInfo: request",
    "GET /ex/jira/{cloud}/rest/api/3/serverInfo: request",
    "GET /rest/agile/1.0/board: request",
    "GET /rest/agile/1.0/board: reply",
    "GET /rest/agile/1.0/board/{board}/sprint: request",
    "GET /rest/agile/1.0/board/{board}/sprint: reply",
    "PUT /rest/api/3/issue/{key}: reply",
    "POST /rest/api/3/issue/{key}/transitions: reply",
    "GET /ex/jira/{cloud}/rest/agile/1.0/board: request",
    "GET /ex/jira/{cloud}/rest/agile/1.0/board: reply",
    "GET /ex/jira/{cloud}/rest/agile/1.0/board/{board}/sprint: request",
    "GET /ex/jira/{cloud}/rest/agile/1.0/board/{board}/sprint: reply",
    "PUT /ex/jira/{cloud}/rest/api/3/issue/{key}: reply",
    "POST /ex/jira/{cloud}/rest/api/3/issue/{key}/transitions: reply",
}


@pytest.fixture
def vendors(specifications: Path) -> Specifications:
    """Give the vendors' specifications."""
    return Specifications(specifications)


def test_few_routes_are_unspecified(
    vendors: Specifications, company: Company, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which they are is printed, and a further one has to be added here by hand."""
    lacking = vendors.lacking([*Jira(company).routes(), *Slack(company).routes()])
    with capsys.disabled():
        print("\nwithout a specification:", *sorted(lacking), sep="\n  ")  # noqa: T201  # to be seen

    assert lacking == UNSPECIFIED


def _spoilt(*path: str | int) -> Callable[[JSON], JSON]:
    """Return what puts an object in the place of a text."""

    def spoil(value: JSON) -> JSON:
        if not path:
            return {"n": 1}
        inner = _spoilt(*path[1:])
        if isinstance(value, list):
            return [inner(each) for each in value]
        assert isinstance(value, Mapping)
        return {**value, str(path[0]): inner(value[str(path[0])])}

    return spoil


@pytest.mark.parametrize(
    ("path", "spoil"),
    [
        ("/rest/api/3/issue/TB-2", _spoilt("key")),
        ("/rest/api/3/issue/TB-2/comment", _spoilt("comments", 0, "author", "displayName")),
        ("/rest/api/3/issue/TB-2/comment", _spoilt("comments", 0, "body", "content", 0, "type")),
        ("/rest/api/3/issue/TB-2/changelog", _spoilt("values", 0, "items", 0, "toString")),
        ("/rest/api/3/issue/TB-2/remotelink", _spoilt(0, "object", "title")),
    ],
)
def test_what_jira_would_not_say_is_noticed(
    vendors: Specifications,
    jira: Jira,
    at_jira: SimulatorClient,
    path: str,
    spoil: Callable[[JSON], JSON],
) -> None:
    """A reply of another shape is not Jira's."""
    at_jira.get(path)
    exchange = jira.exchanges[-1]
    wrong = Response(spoil(exchange.response.value))

    assert vendors.jira(exchange) == []
    assert vendors.jira(attrs.evolve(exchange, response=wrong)) != []


@pytest.mark.parametrize(
    ("call", "spoil"),
    [
        ("auth.test", _spoilt("user_id")),
        ("search.messages?query=saml", _spoilt("messages", "matches", 0, "permalink")),
        (
            "assistant.search.context?query=saml",
            _spoilt("results", "messages", 0, "content"),
        ),
        ("conversations.history?channel=C0BACKEND", _spoilt("messages", 0, "ts")),
        ("users.list", _spoilt("members", 0, "profile", "email")),
    ],
)
def test_what_slack_would_not_say_is_noticed(
    vendors: Specifications,
    slack: Slack,
    at_slack: SimulatorClient,
    call: str,
    spoil: Callable[[JSON], JSON],
) -> None:
    """A reply of another shape is not Slack's."""
    method, _, query = call.partition("?")
    at_slack.get(f"/api/{method}", **dict(parse_qsl(query)))
    exchange = slack.exchanges[-1]
    wrong = Response(spoil(exchange.response.value))

    assert vendors.slack(exchange) == []
    assert vendors.slack(attrs.evolve(exchange, response=wrong)) != []


def test_a_request_without_what_it_needs(
    vendors: Specifications, slack: Slack, at_slack: SimulatorClient
) -> None:
    """A parameter that is required is missed, and one that is none is noticed."""
    at_slack.get("/api/search.messages", query="saml")
    exchange = slack.exchanges[-1]

    assert vendors.slack(attrs.evolve(exchange, values={})) != []
    assert vendors.slack(attrs.evolve(exchange, values={"query": "a", "colour": "red"})) != []


@pytest.fixture
def sample() -> Company:
    """Give the whole sample company."""
    return load_company(Path(str(files("rove_sim").joinpath("sample"))))


def test_all_of_the_samples_jira(vendors: Specifications, sample: Company) -> None:
    """Each of its tickets is told as Jira tells tickets."""
    site = Jira(sample)
    basic = b64encode(f"{sample.owner.email}:{sample.token}".encode()).decode()
    caller = SimulatorClient(site, {"authorization": f"Basic {basic}"})
    for ticket in sample.tickets:
        path = f"/rest/api/3/issue/{ticket.key}"
        caller.get(path, expand="names,renderedFields,changelog")
        for part in ("comment", "changelog", "remotelink"):
            caller.get(f"{path}/{part}")

    assert [said for each in site.exchanges for said in vendors.jira(each)] == []


def test_all_of_the_samples_slack(vendors: Specifications, sample: Company) -> None:
    """Each of its messages is told as Slack tells messages."""
    workspace = Slack(sample)
    caller = SimulatorClient(workspace, {"authorization": f"Bearer {sample.token}"})
    for channel in workspace.conversations.channels():
        caller.get("/api/conversations.history", channel=channel.id, limit=999)
        for message in workspace.conversations.history(channel):
            caller.get("/api/conversations.replies", channel=channel.id, ts=message.ts)

    assert [said for each in workspace.exchanges for said in vendors.slack(each)] == []
