"""Logging in to Jira through an app of one's own, and the choice of a site."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

import rove_jira
from rove_core import Account, Credential, Http, ItemNotFound, ItemRef, LoginRefused
from rove_core.testing import AnsweringLogin, Scene, Vendor, VirtualClock
from rove_core.testing.scene import on_stage
from rove_jira.login import Resource, app_of, choose
from rove_jira.settings import JiraSettings
from rove_sim import Conduct
from rove_sim.company_jira import Ticket, WikiPage
from rove_sim.jira import Jira

pytestmark = pytest.mark.anyio

OTHER = "https://acme.atlassian.net"


@pytest.fixture
async def stranger(served: str) -> AsyncIterator[Scene]:
    """Give an account that nobody has logged in to."""
    (kind,) = rove_jira.rove_sources()
    async with on_stage(kind, Vendor(base_url=served), name="jira") as scene:
        yield scene


@pytest.fixture
async def person(stranger: Scene, site: Jira, clock: VirtualClock) -> AsyncIterator[AnsweringLogin]:
    """Give somebody with an app."""
    http = Http(account="jira", base_url=stranger.account.base_url, clock=clock, elsewhere=True)
    answers = {"client_id": site.oauth.client_id, "client_secret": site.oauth.client_secret}
    yield AnsweringLogin("oauth", answers, http)
    await http.aclose()


async def _enter(scene: Scene, person: AnsweringLogin) -> Credential:
    scene.credential = await scene.awaited("rove_authenticate", login=person)
    assert isinstance(scene.credential, Credential)
    return scene.credential


async def test_a_browser_lets_one_in(
    stranger: Scene, person: AnsweringLogin, site: Jira, add: Callable[..., Ticket]
) -> None:
    """The login opens the site through the gateway, which is all that is asked with it."""
    add("TB-1")
    await _enter(stranger, person)
    asked = len(site.exchanges)
    who = await stranger.awaited("rove_identity")

    assert (who.name, who.workspace) == ("Robin Doe", site.cloud_id)
    assert who.hosts == ("northwind.atlassian.net",)
    assert {each.request.path.split("/")[1] for each in site.exchanges[asked:]} == {"ex"}


@pytest.mark.parametrize("reads_pages", [True, False])
async def test_pages_are_read_with_a_scope_of_their_own(
    stranger: Scene, person: AnsweringLogin, site: Jira, *, reads_pages: bool
) -> None:
    """It is asked for only where the settings say that pages are read."""
    at = datetime(2024, 12, 3, tzinfo=UTC)
    site.pages["7"] = WikiPage(id="7", title="Kick-off", text="Hello", author="mike", at=at)
    stranger.change(confluence=reads_pages)
    await _enter(stranger, person)
    await stranger.awaited("rove_identity")
    stranger.change(confluence=True)
    page = ItemRef(account="jira", kind="page", id="page/7")

    if reads_pages:
        assert (await stranger.detail(page)).title == "Kick-off"
        return
    with pytest.raises(ItemNotFound):
        await stranger.detail(page)


async def test_the_secret_is_kept_for_renewing(
    stranger: Scene, person: AnsweringLogin, site: Jira
) -> None:
    """Atlassian wants it each time; it is asked for unseen, and once."""
    credential = await _enter(stranger, person)

    assert person.asked == ["client_id", "client_secret"]
    assert credential.extra["client_secret"].reveal() == site.oauth.client_secret
    assert person.secrets[0].reveal() == site.oauth.client_secret


async def test_one_login_a_year(
    stranger: Scene, person: AnsweringLogin, clock: VirtualClock
) -> None:
    """A person is needed again after that, whatever was renewed; it is known from the start."""
    credential = await _enter(stranger, person)
    second = await stranger.awaited("rove_refresh", credential=credential)

    assert credential.expires_at == clock.now() + timedelta(hours=1)
    assert credential.ends_at == second.ends_at == clock.now() + timedelta(days=365)


async def test_a_login_renews_itself(
    stranger: Scene, person: AnsweringLogin, site: Jira, clock: VirtualClock
) -> None:
    """The successor opens the site when its predecessor has ended."""
    first = await _enter(stranger, person)
    clock.advance(3601)
    second = await stranger.awaited("rove_refresh", credential=first)

    assert first.access is not None
    assert second.access is not None
    assert not site.oauth.opens(first.access.reveal())
    assert site.oauth.opens(second.access.reveal())


async def test_a_used_token_is_taken_for_ten_minutes(
    stranger: Scene, person: AnsweringLogin, clock: VirtualClock
) -> None:
    """A reply may be lost; later it is taken for stolen, and the login ends."""
    first = await _enter(stranger, person)
    await stranger.awaited("rove_refresh", credential=first)
    clock.advance(599)
    assert await stranger.awaited("rove_refresh", credential=first)
    clock.advance(1)

    with pytest.raises(LoginRefused, match="invalid_grant"):
        await stranger.awaited("rove_refresh", credential=first)


async def test_the_person_chooses_a_site(
    stranger: Scene, person: AnsweringLogin, site: Jira
) -> None:
    """Where several could be meant, they are named; what is chosen is what is read."""
    site.other_sites.append(OTHER)
    person.answers = {**person.answers, "site": "northwind.atlassian.net"}
    await _enter(stranger, person)

    assert person.asked[-1] == "site"
    assert (await stranger.awaited("rove_identity")).workspace == site.cloud_id


async def test_an_answer_that_is_no_site(
    stranger: Scene, person: AnsweringLogin, site: Jira
) -> None:
    """The sites there are, are named."""
    site.other_sites.append(OTHER)
    person.answers = {**person.answers, "site": "elsewhere"}

    with pytest.raises(LoginRefused, match=r"northwind\.atlassian\.net and acme\.atlassian\.net"):
        await _enter(stranger, person)


def _account(base_url: str) -> Account[JiraSettings]:
    return Account(name="jira", kind="jira", settings=JiraSettings(), base_url=base_url)


async def test_an_address_is_a_choice(person: AnsweringLogin) -> None:
    """Whoever named a site is not asked again, and gets no other."""
    sites = [Resource("c1", "northwind.atlassian.net"), Resource("c2", "acme.atlassian.net")]

    assert await choose(_account(OTHER), sites, person) == sites[1]
    assert person.asked == []
    with pytest.raises(LoginRefused, match="and not globex"):
        await choose(_account("https://globex.atlassian.net"), sites, person)


async def test_a_login_that_opens_nothing(person: AnsweringLogin) -> None:
    """What was probably left out on the vendor's page is said."""
    with pytest.raises(LoginRefused, match="opens no site") as caught:
        await choose(_account(OTHER), [], person)
    assert "Agree on the page" in caught.value.hint


