"""Messages that a question quotes, and the string literals that they are made of."""

import pytest
from tests.code.written import ask, found

from rove_code.ranking.literals import number, sequences

OTHERS = {
    f"basket_{word}.py": f"def {word}(basket, file, cannot):\n    return open(file, cannot)\n"
    for word in ("open", "read", "write", "close")
}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a.py", 'raise Failed(f"basket {name} cannot reopen: lid is stuck")'),
        ("a.py", "raise Failed('basket %s cannot reopen: lid is stuck' % name)"),
        ("a.py", 'raise Failed("basket %(name)s cannot reopen: lid is stuck" % names)'),
        ("a.js", "throw new Failed(`basket ${name} cannot reopen: lid is stuck`)"),
        ("a.go", 'return fmt.Errorf("basket %q cannot reopen: lid is stuck", name)'),
        ("a.rs", 'panic!("basket {} cannot reopen: lid is stuck", name)'),
        ("A.java", 'throw new Failed(String.format("basket %d cannot reopen: lid is stuck", n));'),
    ],
)
def test_a_quoted_message_leads_to_the_code_that_prints_it(name: str, code: str) -> None:
    """Values are put into a message where it is made."""
    ranking = ask({**OTHERS, name: f"{code}\n"}, "Basket 17 cannot reopen: lid is stuck")

    assert found(ranking)[0] == name
    assert "prints what the question quotes" in ranking.scored[0].reason


def test_the_order_of_words_tells_a_message_from_others() -> None:
    """Files that have the same words, and say something else with them, are not meant."""
    texts = {
        "said.py": 'def lid():\n    fail("lid cannot close the basket")\n',
        "other.py": 'def basket():\n    fail("basket lid close cannot the")\n',
    }

    ranking = ask(texts, "It says: lid cannot close the basket")

    reasons = {
        texts_path: each.reason
        for texts_path, each in zip(found(ranking), ranking.scored, strict=False)
    }
    assert "prints" in reasons["said.py"]
    assert "prints" not in reasons.get("other.py", "")


def test_a_docstring_is_no_message() -> None:
    """What documents code is not printed by it."""
    assert not sequences('"""Return the open basket."""', "python")


def test_a_short_literal_before_a_message_hides_nothing() -> None:
    """What stands between two literals is no literal."""
    found_ = sequences('say("a", go(to, the, shop), "basket is full")', "python")

    assert {number(("basket", "is", "full"))} == set(found_)


def test_a_message_does_not_go_on_after_a_value() -> None:
    """Nobody knows how many words a value has."""
    assert number(("basket", "is", "full")) not in sequences('"basket {name} is full"', "python")


def test_both_words_between_two_values_are_a_sequence() -> None:
    """A message of few words is found as well."""
    assert {number(("unknown", "article")): 1} == sequences('"unknown article %s"', "go")


def test_single_quotes_begin_literals_only_where_the_language_has_them() -> None:
    """In others they begin characters and lifetimes."""
    text = "'basket is full'"

    assert sequences(text, "python")
    assert not sequences(text, "rust")


def test_a_message_that_many_places_print_tells_nothing() -> None:
    """It may come from any of them."""
    texts = {f"f{at}.py": f'def f{at}():\n    fail("basket is full")\n' for at in range(30)}

    assert all("prints" not in each.reason for each in ask(texts, "basket is full").scored)
