"""A criterion stays itself when somebody edits the ticket."""

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from rove_memory.criteria.identity import compare, likeness

EXAMPLES = int(os.environ.get("ROVE_EXAMPLES", "100"))
BEFORE = [
    "Files over 5 MB are refused with a message",
    "PNG and JPEG are shown at once",
    "The old avatar is deleted after a week",
    "Works in Safari",
]


def test_other_marks_change_nothing() -> None:
    """Case, punctuation and emphasis are no edit of the words."""
    edit = compare(BEFORE, [f"**{text.upper()}!**" for text in BEFORE])

    assert edit.matches == {0: 0, 1: 1, 2: 2, 3: 3}
    assert (edit.changed, edit.gone, edit.added) == (frozenset(), (), ())


def test_an_edit_is_told_as_one() -> None:
    """A criterion with other words, a new one and one that is gone are told apart."""
    after = [
        "Files over 10 MB are refused with a clear message",
        "The old avatar is deleted after a week",
        "PNG and JPEG are shown at once",
        "Screen readers say who is on the picture",
    ]

    edit = compare(BEFORE, after)

    assert edit.matches == {0: 0, 1: 2, 2: 1}
    assert (edit.changed, edit.gone, edit.added) == (frozenset({0}), (3,), (3,))


def test_equal_texts_pair_in_order() -> None:
    """Two criteria of the same words stay two."""
    assert compare(["a b", "a b"], ["a b", "x y z", "a b"]).matches == {0: 0, 1: 2}


def test_what_has_little_in_common_is_another() -> None:
    """Criteria about different things are not taken for an edit of each other."""
    assert compare(["Works in Safari"], ["Admins see all invoices"]).matches == {}
    assert likeness("works in safari", "admins see all invoices") < 0.5


@settings(max_examples=EXAMPLES)
@given(st.permutations(range(4)), st.sets(st.integers(0, 3), max_size=2), st.data())
def test_every_text_is_told_once(order: list[int], gone: set[int], data: st.DataObject) -> None:
    """Moved and shortened criteria are found, each known one and each text exactly once."""
    left = [at for at in order if at not in gone]
    after = [BEFORE[at] if data.draw(st.booleans()) else f"{BEFORE[at]} too" for at in left]

    edit = compare(BEFORE, after)

    assert edit.matches == {at: to for to, at in sorted(enumerate(left), key=lambda pair: pair[1])}
    assert sorted([*edit.matches, *edit.gone]) == [0, 1, 2, 3]
    assert sorted([*edit.matches.values(), *edit.added]) == [*range(len(after))]
