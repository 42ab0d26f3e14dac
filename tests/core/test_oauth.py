"""Logging in through an app: with a browser, with a code to type, and again by itself."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve

from rove_core import (
    Credential,
    Http,
    LoginRedirect,
    LoginRefused,
    MalformedReply,
    Secret,
    Unavailable,
)
from rove_core.auth.oauth import (
    OAuthApp,
    OAuthToken,
    browser_login,
    device_login,
    renew_login,
)
from rove_core.auth.oauth._flows import code_of, pkce
from rove_core.testing import FaultProxy, VirtualClock
from rove_core.testing.http1 import ServerReply
from rove_core.testing.login import AnsweringLogin
from rove_sim import Company, Conduct
from rove_sim.github import GitHub
from rove_sim.linear import Linear
from rove_sim.server import serve

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
READ = {"response_type": "code", "scope": "read"}
COMPANY = Company(name="Northwind", token="t")  # noqa: S106  # it opens a simulator

Talk: TypeAlias = Callable[[str], AnsweringLogin]


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def clock() -> VirtualClock:
    """Give a clock on which waiting takes no time."""
    return VirtualClock(NOON)


@pytest.fixture
async def talk(clock: VirtualClock) -> AsyncIterator[Talk]:
    """Give what makes somebody who logs in at an address."""
    async with AsyncExitStack() as stack:

        def made(url: str) -> AnsweringLogin:
            http = Http(account="a", base_url=url, clock=clock, elsewhere=True)
            stack.push_async_callback(http.aclose)
            return AnsweringLogin("oauth", {}, http)

        yield made


@pytest.fixture
def linear(clock: VirtualClock) -> Linear:
    """Give a vendor with PKCE and refresh tokens."""
    return Linear(COMPANY, clock=clock)


@pytest.fixture
async def vendor(linear: Linear) -> AsyncIterator[OAuthApp]:
    """Give an app at that vendor, which listens."""
    async with serve(linear) as url:
        yield OAuthApp(
            client_id=linear.oauth.client_id,
            authorize=f"{url}/oauth/authorize",
            token=f"{url}/oauth/token",
        )


@pytest.fixture
def github(clock: VirtualClock) -> GitHub:
    """Give a vendor with codes to type."""
    return GitHub(COMPANY, clock=clock)


@pytest.fixture
async def device(github: GitHub) -> AsyncIterator[OAuthApp]:
    """Give an app at that vendor, which listens."""
    async with serve(github) as url:
        yield OAuthApp(
            client_id=github.oauth.client_id,
            device=f"{url}/login/device/code",
            token=f"{url}/login/oauth/access_token",
        )


def _asked(vendor: Linear | GitHub, path: str) -> list[Mapping[str, Any]]:
    return [each.values for each in vendor.exchanges if each.request.path == path]


async def test_a_browser_brings_a_token(vendor: OAuthApp, talk: Talk, linear: Linear) -> None:
    """What comes of it opens the vendor, and says until when by the clock of this machine."""
    token = await browser_login(talk(vendor.token), vendor, READ)

    assert linear.oauth.opens(token.access.reveal())
    assert token.expires_at == NOON + timedelta(days=1)
    assert token.scopes == ("read",)


async def test_a_public_app_proves_itself(vendor: OAuthApp, talk: Talk, linear: Linear) -> None:
    """The page sees a hash; what is hashed is shown when the code is exchanged, and no secret."""
    await browser_login(talk(vendor.token), vendor, READ)

    (page,), (grant,) = _asked(linear, "/oauth/authorize"), _asked(linear, "/oauth/token")
    assert page["code_challenge_method"] == "S256"
    assert page["code_challenge"] not in grant["code_verifier"]
    assert "client_secret" not in grant


async def test_an_app_with_a_secret_shows_it(vendor: OAuthApp, talk: Talk, linear: Linear) -> None:
    """Then there is no proof beside it."""
    app = evolve(vendor, secret=Secret(linear.oauth.client_secret))
    await browser_login(talk(vendor.token), app, READ)

    (page,), (grant,) = _asked(linear, "/oauth/authorize"), _asked(linear, "/oauth/token")
    assert "code_challenge" not in page
    assert grant["client_secret"] == linear.oauth.client_secret


def test_proofs_differ() -> None:
    """Each login has its own, long enough that nobody guesses it."""
    one, other = pkce(), pkce()

    assert one.verifier != other.verifier
    assert 43 <= len(one.verifier.reveal()) <= 128


async def test_the_clocks_may_differ(vendor: OAuthApp, talk: Talk, clock: VirtualClock) -> None:
    """A vendor whose clock is a day ahead gives a login that lasts as long as it says."""
    skewed = Linear(COMPANY, clock=VirtualClock(NOON + timedelta(days=1)))
    async with serve(skewed) as url:
        app = evolve(vendor, authorize=f"{url}/oauth/authorize", token=f"{url}/oauth/token")
        token = await browser_login(talk(url), app, READ)

    assert token.expires_at == clock.now() + timedelta(days=1)


async def test_a_person_declines(vendor: OAuthApp, talk: Talk, linear: Linear) -> None:
    """That is told as that, and nothing is exchanged."""
    linear.conduct = Conduct(agrees=False)

    with pytest.raises(LoginRefused, match="declined on the vendor's page"):
        await browser_login(talk(vendor.token), vendor, READ)
    assert _asked(linear, "/oauth/token") == []


async def test_another_vendor_sends_the_browser_back(
    vendor: OAuthApp, talk: Talk, linear: Linear
) -> None:
    """A vendor that names itself must be the one whose page was opened."""
    linear.oauth.issuer = "https://evil.example"

    with pytest.raises(LoginRefused, match="a vendor other than"):
        await browser_login(talk(vendor.token), vendor, READ)


async def test_the_same_vendor_names_itself(vendor: OAuthApp, talk: Talk, linear: Linear) -> None:
    """One slash more is no other vendor."""
    linear.oauth.issuer = f"{vendor.token.removesuffix('/oauth/token')}/"

    token = await browser_login(talk(vendor.token), vendor, READ)
    assert linear.oauth.opens(token.access.reveal())


def test_no_code_comes_back() -> None:
    """A browser that brings neither a code nor a reason ends the login."""
    with pytest.raises(LoginRefused, match="without a code"):
        code_of(LoginRedirect("http://localhost/", {}), issuer="https://vendor.example")


async def test_a_code_is_good_for_one_time(vendor: OAuthApp, talk: Talk, linear: Linear) -> None:
    """Who replays a redirect is refused, and what came of it before ends."""
    login = talk(vendor.token)
    replayed: list[LoginRedirect] = []

    class Replaying(AnsweringLogin):
        async def redirect(
            self, authorize: Callable[[str, str], str], *, port: int = 0
        ) -> LoginRedirect:
            if not replayed:
                replayed.append(await super().redirect(authorize, port=port))
            return replayed[0]

    login = Replaying("oauth", {}, login.http)
    app = evolve(vendor, secret=Secret(linear.oauth.client_secret))
    token = await browser_login(login, app, READ)

    with pytest.raises(LoginRefused, match="used up, expired or revoked"):
        await browser_login(login, app, READ)
    assert not linear.oauth.opens(token.access.reveal())


async def test_another_app_is_told_where_to_look(vendor: OAuthApp, talk: Talk) -> None:
    """The next step is to compare what the vendor's page says."""
    login = talk(vendor.token)
    app = evolve(vendor, secret=Secret("wrong"))

    with pytest.raises(LoginRefused, match="invalid_client") as caught:
        await browser_login(login, app, READ)
    assert "client id" in caught.value.hint
    assert "wrong" not in f"{caught.value}{caught.value.hint}"


