"""Log in to Jira through the user's own OAuth 2.0 app (3LO), and choose a site."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from attrs import evolve, frozen

from rove_core import Account, Credential, Login, LoginRefused
from rove_core.auth.oauth import CLIENT_ID, CLIENT_SECRET, OAuthApp, OAuthToken, browser_login
from rove_core.json_reader import text
from rove_jira.api import CLOUD_ID, gateway, is_site
from rove_jira.settings import PAGE_SCOPE, SCOPES, SITE, WRITE_SCOPE, JiraSettings

_AUTHORIZATION: Final = "https://auth.atlassian.com"
#: After so long Atlassian wants a person again, however often a login was renewed.
_LONGEST: Final = timedelta(days=365)


@frozen
class Resource:
    """A site that a login opens.

    Attributes:
        cloud: What the gateway calls it.
        host: Where people read it.
    """

    cloud: str
    host: str


def app_of(account: Account[JiraSettings], client_id: str = "") -> OAuthApp:
    """Return the app of an account; without an id, where its logins are renewed.

    Where the gateway is not Atlassian's, the same place lets people in.
    """
    behind = gateway(account.base_url)
    server = _AUTHORIZATION if behind == gateway("") else behind
    return OAuthApp(
        client_id=client_id,
        authorize=f"{server}/authorize",
        token=f"{server}/oauth/token",
        port=account.settings.redirect_port,
        json=True,
    )


async def enter(account: Account[JiraSettings], login: Login) -> tuple[Credential, str]:
    """Log in with a browser, and return the credential with the site's cloud id.

    It is for reading tickets alone, unless the account is to write, or to read pages.
    """
    client_id = account.settings.client_id or await login.ask(CLIENT_ID)
    secret = await login.ask_secret(CLIENT_SECRET)
    app = evolve(app_of(account, client_id), secret=secret)
    settings = account.settings
    chosen = {WRITE_SCOPE: settings.writes, PAGE_SCOPE: settings.confluence}
    scopes = [*SCOPES, *(scope for scope, is_wanted in chosen.items() if is_wanted)]
    parameters = {
        "audience": "api.atlassian.com",
        "scope": " ".join([*scopes, "offline_access"]),
        "response_type": "code",
        "prompt": "consent",
    }
    ends_at = login.http.clock.now() + _LONGEST
    token = await browser_login(login, app, parameters)
    site = await choose(account, await _resources(account, token, login), login)
    behind = urlsplit(gateway(account.base_url)).netloc
    return evolve(token.credential(app, behind), ends_at=ends_at), site.cloud


async def choose(
    account: Account[JiraSettings], sites: Sequence[Resource], login: Login
) -> Resource:
    """Return the site of the account's address; without one the only site, or the person's choice.

    Raises:
        LoginRefused: The login does not open it.
    """
    hosts = tuple(dict.fromkeys(each.host for each in sites))
    if not hosts:
        raise LoginRefused(
            "this login opens no site of Jira",
            hint="Agree on the page with a site that you can use, and give the app Jira's API",
        )
    host = urlsplit(account.base_url).netloc
    if not is_site(account.base_url):
        host = hosts[0]
        if len(hosts) > 1:
            answer = await login.ask(evolve(SITE, choices=hosts))
            host = answer.strip().removeprefix("https://").rstrip("/")
    for site in sites:
        if site.host == host:
            return site
    raise LoginRefused(
        f"this login opens {' and '.join(hosts)}, and not {host}",
        hint="Choose that site on the vendor's page, or give another with --base-url",
    )


async def _resources(
    account: Account[JiraSettings], token: OAuthToken, login: Login
) -> Sequence[Resource]:
    """Return the sites that a token opens."""
    bearer = {"authorization": f"Bearer {token.access.reveal()}"}
    url = f"{gateway(account.base_url)}/oauth/token/accessible-resources"
    resources = (await login.http.get(url, headers=bearer, kind="GET accessible-resources")).json()
    found = (
        [each for each in resources if isinstance(each, Mapping)]
        if isinstance(resources, list)
        else []
    )
    sites = [Resource(text(each, "id"), urlsplit(text(each, "url")).netloc) for each in found]
    return [each for each in sites if each.host and CLOUD_ID.fullmatch(each.cloud)]
