"""Login of the fake Acme: OAuth with PKCE; refresh tokens work once."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from itertools import count
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from rove_core.testing import SeenRequest, ServerReply

APP = "rove-at-acme"


class FakeLogins:
    """Gives codes for tokens, and tokens for refresh tokens."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._codes: dict[str, dict[str, str]] = {}
        self._refresh: dict[str, str] = {}
        self._access: dict[str, str] = {}

    def answer(self, seen: SeenRequest) -> ServerReply | None:
        """Return the reply to a request about logins; None for any other."""
        url = urlsplit(seen.path)
        if url.path == "/oauth/authorize":
            return self._agree({name: texts[0] for name, texts in parse_qs(url.query).items()})
        if url.path == "/oauth/token":
            return self._exchange(dict(parse_qsl(seen.body.decode())))
        if url.path == "/oauth/revoke":
            self._access.pop(seen.headers.get("authorization", "").removeprefix("Bearer "), None)
            return ServerReply()
        return None

    def lets_in(self, authorization: str) -> bool:
        """Return whether a request may pass."""
        return authorization.removeprefix("Bearer ") in self._access
    # writes
    def may_write(self, authorization: str) -> bool:  # writes
        """Return whether a request may change anything."""  # writes
        return "write" in self._access.get(authorization.removeprefix("Bearer "), "")  # writes
    # writes
    def reader(self) -> Mapping[str, Any]:  # writes
        """Return the answers of a user who requests read access only."""  # writes
        return {"answers": {"client_id": APP}}  # writes

    def answers(self) -> Mapping[str, Any]:
        """Return what a person answers when logging in, and an app that nobody knows."""
        return {  # writes
            "settings": {"writes": True},  # writes
            "answers": {"client_id": APP},  # writes
            "refused": {"client_id": "some-other-app"},  # writes
        }  # writes
        return {"answers": {"client_id": APP}, "refused": {"client_id": "some-other-app"}}  # reads

    def _agree(self, query: Mapping[str, str]) -> ServerReply:
        if query.get("code_challenge_method") != "S256":
            return _json({"error": "invalid_request"}, status=400)
        self._codes[code := f"code-{next(self._numbers)}"] = dict(query)
        back = urlencode({"code": code, "state": query["state"]})
        return ServerReply(status=302, headers={"location": f"{query['redirect_uri']}?{back}"})

    def _exchange(self, form: Mapping[str, str]) -> ServerReply:
        if form.get("client_id") != APP:
            return _json({"error": "invalid_client"}, status=401)
        scope = self._refresh.pop(form.get("refresh_token", ""), "") or self._agreed(form)
        if not scope:
            return _json({"error": "invalid_grant"}, status=400)
        access, refresh = (f"{name}-{next(self._numbers)}" for name in ("access", "refresh"))
        self._access[access] = self._refresh[refresh] = scope
        return _json(
            {
                "access_token": access,
                "refresh_token": refresh,
                "expires_in": 3600,
                "scope": scope,
            }
        )

    def _agreed(self, form: Mapping[str, str]) -> str:
        """Return the scope that goes with a code, if the login that asked for it has the proof."""
        query = self._codes.pop(form.get("code", ""), None)
        proof = urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest())
        if query is None or query.get("code_challenge") != proof.decode().rstrip("="):
            return ""
        return query["scope"]


def _json(body: object, *, status: int = 200) -> ServerReply:
    headers = {"content-type": "application/json"}
    return ServerReply(status=status, headers=headers, body=json.dumps(body).encode())
