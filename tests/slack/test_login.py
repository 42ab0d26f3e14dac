import json
from collections.abc import Callable

import pytest

from rove_core import LoginRefused, MalformedReply, ScopeMissing
from rove_core.testing import FaultProxy, Scene
from rove_core.testing.faults import ServerReply
from rove_sim.slack import Slack
from rove_slack.source import SlackSource

pytestmark = pytest.mark.anyio

Connect = Callable[..., SlackSource]


async def test_says_who_one_is_and_what_one_can_read(slack: Scene) -> None:
    """The workspace, and each kind of conversation that the token's scopes let one read."""
    who = slack.account.identity

    assert who is not None
    assert (who.name, who.id, who.hosts) == ("robin", "U0ROBIN", ("northwind.slack.com",))
    assert who.reads == (
        "northwind.slack.com",
        "public channels",
        "private channels",
        "group messages",
        "direct messages",
    )


async def test_says_what_cannot_be_read_and_why(stranger: Scene, workspace: Slack) -> None:
    """Each scope that is lacking is named where something lacks for it."""
    for scope in ("groups:history", "im:read"):
        workspace.scopes.remove(scope)
    await stranger.enter()

    assert stranger.account.identity is not None
    assert stranger.account.identity.reads[2:] == (
        "no private channels: the token has no scope groups:history",
        "group messages",
        "direct messages, without names: no scope im:read",
    )


@pytest.mark.parametrize(
    ("granted", "lacking"),
    [
        (["users:read", "channels:history"], "search:read.public"),
        (["search:read", "users:read"], "channels:history"),
    ],
)
async def test_a_token_that_is_good_for_nothing_is_refused(
    stranger: Scene, workspace: Slack, granted: list[str], lacking: str
) -> None:
    """Who can search or read nothing is told which scope is needed, and which are there."""
    workspace.scopes = granted

    with pytest.raises(ScopeMissing, match=f"scope {lacking};.*{granted[0]}") as caught:
        await stranger.enter()
    assert "reinstall the app" in caught.value.hint


async def test_without_a_word_about_scopes_all_are_tried(connect: Connect) -> None:
    """A proxy may take headers away; that is no reason to read nothing."""
    body = json.dumps({"ok": True, "url": "https://northwind.slack.com/", "user": "robin"})
    async with FaultProxy(ServerReply(body=body.encode())) as proxy:
        who = await connect(proxy.url).rove_identity()

    assert who.reads == ("northwind.slack.com",)


@pytest.mark.parametrize("written", ["", "/", "/api", "/api/"])
async def test_the_address_of_the_methods_is_the_address_too(
    connect: Connect, written: str
) -> None:
    """Some write the base URL with the path that all methods share."""
    body = json.dumps({"ok": True, "url": "https://northwind.slack.com/", "user": "robin"})
    async with FaultProxy(ServerReply(body=body.encode())) as proxy:
        await connect(f"{proxy.url}{written}").rove_identity()

    assert [seen.path for seen in proxy.requests] == ["/api/auth.test"]


async def test_an_apps_token_is_known_before_it_is_sent(stranger: Scene, workspace: Slack) -> None:
    """It would be refused everywhere, without a word why."""
    login = stranger.login({"token": "xapp-of-northwind"})

    with pytest.raises(LoginRefused, match="cannot read") as caught:
        await stranger.awaited("rove_authenticate", login=login)
    assert "https://api.slack.com/apps" in caught.value.hint
    assert "of-northwind" not in f"{caught.value.message}{caught.value.hint}"
    assert workspace.exchanges == []


@pytest.mark.parametrize("error", ["token_revoked", "account_inactive", "token_expired"])
async def test_a_dead_token_leads_to_where_one_gets_another(
    slack: Scene, workspace: Slack, error: str
) -> None:
    """The error names what Slack said, and the page."""
    workspace.token_error = error

    with pytest.raises(LoginRefused, match=error) as caught:
        await slack.awaited("rove_identity")
    assert "https://api.slack.com/apps" in caught.value.hint


@pytest.mark.parametrize(
    "answer",
    [
        ServerReply(body=b"{}"),
        ServerReply(body=b'{"ok": "yes"}'),
        ServerReply(body=b"[]"),
        ServerReply(status=404),
        ServerReply(headers={"content-type": "text/html"}, body=b"<html>"),
    ],
)
async def test_a_base_url_that_is_not_slacks_is_said(connect: Connect, answer: ServerReply) -> None:
    """Somebody else who answers is not taken for Slack."""
    async with FaultProxy(answer) as proxy:
        with pytest.raises(MalformedReply, match=r"127\.0\.0\.1") as caught:
            await connect(proxy.url).rove_identity()

    assert "proxy" in caught.value.hint
