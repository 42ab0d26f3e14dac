"""The words of code and of questions."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_code.ranking.words import TOKEN, counted, exact, kin, parts, terms


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("get_user_name", ["get", "user", "name"]),
        ("getUserName", ["get", "user", "name"]),
        ("HTTPResponse2", ["http", "response", "2"]),
        ("__init__", ["init"]),
        ("größe", ["größe"]),
    ],
)
def test_an_identifier_is_taken_apart(token: str, expected: list[str]) -> None:
    """Each way to write several words as one is known."""
    assert expected == parts(token)


def test_endings_do_not_matter() -> None:
    """Who asks for parsing finds what parses."""
    assert terms("parsing") == terms("parses")


def test_an_identifier_is_found_however_it_is_written() -> None:
    """Languages join words in different ways."""
    assert terms("user_name") == terms("userName")


def test_an_identifier_is_more_than_its_parts() -> None:
    """The very name is found better than the same words in another order."""
    assert set(terms("user_name")) - set(terms("name_user")) == {exact("=username")}


def test_a_word_has_the_same_number_in_each_process() -> None:
    """Numbers are made from letters alone, since they are kept."""
    assert exact("parse") == 0xD2D58468


def test_words_are_counted() -> None:
    """Each part of each identifier counts."""
    assert {exact("add"): 2, exact("item"): 1, exact("=additem"): 1} == counted(["add_item add"])


@pytest.mark.parametrize(
    ("said", "akin"),
    [("parse", "parser"), ("run", "runner"), ("execute", "executor"), ("handlers", "handle")],
)
def test_who_does_something_is_akin_to_what_is_done(said: str, akin: str) -> None:
    """Code is named after who does it, tickets say what is done, and the other way round."""
    assert {(term, other) for term in terms(said) for other in terms(akin)} <= set(kin(said))


def test_no_word_is_akin_to_itself() -> None:
    """What is found anyway is not found twice."""
    assert all(term != other for term, other in kin("encode decoder"))


@given(st.text(st.one_of(st.characters(max_codepoint=127), st.sampled_from("aB1_é")), max_size=60))
def test_ascii_is_split_into_the_same_words_as_any_other_text(text: str) -> None:
    """The fast way to split a text counts what the expression counts, in the same order."""
    expected = Counter(term for token in TOKEN.findall(text) for term in terms(token))

    assert [*expected.items()] == [*counted([text]).items()]
