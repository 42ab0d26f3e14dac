"""How well parts of a chunk fit a question."""

from rove_code.ranking.passages import PassageScores
from rove_code.ranking.words import terms

SCORE = PassageScores({term: 1.0 for word in ("round", "price") for term in terms(word)})


def test_a_text_that_says_a_word_more_often_fits_better() -> None:
    """A declaration that is about something names it again."""
    assert SCORE("round(a); round(b)", ()) > SCORE("round(a); print(b)", ())


def test_of_two_texts_that_say_a_word_as_often_the_shorter_fits_better() -> None:
    """A long text says many words by the way."""
    assert SCORE("round(a)", ()) > SCORE("round(a)" + " other(b)" * 200, ())


def test_two_words_fit_better_than_one_word_twice() -> None:
    """More of the same word says little more."""
    assert SCORE("round(price)", ()) > SCORE("round(round)", ())


def test_a_name_counts_beside_the_text() -> None:
    """The name of a declaration says what it is about."""
    assert SCORE("round(a)", ["round"]) > SCORE("round(a)", ["other"])


def test_a_text_without_the_words_does_not_fit() -> None:
    """Nothing is made of words that nobody asked for."""
    assert SCORE("print(a)", ["show"]) == 0
