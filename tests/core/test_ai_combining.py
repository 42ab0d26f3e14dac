"""What a model's answers may change, whatever they are."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.build.compose.outline import OpenQuestion, QuestionKind, Statement
from rove_core.build.gather.candidates import Candidate, RankedItem, Trace
from rove_core.build.model.combine import (
    join_gaps,
    join_grades,
    join_keywords,
    join_places,
    join_same,
)
from rove_core.build.model.questions import BEST_GRADE
from rove_core.build.rank.copies import may_be_same
from rove_core.items import ContextItem, ItemRef

AT = datetime(2026, 1, 1, tzinfo=UTC)
RANKINGS = st.lists(st.tuples(st.floats(0.01, 1.0), st.booleans()), min_size=1, max_size=12)
TEXTS = (
    "We keep the old callback for partners.",
    "The old callback is kept for partners.",
    "For partners we keep the old callback.",
    "Rotate the signing keys every week.",
)


@given(data=st.data(), ranking=RANKINGS)
def test_grades_push_nothing_below_what_is_linked(
    data: st.DataObject, ranking: list[tuple[float, bool]]
) -> None:
    """What stood above another thing, and is linked with the ticket, still stands above it."""
    own = sorted(map(ranked, range(len(ranking)), ranking), key=lambda each: -each.score)
    judged = [each for each in own if not each.candidate.is_linked]
    pair = st.tuples(st.sampled_from(range(len(judged) or 1)), st.integers(0, BEST_GRADE))
    said = data.draw(st.lists(pair)) if judged else []

    joined = join_grades(own, judged, said)
    order = [each.candidate.key for each in joined]
    scores = {each.candidate.key: each.score for each in joined}

    assert sorted(order) == sorted(each.candidate.key for each in own)
    assert all(0 < each.score <= 1 for each in joined)
    for each in own:
        if each.candidate.is_linked:
            below = [other for other in own if other.score < each.score]
            assert scores[each.candidate.key] == each.score
            assert all(
                order.index(each.candidate.key) < order.index(other.candidate.key)
                for other in below
            )


def test_a_reason_tells_of_the_grade() -> None:
    """Where the model had a say, the reason tells so."""
    (joined,) = join_grades([ranked(0, (0.5, False))], [ranked(0, (0.5, False))], [(0, 3)])

    assert joined.score == pytest.approx(0.9)
    assert joined.reason == "says: callback; needed by the model's word"


def test_a_model_that_may_err_makes_nothing_certain() -> None:
    """What is unlikely by its words stays unlikely, though a model calls it needed."""
    (joined,) = join_grades([ranked(0, (0.02, False))], [ranked(0, (0.02, False))], [(0, 3)])

    assert 0.1 < joined.score < 0.2


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda each: each[0] > each[1]))
)
def test_the_same_always_leads_to_the_first(said: list[tuple[int, int]]) -> None:
    """Whatever the model says, each text is the same as one that is itself new, and earlier."""
    same = join_same([None] * len(TEXTS), TEXTS, said, lambda _, __: True)

    assert all(each is None or (each < at and same[each] is None) for at, each in enumerate(same))
    assert same[3] is None


@pytest.mark.parametrize(
    ("own", "said", "same"),
    [
        ([None, None, None, None], [(2, 1), (1, 0)], [None, 0, 0, None]),
        ([None, None, 1, None], [(1, 0)], [None, 0, 0, None]),
        ([None, 0, None, None], [(1, 0), (2, 1)], [None, 0, 0, None]),
        ([None, None, None, None], [(3, 0)], [None, None, None, None]),
    ],
)
def test_chains_of_the_same(
    own: Sequence[int | None], said: list[tuple[int, int]], same: Sequence[int | None]
) -> None:
    """What is the same as a text that is the same as a first one, is the same as that."""
    assert join_same(own, TEXTS, said, lambda _, __: True) == same


def test_the_guard_has_the_last_word() -> None:
    """What the guard keeps apart, no model merges, not even by way of a third text."""

    def guard(earlier: str, later: str) -> bool:
        return {earlier, later} != {TEXTS[0], TEXTS[2]}

    same = join_same([None, None, 1, None], TEXTS, [(1, 0)], guard)

    assert same == [None, None, 1, None]


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("The old callback is kept for partners.", 0),
        ("The old callback is not kept for partners.", None),
        ("The old callback is kept for 3 partners.", None),
        ("We go back: keep the old callback for partners.", None),
    ],
)
def test_what_the_guard_of_copies_lets_pass(later: str, earlier: int | None) -> None:
    """Another number, or a negation more, is never the same, whatever a model says."""
    same = join_same([None, None], [TEXTS[0], later], [(1, 0)], may_be_same)

    assert same == [None, earlier]


def test_keywords_stand_in_the_ticket() -> None:
    """A model's keyword is a whole word or phrase of the ticket, no address and no path."""
    ticket = item("TB-1", "The Token Store fails at https://evil.example/x with E-4711")
    said = ["token store", "token  STORE", "toke", "evil.example", "https://evil.example", "e-4711"]

    assert join_keywords(["fails", "store"], said, ticket) == [
        "token store",
        "fails",
        "evil.example",
        "store",
        "e-4711",
    ]


def test_places_are_the_models_where_it_gave_one() -> None:
    """A statement that the model passed over stays where it was."""
    assert join_places([2, 2, 2], [(1, 0)]) == [2, 0, 2]


def test_gaps_only_grow() -> None:
    """All that was open without the model is still open, and what it adds is bounded."""
    statements = [statement(at, f"Who owns part {at}? I will ask.") for at in range(20)]
    own = [OpenQuestion(kind="unanswered", about="a", statements=(statements[0],))]
    said: list[tuple[QuestionKind, tuple[int, ...]]] = [("unanswered", (at,)) for at in range(20)]

    joined = join_gaps(own, said, statements)

    assert (joined[0], len(joined)) == (own[0], 9)


@pytest.mark.parametrize(
    ("kind", "about"),
    [
        ("unanswered", "Who owns it?"),
        ("promised", "I'll ask Ada."),
        ("replaced", "We looked into it."),
    ],
)
def test_what_a_gap_is_about(kind: QuestionKind, about: str) -> None:
    """It is said in the words of the statement that raises it: the passage that fits best."""
    statements = [
        statement(1, "We looked into it. Who owns it? I'll ask Ada."),
        statement(0, "We looked into it."),
    ]

    (question,) = join_gaps((), [(kind, (0, 1))], statements)

    assert (question.about, question.statements[0]) == (about, statements[1])


def ranked(at: int, given: tuple[float, bool]) -> RankedItem:
    """Return a ranked candidate."""
    score, is_linked = given
    traces = (Trace("link" if is_linked else "words"),)
    candidate = Candidate(item=item(f"C-{at}", "-"), traces=traces)
    return RankedItem(candidate=candidate, score=score, reason="says: callback")


def statement(minute: int, text: str) -> Statement:
    """Return something said at some minute."""
    part = item(f"S-{minute}", text, minute=minute)
    return Statement(part=part, whole=part, text=text)


def item(name: str, text: str, *, minute: int = 0) -> ContextItem:
    """Return something that a source brought."""
    ref = ItemRef(account="jira", kind="ticket", id=name)
    return ContextItem(
        ref=ref,
        source="jira",
        role="ticket",
        title="About it",
        content=text,
        timestamp=AT + timedelta(minutes=minute),
    )
