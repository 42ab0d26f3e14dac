"""Logins in environment variables: each may be another one than a mirror was made with."""

import json
from collections.abc import Mapping
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from rove_core.auth.credentials.environment import field_variable

if TYPE_CHECKING:
    from rove_core.sources import AnySourceKind

#: Maximum logins whose owners a mirror remembers.
_MOST: Final = 10


@frozen(kw_only=True)
class EnvironmentLogins:
    """What a mirror remembers of logins in the environment; the logins themselves are not stored.

    Attributes:
        variables: The environment variables that may hold a login of the account.
        owners: The owner of each login used so far, by its digest; the latest come last.
    """

    variables: tuple[str, ...] = ()
    owners: Mapping[str, str] = field(factory=dict)

    def owner(self, stored: str, environ: Mapping[str, str]) -> str | None:
        """Return the owner of the login that is used; None if the owner is not known yet.

        Args:
            stored: The owner of the login that Rove keeps.
            environ: The environment; a login there comes before the stored one.
        """
        digest = self.digest(environ)
        return self.owners.get(digest) if digest else stored

    def digest(self, environ: Mapping[str, str]) -> str:
        """Return a digest of the login in the environment; empty if there is none."""
        found = [(name, text) for name in self.variables if (text := environ.get(name, "").strip())]
        text = json.dumps(found, ensure_ascii=True)
        return sha256(text.encode()).hexdigest()[:16] if found else ""

    def having(self, digest: str, owner: str) -> "EnvironmentLogins":
        """Return them with one more."""
        others = {each: name for each, name in self.owners.items() if each != digest}
        latest = dict(islice(others.items(), max(0, len(others) - _MOST + 1), None))
        return EnvironmentLogins(variables=self.variables, owners={**latest, digest: owner})

    def text(self) -> str:
        """Return their stored form."""
        return json.dumps({"variables": self.variables, "owners": dict(self.owners)})

    @classmethod
    def of(cls, text: str) -> "EnvironmentLogins":
        """Return them from their stored form."""
        stored = json.loads(text)
        return cls(variables=tuple(stored["variables"]), owners=stored["owners"])


def login_variables(account: str, kind: "AnySourceKind") -> tuple[str, ...]:
    """Return the environment variables that may hold a login of an account."""
    fields = [each for way in kind.logins if not way.person for each in way.fields]
    names = [name for each in fields for name in (field_variable(account, each), *each.environment)]
    return tuple(dict.fromkeys(names))
