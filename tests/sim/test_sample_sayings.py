"""What the sample company's truth says of copies and of what only looks alike."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

import pytest

from rove_core.build.rank.copies import same_as

_Pair = tuple[str, str]
_TRUTH: Final[Mapping[str, list[Mapping[str, str]]]] = json.loads(
    files("rove_sim").joinpath("sample/truth.json").read_text("utf-8")
)


def merged_share(pairs: list[_Pair]) -> float:
    """Return which share of pairs is taken for the same."""
    return sum(same_as(pair)[1] == 0 for pair in pairs) / len(pairs)


def test_copies_and_quotes_are_recognised() -> None:
    """Of what is said again in the same words, at least 95 of 100 are merged."""
    pairs = [
        (each["a_says"], each["b_says"])
        for each in _TRUTH["copies"]
        if each["kind"] in {"exact", "quote"}
    ]

    assert merged_share(pairs) >= 0.95


@pytest.mark.parametrize(
    ("what", "one", "other"),
    [("lookalikes", "a_says", "b_says"), ("reversals", "earlier_says", "later_says")],
)
def test_look_alikes_and_reversals_are_kept_apart(what: str, one: str, other: str) -> None:
    """Of what only looks alike, and of decisions and their ends, at most 1 of 100 is merged."""
    pairs = [(each[one], each[other]) for each in _TRUTH[what]]

    assert merged_share(pairs) <= 0.01
    assert merged_share([(b, a) for a, b in pairs]) <= 0.01
