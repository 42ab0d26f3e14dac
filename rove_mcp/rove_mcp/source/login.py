"""Log in to a remote server in a browser, with an app that Rove registers or the user has.

The server names its authorization server, that one its endpoints; Rove registers as a public
client there, sends the person to its page, and exchanges the code with PKCE. Each request says
which server the token is for, so that no other one can use it.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from attrs import evolve, frozen

from rove_core import (
    JSON,
    Account,
    Credential,
    Http,
    Login,
    LoginRefused,
    MalformedReply,
    Reply,
    RoveError,
    Secret,
    WrongCall,
    status_fault,
)
from rove_core.auth.oauth import CLIENT_ID, CLIENT_SECRET, OAuthApp, browser_login, renew_login
from rove_mcp.settings import APP
from rove_mcp.source.wire import LEGACY

if TYPE_CHECKING:
    from rove_mcp.settings import McpSettings

_PATH: Final = "/callback"
_METADATA: Final = re.compile(r'resource_metadata="([^"\s]{1,2000})"')
_SCOPE: Final = re.compile(r'scope="([^"]{1,500})"')
_PROTECTED: Final = "/.well-known/oauth-protected-resource"
_SERVER: Final = "/.well-known/oauth-authorization-server"
_OPENID: Final = "/.well-known/openid-configuration"
#: What servers of one era answer to the other's first message, and those that want no login.
_NOT_REFUSED: Final = frozenset({200, 202, 400, 405, 406})
_REFUSED: Final = frozenset({401, 403})
_NO_APP: Final = (
    "Register an app there by hand, with the redirect address http://localhost:{port}/callback, "
    "and give its id: rove --add-source {name} --url {url} --set client_id=ID "
    "(and --way app if it has a secret)"
)
#: What a credential keeps for its renewal.
_TOKEN, _RESOURCE, _ISSUER = "token_endpoint", "resource", "issuer"  # names
_REVOKE: Final = "revocation_endpoint"


@frozen(kw_only=True)
class AuthorizationServer:
    """The authorization server of an MCP server.

    Attributes:
        issuer: What the authorization server calls itself.
        authorize: Its page.
        token: Its token endpoint.
        register: Where clients register; empty if they cannot.
        revoke: Where a login is revoked; empty if it cannot be.
        resource: What tokens are asked for.
        scope: The scopes to ask for.
    """

    issuer: str
    authorize: str
    token: str
    register: str
    revoke: str
    resource: str
    scope: str


async def enter(account: "Account[McpSettings]", login: Login) -> Credential:
    """Log a person in to the account's server; one that asks for no login is open.

    Raises:
        LoginRefused: The server offers no login, or the person declined.
    """
    server, settings = await discover(account, login.http), account.settings
    if server is None:
        return Credential(headers={}, hosts=(urlsplit(account.base_url).netloc,))
    secret = None
    if login.way == APP.name:
        client = settings.client_id or await login.ask(CLIENT_ID)
        secret = await login.ask_secret(CLIENT_SECRET)
    else:
        client = settings.client_id or await _register(server, account, login.http)
    app = OAuthApp(
        client_id=client,
        secret=secret,
        authorize=server.authorize,
        token=server.token,
        port=settings.redirect_port,
        resource=server.resource,
        issuer=server.issuer,
    )
    parameters = {"response_type": "code"} | ({"scope": server.scope} if server.scope else {})
    token = await browser_login(login, app, parameters)
    credential = token.credential(app, urlsplit(account.base_url).netloc)
    extra = {_TOKEN: server.token, _RESOURCE: server.resource, _ISSUER: server.issuer}
    if server.revoke:
        extra[_REVOKE] = server.revoke
    return evolve(credential, extra=_with(credential, extra))


async def renew(http: Http, credential: Credential) -> Credential:
    """Exchange a credential that expires for a new one, where it was issued."""
    extra = {
        name: value.reveal()
        for name in (_TOKEN, _RESOURCE, _ISSUER, _REVOKE)
        if (value := credential.extra.get(name))
    }
    if _TOKEN not in extra:
        raise LoginRefused("this login has no refresh token")
    app = OAuthApp(
        client_id="", token=extra[_TOKEN], resource=extra.get(_RESOURCE, ""), issuer=extra[_ISSUER]
    )
    fresh = await renew_login(http, app, credential)
    return evolve(fresh, extra=_with(fresh, extra))


async def revoke(http: Http, account: str) -> None:
    """Revoke the account's login where it was issued (RFC 7009).

    Raises:
        WrongCall: It was not made in a browser, or its server revokes none.
    """
    credential = await http.login()
    if credential is None or not credential.headers:
        raise WrongCall(f"{account} has none")
    extra = credential.extra
    if _TOKEN not in extra:
        raise WrongCall(f"the login of {account} was not made by Rove; its owner can revoke it")
    token = credential.refresh or credential.access
    if _REVOKE not in extra or token is None:
        raise WrongCall(f"{extra[_ISSUER].reveal()} cannot revoke logins; it expires by itself")
    hint = "refresh_token" if credential.refresh else "access_token"
    form = {
        "token": token.reveal(),
        "token_type_hint": hint,
        **{
            each: value.reveal()
            for each in (CLIENT_ID.name, CLIENT_SECRET.name)
            if (value := extra.get(each))
        },
    }
    await http.without_login().post(
        extra[_REVOKE].reveal(), form=form, kind="oauth", repeatable=True
    )


async def discover(account: "Account[McpSettings]", http: Http) -> AuthorizationServer | None:
    """Return where the account's server sends those who log in; None if it asks for no login.

    Raises:
        LoginRefused: It offers no login, or one for another server.
    """
    url = account.base_url
    status, challenge = await _challenge(http, url)
    protected = await _resource_metadata(http, url, challenge)
    if not protected and status not in _REFUSED:
        return None
    resource = str(protected.get("resource") or url)
    if not _covers(resource, url):
        raise LoginRefused(
            f"{url} asks for a login to another server, {resource}: refused",
            hint="Compare the address with the one on the server's page.",
        )
    servers = protected.get("authorization_servers")
    issuer = str(servers[0]) if isinstance(servers, list) and servers else _origin(url)
    metadata = await _server(http, issuer, account)
    found = _SCOPE.search(challenge)
    scopes = protected.get("scopes_supported")
    named = " ".join(map(str, scopes)) if isinstance(scopes, list) else ""
    return AuthorizationServer(
        issuer=issuer,
        authorize=endpoint(metadata, "authorization_endpoint", url),
        token=endpoint(metadata, "token_endpoint", url),
        register=endpoint(metadata, "registration_endpoint", url, optional=True),
        revoke=endpoint(metadata, _REVOKE, url, optional=True),
        resource=resource,
        scope=account.settings.scope or (found[1] if found else named),
    )


async def _challenge(http: Http, url: str) -> tuple[int, str]:
    """Return the status and the challenge with which the server answers without a login."""
    challenges = list[tuple[int, str]]()

    def note_challenge(reply: Reply) -> RoveError | None:
        challenges.append((reply.status, reply.headers.get("www-authenticate", "")))
        return None if reply.status in _NOT_REFUSED | _REFUSED else status_fault(reply)

    message: JSON = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": LEGACY,
            "capabilities": {},
            "clientInfo": {"name": "rove", "version": "1"},
        },
    }
    accept = {"accept": "application/json, text/event-stream"}
    client = http.reading(note_challenge)
    await client.post(url, json=message, headers=accept, kind="oauth", repeatable=True)
    return challenges[-1]


async def _resource_metadata(http: Http, url: str, challenge: str) -> Mapping[str, JSON]:
    """Return the server's protected resource metadata; empty if it has none."""
    found = _METADATA.search(challenge)
    places = [found[1]] if found and _is_near(found[1], url) else []
    path = urlsplit(url).path.rstrip("/")
    places += [f"{_origin(url)}{_PROTECTED}{path}", f"{_origin(url)}{_PROTECTED}"]
    return await _first_document(http, places) or {}


