"""Atlassian's OAuth: an authorization page and a token endpoint."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_sim.oauth import IssuedTokens, OAuthError, Terms
from rove_sim.parameters import one_of, taking, text
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_core import JSON
    from rove_sim.jira.site import Jira

_DAY: Final = 86_400.0
TERMS: Final = Terms(
    access=3600, idle=90 * _DAY, whole=365 * _DAY, leeway=600, prefix="eyJ", refresh_prefix="eyJ"
)
_UNAUTHORIZED: Final = (401, "access_denied", "Unauthorized")
_MEANINGS: Final = {
    "app": _UNAUTHORIZED,
    "redirect": _UNAUTHORIZED,
    "code": (403, "invalid_grant", "Invalid authorization code"),
    "refresh": (403, "invalid_grant", "Unknown or invalid refresh token."),
}


@frozen
class JiraOAuth:
    """Handles OAuth logins of apps."""

    jira: "Jira"

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        page = taking(
            *("audience", "client_id", "scope", "redirect_uri", "state", "response_type", "prompt"),
            audience=one_of("api.atlassian.com"),
            client_id=text,
            scope=text,
            redirect_uri=text,
            state=text,
            response_type=one_of("code"),
            prompt=one_of("consent"),
        )
        grant = taking(
            *("grant_type", "client_id", "client_secret"),
            grant_type=one_of("authorization_code", "refresh_token"),
            client_id=text,
            client_secret=text,
            code=text,
            redirect_uri=text,
            refresh_token=text,
        )
        return [
            VendorRoute(method="GET", path="/authorize", answer=self.page, query=page, open=True),
            VendorRoute(
                method="POST", path="/oauth/token", answer=self.token, body=grant, open=True
            ),
        ]

    def page(self, call: RoutedRequest) -> Response:
        """Send the browser back, as soon as the person has made up their mind."""
        names = ("client_id", "redirect_uri", "state", "scope")
        client_id, redirect, state, scope = map(call.text, names)
        try:
            where = self.jira.oauth.sent_back(client_id, redirect, state=state, scope=scope)
        except OAuthError as error:
            raise RefusedError(_page_refused(), wrong=error.why) from None
        return Response(None, 302, {"location": where})

    def token(self, call: RoutedRequest) -> Response:
        """Exchange a code or refresh token; the client secret is required."""
        client_id, secret = call.text("client_id"), call.text("client_secret")
        oauth = self.jira.oauth
        try:
            if call.text("grant_type") == "refresh_token":
                token = call.text("refresh_token")
                issued = oauth.refresh(client_id, token, secret=secret, public=False)
            else:
                code, redirect = call.text("code"), call.text("redirect_uri")
                issued = oauth.exchange(client_id, code, redirect, secret=secret)
        except OAuthError as error:
            status, word, description = _MEANINGS[error.why]
            raise RefusedError(
                Response({"error": word, "error_description": description}, status)
            ) from None
        return Response(_token_reply(issued))


def _token_reply(issued: IssuedTokens) -> "JSON":
    renewing: dict[str, JSON] = {}
    if "offline_access" in issued.scope.split():
        renewing["refresh_token"] = issued.refresh
    return {
        "access_token": issued.access,
        "expires_in": issued.seconds,
        "token_type": "Bearer",
        "scope": issued.scope,
        **renewing,
    }


def _page_refused() -> Response:
    page = "<!doctype html><title>Error</title>Something went wrong"
    return Response(page, 400, {"content-type": "text/html;charset=UTF-8"})
