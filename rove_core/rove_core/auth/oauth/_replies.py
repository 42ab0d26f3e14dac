"""Read token endpoints' replies: tokens, or the error and what to do about it."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core.errors import LoginRefused, MalformedReply, RateLimited, RoveError, Unavailable
from rove_core.http import status_fault
from rove_core.login import Credential
from rove_core.safety.secret import Secret

if TYPE_CHECKING:
    from rove_core.auth.oauth._app import OAuthApp
    from rove_core.http import Reply
    from rove_core.wire.json_types import JSON

#: What a vendor says while the person has not typed the code yet.
PENDING: Final = "authorization_pending"
SLOW_DOWN: Final = "slow_down"

#: How it says that the person, or an admin, did not agree. Atlassian says the same of an app.
DENIED: Final = frozenset({"access_denied", "user_denied", "consent_required"})

_EXPIRED: Final = frozenset({"expired_token", "code_expired"})
_USED_UP: Final = frozenset(
    {"invalid_grant", "invalid_code", "code_already_used", "bad_verification_code"}
    | {"invalid_refresh_token", "bad_refresh_token", "token_expired", "token_revoked"}
    | {"invalid_code_verifier", "incorrect_device_code"}
)
_FAILING: Final = frozenset(
    {"server_error", "temporarily_unavailable", "internal_error", "fatal_error"}
    | {"service_unavailable", "request_timeout"}
)
_WAIT: Final = frozenset({"ratelimited", "rate_limited", "too_many_requests"})
_COMPARE: Final = "Check its client id, secret and redirect address on the vendor's page"
_ODD: Final = re.compile(r"[^\x20-\x7e]+")
_MOST_SAID: Final = 200


@frozen(kw_only=True)
class OAuthToken:
    """The tokens of a reply.

    Attributes:
        access: The access token.
        refresh: The refresh token, if the vendor sent one.
        expires_at: When the access token expires, by this machine's clock; None when it does not.
        scopes: The scopes that the vendor granted.
    """

    access: Secret
    refresh: Secret | None = None
    expires_at: datetime | None = None
    scopes: tuple[str, ...] = ()

    def credential(
        self, app: "OAuthApp", *hosts: str, before: Credential | None = None
    ) -> Credential:
        """Return a bearer credential that ``renew_login`` can renew.

        Args:
            app: The app that the person logged in with.
            hosts: The hosts it is sent to, each with its port unless that is the default one.
            before: The credential it replaces.
        """
        extra = {"client_id": Secret(app.client_id)}
        if app.secret is not None:
            extra["client_secret"] = app.secret
        return Credential(
            headers={"Authorization": Secret(f"Bearer {self.access.reveal()}")},
            hosts=hosts,
            access=self.access,
            refresh=self.refresh or (before.refresh if before else None),
            expires_at=self.expires_at,
            ends_at=before.ends_at if before else None,
            scopes=self.scopes or (before.scopes if before else ()),
            extra=extra,
        )


def read_token(reply: "Reply", *, holder: str, requested_at: datetime) -> OAuthToken:
    """Return the token in a reply; errors never show the reply's content.

    Args:
        reply: The reply.
        holder: The object in it that holds a person's tokens, if there is one.
        requested_at: When it was asked for. A vendor says for how long a token is good, so that its
            clock and this one may differ.
    """
    body = body_of(reply)
    inner = body.get(holder)
    fields = inner if isinstance(inner, Mapping) and "access_token" in inner else body
    access, refresh, scope = (
        text(fields, key) for key in ("access_token", "refresh_token", "scope")
    )
    if not access:
        raise MalformedReply(f"{reply.where} sent no access token")
    seconds = fields.get("expires_in")
    ends = isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds > 0
    return OAuthToken(
        access=Secret(access),
        refresh=Secret(refresh) if refresh else None,
        expires_at=requested_at + timedelta(seconds=float(seconds)) if ends else None,  # type: ignore[arg-type]  # a number, as seen above
        scopes=tuple(scope.replace(",", " ").split()),
    )


def oauth_fault(reply: "Reply") -> RoveError | None:
    """Return the error in a token endpoint's reply, also with status 200; None if it is good."""
    if reply.status == 404:
        return LoginRefused(f"{reply.where} does not know this app", hint=_COMPARE)
    error = text(body := body_of(reply), "error")
    return refusal(error, text(body, "error_description")) if error else status_fault(reply)


def waiting_fault(reply: "Reply") -> RoveError | None:
    """Return the error in a reply to a polling client; pending authorization is none."""
    error = text(body_of(reply), "error")
    if error in DENIED:
        return declined(error)
    return None if error in {PENDING, SLOW_DOWN} else oauth_fault(reply)


def refusal(error: str, description: str = "") -> RoveError:
    """Return the error that a vendor's word for it means."""
    message = _ODD.sub(" ", f"{error}: {description}" if description else error)[:_MOST_SAID]
    if error in _FAILING:
        return Unavailable(f"the vendor cannot log in anybody now: {message}")
    if error in _WAIT:
        return RateLimited(f"the vendor asks to wait: {message}")
    if error in _EXPIRED:
        return LoginRefused(f"the code was not typed in time: {message}", hint="Ask for a new one")
    if error in _USED_UP:
        return LoginRefused(f"the code or token is used up, expired or revoked: {message}")
    return LoginRefused(f"the vendor rejects the app: {message}", hint=_COMPARE)


def declined(error: str) -> LoginRefused:
    """Return the error for a refused authorization."""
    return LoginRefused(f"the login was declined on the vendor's page: {error}")


def body_of(reply: "Reply") -> Mapping[str, "JSON"]:
    """Return the object that a reply is, or raise :class:`MalformedReply`."""
    body = reply.json()
    if not isinstance(body, Mapping):
        raise MalformedReply(f"{reply.where} sent no object")
    return body


def text(body: "Mapping[str, JSON]", name: str) -> str:
    """Return a text of an object; an empty one where there is none."""
    value = body.get(name)
    return value if isinstance(value, str) else ""
