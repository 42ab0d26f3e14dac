"""What was changed before."""

from attrs import frozen
from tests.code.written import Written, found

from rove_code.model import CodeQuestion
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.history import Past
from rove_code.ranking.precedents import message_scores
from rove_code.ranking.question_terms import QuestionTerms
from rove_code.ranking.rank import rank

SHOP = {"a.py": "def one(price):\n    return 1\n", "b.py": "def two(price):\n    return 2\n"}


@frozen
class Commit:
    """A commit."""

    id: str
    message: str
    paths: tuple[str, ...]


def ask(commits: list[Commit], text: str) -> list[str]:
    """Return the paths that are found, given what was changed before."""
    return found(rank(CodeCorpus.of([Written(SHOP)], [commits]), CodeQuestion(text, budget=4000)))


def test_what_was_changed_for_the_like_comes_first() -> None:
    """Messages say what code is about in words that are not in it."""
    assert ask([Commit("1", "Round discounts", ("b.py",))], "discounts of the price")[0] == "b.py"


def test_what_is_changed_often_comes_first() -> None:
    """Of equals the one that always changes is it."""
    commits = [Commit(str(number), "Tidy up", ("b.py",)) for number in range(9)]

    assert ask(commits, "price")[0] == "b.py"


def test_a_file_that_changes_for_anything_is_not_what_a_word_means() -> None:
    """Of files that were changed for the like, it is the one of which little else is said."""
    always = [Commit(str(number), "Release the shop", ("a.py",)) for number in range(9)]
    once = Commit("once", "Round discounts", ("a.py",)), Commit("too", "Round discounts", ("b.py",))
    corpus = CodeCorpus.of([Written(SHOP)], [[*once, *always]])

    words = QuestionTerms.of(CodeQuestion("discounts", budget=4000)).words
    a, b = message_scores(corpus, words).tolist()

    assert b > a


def test_a_change_of_everything_tells_nothing() -> None:
    """Who reformats all files has no words for any of them."""
    everything = tuple(f"{number}.py" for number in range(99))

    assert tuple(Past.of([Commit("1", "Round", everything)]).often()) == ()


def test_a_file_that_is_gone_is_not_found() -> None:
    """Old commits name files that nobody has any more."""
    assert ask([Commit("1", "Round", ("gone.py",))], "round the price") == [
        "a.py",
        "b.py",
    ]
