"""Logging in to Linear through an app of one's own."""

import pytest
from attrs import evolve

from rove_core import Account, Credential, LoginRefused, WrongCall
from rove_core.testing import AnsweringLogin, Scene
from rove_linear.login import app_of
from rove_linear.settings import LinearSettings
from rove_sim import Conduct
from rove_sim.linear import Linear

pytestmark = pytest.mark.anyio


async def _enter(scene: Scene, workspace: Linear) -> Credential:
    """Log in with a browser, and return what that gives."""
    answers = {"client_id": workspace.oauth.client_id}
    login = AnsweringLogin("oauth", answers, scene.login().http)
    scene.credential = await scene.awaited("rove_authenticate", login=login)
    assert isinstance(scene.credential, Credential)
    return scene.credential


async def test_a_browser_lets_one_in(stranger: Scene, workspace: Linear) -> None:
    """What an app gets is a bearer's; it may read and nothing else."""
    credential = await _enter(stranger, workspace)
    who = await stranger.awaited("rove_identity")

    assert who.name == "Ann Lee"
    assert credential.scopes == ("read",)
    assert credential.headers["Authorization"].reveal().startswith("Bearer lin_oauth_")


async def test_who_is_to_write_asks_for_it(stranger: Scene, workspace: Linear) -> None:
    """Only then: reading is the default."""
    stranger.change(writes=True)
    credential = await _enter(stranger, workspace)

    assert credential.scopes == ("read", "write")


async def test_a_login_renews_itself(stranger: Scene, workspace: Linear) -> None:
    """The successor opens the workspace."""
    first = await _enter(stranger, workspace)
    stranger.credential = second = await stranger.awaited("rove_refresh", credential=first)

    assert second.refresh not in (None, first.refresh)
    assert (await stranger.awaited("rove_identity")).name == "Ann Lee"


async def test_a_lost_reply_costs_nothing(stranger: Scene, workspace: Linear) -> None:
    """Linear takes a used refresh token once more for half an hour."""
    first = await _enter(stranger, workspace)
    await stranger.awaited("rove_refresh", credential=first)
    stranger.credential = await stranger.awaited("rove_refresh", credential=first)

    assert (await stranger.awaited("rove_identity")).name == "Ann Lee"


async def test_a_used_token_ends_the_login(stranger: Scene, workspace: Linear) -> None:
    """After that it is taken for stolen."""
    workspace.conduct = Conduct(leeway=0)
    first = await _enter(stranger, workspace)
    await stranger.awaited("rove_refresh", credential=first)

    with pytest.raises(LoginRefused, match="invalid_grant"):
        await stranger.awaited("rove_refresh", credential=first)


async def test_a_token_that_has_ended(stranger: Scene, workspace: Linear) -> None:
    """It is a login to do again."""
    workspace.conduct = Conduct(token_seconds=0)
    await _enter(stranger, workspace)

    with pytest.raises(LoginRefused):
        await stranger.awaited("rove_identity")


async def test_linear_forgets_a_login(stranger: Scene, workspace: Linear) -> None:
    """What was revoked opens nothing."""
    credential = await _enter(stranger, workspace)
    await stranger.awaited("rove_disconnect")

    assert credential.access is not None
    assert not workspace.oauth.opens(credential.access.reveal())


async def test_a_personal_key_is_not_taken_back(linear: Scene) -> None:
    """Where it is deleted is said."""
    with pytest.raises(WrongCall, match=r"linear\.app/settings/account/security"):
        await linear.awaited("rove_disconnect")


def test_linear_itself_has_its_page_elsewhere() -> None:
    """People agree at linear.app; programs talk to api.linear.app."""
    base_url = "https://api.linear.app"
    account = Account(name="linear", kind="linear", settings=LinearSettings(), base_url=base_url)
    app = app_of(account)

    assert app.authorize == "https://linear.app/oauth/authorize"
    assert app.token == "https://api.linear.app/oauth/token"  # noqa: S105  # an address
    assert app_of(evolve(account, base_url="https://linear.proxy.example")).authorize == (
        "https://linear.proxy.example/oauth/authorize"
    )
