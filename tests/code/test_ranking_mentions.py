"""What a question names outright."""

import pytest
from tests.code.written import ask, found

from rove_code.ranking.mentions import Frame, frames

SHOP = {
    "shop/basket.py": "def add(article):\n    return article\n",
    "shop/models/pay.py": "def charge(card):\n    return card\n\n\ndef refund():\n    return 1\n",
    "other/pay.py": "def charge(card):\n    return card\n",
}


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ('  File "/usr/shop/pay.py", line 5, in refund', ("/usr/shop/pay.py", 5, "refund")),
        ("\tat com.shop.Pay.refund(Pay.java:12)", ("Pay.java", 12, "com.shop.Pay.refund")),
        (
            "   at Shop.Pay.Refund(Card card) in /src/Pay.cs:line 7",
            ("/src/Pay.cs", 7, "Shop.Pay.Refund"),
        ),
        ("    at refund (/app/src/pay.js:3:14)", ("/app/src/pay.js", 3, "refund")),
        ("    at /app/src/pay.js:3:14", ("/app/src/pay.js", 3, "")),
        ("\t/home/me/shop/pay.go:88 +0x1d", ("/home/me/shop/pay.go", 88, "")),
        ("thread 'main' panicked at src/pay.rs:9:5:", ("src/pay.rs", 9, "")),
    ],
)
def test_a_place_of_a_traceback_is_known(text: str, frame: tuple[str, int, str]) -> None:
    """Each language has a form of its own."""
    assert (Frame(*frame),) == frames(text)


def test_a_traceback_leads_to_the_file_that_it_names() -> None:
    """Files lie elsewhere on the machine where it happened, and lines may have moved."""
    ranking = ask(SHOP, 'Money lost\n  File "/srv/shop/models/pay.py", line 1, in refund')

    assert found(ranking)[0] == "shop/models/pay.py"
    assert "a traceback leads here" in ranking.scored[0].reason


def test_a_path_in_a_question_leads_to_the_file() -> None:
    """Of two files of one name, the one whose folder is named too is meant."""
    assert found(ask(SHOP, "cards are broken in models/pay.py"))[0] == "shop/models/pay.py"


def test_a_module_in_a_question_leads_to_the_file() -> None:
    """A module's name is a path with dots."""
    assert found(ask(SHOP, "shop.models.pay.card is broken"))[0] == "shop/models/pay.py"


def test_a_name_in_backticks_leads_to_what_declares_it() -> None:
    """A declared name counts more than the same word in a text."""
    texts = {
        "a.py": "def start():\n    article = 1\n    return article, article, article\n",
        "b.py": "def article():\n    return 1\n",
    }

    assert found(ask(texts, "`article` is wrong"))[0] == "b.py"
