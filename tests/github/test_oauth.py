"""Logging in to GitHub with a code, through an app of one's own."""

from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from rove_core import Account, Credential, Http, LoginRefused, NotFound
from rove_core.testing import AnsweringLogin, Scene, VirtualClock
from rove_github.login import app_of
from rove_github.settings import GitHubSettings
from rove_sim import Conduct
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio


@pytest.fixture
async def person(
    stranger: Scene, github: GitHub, clock: VirtualClock
) -> AsyncIterator[AnsweringLogin]:
    """Give somebody who types the code, by a clock on which waiting takes no time."""
    github.oauth.clock = clock
    http = Http(account="github", base_url=stranger.account.base_url, clock=clock, elsewhere=True)
    yield AnsweringLogin("device", {"client_id": github.oauth.client_id}, http)
    await http.aclose()


async def _enter(scene: Scene, person: AnsweringLogin) -> Credential:
    scene.credential = await scene.awaited("rove_authenticate", login=person)
    assert isinstance(scene.credential, Credential)
    return scene.credential


async def test_a_code_lets_one_in(stranger: Scene, person: AnsweringLogin) -> None:
    """The page to type it is shown, and the token opens the API."""
    credential = await _enter(stranger, person)

    assert person.shown == [f"{stranger.account.base_url}/login/device"]
    assert (await stranger.awaited("rove_identity")).name == "ann-doe"
    assert credential.hosts == (stranger.account.base_url.removeprefix("http://"),)


async def test_a_login_renews_itself(stranger: Scene, person: AnsweringLogin) -> None:
    """The token of a GitHub App ends after eight hours; no secret is needed for the next."""
    first = await _enter(stranger, person)
    stranger.credential = second = await stranger.awaited("rove_refresh", credential=first)

    assert first.expires_at is not None
    assert second.refresh not in (None, first.refresh)
    assert (await stranger.awaited("rove_identity")).name == "ann-doe"


async def test_the_token_of_an_oauth_app_has_no_end(
    stranger: Scene, person: AnsweringLogin, github: GitHub
) -> None:
    """It is kept as it is."""
    github.oauth.terms = evolve(github.oauth.terms, access=None)
    credential = await _enter(stranger, person)

    assert (credential.expires_at, credential.refresh) == (None, None)


async def test_a_refresh_token_is_good_for_one_time(
    stranger: Scene, person: AnsweringLogin
) -> None:
    """GitHub says so with a 200; it is a login to do again."""
    first = await _enter(stranger, person)
    await stranger.awaited("rove_refresh", credential=first)

    with pytest.raises(LoginRefused, match="bad_refresh_token"):
        await stranger.awaited("rove_refresh", credential=first)


async def test_a_person_declines(stranger: Scene, person: AnsweringLogin, github: GitHub) -> None:
    """That is told as that."""
    github.conduct = Conduct(agrees=False)

    with pytest.raises(LoginRefused, match="declined"):
        await _enter(stranger, person)


async def test_an_app_that_is_none(stranger: Scene, person: AnsweringLogin) -> None:
    """A client id with a typo is told as one."""
    wrong = AnsweringLogin("device", {"client_id": "Iv1.typo"}, person.http)

    with pytest.raises(LoginRefused, match="does not know this app") as caught:
        await _enter(stranger, wrong)
    assert "client id" in caught.value.hint
    assert not isinstance(caught.value, NotFound)


@pytest.mark.parametrize(
    ("base_url", "pages"),
    [
        ("https://api.github.com", "https://github.com"),
        ("https://git.acme.example/api/v3", "https://git.acme.example"),
        ("https://api.acme.ghe.com", "https://acme.ghe.com"),
    ],
)
def test_codes_are_typed_where_people_are(base_url: str, pages: str) -> None:
    """The pages of a server are beside its API."""
    settings = GitHubSettings()
    account = Account(name="github", kind="github", settings=settings, base_url=base_url)
    app = app_of(account, "id")

    assert app.device == f"{pages}/login/device/code"
    assert app.token == f"{pages}/login/oauth/access_token"
