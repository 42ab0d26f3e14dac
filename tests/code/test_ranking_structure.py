"""Questions about how code hangs together."""

import tracemalloc

import pytest
from tests.code.written import Written, ask, found

from rove_code.ranking.centrality import central
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.structure import NameQuestion, Structural, structural

SHOP = {
    "pay.py": "class Till:\n    pass\n\n\ndef charge(card):\n    return card\n",
    "shop.py": "from pay import charge\n\n\ndef sell(card):\n    return charge(card)\n",
    "charge.py": "def explain():\n    '''The charge of a card: charge, charge.'''\n",
    "toy.py": "from pay import Till\n\n\nclass ToyTill(Till):\n    pass\n",
    "shop.toml": "[shop]\nmax_age = 3\n",
}


@pytest.mark.parametrize(
    ("text", "sought", "name"),
    [
        ("Who calls `charge`?", NameQuestion.CALLERS, "charge"),
        ("callers of Till.charge", NameQuestion.CALLERS, "charge"),
        ("Where is charge() called?", NameQuestion.CALLERS, "charge"),
        ("which functions call charge", NameQuestion.CALLERS, "charge"),
        ("What implements the interface Till?", NameQuestion.KINDRED, "Till"),
        ("subclasses of `Till`", NameQuestion.KINDRED, "Till"),
        ("which classes inherit from Till", NameQuestion.KINDRED, "Till"),
        ("who uses Till?", NameQuestion.USERS, "Till"),
        ("where is the class Till used", NameQuestion.USERS, "Till"),
        ("Where is `max_age` configured?", NameQuestion.SETTING, "max_age"),
        ("where is Till defined?", NameQuestion.PLACE, "Till"),
    ],
)
def test_a_structural_question_is_known_by_its_form(
    text: str, sought: NameQuestion, name: str
) -> None:
    """People ask the same in several ways."""
    asked = structural(text)

    assert asked
    assert (sought, name) == (asked.sought, asked.name)


def test_the_owner_of_a_name_is_known() -> None:
    """A method is asked for with its class."""
    assert Structural(NameQuestion.CALLERS, "add", "Basket") == structural("callers of Basket.add")
    assert Structural(NameQuestion.CALLERS, "add", "cart") == structural("who calls cart->add?")


@pytest.mark.parametrize(
    "text",
    [
        "charge fails",
        "Fix the price " * 30 + "who calls x",
        "Fix a reference to charge in the texts",
        "Explain the usage for callers",
    ],
)
def test_other_questions_have_no_such_form(text: str) -> None:
    """A ticket that says how something is called is none."""
    assert structural(text) is None


def test_callers_come_before_what_speaks_of_it() -> None:
    """Words alone would find what says the name most often."""
    assert found(ask(SHOP, "who calls charge?"))[0] == "shop.py"


def test_subclasses_come_first() -> None:
    """What is built on a type is found by its bases."""
    assert found(ask(SHOP, "what inherits from Till?"))[0] == "toy.py"


def test_a_setting_is_found_where_it_is_configured() -> None:
    """Files of settings are no longer aside when a setting is asked for."""
    assert found(ask(SHOP, "where is max_age configured?"))[0] == "shop.toml"


def test_names_that_everything_declares_fill_no_memory() -> None:
    """A name that many files declare and use is not paired with itself for each of both."""
    texts = {f"m{at}.py": f"# {at}\ndef run(x):\n    return run(x)\n" for at in range(300)}
    corpus = CodeCorpus.of([Written(texts)])

    tracemalloc.start()
    try:
        central(corpus)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 2_000_000
