"""Marks that nobody sees tell again what was written once."""

from hypothesis import given
from hypothesis import strategies as st

from rove_core import clean, find_hidden_mark, hidden_mark, without_hidden_marks


@given(st.text(), st.text(), st.text(alphabet="ab1-", min_size=8))
def test_a_mark_is_found_and_taken_out(before: str, after: str, key: str) -> None:
    """Wherever it stands, and whatever stands around it."""
    before, after = (without_hidden_marks(each) for each in (before, after))
    mark = hidden_mark(key)
    marked = f"{before}\n{mark}\n{after}"

    assert find_hidden_mark(marked) == mark
    assert without_hidden_marks(marked) == f"{before}\n\n{after}"


def test_keys_have_marks_of_their_own() -> None:
    """The same one each time, and no mark where there is none."""
    assert hidden_mark("release-2-4") == hidden_mark("release-2-4") != hidden_mark("release-2-5")
    assert find_hidden_mark("release-2-4") == ""


def test_a_mark_reaches_no_document() -> None:
    """The sanitiser takes out what nobody sees."""
    assert clean(f"Said{hidden_mark('release-2-4')}") == "Said"
