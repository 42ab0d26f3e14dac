"""What is found for a question, and in which order."""

from tests.code.written import Written, ask, found

from rove_code.model import CodeQuestion
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.rank import rank

CODE = "def round_price(price):\n    return int(price)\n"
TEST = "def test_round_price():\n    assert round_price(1.2) == round_price(1)\n"
SHOP = {"shop/price.py": CODE, "tests/test_price.py": TEST}


def test_tests_come_after_code() -> None:
    """They say all words of what they test, and are seldom what is wrong."""
    assert found(ask(SHOP, "round price price price")) == ["shop/price.py", "tests/test_price.py"]


def test_tests_come_first_when_they_are_asked_for() -> None:
    """Nothing is ever left out, only put aside."""
    assert found(ask(SHOP, "which tests cover round_price?"))[0] == "tests/test_price.py"


def test_what_a_text_says_of_tests_by_the_way_does_not_ask_for_them() -> None:
    """A fix comes with a test, and its message says so."""
    text = "round price\n\n* add failing tests for round_price"

    assert found(ask(SHOP, text))[0] == "shop/price.py"


def test_what_uses_the_best_comes_before_what_says_the_same() -> None:
    """A fix is often where something is used."""
    texts = {
        "a.py": "def sell(basket):\n    return 'refund basket'\n",
        "b.py": "def sell(basket):\n    return refund(basket)\n",
        "c.py": "def refund(basket):\n    return 'refund', basket\n",
    }

    assert found(ask(texts, "refund"))[:2] == ["c.py", "b.py"]


def test_a_name_counts_more_than_a_text() -> None:
    """What is called so is more likely meant than what says so."""
    texts = {"a.py": "def b():\n    '''refund'''\n", "c.py": "def refund():\n    '''b'''\n"}

    assert found(ask(texts, "refund"))[0] == "c.py"


def test_equals_are_in_the_order_of_their_paths() -> None:
    """The same question has the same answer, whatever order files are in."""
    texts = dict.fromkeys(("c.py", "a.py", "b.py"), CODE)

    assert found(ask(texts, "round the price")) == ["a.py", "b.py", "c.py"]


def test_the_order_of_files_does_not_matter() -> None:
    """Answers are the same for the same files."""
    texts = {f"{name}.py": f"def {name}(price):\n    return price\n" for name in "abcdef"}
    other = dict(reversed(texts.items()))
    question = "price of b and d"

    one, two = ask(texts, question), ask(other, question)

    assert [at.score for at in one.scored] == [at.score for at in two.scored]
    assert found(one) == found(two)


def test_a_reason_says_which_words_fit() -> None:
    """People see why something was found."""
    assert ask(SHOP, "round the price").scored[0].reason.startswith("price, round;")


def test_each_file_has_one_signature() -> None:
    """It is that of the declaration whose name fits best."""
    text = "def refund(card):\n    return 1\n\n\ndef charge(card):\n    return 2\n"

    (signature,) = ask({"pay.py": text}, "charge a card").signatures

    assert signature.site.declaration == 1


def test_a_title_counts_more_than_what_follows() -> None:
    """The first line of a long text says what it is about."""
    texts = {
        "a.py": "def refund():\n    return 1\n",
        "b.py": "def charge():\n    return 1\n",
    }
    text = "refund is broken\n" + "I bought something and then it took long. " * 9 + "charge"

    assert found(ask(texts, text))[0] == "a.py"


def test_what_is_never_asked_for_is_not_found() -> None:
    """A file that has none of the words, nor is near one that has, is not there."""
    assert "other.py" not in found(ask({**SHOP, "other.py": "x = 1\n"}, "round"))


def test_lines_are_told_apart_by_what_they_have_to_do_with_a_question() -> None:
    """Of long code the lines that matter are shown."""
    ranking = rank(CodeCorpus.of([Written(SHOP)]), CodeQuestion("round the price", budget=100))

    assert [bool(at) for at in ranking.relevance(["round(price)", "return x"])] == [True, False]
