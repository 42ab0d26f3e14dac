"""Passwords that their form gives away, and what only looks like one."""

import pytest

from rove_core.safety.secrets import redact_secrets
from rove_core.safety.secrets.scan import Scanner
from rove_core.safety.secrets.spoken_passwords import SpokenPasswords
from rove_core.safety.secrets.telling_passwords import is_likely, is_telling


@pytest.mark.parametrize(
    "password",
    [
        *("Falcon1987*", "Zuerich#Harbor6", "H@rb0r_3677", "Zuer1ch-7895", "x7$Kq!vR2mZ"),
        *("m4P0-P6eQ-XySX", "gZicCqrXJOOApIwq3", "DragonSoleil779!"),
    ],
)
def test_telling_passwords(password: str) -> None:
    """A password is found wherever in its line a word for passwords stands."""
    assert is_telling(password)
    assert password not in redact_secrets(f"somebody wrote {password} down, that password is old")


@pytest.mark.parametrize(
    "word",
    [
        *("iPhone15Pro", "OpenSSH_9.6p1", "lodash@4.17.21", "auth-api-7f9c6d5b8-x2x4z", "PR#1287"),
        *("JwtAuthFilter2", "user1@host2", "C++17", "$HOME1", "HMAC-SHA512", "v1.4.2+build.77"),
        *("Windows2019!", "a/b#c1!d", "name=Value1!"),
    ],
)
def test_names_are_not_telling(word: str) -> None:
    """Products, versions, addresses and identifiers in such a line stay."""
    assert not is_telling(word)
    assert word in redact_secrets(f"after the upgrade to {word} no user could change a password")


@pytest.mark.parametrize("password", ["Falcon1987", "DragonSoleil779", "harbor-copper-pickle-11"])
def test_likely_passwords(password: str) -> None:
    """A word and a year, or words and a number, count only in quotes or at the end of a line."""
    assert is_likely(password)
    assert not is_telling(password)
    assert password not in redact_secrets(f'why is "{password}" a weak password?')
    assert password in redact_secrets(f"why does {password} ask me for a password?")


@pytest.mark.parametrize("product", ["Windows2019", "Server2022", "Sprint2026"])
def test_products_are_not_likely(product: str) -> None:
    """What vendors and teams name by the year is no password."""
    assert not is_likely(product)


@pytest.mark.parametrize(
    ("text", "is_password"),
    [
        ("the preview is behind preview / Meadow2016*", True),
        ("use it with (svc-backup / m4P0-P6eQ-XySX)", True),
        ("try root / sommer2025 there", True),
        ("dev / test01 / prod2", False),
        ("Galaxy / Pixel2024!", False),
        ("docs / Windows2019", False),
    ],
)
def test_names_and_passwords_between_slashes(text: str, *, is_password: bool) -> None:
    """A user's name, a slash and a password are a login without any word for it."""
    without = Scanner(spoken=SpokenPasswords(slashes={}))

    assert ("[secret:password:" in redact_secrets(text)) is is_password
    assert not without.search(text)
