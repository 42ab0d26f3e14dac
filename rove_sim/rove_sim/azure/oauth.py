"""Microsoft Entra's OAuth for Azure DevOps."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_sim.oauth import IssuedTokens, OAuthError, Terms
from rove_sim.parameters import one_of, taking, text
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_core import JSON
    from rove_sim.azure.vendor import AzureDevOps

#: A refresh token of a desktop app is good for 90 days, and used ones go on working.
TERMS: Final = Terms(access=3_600, idle=90 * 86_400, leeway=86_400, prefix="eyJ")
_WORDS: Final = {
    "app": ("unauthorized_client", "AADSTS700016: Application was not found in the directory."),
    "redirect": ("invalid_request", "AADSTS50011: The redirect URI does not match."),
    "code": ("invalid_grant", "AADSTS70008: The provided authorization code has expired."),
    "refresh": ("invalid_grant", "AADSTS700082: The refresh token has expired."),
}


@frozen
class EntraOAuth:
    """Handles OAuth logins of apps."""

    azure: "AzureDevOps"

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
        )
        grant = taking(
            *("grant_type", "client_id"),
            grant_type=one_of("authorization_code", "refresh_token"),
            client_id=text,
            code=text,
            code_verifier=text,
            redirect_uri=text,
            refresh_token=text,
            scope=text,
        )
        path = "/{tenant}/oauth2/v2.0"
        return [
            VendorRoute(
                method="GET", path=f"{path}/authorize", answer=self._page, query=page, open=True
            ),
            VendorRoute(
                method="POST",
                path=f"{path}/token",
                answer=self._token,
                body=grant,
                open=True,
                form=True,
            ),
        ]

    def _page(self, call: RoutedRequest) -> Response:
        names = ("client_id", "redirect_uri", "state", "scope", "code_challenge")
        client_id, redirect, state, scope, challenge = map(call.text, names)
        try:
            where = self.azure.oauth.sent_back(
                client_id, redirect, state=state, scope=scope, challenge=challenge
            )
        except OAuthError as error:
            raise RefusedError(_refused(error), wrong=error.why) from None
        return Response(None, 302, {"location": where})

    def _token(self, call: RoutedRequest) -> Response:
        client_id, oauth = call.text("client_id"), self.azure.oauth
        try:
            if call.text("grant_type") == "refresh_token":
                return Response(
                    _token_reply(oauth.refresh(client_id, call.text("refresh_token"), public=True))
                )
            code, redirect = call.text("code"), call.text("redirect_uri")
            issued = oauth.exchange(client_id, code, redirect, verifier=call.text("code_verifier"))
        except OAuthError as error:
            raise RefusedError(_refused(error)) from None
        return Response(_token_reply(issued))


def _token_reply(issued: IssuedTokens) -> "JSON":
    scope = " ".join(each for each in issued.scope.split() if each != "offline_access")
    return {
        "token_type": "Bearer",
        "scope": scope,
        "expires_in": issued.seconds,
        "ext_expires_in": issued.seconds,
        "access_token": issued.access,
        "refresh_token": issued.refresh,
    }


def _refused(error: OAuthError) -> Response:
    word, description = _WORDS[error.why]
    return Response({"error": word, "error_description": description, "error_codes": [70008]}, 400)
