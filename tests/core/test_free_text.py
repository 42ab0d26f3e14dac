"""Documents about words."""

from datetime import UTC, datetime

import pytest

from rove_core.build.free_text import build_argument, id_of_words, is_of_words
from rove_core.store.documents import DocumentRecord

_AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "words", ["how do we rotate keys?", "  How do\twe rotate KEYS  ", "how do we rotate \uff4beys."]
)
def test_the_same_words_have_one_id(words: str) -> None:
    """Case, blanks, width and a closing mark make no other words of them."""
    assert id_of_words("how do we rotate keys") == id_of_words(words)


def test_other_words_have_another_id() -> None:
    """Other words lead to another document."""
    assert id_of_words("rotate keys") != id_of_words("keys rotate")


@pytest.mark.parametrize("words", ["x", "", "ß", "\ud800"])
def test_the_id_is_recognised(words: str) -> None:
    """An id of words is known for one; a ticket's id is not."""
    assert is_of_words(id_of_words(words))
    assert not is_of_words("TB-123")
    assert not is_of_words("Q-1")


@pytest.mark.parametrize(
    ("ticket_id", "asked"), [("TB-123", "TB-123"), (id_of_words("Rotate keys"), "Rotate keys")]
)
def test_what_a_document_is_built_again_with(ticket_id: str, asked: str) -> None:
    """It is the ticket's id, or the words themselves."""
    record = DocumentRecord(
        account="",
        ticket_id=ticket_id,
        filename="x.md",
        title="Rotate keys",
        created_at=_AT,
        last_updated=_AT,
    )

    assert asked == build_argument(record)
