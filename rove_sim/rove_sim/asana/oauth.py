"""Asana's OAuth: refresh tokens stay valid, access tokens last an hour."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import JSON
from rove_sim.oauth import IssuedTokens, OAuthError, Terms
from rove_sim.parameters import one_of, taking, text
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.asana.vendor import Asana

#: A refresh token may be shown again for ever.
_FOR_EVER: Final = 10**9
TERMS: Final = Terms(access=3600, leeway=_FOR_EVER)
_WORDS: Final = {
    "app": ("invalid_client", "The client credentials are not valid."),
    "redirect": ("invalid_request", "The redirect_uri parameter does not match a valid url."),
    "code": ("invalid_grant", "The code provided is not valid."),
    "refresh": ("invalid_grant", "The refresh token provided is not valid."),
}


@frozen
class AsanaOAuth:
    """Handles OAuth logins of apps."""

    asana: "Asana"

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        page = taking(
            *("client_id", "redirect_uri", "response_type", "state"),
            client_id=text,
            redirect_uri=text,
            response_type=one_of("code"),
            scope=text,
            state=text,
            code_challenge=text,
            code_challenge_method=one_of("S256"),
        )
        grant = taking(
            *("grant_type", "client_id", "client_secret"),
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
                method="GET", path="/-/oauth_authorize", answer=self.page, query=page, open=True
            ),
            VendorRoute(
                method="POST",
                path="/-/oauth_token",
                answer=self.token,
                body=grant,
                open=True,
                form=True,
            ),
        ]

    def page(self, call: RoutedRequest) -> Response:
        """Send the browser back, as soon as the person has made up their mind."""
        names = ("client_id", "redirect_uri", "state", "scope", "code_challenge")
        client_id, redirect, state, scope, challenge = map(call.text, names)
        try:
            where = self.asana.oauth.sent_back(
                client_id, redirect, state=state, scope=scope, challenge=challenge
            )
        except OAuthError as error:
            raise RefusedError(_refused(error), wrong=error.why) from None
        return Response(None, 302, {"location": where})

    def token(self, call: RoutedRequest) -> Response:
        """Exchange a code or a refresh token; the secret of the app is always wanted."""
        client_id, secret = call.text("client_id"), call.text("client_secret")
        oauth, is_renewal = self.asana.oauth, call.text("grant_type") == "refresh_token"
        try:
            oauth.check_app(client_id, secret, public=False)
            if is_renewal:
                token = call.text("refresh_token")
                issued = oauth.refresh(client_id, token, secret=secret, public=False)
            else:
                code, redirect = call.text("code"), call.text("redirect_uri")
                verifier = call.text("code_verifier")
                issued = oauth.exchange(client_id, code, redirect, verifier=verifier, secret=secret)
        except OAuthError as error:
            raise RefusedError(_refused(error)) from None
        return Response(self._token_reply(issued, is_renewal=is_renewal))

    def _token_reply(self, issued: IssuedTokens, *, is_renewal: bool) -> JSON:
        person = self.asana.company.owner
        payload: dict[str, JSON] = {
            "access_token": issued.access,
            "token_type": "bearer",
            "expires_in": issued.seconds,
            "data": {"id": 1, "gid": "1", "name": person.name, "email": person.email},
        }
        return payload if is_renewal else {**payload, "refresh_token": issued.refresh}


def _refused(error: OAuthError) -> Response:
    word, description = _WORDS[error.why]
    return Response({"error": word, "error_description": description}, 400)
