"""Logging in to Azure DevOps through an app of one's own in Microsoft Entra."""

import pytest
from attrs import evolve

from rove_azure.login import app_of
from rove_azure.settings import AzureSettings
from rove_core import Account, Credential, ItemRef, LoginRefused, ScopeMissing, WorkItemChange
from rove_core.testing import AnsweringLogin, Scene
from rove_sim import Conduct
from rove_sim.azure import AzureDevOps

pytestmark = pytest.mark.anyio


async def enter(scene: Scene, organization: AzureDevOps) -> Credential:
    """Log in with a browser, and return what that gives."""
    answers = {"client_id": organization.oauth.client_id}
    login = AnsweringLogin("oauth", answers, scene.login().http)
    scene.credential = await scene.awaited("rove_authenticate", login=login)
    assert isinstance(scene.credential, Credential)
    return scene.credential


async def change(scene: Scene) -> object:
    """Change a work item."""
    ref = ItemRef(account="azure", kind="ticket", id="2")
    return await scene.awaited("rove_change_work_item", ref=ref, change=WorkItemChange(title="A"))


async def test_a_browser_lets_one_in_to_read(stranger: Scene, organization: AzureDevOps) -> None:
    """What an app gets is a bearer's; who tries to write is told the scope."""
    credential = await enter(stranger, organization)
    who = await stranger.awaited("rove_identity")
    with pytest.raises(ScopeMissing, match=r"vso\.work_write"):
        await change(stranger)

    assert who.name == "Ann Lee"
    assert credential.headers["Authorization"].reveal().startswith("Bearer ")
    assert [each.rpartition("/")[2] for each in credential.scopes] == ["vso.work", "vso.project"]


async def test_who_is_to_write_asks_for_it(stranger: Scene, organization: AzureDevOps) -> None:
    """Only then: reading is the default."""
    stranger.change(writes=True)
    await enter(stranger, organization)
    await change(stranger)

    assert organization.item(2).title == "A"


async def test_a_login_renews_itself(stranger: Scene, organization: AzureDevOps) -> None:
    """The successor opens the organization, and goes to no further host."""
    first = await enter(stranger, organization)
    stranger.credential = second = await stranger.awaited("rove_refresh", credential=first)

    assert second.headers != first.headers
    assert second.hosts == first.hosts
    assert (await stranger.awaited("rove_identity")).name == "Ann Lee"


async def test_a_login_that_has_ended_is_refused(
    stranger: Scene, organization: AzureDevOps
) -> None:
    """Somebody took it back."""
    first = await enter(stranger, organization)
    assert first.refresh is not None
    organization.oauth.revoke(first.refresh.reveal())
    with pytest.raises(LoginRefused):
        await stranger.awaited("rove_refresh", credential=first)


async def test_a_person_may_decline(stranger: Scene, organization: AzureDevOps) -> None:
    """Then nothing is exchanged."""
    organization.conduct = Conduct(agrees=False)
    with pytest.raises(LoginRefused):
        await enter(stranger, organization)


def test_microsofts_own_service_lets_in_elsewhere() -> None:
    """In the directory that the settings name."""
    account = Account(
        name="azure",
        kind="azure",
        settings=AzureSettings(tenant="acme.example"),
        base_url="https://dev.azure.com/acme",
    )
    app = app_of(evolve(account, base_url="https://acme.visualstudio.com"), "app")

    assert app.token == "https://login.microsoftonline.com/acme.example/oauth2/v2.0/token"  # noqa: S105  # an address
    assert app == app_of(account, "app")
    with pytest.raises(ValueError, match="no/tenant"):
        AzureSettings(tenant="no/tenant")
