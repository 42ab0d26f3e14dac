"""A source whose users log in with an OAuth app, in a browser or by typing a code."""

from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from attrs import evolve, frozen

from rove_core import Account, Credential, Login, LoginWay, SourceHooks, hookimpl
from rove_core.auth.oauth import (
    CLIENT_ID,
    OAuthApp,
    OAuthSettings,
    browser_login,
    device_login,
    renew_login,
)

if TYPE_CHECKING:
    from rove_core import Http

BROWSER = LoginWay(name="oauth", title="In a browser", fields=(CLIENT_ID,), person=True)
DEVICE = LoginWay(name="device", title="With a code to type", fields=(CLIENT_ID,), person=True)


@frozen(kw_only=True)
class ForgeSettings(OAuthSettings):
    """The settings of an account: the client id and the redirect port are among them."""


class ForgeSource(SourceHooks):
    """An account at a vendor that gives tokens for an hour."""

    def __init__(self, account: Account[ForgeSettings], http: "Http") -> None:
        self._account = account
        self._http = http

    @property
    def _app(self) -> OAuthApp:
        """The app and the vendor's addresses, on the host that the account names."""
        base = self._account.base_url
        return OAuthApp(
            client_id=self._account.settings.client_id,
            authorize=urljoin(base, "/oauth/authorize"),
            token=urljoin(base, "/oauth/token"),
            device=urljoin(base, "/oauth/device"),
            port=self._account.settings.redirect_port,
        )

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Log in the way that the person chose."""
        app = self._app
        if not app.client_id:
            app = evolve(app, client_id=await login.ask(CLIENT_ID))
        if login.way == DEVICE.name:
            token = await device_login(login, app)
        else:
            token = await browser_login(login, app, {"response_type": "code", "scope": "read"})
        return token.credential(app, urlsplit(self._account.base_url).netloc)

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange the refresh token, and keep the one that comes back for the next time."""
        return await renew_login(self._http, self._app, credential)

    @hookimpl
    async def rove_disconnect(self) -> None:
        """Revoke the login at the vendor."""
        await self._http.post("/oauth/revoke")
