"""The measures by which documents are judged."""

import math

import pytest
from benchmarks.context.scoring import Truth, count, estimate, ndcg, paired

TRUTH = Truth(right=frozenset("ab"), gains={"a": 2.0, "b": 2.0, "h": 1.0}, neutral=frozenset("hn"))


def test_half_of_an_answer_is_right() -> None:
    """Precision looks at what was given, recall at what is missing."""
    counted = count("axn", TRUTH)

    assert (counted.precision, counted.recall, counted.f1) == (0.5, 0.5, 0.5)


def test_what_is_neutral_is_neither_right_nor_wrong() -> None:
    """Nor does it count twice when it is given twice."""
    assert count("aahhnn", TRUTH).precision == 1.0


def test_no_answer_is_worth_nothing() -> None:
    """And is no error."""
    counted = count("", TRUTH)

    assert (counted.precision, counted.recall, counted.f1) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("ranking", "gain"),
    [
        ("abh", 1.0),
        ("bahx", 1.0),
        ("nabh", 1.0),
        ("aabbh", 1.0),
        ("", 0.0),
        ("xyz", 0.0),
    ],
)
def test_the_best_ranking_has_a_gain_of_one(ranking: str, gain: float) -> None:
    """What is neutral and worth nothing takes no place, and nothing has two."""
    assert ndcg(ranking, TRUTH) == pytest.approx(gain)


def test_a_gain_is_worth_less_further_down() -> None:
    """By the logarithm of its place."""
    ideal = 2 + 2 / math.log2(3) + 1 / 2

    assert ndcg("xa", TRUTH) == pytest.approx(2 / math.log2(3) / ideal)


def test_only_the_beginning_of_a_ranking_counts() -> None:
    """What comes later nobody reads."""
    assert ndcg("xab", TRUTH, at=1) == 0.0


def test_an_interval_holds_the_mean() -> None:
    """It is the same in every run."""
    found = estimate([0.0, 1.0] * 20)

    assert found == estimate([0.0, 1.0] * 20)
    assert found.mean == 0.5
    assert 0.3 < found.low < 0.5 < found.high < 0.7


def test_the_mean_of_nothing_is_nothing() -> None:
    """And is no error."""
    assert estimate([]).mean == 0.0


def test_systems_are_compared_on_what_both_have_answered() -> None:
    """A constant difference has an interval without a width."""
    found = paired({"a": 0.5, "b": 0.7, "c": 1.0}, {"a": 0.25, "b": 0.45})

    assert [found.mean, found.low, found.high] == pytest.approx([0.25] * 3)


def test_a_difference_may_be_none() -> None:
    """When it goes both ways."""
    found = paired({"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0})

    assert found.low < 0 == found.mean < found.high
