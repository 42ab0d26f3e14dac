"""Scopes of a token, as Slack sends them with each reply."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core.json_reader import string
from rove_slack.api import HISTORY, MESSAGE_SEARCH, READ, SEARCH
from rove_slack.errors import lacking

if TYPE_CHECKING:
    from rove_core import Reply

_KINDS: Final = {
    "public_channel": "public channels",
    "private_channel": "private channels",
    "mpim": "group messages",
    "im": "direct messages",
}


@frozen
class GrantedScopes:
    """The scopes of a token.

    Attributes:
        scopes: Their names; None when Slack did not say, and all may be tried.
        is_bot: Whether it is a bot's token, which cannot search.
    """

    scopes: frozenset[str] | None = None
    is_bot: bool = False

    @classmethod
    def by(cls, reply: "Reply") -> "GrantedScopes":
        """Return the scopes in the reply to ``auth.test``."""
        header = reply.headers.get("x-oauth-scopes")
        scopes = None if header is None else frozenset(header.replace(",", " ").split())
        return cls(scopes, bool(string(reply.json(), "bot_id")))

    def has(self, scope: str) -> bool:
        """Return whether a scope is granted; True if unknown."""
        return self.scopes is None or scope in self.scopes

    def kinds(self, scopes: Mapping[str, str]) -> tuple[str, ...]:
        """Return the kinds of conversations for which the scope of a table is granted."""
        return tuple(kind for kind, scope in scopes.items() if self.has(scope))

    def lines(self) -> tuple[str, ...]:
        """Return what can be read, and what cannot and why, one line each."""
        if self.scopes is None:
            return ()
        # Nobody writes to a bot what a ticket needs.
        kinds = (kind for kind in _KINDS if not self.is_bot or self.has(HISTORY[kind]))
        return tuple(self._line(kind) for kind in kinds)

    def check(self, account: str) -> None:
        """Raise ScopeMissing for an account with no way to search, or nothing to read."""
        provided = ",".join(sorted(self.scopes or ()))
        if self.is_bot and not self.kinds(READ):
            raise lacking(READ["public_channel"], provided, account)
        if not self.is_bot and not self.kinds(SEARCH) and not self.has(*MESSAGE_SEARCH.scopes):
            raise lacking(SEARCH["public_channel"], provided, account)
        if not self.kinds(HISTORY):
            raise lacking(HISTORY["public_channel"], provided, account)

    def _line(self, kind: str) -> str:
        if self.has(HISTORY[kind]):
            without = "" if self.has(READ[kind]) else f", without names: no scope {READ[kind]}"
            return _KINDS[kind] + without
        return f"no {_KINDS[kind]}: the token has no scope {HISTORY[kind]}"