@pytest.mark.parametrize("base_url", [OTHER, "https://api.atlassian.com"])
def test_atlassian_lets_in_at_one_place(base_url: str) -> None:
    """Whatever the site, its page and its tokens are at the same address."""
    app = app_of(_account(base_url))

    assert app.authorize == "https://auth.atlassian.com/authorize"
    assert app.token == "https://auth.atlassian.com/oauth/token"  # noqa: S105  # an address


async def test_a_person_declines(stranger: Scene, person: AnsweringLogin, site: Jira) -> None:
    """That is told as that."""
    site.conduct = Conduct(agrees=False)

    with pytest.raises(LoginRefused, match="declined"):
        await _enter(stranger, person)


async def test_a_wrong_secret(stranger: Scene, person: AnsweringLogin) -> None:
    """Atlassian calls it a denied access; nobody declined anything, and that is not said."""
    person.answers = {**person.answers, "client_secret": "s-canary"}

    with pytest.raises(LoginRefused, match="rejects the app: access_denied") as caught:
        await _enter(stranger, person)
    assert "canary" not in f"{caught.value}{caught.value.hint}"


async def test_a_port_is_the_apps(stranger: Scene, person: AnsweringLogin, site: Jira) -> None:
    """An app has one redirect address, so its port is fixed, and may be set."""
    settings = JiraSettings(redirect_port=4711)
    stranger.account = evolve(stranger.account, settings=settings)
    stranger.connect()
    await _enter(stranger, person)

    assert str(site.exchanges[0].values["redirect_uri"]).startswith("http://127.0.0.1:4711/")
