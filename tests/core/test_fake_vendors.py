"""The contract carries every way in: Basic, a bare key, OAuth that rotates its tokens."""

import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode, urlsplit

import pytest
from attrs import define, field, frozen

from rove_core import (
    Account,
    CommonSettings,
    Credential,
    Http,
    Identity,
    Login,
    LoginField,
    LoginRefused,
    LoginWay,
    Secret,
    SourceHooks,
    SourceKind,
    hookimpl,
    run,
)
from rove_core.items import AnyAccount
from rove_core.login import authorization
from rove_core.sources import AnySourceKind
from rove_core.testing import Scene, Vendor
from rove_core.testing.scene import on_stage
from rove_sim.server import Request, Response, serve

EMAIL = LoginField(name="email", title="E-mail")
KEY = LoginField(name="key", title="Key", secret=True)
NOON = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


@frozen
class Me:
    """Who the fake vendors say one is."""

    name: str


@frozen
class Tokens:
    """What the OAuth vendor gives for a code or a refresh token."""

    access_token: str
    refresh_token: str
    expires_in: int


class Source(SourceHooks):
    """What the three have in common: who one is."""

    def __init__(self, account: AnyAccount, http: Http) -> None:
        self._account = account
        self._http = http

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Ask the vendor."""
        return Identity(name=(await self._http.get("me")).read(Me).name)


class BasicSource(Source):
    """E-mail and token, together in a Basic header."""

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for both."""
        email, key = await login.ask(EMAIL), await login.ask_secret(KEY)
        basic = base64.b64encode(f"{email}:{key.reveal()}".encode()).decode()
        return authorization(self._account, f"Basic {basic}")


class BareSource(Source):
    """A key that is the whole header, with no scheme before it."""

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for it."""
        return authorization(self._account, (await login.ask_secret(KEY)).reveal())


@frozen(kw_only=True)
class OAuthSettings(CommonSettings):
    """Where one logs in: at another host than the one that answers."""

    login_url: str = "https://login.invalid"


class OAuthSource(Source):
    """A code through the browser, then tokens that work once for their successors."""

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Send the person to the vendor and exchange what comes back."""

        def page(redirect: str, state: str) -> str:
            asked = {"redirect_uri": redirect, "state": state, "response_type": "code"}
            return f"{self._account.settings.login_url}/authorize?{urlencode(asked)}"

        back = await login.redirect(page)
        code = back.parameters["code"].reveal()
        return await self._tokens(
            login.http, grant_type="authorization_code", code=code, redirect_uri=back.uri
        )

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange the refresh token; it works once."""
        token = credential.refresh.reveal() if credential.refresh else ""
        return await self._tokens(self._http, grant_type="refresh_token", refresh_token=token)

    async def _tokens(self, http: Http, **form: str) -> Credential:
        url = f"{self._account.settings.login_url}/token"
        tokens = (await http.post(url, form=form, elsewhere=True)).read(Tokens)
        return Credential(
            headers={"Authorization": Secret(f"Bearer {tokens.access_token}")},
            hosts=(urlsplit(self._account.base_url).netloc,),
            access=Secret(tokens.access_token),
            refresh=Secret(tokens.refresh_token),
            expires_at=NOON + timedelta(seconds=tokens.expires_in),
        )


def _kind(
    connect: Callable[[Account[OAuthSettings], Http], SourceHooks], *fields: LoginField
) -> AnySourceKind:
    return SourceKind(
        name="fake",
        title="Fake",
        settings=OAuthSettings,
        connect=connect,
        logins=(LoginWay(name="way", title="The way in", fields=fields),),
    )


@define
class Gate:
    """A vendor that lets one in with one header, and keeps what it was sent."""

    header: str
    seen: list[str] = field(factory=list)

    def __call__(self, request: Request) -> Response:
        """Answer one request."""
        self.seen.append(request.headers.get("authorization", ""))
        known = self.seen[-1] == self.header
        return Response({"name": "Robin Doe"}) if known else Response({}, 401)


@define
class LoginServer:
    """The OAuth vendor's login: one code, and refresh tokens that work once."""

    gate: Gate
    code: str = "code-1"
    refresh: str = ""
    count: int = 0
    headers: list[str] = field(factory=list)

    def __call__(self, request: Request) -> Response:
        """Answer one request."""
        self.headers.append(request.headers.get("authorization", ""))
        if request.path == "/authorize":
            back = urlencode({"code": self.code, "state": request.query["state"]})
            return Response({}, 302, {"location": f"{request.query['redirect_uri']}?{back}"})
        form = request.form()
        used = form.get("code") or form.get("refresh_token")
        if used != (self.code or self.refresh):
            return Response({"error": "invalid_grant"}, 401)
        self.code, self.count = "", self.count + 1
        self.refresh = f"refresh-{self.count}"
        self.gate.header = f"Bearer access-{self.count}"
        return Response(
            {
                "access_token": f"access-{self.count}",
                "refresh_token": self.refresh,
                "expires_in": 3600,
            }
        )


