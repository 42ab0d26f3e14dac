"""Who gets in, and what is said to who does not: Azure shows a page where others say 401."""

import pytest

from rove_azure.errors import faults_of
from rove_azure.settings import AzureSettings
from rove_core import (
    Account,
    Conflict,
    ItemNotFound,
    LoginRefused,
    RateLimited,
    Reply,
    RoveError,
    ScopeMissing,
    Unavailable,
    WrongCall,
    WrongSetting,
)
from rove_core.testing import Scene
from rove_sim.azure import AzureDevOps

pytestmark = pytest.mark.anyio

ORGANIZATION = "https://dev.azure.com/acme"
ACCOUNT = Account(name="azure", kind="azure", settings=AzureSettings(), base_url=ORGANIZATION)


async def test_an_account_is_a_person_in_an_organization(azure: Scene) -> None:
    """Who it is, which projects it reads, and where its pages are."""
    who = azure.account.identity

    assert who is not None
    assert (who.name, who.id, who.workspace) == ("Ann Lee", "ann@northwind.example", "northwind")
    assert who.reads == ("Empty", "Tracker", "Web")
    assert who.hosts == ("dev.azure.com", "northwind.visualstudio.com")


@pytest.mark.parametrize("status", [203, 302, 401])
async def test_a_bad_token_is_refused_whatever_azure_answers(
    azure: Scene, organization: AzureDevOps, status: int
) -> None:
    """With a page, with a redirect to one, with 401: never is nothing found, nor not found."""
    organization.refusal_status = status
    azure.credential = await azure.awaited(
        "rove_authenticate", login=azure.login({"token": "expired"})
    )
    for call in (azure.find("keys"), azure.detail(azure.recognise("AB#2")[0])):
        with pytest.raises(LoginRefused, match="rejected the login") as refused:
            await call
        assert "/northwind/_usersSettings/tokens" in refused.value.hint


async def test_another_organization_is_a_wrong_address(
    stranger: Scene, organization: AzureDevOps
) -> None:
    """The hint says what an address looks like."""
    await stranger.enter()
    organization.fail_next(404, times=9)
    with pytest.raises(WrongSetting, match="no organization") as wrong:
        await stranger.awaited("rove_identity")

    assert "https://dev.azure.com/YOUR-ORGANIZATION" in wrong.value.hint


async def test_a_token_that_may_not_list_projects(
    stranger: Scene, organization: AzureDevOps
) -> None:
    """The missing scope is named; with the projects named it is not needed."""
    organization.project_scope = False
    with pytest.raises(ScopeMissing, match="may not list projects") as missing:
        await stranger.enter()
    stranger.change(projects=("Web",))
    who = await stranger.awaited("rove_identity")

    assert "Project and Team (Read)" in missing.value.hint
    assert who.reads == ("Web",)
    assert [each.ref.id for each in await stranger.find("keys")] == ["5", "4"]


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, '{"message": "TF51005: no such field"}', WrongCall),
        (401, "", LoginRefused),
        (403, '{"message": "TF401027: you need permission"}', ScopeMissing),
        (404, "<html>", ItemNotFound),
        (409, "{}", Conflict),
        (412, "{}", Conflict),
        (429, "{}", RateLimited),
        (403, '{"message": "TF400733: The request has been canceled"}', RateLimited),
        (503, "", Unavailable),
    ],
)
def test_a_status_tells_what_is_wrong(status: int, body: str, kind: type[RoveError]) -> None:
    """And the message has what Azure says."""
    reply = Reply(status, f"{ORGANIZATION}/_apis/wit/wiql", {}, body.encode())
    error = faults_of(ACCOUNT)(reply)

    assert type(error) is kind
    if "TF5" in body:
        assert "no such field" in error.message


@pytest.mark.parametrize(
    ("location", "is_refused"),
    [
        ("https://spsprodeus2.vssps.visualstudio.com/_signin?realm=dev.azure.com", True),
        ("/acme/_signin", True),
        ("https://login.microsoftonline.com/common/oauth2/authorize", True),
        ("https://dev.azure.com/renamed/_apis/projects", False),
    ],
)
def test_a_redirect_to_sign_in_is_known_by_its_place(location: str, *, is_refused: bool) -> None:
    """An organization that was renamed redirects, too."""
    reply = Reply(302, f"{ORGANIZATION}/_apis/projects", {"location": location}, b"")

    assert isinstance(faults_of(ACCOUNT)(reply), LoginRefused) is is_refused
