"""Log in to Linear through the user's own OAuth app, with PKCE."""

from typing import Final
from urllib.parse import urljoin, urlsplit

from rove_core import Account, Credential, Http, Login, Reply, RoveError, WrongCall
from rove_core.auth.oauth import CLIENT_ID, OAuthApp, browser_login, oauth_fault
from rove_linear.settings import KEY, LinearSettings

_API: Final = "api.linear.app"
_PAGES: Final = "https://linear.app"
#: Each of these scopes allows to change issues.
_WRITING: Final = frozenset({"write", "admin"})


def app_of(account: Account[LinearSettings], client_id: str = "") -> OAuthApp:
    """Return the app of an account; without an id, where its logins are renewed."""
    ours = urlsplit(account.base_url).netloc == _API
    return OAuthApp(
        client_id=client_id,
        authorize=urljoin(_PAGES if ours else account.base_url, "/oauth/authorize"),
        token=urljoin(account.base_url, "/oauth/token"),
        port=account.settings.redirect_port,
    )


async def enter(account: Account[LinearSettings], login: Login) -> Credential:
    """Log in with a browser: for reading alone, unless the account is to write."""
    scope = "read,write" if account.settings.writes else "read"
    app = app_of(account, account.settings.client_id or await login.ask(CLIENT_ID))
    token = await browser_login(login, app, {"response_type": "code", "scope": scope})
    return token.credential(app, urlsplit(account.base_url).netloc)


def may_write(credential: Credential) -> bool | None:
    """Return whether an app's login may change issues; None if unknown."""
    scopes = {each for scope in credential.scopes for each in scope.split(",")}
    return bool(scopes & _WRITING) if scopes else None


async def revoke(http: Http) -> None:
    """Revoke the login of a request at Linear.

    Raises:
        WrongCall: It is a personal key.
    """
    await http.reading(_empty_reply_fault).post("oauth/revoke", kind="oauth")


def _empty_reply_fault(reply: Reply) -> RoveError | None:
    """Return the error in a reply that is empty on success."""
    if reply.status in {400, 401}:
        return WrongCall(f"Linear takes back only what an app got; delete a key at {KEY.url}")
    return oauth_fault(reply) if reply.body else None
