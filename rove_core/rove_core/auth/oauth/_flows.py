"""The OAuth flows: browser login, device login and renewal."""

import base64
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode, urlsplit

from attrs import evolve, frozen

from rove_core.auth.oauth._replies import (
    DENIED,
    SLOW_DOWN,
    OAuthToken,
    body_of,
    declined,
    oauth_fault,
    read_token,
    refusal,
    text,
    waiting_fault,
)
from rove_core.errors import LoginRefused, MalformedReply
from rove_core.safety.secret import Secret

if TYPE_CHECKING:
    from rove_core.auth.oauth._app import OAuthApp
    from rove_core.http import Fault, Http, Reply
    from rove_core.login import Credential, Login, LoginRedirect

_DEVICE_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
#: How much slower to ask when a vendor says so, and how often before it has said anything.
_SLOWER: Final = 5.0
_INTERVAL: Final = 5.0
_LONGEST_WAIT: Final = 900.0


@frozen
class Pkce:
    """A PKCE pair, which proves that the code is redeemed by whoever requested it.

    Attributes:
        verifier: What is shown when the code is exchanged.
        challenge: Its hash, which the vendor sees before.
    """

    verifier: Secret
    challenge: str


def pkce() -> Pkce:
    """Return a new proof."""
    import hashlib  # noqa: PLC0415  # it loads OpenSSL

    verifier = secrets.token_urlsafe(48)
    digest = hashlib.sha256(verifier.encode()).digest()
    return Pkce(Secret(verifier), base64.urlsafe_b64encode(digest).decode().rstrip("="))


async def browser_login(
    login: "Login", app: "OAuthApp", parameters: Mapping[str, str]
) -> OAuthToken:
    """Send the person to the vendor's page and exchange the code that comes back for a token.

    Args:
        login: Asks the person.
        app: The app; PKCE is used when it has no secret, and when it names a resource.
        parameters: Further query parameters of the page, such as ``scope`` and ``response_type``.

    Raises:
        LoginRefused: The person declined, or the vendor refused the app or the code.
    """
    # Who takes resources goes by OAuth 2.1, which wants the proof with a secret, too.
    proof = pkce() if app.secret is None or app.resource else None
    challenge = (
        {"code_challenge": proof.challenge, "code_challenge_method": "S256"} if proof else {}
    )

    def page(uri: str, state: str) -> str:
        query = {"client_id": app.client_id, "redirect_uri": uri, "state": state, **_resource(app)}
        return f"{app.authorize}?{urlencode({**query, **parameters, **challenge})}"

    redirected = await login.redirect(page, port=app.port)
    code = code_of(redirected, issuer=app.issuer.rstrip("/") or issuer_of(app.authorize))
    grant = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirected.uri}
    if proof:
        grant["code_verifier"] = proof.verifier.reveal()
    return await _exchange(login.http, app, grant)


def code_of(redirected: "LoginRedirect", *, issuer: str) -> str:
    """Return the code that came back through the browser.

    Raises:
        LoginRefused: The person declined, or somebody else sent the browser.
    """
    parameters = {name: value.reveal() for name, value in redirected.parameters.items()}
    if (named := parameters.get("iss")) and named.rstrip("/") != issuer:
        raise LoginRefused(f"the browser came back from a vendor other than {issuer}")
    if error := parameters.get("error"):
        if error in DENIED:
            raise declined(error)
        raise refusal(error, parameters.get("error_description", ""))
    if not (code := parameters.get("code")):
        raise LoginRefused("the browser came back without a code")
    return code


def issuer_of(page: str) -> str:
    """Return the issuer name of a vendor, from one of its pages."""
    parts = urlsplit(page)
    return f"{parts.scheme}://{parts.netloc}"


