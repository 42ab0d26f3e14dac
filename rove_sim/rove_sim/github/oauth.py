"""GitHub's OAuth: device codes and refresh tokens."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from attrs import frozen

from rove_core import JSON
from rove_sim.github import refusals
from rove_sim.oauth import IssuedTokens, OAuthError, Terms
from rove_sim.parameters import one_of, taking, text
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Request, Response

if TYPE_CHECKING:
    from rove_sim.github.vendor import GitHub

_DAY: Final = 86_400.0
#: Of a GitHub App whose tokens end; those of an OAuth app have none.
TERMS: Final = Terms(access=28_800, idle=184 * _DAY, prefix="ghu_", refresh_prefix="ghr_")
_SECONDS: Final = 900
_DEVICE: Final = "urn:ietf:params:oauth:grant-type:device_code"
_WORDS: Final = {
    "app": ("incorrect_client_credentials", "The client_id is not valid."),
    "code": ("incorrect_device_code", "The device_code provided is not valid."),
    "denied": ("access_denied", "The authorization request was denied."),
    "expired": ("expired_token", "This device_code has expired."),
    "pending": ("authorization_pending", "The authorization request is still pending."),
    "refresh": ("bad_refresh_token", "The refresh token passed is incorrect or expired."),
    "slow_down": ("slow_down", "Too many requests have been made in the same timeframe."),
}


@frozen
class GitHubOAuth:
    """Handles device logins of apps."""

    github: "GitHub"

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        begin = taking("client_id", client_id=text, scope=text)
        grant = taking(
            *("client_id", "grant_type"),
            client_id=text,
            client_secret=text,
            grant_type=one_of(_DEVICE, "refresh_token"),
            device_code=text,
            refresh_token=text,
        )
        door = {"method": "POST", "open": True, "form": True}
        return [
            VendorRoute(path="/login/device/code", answer=self.begin, body=begin, **door),  # type: ignore[arg-type]  # both are flags
            VendorRoute(path="/login/oauth/access_token", answer=self.token, body=grant, **door),  # type: ignore[arg-type]  # as above
        ]

    def begin(self, call: RoutedRequest) -> Response:
        """Give a code for the program, and one for the person."""
        oauth = self.github.oauth
        if call.text("client_id") != oauth.client_id:
            raise RefusedError(refusals.not_found())
        device = oauth.device(seconds=_SECONDS, interval=self.github.interval)
        payload: dict[str, JSON] = {
            "device_code": device,
            "user_code": f"{device[:4]}-{device[4:8]}".upper(),
            "verification_uri": f"{call.request.origin}/login/device",
            "expires_in": _SECONDS,
            "interval": self.github.interval,
        }
        return _sent(call.request, payload)

    def token(self, call: RoutedRequest) -> Response:
        """Exchange a device code or refresh token; errors come with status 200."""
        client_id, secret = call.text("client_id"), call.text("client_secret")
        device, oauth = call.text("device_code"), self.github.oauth
        try:
            if call.text("grant_type") == _DEVICE:
                return _sent(call.request, _token_reply(oauth.poll(client_id, device)))
            token = call.text("refresh_token")
            issued = oauth.refresh(client_id, token, secret=secret, public=True)
        except OAuthError as error:
            word, description = _WORDS[error.why]
            payload: dict[str, JSON] = {"error": word, "error_description": description}
            if word == "slow_down":
                payload["interval"] = oauth.interval_of(device)
            raise RefusedError(_sent(call.request, payload)) from None
        return _sent(call.request, _token_reply(issued))


def _token_reply(issued: IssuedTokens) -> dict[str, JSON]:
    ending: dict[str, JSON] = {}
    if issued.refresh:
        ending = {
            "expires_in": issued.seconds,
            "refresh_token": issued.refresh,
            "refresh_token_expires_in": int(TERMS.idle or 0),
        }
    return {"access_token": issued.access, "token_type": "bearer", "scope": "", **ending}


def _sent(request: Request, payload: Mapping[str, JSON]) -> Response:
    """Return a reply as a form, or as JSON on request."""
    if "json" in request.headers.get("accept", ""):
        return Response(dict(payload))
    media = {"content-type": "application/x-www-form-urlencoded; charset=utf-8"}
    return Response(urlencode(dict(payload)), 200, media)
