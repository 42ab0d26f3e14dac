"""Logging in to Slack through an app of one's own."""

import re
from importlib.resources import files

import pytest
from attrs import evolve

from rove_core import Credential, LoginRefused
from rove_core.testing import AnsweringLogin, Scene
from rove_sim import Conduct
from rove_sim.slack import Slack
from rove_slack.login import SCOPES
from rove_slack.settings import SlackSettings

pytestmark = pytest.mark.anyio


async def _enter(scene: Scene, workspace: Slack) -> Credential:
    """Log in with a browser, and return what that gives."""
    answers = {"client_id": workspace.oauth.client_id}
    login = AnsweringLogin("oauth", answers, scene.login().http)
    scene.credential = await scene.awaited("rove_authenticate", login=login)
    assert isinstance(scene.credential, Credential)
    return scene.credential


async def test_a_browser_lets_one_in(stranger: Scene, workspace: Slack) -> None:
    """The token is the person's, it ends after half a day, and it opens the workspace."""
    credential = await _enter(stranger, workspace)
    who = await stranger.awaited("rove_identity")

    assert (who.name, who.id) == ("robin", "U0ROBIN")
    assert credential.access is not None
    assert credential.access.reveal().startswith("xoxe.xoxp-")
    assert credential.expires_at is not None
    assert credential.hosts == (stranger.account.base_url.removeprefix("http://"),)


async def test_no_secret_is_asked_for(stranger: Scene, workspace: Slack) -> None:
    """An app with PKCE has none, and a token of a bot is not wanted."""
    credential = await _enter(stranger, workspace)
    page, grant = (each.values for each in workspace.exchanges[:2])

    assert set(credential.extra) == {"client_id"}
    assert str(page["user_scope"]).split(",") == list(SCOPES)
    assert "scope" not in page
    assert "client_secret" not in grant


async def test_asks_for_what_the_manifest_has() -> None:
    """Whoever makes the app from the manifest is asked for nothing that it lacks."""
    manifest = files("rove_slack").joinpath("manifest.yaml").read_text("utf-8")

    assert re.findall(r"^ {6}- (\S+:\S+)$", manifest, re.MULTILINE) == list(SCOPES)


async def test_a_client_id_may_be_set(stranger: Scene, workspace: Slack) -> None:
    """Then nobody is asked for it."""
    settings = SlackSettings(client_id=workspace.oauth.client_id)
    stranger.account = evolve(stranger.account, settings=settings)
    stranger.connect()
    login = AnsweringLogin("oauth", {}, stranger.login().http)

    assert await stranger.awaited("rove_authenticate", login=login)
    assert login.asked == []


async def test_a_login_renews_itself(stranger: Scene, workspace: Slack) -> None:
    """Slack tells a person's second token at another place than the first; both are read."""
    first = await _enter(stranger, workspace)
    second = await stranger.awaited("rove_refresh", credential=first)
    stranger.credential = second

    assert second.access != first.access
    assert second.refresh not in (None, first.refresh)
    assert second.hosts == first.hosts
    assert (await stranger.awaited("rove_identity")).name == "robin"


async def test_a_token_without_an_end(stranger: Scene, workspace: Slack) -> None:
    """An app without token rotation gives one that is never renewed."""
    workspace.oauth.terms = evolve(workspace.oauth.terms, access=None)
    credential = await _enter(stranger, workspace)

    assert (credential.expires_at, credential.refresh) == (None, None)
    with pytest.raises(LoginRefused, match="no refresh token"):
        await stranger.awaited("rove_refresh", credential=credential)


async def test_a_refresh_token_is_good_for_one_time(stranger: Scene, workspace: Slack) -> None:
    """Slack says so with a 200; it is a login to do again."""
    first = await _enter(stranger, workspace)
    await stranger.awaited("rove_refresh", credential=first)

    with pytest.raises(LoginRefused, match="invalid_refresh_token"):
        await stranger.awaited("rove_refresh", credential=first)


async def test_a_person_declines(stranger: Scene, workspace: Slack) -> None:
    """Nothing is exchanged."""
    workspace.conduct = Conduct(agrees=False)

    with pytest.raises(LoginRefused, match="declined"):
        await _enter(stranger, workspace)
    assert len(workspace.exchanges) == 1


async def test_a_token_that_has_ended(stranger: Scene, workspace: Slack) -> None:
    """Slack's word for it is told."""
    workspace.conduct = Conduct(token_seconds=0)
    await _enter(stranger, workspace)

    with pytest.raises(LoginRefused, match="token_expired"):
        await stranger.awaited("rove_identity")


async def test_slack_forgets_a_login(stranger: Scene, workspace: Slack) -> None:
    """What was revoked opens nothing, and what would renew it neither."""
    credential = await _enter(stranger, workspace)
    await stranger.awaited("rove_disconnect")

    assert credential.access is not None
    assert not workspace.oauth.opens(credential.access.reveal())
    with pytest.raises(LoginRefused):
        await stranger.awaited("rove_refresh", credential=credential)