async def test_a_login_renews_itself(
    vendor: OAuthApp, talk: Talk, linear: Linear, clock: VirtualClock
) -> None:
    """The successor opens the vendor where its predecessor has ended, and nothing else changes."""
    login = talk(vendor.token)
    first = (await browser_login(login, vendor, READ)).credential(vendor, "api.example")
    await clock.sleep(86_400)

    second = await renew_login(login.http, vendor, first)

    assert not linear.oauth.opens(_access(first))
    assert linear.oauth.opens(_access(second))
    assert (second.hosts, second.scopes, second.extra) == (first.hosts, first.scopes, first.extra)
    assert second.refresh not in (None, first.refresh)


async def test_renewing_sends_no_login(vendor: OAuthApp, talk: Talk, linear: Linear) -> None:
    """The request that renews a login must not wait for that login."""
    first = (await browser_login(talk(vendor.token), vendor, READ)).credential(
        vendor, "api.example"
    )

    async def never() -> Credential:
        raise AssertionError("a login was asked for while it was renewed")

    http = Http(account="a", base_url=vendor.token, credential=never)
    await renew_login(http, evolve(vendor, client_id=""), first)
    await http.aclose()

    assert "authorization" not in linear.exchanges[-1].request.headers


async def test_a_refresh_token_that_is_shown_twice_ends_the_login(
    vendor: OAuthApp, talk: Talk, linear: Linear
) -> None:
    """Without a leeway the vendor takes it for stolen; the error says that it is used up."""
    linear.conduct = Conduct(leeway=0)
    login = talk(vendor.token)
    first = (await browser_login(login, vendor, READ)).credential(vendor, "api.example")
    second = await renew_login(login.http, vendor, first)

    with pytest.raises(LoginRefused, match="used up"):
        await renew_login(login.http, vendor, first)
    assert not linear.oauth.opens(_access(second))
    assert linear.oauth.families_ended == 1


async def test_what_cannot_be_renewed(vendor: OAuthApp, talk: Talk) -> None:
    """A token that was pasted has nothing that could renew it."""
    credential = Credential(headers={}, hosts=("api.example",))

    with pytest.raises(LoginRefused, match="no refresh token"):
        await renew_login(talk(vendor.token).http, vendor, credential)


