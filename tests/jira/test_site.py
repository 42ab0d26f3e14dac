"""Where a site answers, who one is there, and how one gets in."""

import json
from collections.abc import Callable

import pytest

from rove_core import (
    Account,
    Http,
    ItemRef,
    LoginRefused,
    MalformedReply,
    RoveError,
    ScopeMissing,
    WrongSetting,
)
from rove_core.testing import AnsweringLogin, FaultProxy
from rove_core.testing.faults import SeenRequest, ServerReply
from rove_jira.settings import JiraSettings
from rove_jira.source import JiraSource
from rove_sim.company_jira import Ticket
from rove_sim.jira import Jira
from rove_sim.server import Response, serve

pytestmark = pytest.mark.anyio

REF = ItemRef(account="jira:work", kind="ticket", id="TB-1")


def said(status: int, body: object, **headers: str) -> ServerReply:
    """Return a reply in JSON."""
    kind = {"content-type": "application/json"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return ServerReply(status=status, headers={**kind, **named}, body=json.dumps(body).encode())


async def test_identity_names_projects(add: Callable[..., Ticket], source: JiraSource) -> None:
    """Their keys are what the ids of tickets begin with."""
    for key in ("TB", "OPS", "SEC"):
        add(f"{key}-1")
    identity = await source.rove_identity()

    assert (identity.name, identity.hosts) == ("Robin Doe", ("northwind.atlassian.net",))
    assert identity.prefixes == ("OPS", "SEC", "TB")
    assert identity.reads == ("OPS OPS", "SEC SEC", "TB TB")
    assert identity.workspace == ""


async def test_hundreds_of_projects_are_not_listed_one_by_one(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """But all their keys are known."""
    for number in range(100, 130):
        add(f"P{number}-1")
    identity = await source.rove_identity()

    assert len(identity.prefixes) == 30
    assert identity.reads[19:] == ("P119 P119", "and 10 more projects of northwind.atlassian.net")


async def test_a_login_that_reads_no_project_is_said(source: JiraSource) -> None:
    """The login works, and is of no use."""
    assert (await source.rove_identity()).reads == (
        "northwind.atlassian.net, but no project of it",
    )


async def test_a_token_with_scopes_goes_through_the_gateway(
    site: Jira, add: Callable[..., Ticket], source: JiraSource
) -> None:
    """The site refuses it once; from then on nobody asks there."""
    site.scoped = True
    add("TB-1", title="Behind the gateway")
    identity = await source.rove_identity()
    item = await source.rove_item_detail(REF)

    assert identity.workspace == site.cloud_id
    assert item.title == "Behind the gateway"
    assert [each.response.status for each in site.exchanges].count(401) == 1


async def test_a_bearer_token_goes_through_the_gateway(
    add: Callable[..., Ticket], served: str, connect: Callable[..., JiraSource], site: Jira
) -> None:
    """An access token of an app opens nothing else."""
    add("TB-1", title="Behind the gateway")
    source = connect(served, header=f"Bearer {site.company.token}")

    assert (await source.rove_item_detail(REF)).title == "Behind the gateway"


async def test_an_answer_to_anybody_is_refused(connect: Callable[..., JiraSource]) -> None:
    """Where anonymous people may ask, Jira answers a token that has expired with less."""
    headers = {"x-seraph-loginreason": "AUTHENTICATED_FAILED"}
    nothing = Response({"values": [], "isLast": True, "total": 0}, headers=headers)
    async with serve(lambda _: nothing) as url:
        with pytest.raises(LoginRefused):
            await connect(url).rove_containers()


async def test_a_wrong_token_is_refused_with_the_page_to_make_one(
    served: str, connect: Callable[..., JiraSource]
) -> None:
    """And with the command to log in again."""
    with pytest.raises(LoginRefused) as caught:
        await connect(served, header="Basic bm90LXRoZS10b2tlbg==").rove_identity()

    assert "AUTHENTICATED_FAILED" in caught.value.message
    assert "https://id.atlassian.com/manage-profile/security/api-tokens" in caught.value.hint
    assert "rove --add-source jira --account jira:work" in caught.value.hint


async def test_a_captcha_is_told_as_one(site: Jira, source: JiraSource) -> None:
    """No new token helps; a person has to log in."""
    site.captcha = True
    with pytest.raises(LoginRefused) as caught:
        await source.rove_identity()

    assert "/login.jsp" in caught.value.hint


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (said(404, {"message": "null for uri"}), WrongSetting, "no Jira answers"),
        (said(200, {"login": "octocat"}), MalformedReply, "without baseUrl"),
        (said(200, []), MalformedReply, "without baseUrl"),
        (
            said(200, {"displayName": "Robin", "baseUrl": "x", "deploymentType": "Server"}),
            WrongSetting,
            "no Jira answers",
        ),
        (
            ServerReply(headers={"content-type": "text/html"}, body=b"<html>"),
            MalformedReply,
            "got HTML from",
        ),
    ],
)
async def test_what_is_no_jira_cloud_is_said(
    connect: Callable[..., JiraSource], answer: ServerReply, error: type[RoveError], words: str
) -> None:
    """The hint shows how the address of a site looks, and names Jira Data Center too."""
    async with FaultProxy(answer) as proxy:
        with pytest.raises(error, match=words) as caught:
            await connect(proxy.url).rove_identity()

    assert "--base-url https://YOURS.atlassian.net" in caught.value.hint
    assert "your own Jira Data Center" in caught.value.hint


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (
            said(403, {"errorMessages": ["You may not."], "errors": {}}),
            ScopeMissing,
            "lacks permission for this: You may not.",
        ),
        (
            said(401, {"code": 401, "message": "Unauthorized; scope does not match"}),
            ScopeMissing,
            "scope does not match",
        ),
        (
            said(410, {"errorMessages": ["The requested API has been removed."]}),
            MalformedReply,
            "no longer has .*: The requested API has been removed.",
        ),
        (
            said(400, {"errorMessages": [], "errors": {"jql": "is wrong"}}),
            RoveError,
            "does not take the request .*: jql: is wrong",
        ),
        (
            said(429, {}, ratelimit_reason="jira-burst-based", retry_after="3600"),
            RoveError,
            r"asks to wait: jira-burst-based",
        ),
    ],
)
async def test_errors_are_told_in_jiras_words(
    connect: Callable[..., JiraSource], answer: ServerReply, error: type[RoveError], words: str
) -> None:
    """And as what one can do about them."""
    async with FaultProxy(answer) as proxy:
        with pytest.raises(error, match=words) as caught:
            await connect(proxy.url).rove_item_detail(REF)

    assert caught.value.account == "jira:work"


