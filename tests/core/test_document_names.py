"""The names of documents: short, readable, and the same wherever a ticket's document is made."""

import pytest

from rove_core.build.rank.words import written
from rove_core.documents import name_words


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("User Authentication Flow", "user_authentication_flow"),
        ("Check tokens with the provider's key set", "check_tokens_provider_key_set"),
        ("Flag enterprise_login and how it is rolled out", "flag_enterprise_login_rolled"),
        ("Schlüssel rotieren: Mandanten", "schlussel_rotieren_mandanten"),
        ("Everybody is logged out on January 1st, again", "everybody_logged_january_1st"),
    ],
)
def test_a_name_is_the_title_in_short(title: str, name: str) -> None:
    """Words that tell nothing are left out; the order stays."""
    words = (word.text for word in written(title))

    assert "_".join(name_words(words, ("partners", "oauth2"))) == name


def test_a_short_title_is_filled_up_to_three_words() -> None:
    """With what else the ticket says, the most telling first."""
    assert name_words(("login",), ("session", "login", "expires", "cookie")) == (
        "login",
        "session",
        "expires",
    )
