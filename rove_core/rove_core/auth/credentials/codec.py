"""Credentials as JSON text: the only place where secrets are revealed for storage."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from rove_core.errors import CredentialsCorrupt, PluginFailed
from rove_core.login import Credential
from rove_core.safety.secret import Secret

_FORMAT: Final = 1


def encode(credential: Credential) -> str:
    """Return the credential as one line of ASCII, secrets and all."""
    document = {
        "format": _FORMAT,
        "headers": _reveal(credential.headers),
        "hosts": credential.hosts,
        "access": None if credential.access is None else credential.access.reveal(),
        "refresh": None if credential.refresh is None else credential.refresh.reveal(),
        "expires_at": None if credential.expires_at is None else _stamp(credential.expires_at),
        "scopes": credential.scopes,
        "extra": _reveal(credential.extra),
    }
    # Named only where it is known: so an earlier Rove reads what most vendors give, and this
    # one reads what an earlier one kept.
    if credential.ends_at is not None:
        document["ends_at"] = _stamp(credential.ends_at)
    return json.dumps(document, separators=(",", ":"), sort_keys=True)


def decode(text: str, *, account: str, place: str) -> Credential:
    """Return the credential that a text made by :func:`encode` holds.

    Args:
        text: What was kept.
        account: Whose credential it is, for the message if it cannot be read.
        place: Where it was kept, for the same message.

    Raises:
        CredentialsCorrupt: It is anything but the exact text that was kept.
    """
    credential = _parse(text)
    # One comparison refuses what parsing forgives: another format, unknown and double keys.
    if credential is not None and encode(credential) == text:
        return credential
    # Nothing is chained: the cause would hold the text, and with it the secrets.
    raise CredentialsCorrupt(
        f"the login of {account} in {place} cannot be read",
        hint="Update Rove if a newer one wrote it; else log in again: rove --add-source KIND",
        account=account,
    )


def _reveal(secrets: Mapping[str, Secret]) -> Mapping[str, str]:
    return {name: secret.reveal() for name, secret in secrets.items()}


def _stamp(moment: datetime) -> str:
    if moment.tzinfo is None:
        raise PluginFailed(f"a credential expires at {moment.isoformat()}, without a time zone")
    return moment.astimezone(UTC).isoformat()


def _parse(text: str) -> Credential | None:
    try:
        return _credential(json.loads(text))
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


def _credential(document: object) -> Credential:
    fields = _mapping(document)
    expires_at = fields["expires_at"]
    return Credential(
        headers=_secrets(fields["headers"]),
        hosts=_texts(fields["hosts"]),
        access=_secret(fields["access"]),
        refresh=_secret(fields["refresh"]),
        expires_at=None if expires_at is None else _moment(expires_at),
        ends_at=_moment(fields["ends_at"]) if "ends_at" in fields else None,
        scopes=_texts(fields["scopes"]),
        extra=_secrets(fields["extra"]),
    )


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return tuple(map(_text, value))


def _secret(value: object) -> Secret | None:
    return None if value is None else Secret(_text(value))


def _secrets(value: object) -> Mapping[str, Secret]:
    return {name: Secret(_text(text)) for name, text in _mapping(value).items()}


def _moment(value: object) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.utcoffset() != timedelta(0):
        raise ValueError("not UTC")
    return moment