async def _server(http: Http, issuer: str, account: "Account[McpSettings]") -> Mapping[str, JSON]:
    """Return an authorization server's metadata.

    Raises:
        LoginRefused: It says nothing, or is another one than it is taken for.
    """
    path = urlsplit(issuer).path.rstrip("/")
    origin = _origin(issuer)
    places = [f"{origin}{_SERVER}{path}", f"{origin}{_OPENID}{path}", f"{origin}{path}{_OPENID}"]
    metadata = await _first_document(http, list(dict.fromkeys(places)))
    if metadata is None:
        raise LoginRefused(
            f"{issuer} requires a login but offers none in a browser",
            hint="Give its token or API key: rove --add-source"
            f" {account.name} --url {account.base_url} --way token (or --way key)",
        )
    if str(metadata.get("issuer", issuer)).rstrip("/") != issuer.rstrip("/"):
        raise LoginRefused(f"{issuer} identifies itself as {metadata['issuer']}: refused")
    methods = metadata.get("code_challenge_methods_supported")
    if isinstance(methods, list) and "S256" not in methods:
        raise LoginRefused(f"{issuer} does not support PKCE: refused")
    return metadata


async def _register(
    server: AuthorizationServer, account: "Account[McpSettings]", http: Http
) -> str:
    """Register Rove as a public client, and return its id."""
    port = account.settings.redirect_port
    hint = _NO_APP.format(port=port, name=account.name, url=account.base_url)
    if not server.register:
        raise LoginRefused(f"{server.issuer} does not allow apps to register", hint=hint)
    addresses = [f"http://{host}:{port}{_PATH}" for host in ("localhost", "127.0.0.1")]
    body: Mapping[str, JSON] = {
        "client_name": "Rove",
        "redirect_uris": addresses,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        **({"scope": server.scope} if server.scope else {}),
    }
    try:
        reply = await http.post(server.register, json=dict(body), kind="oauth")
        answer = reply.json()
    except RoveError as error:
        raise LoginRefused(
            f"{server.issuer} refused to register Rove ({error.message})", hint=hint
        ) from error
    client = answer.get("client_id") if isinstance(answer, Mapping) else None
    if not isinstance(client, str) or not client:
        raise LoginRefused(f"{server.issuer} registered Rove without an id", hint=hint)
    return client