async def _enter(kind: AnySourceKind, gate: Gate, **answers: str) -> str:
    """Log in and return the name that the vendor knows one by."""
    async with serve(gate) as url:
        place = Vendor(base_url=url, answers=answers)
        async with on_stage(kind, place) as scene:
            await scene.enter()
            assert scene.account.identity is not None
            return scene.account.identity.name


@asynccontextmanager
async def _oauth(login: LoginServer) -> AsyncIterator[Scene]:
    """Give an account that is logged in at the vendor with the rotating tokens."""
    async with serve(login.gate) as url, serve(login) as login_url:
        place = Vendor(base_url=url, settings={"login_url": login_url})
        async with on_stage(_kind(OAuthSource), place) as scene:
            await scene.enter()
            yield scene


def test_basic_login_sends_email_and_token() -> None:
    """Both answers travel in one header."""
    gate = Gate("Basic " + base64.b64encode(b"robin@example.com:s3cret").decode())

    name = run(
        _enter(_kind(BasicSource, EMAIL, KEY), gate, email="robin@example.com", key="s3cret")
    )

    assert name == "Robin Doe"


def test_bare_key_is_sent_as_it_is() -> None:
    """No scheme is put before it."""
    gate = Gate("lin_api_0123")

    assert run(_enter(_kind(BareSource, KEY), gate, key="lin_api_0123")) == "Robin Doe"
    assert set(gate.seen) == {"lin_api_0123"}


def test_wrong_key_is_refused() -> None:
    """The vendor's refusal is the error that means: log in again."""
    with pytest.raises(LoginRefused):
        run(_enter(_kind(BareSource, KEY), Gate("lin_api_0123"), key="lin_api_9999"))


def test_oauth_login_goes_through_the_browser() -> None:
    """A code comes back, and becomes a credential that expires."""

    async def enter() -> tuple[str, Credential | None]:
        async with _oauth(LoginServer(Gate(""))) as scene:
            assert scene.account.identity is not None
            return scene.account.identity.name, scene.credential

    name, credential = run(enter())

    assert name == "Robin Doe"
    assert credential is not None
    assert credential.access == Secret("access-1")
    assert credential.expires_at == NOON + timedelta(hours=1)


def test_oauth_tokens_rotate() -> None:
    """Each refresh gives new tokens, the old ones are dead, and the new ones work."""

    async def rotate() -> str:
        async with _oauth(LoginServer(Gate(""))) as scene:
            first = scene.credential
            for _ in range(3):
                scene.credential = await scene.awaited("rove_refresh", credential=scene.credential)
            with pytest.raises(LoginRefused):
                await scene.awaited("rove_refresh", credential=first)
            identity: Identity = await scene.awaited("rove_identity")
            return identity.name

    assert run(rotate()) == "Robin Doe"


def test_oauth_token_stays_with_its_host() -> None:
    """The host that logs people in never sees what lets one in at the other."""
    login = LoginServer(Gate(""))

    async def enter() -> Credential | None:
        async with _oauth(login) as scene:
            return await scene.awaited("rove_refresh", credential=scene.credential)  # type: ignore[no-any-return]  # the hook says

    assert run(enter()) is not None
    assert set(login.headers) == {""}
    assert login.gate.seen == ["Bearer access-1"]
