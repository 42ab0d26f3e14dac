"""Secrets do not leave in text."""

import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.safety.redaction import REDACTED, redact
from rove_core.safety.secret import Secret

TOKEN = "CANARY+tok/en=\\ü'\"7"  # noqa: S105  # it opens nothing

secrets = st.text(st.characters(exclude_categories=["Cs"]), min_size=6, max_size=40).filter(
    lambda text: text.strip() == text and text not in REDACTED
)


def base64_with(before: bytes, text: str) -> str:
    """Return base64 of a text amid others."""
    return b64encode(before + text.encode() + b"!?").decode()


@pytest.mark.parametrize(
    "form",
    [
        TOKEN,
        repr(TOKEN)[1:-1],
        json.dumps(TOKEN)[1:-1],
        quote(TOKEN),
        quote(TOKEN, safe="").lower().replace("canary", "CANARY"),
        quote_plus(TOKEN),
        TOKEN.encode().hex(),
        TOKEN.encode().hex().upper(),
        base64_with(b"", TOKEN),
        base64_with(b"u", TOKEN),
        base64_with(b"u:", TOKEN),
        base64_with(b"ann:", TOKEN),
        urlsafe_b64encode(b"ann@example.com:" + TOKEN.encode()).decode(),
    ],
)
def test_every_form(form: str) -> None:
    """A secret is taken out however it is written, with what hides around it in base64."""
    secret = Secret(TOKEN)

    assert redact(f"a={form} z") == f"a={REDACTED} z"
    assert secret


@given(secrets, st.binary(max_size=5), st.binary(max_size=5))
def test_base64_anywhere(text: str, before: bytes, after: bytes) -> None:
    """Wherever a secret stands in what was encoded, nothing of the base64 is left."""
    secret = Secret(text)
    encoded = b64encode(before + text.encode() + after).decode()

    assert redact(f"<{encoded}>") == f"<{REDACTED}>"
    assert secret


@given(secrets, st.text(max_size=20), st.text(max_size=20))
def test_never_left(text: str, before: str, after: str) -> None:
    """No text around a secret keeps it from being taken out."""
    secret = Secret(text)

    assert text not in redact(f"{before}{text}{after}").replace(REDACTED, "\n")
    assert secret


def test_authorization_headers() -> None:
    """Of a whole header its token is a secret too, and the password in a Basic one."""
    basic = b64encode(b"ann:CANARY-password").decode()
    kept = [Secret("Bearer CANARY-bearer"), Secret(f"Basic {basic}")]
    redacted = redact(f"CANARY-bearer, {basic}, CANARY-password")

    assert redacted == f"{REDACTED}, {REDACTED}, {REDACTED}"
    assert kept


def test_a_header_that_is_no_base64() -> None:
    """A Basic header with anything else in it is still a secret."""
    secret = Secret("Basic not-base64!")

    assert redact("of not-base64!") == f"of {REDACTED}"
    assert secret


def test_longest_first() -> None:
    """A secret that begins with another is taken out whole."""
    kept = [Secret("CANARY"), Secret("CANARY-longer")]

    assert redact("CANARY-longer") == REDACTED
    assert kept


def test_short_secrets() -> None:
    """A secret that could be part of any word is not looked for."""
    secret = Secret("abc")

    assert redact("abcdef") == "abcdef"
    assert secret


def test_dead_secrets() -> None:
    """A secret that this process no longer holds is not looked for."""
    secret = Secret("CANARY-dead")
    del secret

    assert redact("CANARY-dead") == "CANARY-dead"
