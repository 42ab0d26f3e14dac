"""Words are compared without endings, capitals and what tells nothing."""

import pytest

from rove_core.build.rank.words import stem, stems, written


@pytest.mark.parametrize("word", ["token", "tokens", "Tokens", "TOKEN"])
def test_a_word_is_the_same_in_each_form(word: str) -> None:
    """Neither capitals nor an ending make another word."""
    assert [*stems(word)] == ["token"]


def test_what_is_in_every_text_is_left_out() -> None:
    """Stop words tell nothing."""
    assert [*stems("What should we do about the login?")] == ["login"]


def test_an_identifier_is_a_whole_and_its_parts() -> None:
    """Whoever writes of the key set finds the key_set_cache, and the other way round."""
    assert [*stems("keySetCache")] == ["keysetcache", "key", "set", "cache"]
    assert [*stems("key_set")] == ["key_set", "key", "set"]


def test_a_page_and_a_hash_are_no_words() -> None:
    """What stands in an address or names a commit is nothing that people say."""
    assert [*stems("see https://jira.example/browse/TB-1 and 4482793660f1a9a0")] == []


@pytest.mark.parametrize("word", ["größen", "политика", "données", "résumés"])
def test_other_languages_keep_their_endings(word: str) -> None:
    """An English ending is one in English only."""
    assert [*stems(word)] == [word]


def test_a_script_without_spaces_is_compared_by_pairs() -> None:
    """Where words do not end, two letters stand for one."""
    assert [*stems("認証方式")] == ["認証", "証方", "方式"]


def test_too_little_is_never_left_of_a_word() -> None:
    """An ending goes only where three letters stay."""
    assert [stem("ring"), stem("rings"), stem("bed")] == ["ring", "ring", "bed"]


def test_words_are_given_as_they_are_written() -> None:
    """A search wants the words of people, not what they are compared by."""
    assert [word.text for word in written("Rotating the Tokens of 2024")] == ["rotating", "tokens"]


@pytest.mark.parametrize("text", ["", " ", "the of and", "!?", "a"])
def test_a_text_may_have_no_word(text: str) -> None:
    """Nothing is made of nothing."""
    assert [*stems(text)] == []
    assert [*written(text)] == []