async def test_an_error_page_is_told_by_its_status(connect: Callable[..., JiraSource]) -> None:
    """What stands between has words of its own, which are nobody's."""
    page = ServerReply(status=403, headers={"content-type": "text/html"}, body=b"<h1>no</h1>")
    async with FaultProxy(page) as proxy:
        with pytest.raises(ScopeMissing, match=r"lacks permission for this$"):
            await connect(proxy.url).rove_item_detail(REF)


async def test_a_gateway_is_asked_for_by_no_odd_name(connect: Callable[..., JiraSource]) -> None:
    """Who answers for the site cannot choose where the login goes."""

    def answer(seen: SeenRequest) -> ServerReply:
        if "tenant_info" in seen.path:
            return said(200, {"cloudId": "../../evil?"})
        return said(401, {})

    async with FaultProxy(answer) as proxy:
        with pytest.raises(LoginRefused):
            await connect(proxy.url).rove_identity()

    assert [seen.path for seen in proxy.requests] == ["/rest/api/3/myself", "/_edge/tenant_info"]


@pytest.mark.parametrize(
    ("base_url", "hosts"),
    [
        ("https://acme.atlassian.net", ("acme.atlassian.net", "api.atlassian.com")),
        ("https://jira.acme.example", ("jira.acme.example",)),
        ("https://atlassian.net.acme.example", ("atlassian.net.acme.example",)),
    ],
)
@pytest.mark.parametrize(
    ("way", "header"),
    [("token", "Basic cm9iaW5AYWNtZS5leGFtcGxlOnNlY3JldA=="), ("bearer", "Bearer secret")],
)
async def test_a_login_goes_to_atlassian_alone(
    base_url: str, hosts: tuple[str, ...], way: str, header: str
) -> None:
    """To the site, and for a site of Atlassian's to its gateway."""
    http = Http(account="jira", base_url=base_url)
    account = Account(name="jira", kind="jira", settings=JiraSettings(), base_url=base_url)
    answers = {"email": "robin@acme.example", "token": "secret"}
    login = AnsweringLogin(way, answers, http)
    credential = await JiraSource(account, http).rove_authenticate(login)

    assert credential.hosts == hosts
    assert credential.headers["Authorization"].reveal() == header
