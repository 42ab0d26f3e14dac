"""Log in to GitHub with a device code, through the user's own app."""

from urllib.parse import urlsplit

from rove_core import Account, Credential, Login
from rove_core.auth.oauth import CLIENT_ID, OAuthApp, device_login
from rove_github.settings import GitHubSettings


def app_of(account: Account[GitHubSettings], client_id: str = "") -> OAuthApp:
    """Return the app of an account; without an id, where its logins are renewed."""
    api = urlsplit(account.base_url)
    pages = f"{api.scheme}://{api.netloc.removeprefix('api.')}"
    return OAuthApp(
        client_id=client_id,
        device=f"{pages}/login/device/code",
        token=f"{pages}/login/oauth/access_token",
    )


async def enter(account: Account[GitHubSettings], login: Login) -> Credential:
    """Log in with a device code; the app determines what the token may read."""
    app = app_of(account, account.settings.client_id or await login.ask(CLIENT_ID))
    token = await device_login(login, app)
    return token.credential(app, urlsplit(account.base_url).netloc)
