"""Log in to Asana with the user's own OAuth app."""

from urllib.parse import urljoin, urlsplit

from attrs import evolve

from rove_asana.settings import READING, WRITING, AsanaSettings
from rove_core import Account, Credential, Login
from rove_core.auth.oauth import CLIENT_ID, CLIENT_SECRET, OAuthApp, browser_login


def app_of(account: Account[AsanaSettings], client_id: str = "") -> OAuthApp:
    """Return the app of an account; without an id, where its logins are renewed."""
    return OAuthApp(
        client_id=client_id,
        authorize=urljoin(account.base_url, "/-/oauth_authorize"),
        token=urljoin(account.base_url, "/-/oauth_token"),
        port=account.settings.redirect_port,
    )


async def enter(account: Account[AsanaSettings], login: Login) -> Credential:
    """Log in with a browser: for reading alone, unless the account is to write."""
    scopes = (*READING, *WRITING) if account.settings.writes else READING
    client_id = account.settings.client_id or await login.ask(CLIENT_ID)
    secret = await login.ask_secret(CLIENT_SECRET)
    app = evolve(app_of(account, client_id), secret=secret)
    parameters = {"response_type": "code", "scope": " ".join(scopes)}
    token = await browser_login(login, app, parameters)
    return token.credential(app, urlsplit(account.base_url).netloc)
