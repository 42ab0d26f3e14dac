"""Log in to Azure DevOps: with a personal access token or a Microsoft Entra app."""

from base64 import b64encode
from typing import Final
from urllib.parse import urljoin, urlsplit

from rove_azure.errors import READING, WRITING
from rove_azure.settings import ACCESS_TOKEN, CLOUD, OAUTH, AzureSettings
from rove_core import Account, Credential, Login, authorization
from rove_core.auth.oauth import CLIENT_ID, OAuthApp, browser_login

_ENTRA: Final = "https://login.microsoftonline.com"
#: What Microsoft Entra calls Azure DevOps.
_RESOURCE: Final = "499b84ac-1321-427f-aa17-267ca6975798"
_PROJECTS: Final = "vso.project"


def app_of(account: Account[AzureSettings], client_id: str = "") -> OAuthApp:
    """Return the app of an account; without an id, where its logins are renewed.

    Where Azure DevOps is not Microsoft's own, the same place lets people in.
    """
    here = urlsplit(account.base_url).netloc
    is_cloud = here == CLOUD or here.endswith(".visualstudio.com")
    server = urljoin(_ENTRA if is_cloud else account.base_url, f"/{account.settings.tenant}")
    return OAuthApp(
        client_id=client_id,
        authorize=f"{server}/oauth2/v2.0/authorize",
        token=f"{server}/oauth2/v2.0/token",
        port=account.settings.redirect_port,
    )


async def enter(account: Account[AzureSettings], login: Login) -> Credential:
    """Log in as the person chose."""
    if login.way == OAUTH.name:
        return await _enter_with_an_app(account, login)
    token = await login.ask_secret(ACCESS_TOKEN)
    # Azure takes it as a password without a name.
    basic = b64encode(f":{token.reveal().strip()}".encode()).decode()
    return authorization(account, f"Basic {basic}")


async def _enter_with_an_app(account: Account[AzureSettings], login: Login) -> Credential:
    """Log in with a browser: for reading alone, unless the account is to write."""
    app = app_of(account, account.settings.client_id or await login.ask(CLIENT_ID))
    work = WRITING if account.settings.writes else READING
    scopes = [f"{_RESOURCE}/{each}" for each in (work, _PROJECTS)]
    parameters = {"response_type": "code", "scope": " ".join([*scopes, "offline_access"])}
    token = await browser_login(login, app, parameters)
    return token.credential(app, urlsplit(account.base_url).netloc)