async def device_login(login: "Login", app: "OAuthApp") -> OAuthToken:
    """Show a code to type on the vendor's page and wait until the person has typed it.

    Args:
        login: Shows the page and the code.
        app: The app, with its ``device`` address.

    Raises:
        LoginRefused: The person declined or did not type the code in time.
    """
    clock = login.http.clock
    reply = await _post(
        login.http, app, app.device, {"client_id": app.client_id}, wrong=oauth_fault
    )
    body = body_of(reply)
    device, user_code, page = (
        text(body, name) for name in ("device_code", "user_code", "verification_uri")
    )
    if not (device and user_code.isprintable() and user_code) or not _is_page(page):
        raise MalformedReply(f"{reply.where} sent no code to type")
    login.show(page, note=f"Type {user_code} at")
    grant = {"grant_type": _DEVICE_GRANT, "device_code": device}
    interval = _seconds(reply, "interval", _INTERVAL)
    ends = clock.monotonic() + _seconds(reply, "expires_in", _LONGEST_WAIT)
    while clock.monotonic() + interval <= ends:
        await clock.sleep(interval)
        asked_at = clock.now()
        reply = await _post(login.http, app, app.token, _with_app(app, grant), wrong=waiting_fault)
        error = text(body_of(reply), "error")
        if not error:
            return read_token(reply, holder=app.holder, requested_at=asked_at)
        if error == SLOW_DOWN:
            interval = max(interval + _SLOWER, _seconds(reply, "interval", 0))
    raise refusal("expired_token")


async def renew_login(http: "Http", app: "OAuthApp", credential: "Credential") -> "Credential":
    """Exchange a credential for the next one: the whole body of most ``rove_refresh`` hooks.

    The client id and secret come from the credential. A new refresh token replaces the old one;
    when the vendor sends none, the old one is kept. The hosts stay the same.

    Args:
        http: The account's HTTP client; the request is sent without the login.
        app: Where to ask.
        credential: The credential that expires.

    Raises:
        LoginRefused: The vendor refused the refresh token (``invalid_grant``), or there is none.
    """
    if credential.refresh is None or "client_id" not in credential.extra:
        raise LoginRefused("this login has no refresh token")
    client_id, secret = credential.extra["client_id"], credential.extra.get("client_secret")
    app = evolve(app, client_id=client_id.reveal(), secret=secret)
    grant = {"grant_type": "refresh_token", "refresh_token": credential.refresh.reveal()}
    token = await _exchange(http.without_login(), app, grant)
    return token.credential(app, *credential.hosts, before=credential)


async def _exchange(http: "Http", app: "OAuthApp", grant: Mapping[str, str]) -> OAuthToken:
    asked_at = http.clock.now()
    reply = await _post(http, app, app.token, _with_app(app, grant), wrong=oauth_fault)
    return read_token(reply, holder=app.holder, requested_at=asked_at)


def _with_app(app: "OAuthApp", grant: Mapping[str, str]) -> Mapping[str, str]:
    """Return a grant with the app's own id, and with its secret if it has one."""
    secret = {"client_secret": app.secret.reveal()} if app.secret is not None else {}
    return {"client_id": app.client_id, **secret, **_resource(app), **grant}


def _resource(app: "OAuthApp") -> Mapping[str, str]:
    return {"resource": app.resource} if app.resource else {}


async def _post(
    http: "Http", app: "OAuthApp", url: str, body: Mapping[str, str], *, wrong: "Fault"
) -> "Reply":
    """Send a request once: codes are valid once, and the reply may be lost."""
    client = http.reading(wrong)
    if app.json:
        return await client.post(url, json=dict(body), kind="oauth")
    return await client.post(url, form=body, kind="oauth")


def _seconds(reply: "Reply", name: str, default: float) -> float:
    value = body_of(reply).get(name)
    good = isinstance(value, int | float) and not isinstance(value, bool)
    return min(max(float(value), 0.0), _LONGEST_WAIT) if good else default  # type: ignore[arg-type]  # a number, as seen above


def _is_page(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and url.isprintable()