async def test_a_vendor_that_fails_refuses_nothing(
    vendor: OAuthApp, talk: Talk, linear: Linear
) -> None:
    """A failure is no word about the login, and the token is not sent twice."""
    login = talk(vendor.token)
    first = (await browser_login(login, vendor, READ)).credential(vendor, "api.example")
    linear.fail_next(503, path="/oauth/token")
    asked = len(linear.exchanges)

    with pytest.raises(Unavailable):
        await renew_login(login.http, vendor, first)
    assert len(linear.exchanges) == asked + 1


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b"[]",
        b'{"access_token": 5, "refresh_token": "r-canary"}',
        b'{"refresh_token": "r-canary"}',
        b"r-canary",
    ],
)
async def test_a_reply_without_a_token_is_not_shown(
    vendor: OAuthApp, talk: Talk, body: bytes
) -> None:
    """The error names where it came from, and nothing that stood there."""
    first = OAuthToken(access=Secret("a"), refresh=Secret("r")).credential(vendor, "api.example")
    async with FaultProxy(ServerReply(body=body)) as proxy:
        with pytest.raises(MalformedReply, match=r"127\.0\.0\.1") as caught:
            await renew_login(talk(proxy.url).http, evolve(vendor, token=proxy.url), first)

    assert "canary" not in f"{caught.value}{caught.value.hint}"


async def test_a_code_is_typed(
    device: OAuthApp, talk: Talk, github: GitHub, clock: VirtualClock
) -> None:
    """The page is shown, and the vendor is asked as often as it said until that is done."""
    github.conduct = Conduct(pending=3)
    login = talk(device.token)
    token = await device_login(login, device)

    assert github.oauth.opens(token.access.reveal())
    assert [urlsplit(page).path for page in login.shown] == ["/login/device"]
    assert clock.now() - NOON == timedelta(seconds=4 * 5)


async def test_a_vendor_asks_for_more_time(
    device: OAuthApp, talk: Talk, github: GitHub, clock: VirtualClock
) -> None:
    """Each time it says so the wait grows by five seconds, and stays so."""
    github.conduct = Conduct(slow_downs=2, pending=0)
    await device_login(talk(device.token), device)

    assert clock.now() - NOON == timedelta(seconds=5 + 10 + 15)


async def test_a_code_that_nobody_types(device: OAuthApp, talk: Talk, github: GitHub) -> None:
    """When its time is over nobody is asked any more."""
    github.conduct = Conduct(pending=1000)

    with pytest.raises(LoginRefused, match="not typed in time"):
        await device_login(talk(device.token), device)
    assert len(_asked(github, "/login/oauth/access_token")) <= 180


async def test_a_code_ends_early(device: OAuthApp, talk: Talk) -> None:
    """The vendor's word that it is over counts, whatever this machine's clock says."""
    late = VirtualClock(NOON)

    class Slow(AnsweringLogin):
        def show(self, url: str, *, note: str = "") -> None:  # noqa: ARG002  # the protocol's
            late.advance(901)

    async with serve(GitHub(COMPANY, clock=late)) as url:
        app = evolve(
            device, device=f"{url}/login/device/code", token=f"{url}/login/oauth/access_token"
        )
        with pytest.raises(LoginRefused, match="not typed in time: expired_token"):
            await device_login(Slow("device", {}, talk(url).http), app)


async def test_a_person_declines_a_code(device: OAuthApp, talk: Talk, github: GitHub) -> None:
    """That is told as that."""
    github.conduct = Conduct(agrees=False)

    with pytest.raises(LoginRefused, match="declined on the vendor's page"):
        await device_login(talk(device.token), device)


@pytest.mark.parametrize("page", ["", "javascript:alert(1)", "file:///etc/passwd", "https://"])
async def test_a_page_that_is_none(device: OAuthApp, talk: Talk, page: str) -> None:
    """Nobody is sent to what is no page."""
    body = f'{{"device_code": "d", "user_code": "AB", "verification_uri": "{page}"}}'
    async with FaultProxy(ServerReply(body=body.encode())) as proxy:
        with pytest.raises(MalformedReply, match="no code to type"):
            await device_login(talk(proxy.url), evolve(device, device=proxy.url))


async def test_a_page_keeps_what_it_is_told(vendor: OAuthApp, talk: Talk) -> None:
    """Whatever stands in an id or a scope arrives as it is."""
    pages: list[str] = []

    class Looking(AnsweringLogin):
        async def redirect(
            self, authorize: Callable[[str, str], str], *, port: int = 0
        ) -> LoginRedirect:
            pages.append(authorize(f"http://localhost:{port}/", "s&t"))
            raise LoginRefused("enough")

    app = evolve(vendor, client_id="a b&c", port=17683)
    with pytest.raises(LoginRefused, match="enough"):
        await browser_login(Looking("oauth", {}, talk(vendor.token).http), app, {"scope": "x,y z"})

    told = parse_qs(urlsplit(pages[0]).query)
    assert (told["client_id"], told["scope"], told["state"]) == (["a b&c"], ["x,y z"], ["s&t"])
    assert told["redirect_uri"] == ["http://localhost:17683/"]


def _access(credential: Credential) -> str:
    assert credential.access is not None
    return credential.access.reveal()
