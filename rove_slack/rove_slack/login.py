"""Log in to Slack through the user's own app, as a public client with PKCE."""

from typing import Final
from urllib.parse import urljoin, urlsplit

from attrs import evolve

from rove_core import Account, Credential, Login
from rove_core.auth.oauth import CLIENT_ID, OAuthApp, browser_login
from rove_slack.api import METHODS
from rove_slack.settings import SlackSettings

_SLACK: Final = frozenset({"slack.com", "www.slack.com"})
_FILES: Final = "files.slack.com"
#: What the app is asked for: what Rove's methods need, and nothing else.
SCOPES: Final = tuple(sorted({scope for method in METHODS for scope in method.scopes}))


def app_of(account: Account[SlackSettings], client_id: str = "") -> OAuthApp:
    """Return the app of an account; without an id, where its logins are renewed."""
    return OAuthApp(
        client_id=client_id,
        authorize=urljoin(account.base_url, "/oauth/v2/authorize"),
        token=urljoin(account.base_url, "/api/oauth.v2.access"),
        port=account.settings.redirect_port,
        holder="authed_user",
    )


async def enter(account: Account[SlackSettings], login: Login) -> Credential:
    """Log in with a browser; the token is the person's, for a bot's cannot search."""
    app = app_of(account, account.settings.client_id or await login.ask(CLIENT_ID))
    token = await browser_login(login, app, {"user_scope": ",".join(SCOPES)})
    return evolve(token.credential(app, hosts_of(account)[0]), hosts=hosts_of(account))


def hosts_of(account: Account[SlackSettings]) -> tuple[str, ...]:
    """Return the hosts that get the login: Slack's API and its files."""
    return (urlsplit(account.base_url).netloc, *file_hosts(account))


def file_hosts(account: Account[SlackSettings]) -> tuple[str, ...]:
    """Return the hosts of Slack's files."""
    return (_FILES,) if urlsplit(account.base_url).netloc in _SLACK else ()
