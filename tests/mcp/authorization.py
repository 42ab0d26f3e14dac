"""An authorization server in front of an MCP server, as the protocol's login describes one."""

import base64
import hashlib
import json
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from attrs import define, field
from tests.mcp.servers import Asgi

LIFE: Final = 3600


@define(eq=False)
class Authorization:
    """Registers clients, lets everybody in, rotates tokens, and guards an application.

    Attributes:
        app: What it guards.
        refuses: Whether it registers nobody.
        resource: What the server calls itself; the truth when empty.
        scope: What the server says a token needs; a token without it gets 403.
        revokes: Whether a login can be revoked.
    """

    app: Asgi
    refuses: bool = False
    resource: str = ""
    scope: str = ""
    revokes: bool = True
    clients: dict[str, list[str]] = field(factory=dict, init=False)
    codes: dict[str, dict[str, str]] = field(factory=dict, init=False)
    access: set[str] = field(factory=set, init=False)
    refresh: set[str] = field(factory=set, init=False)
    asked: list[dict[str, str]] = field(factory=list, init=False)
    _number: int = field(default=0, init=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  # ASGI
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        origin = f"http://{headers[b'host'].decode()}"
        path = scope["path"]
        if path == "/mcp":
            await self._guarded(origin, headers, (scope, receive, send))
            return
        body, more = b"", True
        while more:
            event = await receive()
            body, more = body + event.get("body", b""), event.get("more_body", False)
        status, told, location = self._answer(path, scope, body.decode(), origin)
        out = [(b"content-type", b"application/json"), (b"location", location.encode())]
        start = {"status": status, "headers": out[: 1 + bool(location)]}
        await send({"type": "http.response.start", **start})
        await send({"type": "http.response.body", "body": json.dumps(told).encode()})

    async def _guarded(self, origin: str, headers: dict[bytes, bytes], asgi: Any) -> None:  # noqa: ANN401  # ASGI
        token = headers.get(b"authorization", b"").decode().removeprefix("Bearer ")
        if token in self.access and not self.scope:
            await self.app(*asgi)
            return
        metadata = f'Bearer resource_metadata="{origin}/.well-known/oauth-protected-resource/mcp"'
        status = 401
        if token in self.access:
            status, metadata = 403, f'Bearer error="insufficient_scope", scope="{self.scope}"'
        out = [(b"www-authenticate", metadata.encode())]
        await asgi[2]({"type": "http.response.start", "status": status, "headers": out})
        await asgi[2]({"type": "http.response.body", "body": b""})

    def _answer(
        self,
        path: str,
        scope: Any,  # noqa: ANN401  # ASGI
        body: str,
        origin: str,
    ) -> tuple[int, object, str]:
        match path:
            case "/.well-known/oauth-protected-resource/mcp":
                resource = self.resource or f"{origin}/mcp"
                told = {"resource": resource, "authorization_servers": [origin]}
                return 200, {**told, "scopes_supported": ["read"]}, ""
            case "/.well-known/oauth-authorization-server":
                return 200, _metadata(origin, revokes=self.revokes), ""
            case "/register" if not self.refuses:
                return self._registered(json.loads(body))
            case "/authorize":
                return self._consented(_flat(scope["query_string"].decode()))
            case "/token" | "/revoke":
                asked = _flat(body)
                return self._revoked(asked) if "token" in asked else self._exchanged(asked)
        return (403 if path == "/register" else 404), {"error": "access_denied"}, ""

    def _registered(self, told: dict[str, Any]) -> tuple[int, object, str]:
        client = f"client-{len(self.clients)}"
        self.clients[client] = told["redirect_uris"]
        return 201, {"client_id": client, **told}, ""

    def _consented(self, asked: dict[str, str]) -> tuple[int, object, str]:
        known = {urlsplit(uri).netloc for uri in self.clients.get(asked["client_id"], ())}
        if urlsplit(asked["redirect_uri"]).netloc not in known:
            return 400, {"error": "invalid_request"}, ""
        self.asked.append(asked)
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"]})
        return 302, {}, f"{asked['redirect_uri']}?{back}"

    def _exchanged(self, asked: dict[str, str]) -> tuple[int, object, str]:
        self.asked.append(asked)
        if asked["grant_type"] == "refresh_token":
            if asked["refresh_token"] not in self.refresh:
                return 400, {"error": "invalid_grant"}, ""
            self.refresh.discard(asked["refresh_token"])
            return self._token()
        told = self.codes.pop(asked["code"], {})
        digest = hashlib.sha256(asked["code_verifier"].encode()).digest()
        proof = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if told.get("code_challenge") != proof or told.get("resource") != asked.get("resource"):
            return 400, {"error": "invalid_grant"}, ""
        return self._token()

    def _revoked(self, asked: dict[str, str]) -> tuple[int, object, str]:
        self.asked.append(asked)
        if asked["token"] in self.refresh:  # All that came with it ends.
            self.refresh.clear()
            self.access.clear()
        return 200, {}, ""

    def _token(self) -> tuple[int, object, str]:
        self._number += 1
        access, refresh = f"made-up-access-{self._number}", f"made-up-refresh-{self._number}"
        self.access.add(access)
        self.refresh.add(refresh)
        told = {"access_token": access, "refresh_token": refresh, "expires_in": LIFE}
        return 200, {**told, "token_type": "Bearer"}, ""


def _metadata(origin: str, *, revokes: bool) -> dict[str, object]:
    return {
        **({"revocation_endpoint": f"{origin}/revoke"} if revokes else {}),
        "issuer": origin,
        "authorization_endpoint": f"{origin}/authorize",
        "token_endpoint": f"{origin}/token",
        "registration_endpoint": f"{origin}/register",
        "code_challenge_methods_supported": ["S256"],
    }


def _flat(query: str) -> dict[str, str]:
    return {name: texts[0] for name, texts in parse_qs(query).items()}
