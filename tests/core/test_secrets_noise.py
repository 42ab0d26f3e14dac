"""Secrets drawn from letters, digits and all signs, as WordPress and Django make them."""

import random
import string

import pytest

from rove_core import redact_secrets

_LETTERS = string.ascii_letters + string.digits
#: The signs of WordPress's salts, one of them a space.
WORDPRESS = _LETTERS + "!@#$%^&*()-_ []{}<>~`+=,.;:/?|"
DJANGO = string.ascii_lowercase + string.digits + "!@#$%^&*(-_=+)"
EACH = 200


@pytest.mark.parametrize(
    ("line", "signs", "length"),
    [
        ("define('AUTH_KEY',         '{}');", WORDPRESS, 64),
        ("define( 'NONCE_SALT', '{}' );", WORDPRESS, 64),
        ("SECRET_KEY = '{}'", DJANGO, 50),
        ('"SECRET_KEY": "{}",', DJANGO, 50),
    ],
)
def test_nine_in_ten_are_redacted(line: str, signs: str, length: int) -> None:
    """A sign that stands for something elsewhere is one of many here."""
    lot = random.Random(1)  # noqa: S311  # the same in each run
    texts = ["".join(lot.choices(signs, k=length)).strip() for _ in range(EACH)]

    kept = [text for text in texts if text in redact_secrets(line.replace("{}", text))]
    assert len(kept) <= EACH / 10


@pytest.mark.parametrize(
    "line",
    [
        "password: '<your-Password-1!-goes_here+please>'",
        "secret = '${VAULT_Secret-1}/${NAME_2}:x@y#z+Q9'",
        'password_pattern: "^(?=.*[A-Z])(?=.*[0-9])(?=.*[!@#]).{12,}$"',
        "token: '{{ lookup(Vault, Path/4) }}-{{ x }}#9'",
        "token = 'Bearer: ' + encode(user, 7, \"x\") + ';' # Q&A = none",
        "password = 'At least 12 characters, 1 digit & 1 sign (!@#$%)'",
    ],
)
def test_what_is_filled_in_stays(line: str) -> None:
    """Patterns, templates and sentences have many signs, too."""
    assert redact_secrets(line) == line


@pytest.mark.parametrize(
    "line",
    [
        "Log in as demo with blau{} please",
        "einfach mit root und geheim{} anmelden",
        "met admin en tulp{} inloggen",
    ],
)
def test_whoever_enters_as_a_common_user_has_a_plain_password(line: str) -> None:
    """Behind such a name even a word and a number open something."""
    assert "1234" not in redact_secrets(line.format("1234"))


@pytest.mark.parametrize(
    "line",
    [
        "log in as alice with chrome120",
        "log in to test with chrome120",
        "log in as admin with python3.11",
        "mit root und Schlüssel anmelden",
    ],
)
def test_what_somebody_enters_by_is_no_password(line: str) -> None:
    """A browser, a version, a word."""
    assert redact_secrets(line) == line
