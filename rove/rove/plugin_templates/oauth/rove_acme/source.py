"""An account of Acme: people log in with an OAuth app, in a browser."""

from urllib.parse import urljoin, urlsplit

from rove_core import Credential, Login, hookimpl
from rove_core.auth.oauth import CLIENT_ID, OAuthApp, browser_login, renew_login

from rove_acme.tracker import AcmeTracker  # reads
from rove_acme.work_items import AcmeWorkItems  # writes


class AcmeSource(AcmeTracker):  # reads
    """Reads one account of Acme with a login that the core renews."""  # reads
class AcmeSource(AcmeWorkItems):  # writes
    """Reads and changes one account of Acme with a login that the core renews."""  # writes

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Open Acme's page for the user, and exchange the code for a token."""
        app = self._app(self._account.settings.client_id or await login.ask(CLIENT_ID))
        scope = "read"  # reads
        scope = "read write" if self._account.settings.writes else "read"  # writes
        token = await browser_login(login, app, {"response_type": "code", "scope": scope})
        return token.credential(app, urlsplit(self._account.base_url).netloc)

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange the refresh token; the successor holds the one for the next time."""
        return await renew_login(self._http, self._app(), credential)

    @hookimpl
    async def rove_disconnect(self) -> None:
        """Revoke the login at Acme."""
        await self._http.post("oauth/revoke")

    def _app(self, client_id: str = "") -> OAuthApp:
        base = self._account.base_url
        return OAuthApp(
            client_id=client_id,
            authorize=urljoin(base, "/oauth/authorize"),
            token=urljoin(base, "/oauth/token"),
            port=self._account.settings.redirect_port,
        )
