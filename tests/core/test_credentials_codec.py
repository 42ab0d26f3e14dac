import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone

import attrs
import pytest

from rove_core.auth.credentials import decode, encode
from rove_core.errors import CredentialsCorrupt, PluginFailed
from rove_core.login import Credential
from rove_core.safety.secret import Secret


def _decode(text: str) -> Credential:
    return decode(text, account="jira", place="the test")


def test_the_text_is_ascii(credential: Credential) -> None:
    """A keychain may have its own idea of encodings, and needs none."""
    assert encode(credential).isascii()


def test_a_time_is_kept_in_utc(credential: Credential) -> None:
    """The moment is the same, wherever it was written."""
    there = datetime(2026, 3, 29, 3, 30, tzinfo=timezone(timedelta(hours=2)))

    kept = _decode(encode(attrs.evolve(credential, expires_at=there)))

    assert kept.expires_at == there
    assert kept.expires_at is not None
    assert kept.expires_at.tzinfo is UTC


def test_a_time_without_a_zone_is_the_plugins_fault(credential: Credential) -> None:
    """Rove does not guess when such a login ends."""
    naive = datetime(2026, 3, 29)  # noqa: DTZ001  # that is the fact

    with pytest.raises(PluginFailed, match="2026-03-29T00:00:00, without a time zone"):
        encode(attrs.evolve(credential, expires_at=naive))


def test_a_login_without_a_known_end_is_kept_as_ever(credential: Credential) -> None:
    """What an earlier Rove kept is read, and an earlier Rove reads what this one keeps."""
    assert "ends_at" not in encode(credential)


def test_the_end_of_a_login_is_kept(credential: Credential) -> None:
    """Renewing it will not move it."""
    ending = attrs.evolve(credential, ends_at=datetime(2027, 1, 1, tzinfo=UTC))

    assert _decode(encode(ending)) == ending


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"ends_at": None},
        {"format": True},
        {"headers": None},
        {"headers": {"Authorization": None}},
        {"hosts": "acme.atlassian.net"},
        {"hosts": [1]},
        {"access": 7},
        {"expires_at": "tomorrow"},
        {"expires_at": "2026-03-29T01:30:00"},
        {"expires_at": "2026-03-29T01:30:00Z"},
        {"expires_at": "0001-01-01T00:00:00+05:00"},
        {"unknown": "key"},
    ],
    ids=repr,
)
def test_any_other_shape_is_refused(credential: Credential, change: Mapping[str, object]) -> None:
    """Reading is strict: nothing is guessed, converted or dropped."""
    text = json.dumps(
        json.loads(encode(credential)) | change, separators=(",", ":"), sort_keys=True
    )

    with pytest.raises(CredentialsCorrupt, match="the login of jira in the test"):
        _decode(text)


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", '{"format":1}', "[" * 100_000, "NaN", "9" * 5000]
)
def test_any_other_text_is_refused(text: str) -> None:
    """Whatever stands in the entry, it is one clear error."""
    with pytest.raises(CredentialsCorrupt):
        _decode(text)


def test_every_shorter_text_is_refused(credential: Credential) -> None:
    """A keychain that cuts an entry off is found out."""
    text = encode(attrs.evolve(credential, access=Secret("short")))

    for end in range(len(text)):
        with pytest.raises(CredentialsCorrupt):
            _decode(text[:end])


def test_the_error_does_not_hold_the_text() -> None:
    """What cannot be read may still be a secret."""
    with pytest.raises(CredentialsCorrupt) as caught:
        _decode('{"access":"canary-hunter2"')

    error = caught.value
    assert "canary" not in f"{error!r} {error.hint} {error.__cause__!r} {error.__context__!r}"
