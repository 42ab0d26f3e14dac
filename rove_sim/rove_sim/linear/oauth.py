"""Linear's OAuth, with revocation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_sim.oauth import IssuedTokens, OAuthError, Terms
from rove_sim.parameters import one_of, taking, text
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_core import JSON
    from rove_sim.linear.vendor import Linear

TERMS: Final = Terms(access=86_400, leeway=1800, prefix="lin_oauth_", refresh_prefix="lin_refresh_")
_WORDS: Final = {
    "app": ("invalid_client", "Invalid client: client is invalid"),
    "redirect": ("invalid_request", "Invalid redirect_uri"),
    "code": ("invalid_grant", "Invalid grant: authorization code is invalid"),
    "refresh": ("invalid_grant", "Invalid grant: refresh token is invalid"),
}


@frozen
class LinearOAuth:
    """Handles OAuth logins of apps."""

    linear: "Linear"

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        page = taking(
            *("client_id", "redirect_uri", "response_type", "scope", "state"),
            client_id=text,
            redirect_uri=text,
            response_type=one_of("code"),
            scope=text,
            state=text,
            code_challenge=text,
            code_challenge_method=one_of("S256"),
            prompt=one_of("consent"),
        )
        grant = taking(
            *("grant_type", "client_id"),
            grant_type=one_of("authorization_code", "refresh_token"),
            client_id=text,
            client_secret=text,
            code=text,
            code_verifier=text,
            redirect_uri=text,
            refresh_token=text,
        )
        return [
            VendorRoute(
                method="GET", path="/oauth/authorize", answer=self.page, query=page, open=True
            ),
            VendorRoute(
                method="POST",
                path="/oauth/token",
                answer=self.token,
                body=grant,
                open=True,
                form=True,
            ),
            VendorRoute(method="POST", path="/oauth/revoke", answer=self.revoke, form=True),
        ]

    def page(self, call: RoutedRequest) -> Response:
        """Send the browser back, as soon as the person has made up their mind."""
        names = ("client_id", "redirect_uri", "state", "scope", "code_challenge")
        client_id, redirect, state, scope, challenge = map(call.text, names)
        try:
            where = self.linear.oauth.sent_back(
                client_id, redirect, state=state, scope=scope, challenge=challenge
            )
        except OAuthError as error:
            raise RefusedError(_refused(error), wrong=error.why) from None
        return Response(None, 302, {"location": where})

    def token(self, call: RoutedRequest) -> Response:
        """Exchange a code or a refresh token; an app with PKCE shows no secret."""
        client_id, secret = call.text("client_id"), call.text("client_secret")
        oauth = self.linear.oauth
        try:
            if call.text("grant_type") == "refresh_token":
                token = call.text("refresh_token")
                return Response(
                    _token_reply(oauth.refresh(client_id, token, secret=secret, public=True))
                )
            code, redirect = call.text("code"), call.text("redirect_uri")
            verifier = call.text("code_verifier")
            issued = oauth.exchange(client_id, code, redirect, verifier=verifier, secret=secret)
        except OAuthError as error:
            raise RefusedError(_refused(error)) from None
        return Response(_token_reply(issued))

    def revoke(self, call: RoutedRequest) -> Response:
        """Forget the token that asks; a personal key is not forgotten here."""
        token = call.request.headers.get("authorization", "").removeprefix("Bearer ")
        if not self.linear.oauth.revoke(token):
            body: JSON = {"error": "invalid_request", "error_description": "Unable to revoke"}
            raise RefusedError(Response(body, 400))
        return Response(None)


def _token_reply(issued: IssuedTokens) -> "JSON":
    return {
        "access_token": issued.access,
        "token_type": "Bearer",
        "expires_in": issued.seconds,
        "scope": issued.scope,
        "refresh_token": issued.refresh,
    }


def _refused(error: OAuthError) -> Response:
    word, description = _WORDS[error.why]
    return Response({"error": word, "error_description": description}, 400)
