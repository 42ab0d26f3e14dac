"""Names of people, and what a reader cannot see of them."""

import pytest

from rove_core.safety.text import clean
from rove_core.safety.text.names import display_name


@pytest.mark.parametrize(
    "author", ["Sarah\u200b Chen", "Sa\u00adrah Chen", "\u202eSarah Chen", "Sarah Chen\u2060"]
)
def test_hidden_letters_are_told(author: str) -> None:
    """Who looks like a colleague by letters that nobody sees is told apart."""
    assert display_name(author) == "Sarah Chen (name has hidden characters)"


@pytest.mark.parametrize("author", ["S\u0430rah Chen", "Sarah Ch\u03b5n", "\uff33arah Chen"])
def test_look_alike_letters_are_told(author: str) -> None:
    """Who looks like a colleague by letters of another alphabet is told apart."""
    assert display_name(author) == f"{author} (name has look-alike characters)"


@pytest.mark.parametrize(
    "author",
    [
        "Zoë Müller-Ångström",
        "M\u00aa José",
        "\u0421\u0430\u0440\u0430",
        "田中 Aiko",
        "Ann \U0001f469\u200d\U0001f4bb",
        "Ann \u2764\ufe0f",
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
        "Michał",
        "",
    ],
)
def test_other_names_are_shown_as_they_are(author: str) -> None:
    """People of other languages, and emoji, are no disguise."""
    assert display_name(author) == clean(author)


def test_a_guest_is_called_so() -> None:
    """Whom the source knows to be from elsewhere is shown so."""
    assert display_name("Hal Jensen", is_guest=True) == "Hal Jensen (guest)"
