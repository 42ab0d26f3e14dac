"""How the Acme in the box lets people in: by OAuth, with refresh tokens that are good once."""

import json
from collections.abc import Mapping
from itertools import count
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from rove_core.testing import SeenRequest, ServerReply

APP = "rove-at-acme"


class Logins:
    """Gives codes for tokens, and tokens for refresh tokens."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._codes: set[str] = set()
        self._refresh: set[str] = set()
        self._access: set[str] = set()

    def answer(self, seen: SeenRequest) -> ServerReply | None:
        """Return the reply to a request about logins; None for any other."""
        url = urlsplit(seen.path)
        if url.path == "/oauth/authorize":
            return self._agree({name: texts[0] for name, texts in parse_qs(url.query).items()})
        if url.path == "/oauth/token":
            return self._exchange(dict(parse_qsl(seen.body.decode())))
        if url.path == "/oauth/revoke":
            self._access.discard(seen.headers.get("authorization", "").removeprefix("Bearer "))
            return ServerReply()
        return None

    def lets_in(self, authorization: str) -> bool:
        """Return whether a request may pass."""
        return authorization.removeprefix("Bearer ") in self._access

    def answers(self) -> Mapping[str, Any]:
        """Return what a person answers when logging in, and an app that nobody knows."""
        return {"answers": {"client_id": APP}, "refused": {"client_id": "some-other-app"}}

    def _agree(self, asked: Mapping[str, str]) -> ServerReply:
        code = self._new(self._codes, "code")
        back = urlencode({"code": code, "state": asked["state"]})
        return ServerReply(status=302, headers={"location": f"{asked['redirect_uri']}?{back}"})

    def _exchange(self, form: Mapping[str, str]) -> ServerReply:
        spent = form.get("code") or form.get("refresh_token", "")
        if form.get("client_id") != APP:
            return _json({"error": "invalid_client"}, status=401)
        if spent not in self._codes | self._refresh:
            return _json({"error": "invalid_grant"}, status=400)
        self._codes.discard(spent)
        self._refresh.discard(spent)
        return _json(
            {
                "access_token": self._new(self._access, "access"),
                "refresh_token": self._new(self._refresh, "refresh"),
                "expires_in": 3600,
                "scope": "read",
            }
        )

    def _new(self, known: set[str], name: str) -> str:
        known.add(made := f"{name}-{next(self._numbers)}")
        return made


def _json(body: object, *, status: int = 200) -> ServerReply:
    headers = {"content-type": "application/json"}
    return ServerReply(status=status, headers=headers, body=json.dumps(body).encode())