async def _first_document(http: Http, places: list[str]) -> Mapping[str, JSON] | None:
    """Return the first document that exists."""
    for place in places:
        try:
            document = (await http.get(place, kind="oauth", elsewhere=True, once=True)).json()
        except MalformedReply:
            continue
        except RoveError as error:
            if error.http_status in {502, 504, 503}:
                raise
            continue
        if isinstance(document, Mapping):
            return document
    return None


def endpoint(
    metadata: Mapping[str, JSON], name: str, server: str, *, optional: bool = False
) -> str:
    """Return the endpoint of an authorization server; empty if an optional one is missing.

    Args:
        metadata: What the authorization server says of itself.
        name: The endpoint's name there.
        server: The address of the MCP server.
        optional: Whether it may be missing.

    Raises:
        LoginRefused: It is missing, in the clear, or on this machine though the server is not.
    """
    url = metadata.get(name)
    if optional and url is None:
        return ""
    if not isinstance(url, str) or not _is_safe(url) or (_is_here(url) and not _is_here(server)):
        raise LoginRefused(f"the {name.replace('_', ' ')} is not a safe address: {str(url)[:80]!r}")
    return url


def _is_safe(url: str) -> bool:
    parts = urlsplit(url)
    is_private = parts.scheme == "https" or (_is_here(url) and parts.scheme == "http")
    return is_private and bool(parts.hostname)


def _is_here(url: str) -> bool:
    return urlsplit(url).hostname in {"localhost", "127.0.0.1", "::1"}


def _is_near(place: str, url: str) -> bool:
    """Return whether a server's metadata is on the server's own host."""
    return _is_safe(place) and urlsplit(place).netloc == urlsplit(url).netloc


def _covers(resource: str, url: str) -> bool:
    """Return whether a token for a resource is one for a server's address."""
    audience, address = urlsplit(resource), urlsplit(url)
    is_same = (audience.scheme, audience.netloc) == (address.scheme, address.netloc)
    path = audience.path.rstrip("/")
    return is_same and (address.path.rstrip("/") == path or address.path.startswith(f"{path}/"))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _with(credential: Credential, values: Mapping[str, str]) -> Mapping[str, Secret]:
    return {**credential.extra, **{name: Secret(value) for name, value in values.items()}}
