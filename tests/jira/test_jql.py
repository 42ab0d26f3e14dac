"""Words in JQL: whatever they are, they mean themselves."""

import re
from datetime import datetime

from hypothesis import example, given
from hypothesis import strategies as st

from rove_jira import jql
from rove_sim.jira.jql_tree import Both, Clause, parse
from rove_sim.jira.lucene import matching, words

HARD = st.text() | st.text(
    alphabet="\\\"'+-&|!(){}[]^~*?:/ \t\nabAND OR NOT\u2028\x00\x85", max_size=30
)


def plain(text: str) -> str:
    """Return what of a text JQL can say."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+", " ", text)


def only(query: str) -> str:
    """Return the value of a query that is one clause."""
    where = parse(query).where
    assert isinstance(where, Clause)
    (value,) = where.values
    assert isinstance(value, str)
    return value


@given(HARD)
@example('" OR project = SECRET OR text ~ "')
@example("\\")
@example('\\" ORDER BY created')
def test_a_value_is_read_back_as_it_was(text: str) -> None:
    """Nothing in it ends the quotes, and no escape is added or lost."""
    assert only(jql.equals("labels", text)) == plain(text)


@given(HARD)
@example('"')
@example("C:\\temp\\")
def test_words_to_look_for_are_read_back_as_they_were(text: str) -> None:
    """Between JQL's quotes stands one phrase of Lucene, which says just these words."""
    phrase = only(jql.holds("text", text))

    inside = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', phrase, re.DOTALL)
    assert inside is not None
    assert re.sub(r"\\(.)", r"\1", inside[1], flags=re.DOTALL) == plain(text)


@given(st.text(alphabet='+-&|!(){}[]^"~*?:\\/', max_size=8))
def test_signs_of_lucene_find_what_has_them(signs: str) -> None:
    """A sign that means something to Lucene neither fails nor excludes the word beside it."""
    finds = matching(only(jql.holds("text", f"login{signs}")), "text")

    assert finds(words(f"the login{signs} page"))
    assert not finds(words("the logout page"))


@given(st.lists(HARD, min_size=2, max_size=4))
def test_clauses_stay_apart(texts: list[str]) -> None:
    """Words of one clause never become a part of the next."""
    either = jql.any_of(jql.equals("labels", text) for text in texts)
    where = parse(jql.all_of([either, jql.holds("text", "x")])).where

    assert isinstance(where, Both)
    assert isinstance(where.parts[0], Both)
    assert [part.values for part in where.parts[0].parts if isinstance(part, Clause)] == [
        (plain(text),) for text in texts
    ]


def test_a_moment_is_told_to_the_minute() -> None:
    """JQL knows no seconds and no zone."""
    at = datetime(2024, 3, 9, 7, 5, 59)  # noqa: DTZ001  # JQL has no zone
    assert jql.compares("updated", ">=", at) == 'updated >= "2024/03/09 07:05"'
