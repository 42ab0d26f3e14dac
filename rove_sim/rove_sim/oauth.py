"""A vendor's authorization server: apps, codes, and token families.

How each vendor words requests, replies and refusals is told in its own package; here is what they
share. A refresh token is good for one time. Whoever shows one again, later than the vendor's
leeway, ends the whole family: all that came of one login.
"""

import base64
import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode, urlsplit

from attrs import define, field, frozen

from rove_core.clock import Clock
from rove_sim import ids
from rove_sim.conduct import Conduct

#: Seconds for which a code may be exchanged.
_CODE: Final = 600.0
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class OAuthError(Exception):
    """A refusal; its text is the OAuth error code.

    Attributes:
        why: ``denied``, ``app``, ``redirect``, ``code``, ``refresh``, ``pending``, ``slow_down`` or
            ``expired``.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@frozen(kw_only=True)
class Terms:
    """Lifetimes that a vendor grants, in seconds; None for no end.

    Attributes:
        access: How long an access token is good; without an end there is no refresh token.
        idle: How long a refresh token may lie unused.
        whole: How long refreshing may go on after one login.
        leeway: How long a used refresh token works once more.
        prefix: How access tokens begin.
        refresh_prefix: How refresh tokens begin.
    """

    access: float | None
    idle: float | None = None
    whole: float | None = None
    leeway: float = 0.0
    prefix: str = ""
    refresh_prefix: str = ""


@frozen(kw_only=True)
class IssuedTokens:
    """What one login, or one refreshing, gives.

    Attributes:
        access: The access token.
        refresh: The refresh token; empty where the access token has no end.
        seconds: How long the access token is good.
        scope: What it allows, as it was asked for.
    """

    access: str
    refresh: str
    seconds: int | None
    scope: str


@define(eq=False)
class _Family:
    """All tokens of one login."""

    began: datetime
    scope: str
    last: datetime
    fresh: set[str] = field(factory=set)
    used: dict[str, datetime] = field(factory=dict)
    revoked: bool = False


@frozen
class _Code:
    redirect: str
    challenge: str
    scope: str
    until: datetime


@define(eq=False)
class _Device:
    until: datetime
    interval: float
    polled_at: datetime
    polls: int = 0


@define(eq=False)
class OAuth:
    """An authorization server with one app.

    Attributes:
        vendor: Whose it is.
        terms: What it grants.
        clock: What ends tokens.
        conduct: How it behaves at the moment.
        client_id: The app's id.
        client_secret: Its secret, which a public client does not show.
        redirects: Where the app may send a browser; to any port of this machine when empty.
        issuer: What it calls itself when it sends a browser back; nothing when empty.
        refreshed: How often a login was renewed.
        families_ended: How many logins were ended by a token that was shown twice.
    """

    vendor: str
    terms: Terms
    clock: Clock
    conduct: Callable[[], Conduct]
    client_id: str
    client_secret: str
    redirects: tuple[str, ...] = ()
    issuer: str = ""
    refreshed: int = field(default=0, init=False)
    families_ended: int = field(default=0, init=False)
    _count: int = field(default=0, init=False)
    _codes: dict[str, _Code] = field(factory=dict, init=False)
    _devices: dict[str, _Device] = field(factory=dict, init=False)
    _of: dict[str, _Family] = field(factory=dict, init=False)
    _until: dict[str, datetime | None] = field(factory=dict, init=False)
    _by_code: dict[str, _Family] = field(factory=dict, init=False)

    def sent_back(
        self, client_id: str, redirect: str, *, state: str, scope: str, challenge: str = ""
    ) -> str:
        """Return the redirect after the user's decision.

        Raises:
            OAuthError: The app or its address is another; then no browser is sent anywhere.
        """
        if client_id != self.client_id:
            raise OAuthError("app")
        if not self._may_redirect(redirect):
            raise OAuthError("redirect")
        if self.conduct().agrees:
            code = self._new("code")
            self._codes[code] = _Code(redirect, challenge, scope, self._in(_CODE))
            answer = {"code": code}
        else:
            answer = {"error": "access_denied"}
        issuer = {"iss": self.issuer} if self.issuer else {}
        return f"{redirect}?{urlencode({**answer, 'state': state, **issuer})}"

    def exchange(
        self, client_id: str, code: str, redirect: str, *, verifier: str = "", secret: str = ""
    ) -> IssuedTokens:
        """Exchange a code once; reusing it revokes its tokens."""
        if family := self._by_code.get(code):
            self._end(family)
            raise OAuthError("code")
        grant = self._codes.pop(code, None)
        if grant is None or grant.until <= self.clock.now() or grant.redirect != redirect:
            raise OAuthError("code")
        if grant.challenge and _challenge(verifier) != grant.challenge:
            raise OAuthError("code")
        self.check_app(client_id, secret, public=bool(grant.challenge))
        family = self._by_code[code] = self._family(grant.scope)
        return self._issue(family)

    def refresh(
        self, client_id: str, token: str, *, secret: str = "", public: bool
    ) -> IssuedTokens:
        """Exchange a refresh token.

        Args:
            client_id: The app's id.
            token: The refresh token.
            secret: The app's secret.
            public: Whether the app need not show it.
        """
        self.check_app(client_id, secret, public=public)
        family = self._of.get(token)
        if family is None or family.revoked or self._is_over(family):
            raise OAuthError("refresh")
        if token not in family.fresh and not self._is_in_leeway(family.used.get(token)):
            self._end(family)
            raise OAuthError("refresh")
        if token in family.fresh:
            family.fresh.remove(token)
            family.used[token] = self.clock.now()
        self.refreshed += 1
        return self._issue(family)

    def opens(self, access: str) -> bool:
        """Return whether an access token is valid."""
        if access not in self._until or self._of[access].revoked:
            return False
        until = self._until[access]
        return until is None or self.clock.now() < until

    def scope(self, access: str) -> str:
        """Return the scope of an access token."""
        return self._of[access].scope

    def knows(self, access: str) -> bool:
        """Return whether it issued an access token, valid or not."""
        return access in self._until

    def revoke(self, token: str) -> bool:
        """Revoke all tokens of a token's login, and return whether there were any."""
        family = self._of.get(token)
        if family is None or family.revoked:
            return False
        family.revoked = True
        return True

    def device(self, *, seconds: float, interval: float) -> str:
        """Return a new code for a person to agree to."""
        code = self._new("device")
        self._devices[code] = _Device(self._in(seconds), interval, self.clock.now())
        return code

    def poll(self, client_id: str, code: str) -> IssuedTokens:
        """Return the tokens of a device login once the person has agreed."""
        self.check_app(client_id, "", public=True)
        device = self._devices.get(code)
        if device is None:
            raise OAuthError("code")
        now, conduct = self.clock.now(), self.conduct()
        if device.until <= now:
            raise OAuthError("expired")
        hasty = (now - device.polled_at).total_seconds() < device.interval
        device.polled_at, device.polls = now, device.polls + 1
        if hasty or device.polls <= conduct.slow_downs:
            device.interval += 5
            raise OAuthError("slow_down")
        if device.polls <= conduct.slow_downs + conduct.pending:
            raise OAuthError("pending")
        del self._devices[code]
        if not conduct.agrees:
            raise OAuthError("denied")
        return self._issue(self._family(""))

    def interval_of(self, device: str) -> int:
        """Return how many seconds to wait between two questions for a device code."""
        return int(self._devices[device].interval)

    def check_app(self, client_id: str, secret: str, *, public: bool) -> None:
        """Refuse another app, and one without its secret unless it is public."""
        if client_id != self.client_id or (not public and secret != self.client_secret):
            raise OAuthError("app")

    def _may_redirect(self, redirect: str) -> bool:
        if self.redirects:
            return redirect in self.redirects
        parts = urlsplit(redirect)
        return parts.scheme == "http" and parts.hostname in _LOOPBACK

    def _family(self, scope: str) -> _Family:
        now = self.clock.now()
        return _Family(began=now, scope=scope, last=now)

    def _issue(self, family: _Family) -> IssuedTokens:
        setting = self.conduct().token_seconds
        seconds = self.terms.access if setting is None else setting
        access = self.terms.prefix + self._new("access")
        self._of[access] = family
        self._until[access] = None if seconds is None else self._in(seconds)
        refresh = ""
        if seconds is not None:
            refresh = self.terms.refresh_prefix + self._new("refresh")
            self._of[refresh] = family
            family.fresh.add(refresh)
        family.last = self.clock.now()
        whole = None if seconds is None else int(seconds)
        return IssuedTokens(access=access, refresh=refresh, seconds=whole, scope=family.scope)

    def _is_over(self, family: _Family) -> bool:
        ends = [(family.last, self.terms.idle), (family.began, self.terms.whole)]
        now = self.clock.now()
        return any(
            after is not None and since + timedelta(seconds=after) <= now for since, after in ends
        )

    def _is_in_leeway(self, used: datetime | None) -> bool:
        setting = self.conduct().leeway
        leeway = self.terms.leeway if setting is None else setting
        return used is not None and self.clock.now() < used + timedelta(seconds=leeway)

    def _end(self, family: _Family) -> None:
        if not family.revoked:
            family.revoked = True
            self.families_ended += 1

    def _in(self, seconds: float) -> datetime:
        return self.clock.now() + timedelta(seconds=seconds)

    def _new(self, what: str) -> str:
        self._count += 1
        return ids.uuid(f"{self.vendor}/{what}/{self._count}").replace("-", "")


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
