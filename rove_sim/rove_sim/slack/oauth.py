"""Slack's OAuth, with revocation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_sim import ids
from rove_sim.oauth import IssuedTokens, OAuthError, Terms
from rove_sim.parameters import flag, one_of, taking, text
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Response
from rove_sim.slack.errors import refuse
from rove_sim.slack.methods import MethodDescription

if TYPE_CHECKING:
    from rove_core import JSON
    from rove_sim.slack.workspace import Slack

#: Of an app with PKCE and token rotation.
TERMS: Final = Terms(
    access=43_200, idle=30 * 86_400, prefix="xoxe.xoxp-1-", refresh_prefix="xoxe-1-"
)
_WORDS: Final = {
    "app": "invalid_client_id",
    "redirect": "bad_redirect_uri",
    "code": "invalid_code",
    "refresh": "invalid_refresh_token",
}


@frozen
class SlackOAuth:
    """Handles OAuth logins of apps."""

    slack: "Slack"

    def methods(self) -> Sequence[MethodDescription]:
        """Return what can be called."""
        grant = taking(
            client_id=text,
            client_secret=text,
            code=text,
            code_verifier=text,
            redirect_uri=text,
            grant_type=one_of("authorization_code", "refresh_token"),
            refresh_token=text,
        )
        return [
            MethodDescription("oauth.v2.access", self.token, grant, open=True),
            MethodDescription("auth.revoke", self.revoke, taking(test=flag)),
        ]

    def page(self) -> VendorRoute:
        """Return the page on which a person agrees."""
        takes = taking(
            *("client_id", "user_scope", "redirect_uri", "state"),
            client_id=text,
            user_scope=text,
            redirect_uri=text,
            state=text,
            code_challenge=text,
            code_challenge_method=one_of("S256"),
        )
        path = "/oauth/v2/authorize"
        return VendorRoute(method="GET", path=path, answer=self.agree, body=takes, open=True)

    def agree(self, call: RoutedRequest) -> Response:
        """Send the browser back, as soon as the person has made up their mind."""
        names = ("client_id", "redirect_uri", "state", "user_scope", "code_challenge")
        client_id, redirect, state, scope, challenge = map(call.text, names)
        try:
            where = self.slack.oauth.sent_back(
                client_id, redirect, state=state, scope=scope, challenge=challenge
            )
        except OAuthError as error:
            page = f"<!doctype html><title>Slack</title>{_WORDS[error.why]}"
            response = Response(page, 400, {"content-type": "text/html; charset=utf-8"})
            raise RefusedError(response, wrong=error.why) from None
        return Response(None, 302, {"location": where})

    def token(self, call: RoutedRequest) -> Response:
        """Exchange a code or a refresh token; an app with PKCE shows no secret."""
        client_id, secret = call.text("client_id"), call.text("client_secret")
        oauth = self.slack.oauth
        try:
            if call.text("grant_type") == "refresh_token":
                token = call.text("refresh_token")
                return Response(
                    self._refreshed(oauth.refresh(client_id, token, secret=secret, public=True))
                )
            code, redirect = call.text("code"), call.text("redirect_uri")
            verifier = call.text("code_verifier")
            issued = oauth.exchange(client_id, code, redirect, verifier=verifier, secret=secret)
        except OAuthError as error:
            refuse(_WORDS[error.why])
        return Response(self._first(issued))

    def revoke(self, call: RoutedRequest) -> Response:
        """Forget the token that asks."""
        if not call.flag("test"):
            self.slack.forget(call.request)
        return Response({"ok": True, "revoked": not call.flag("test")})

    def _first(self, issued: IssuedTokens) -> "JSON":
        person = {"id": self.slack.company.owner.slack, **_tokens(issued)}
        return {"ok": True, **self._place(), "authed_user": person}

    def _refreshed(self, issued: IssuedTokens) -> "JSON":
        who: JSON = self.slack.company.owner.slack
        return {"ok": True, **self._place(), **_tokens(issued), "user_id": who}

    def _place(self) -> "dict[str, JSON]":
        return {
            "app_id": ids.slack_id("A", self.slack.company.slug),
            "team": {"id": self.slack.team, "name": self.slack.company.name},
            "enterprise": None,
            "is_enterprise_install": False,
        }


def _tokens(issued: IssuedTokens) -> "dict[str, JSON]":
    ending: dict[str, JSON] = {}
    if issued.refresh:
        ending = {"expires_in": issued.seconds, "refresh_token": issued.refresh}
    return {
        "access_token": issued.access,
        "token_type": "user",
        "scope": issued.scope,
        **ending,
    }
