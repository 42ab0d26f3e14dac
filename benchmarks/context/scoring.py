"""Measures of an answer against the truth, and how sure one can be of their means."""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2
from statistics import fmean
from typing import Final

from attrs import field, frozen

#: How many of the best a ranking is judged by.
AT: Final = 25
_ROUNDS: Final = 2_000
_SEED: Final = 20_241
_SURE: Final = 0.95


@frozen(kw_only=True)
class Truth:
    """What belongs to a ticket.

    Attributes:
        right: What belongs to it.
        gains: How much it is worth to find something, for what is worth anything.
        neutral: What is neither right nor wrong.
    """

    right: Collection[str]
    gains: Mapping[str, float]
    neutral: Collection[str] = field(factory=frozenset)


@frozen
class Counted:
    """How much of an answer is right, how much of what is right it has, and both in one."""

    precision: float
    recall: float
    f1: float


@frozen
class Estimate:
    """A mean, and between which two values it lies in 95 of 100 samples like this one."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"


def count(answer: Iterable[str], truth: Truth) -> Counted:
    """Return how good an answer is, whatever its order; what is neutral does not count."""
    counted = {each for each in answer if each not in truth.neutral}
    hits = sum(each in truth.right for each in counted)
    precision = hits / len(counted) if counted else 0.0
    recall = hits / len(truth.right) if truth.right else 0.0
    both = precision + recall
    return Counted(precision, recall, 2 * precision * recall / both if both else 0.0)


def ndcg(ranking: Iterable[str], truth: Truth, at: int = AT) -> float:
    """Return how near a ranking's beginning comes to the best one: 1 for just as good.

    What is neutral and worth nothing takes no place.
    """
    places = [each for each in dict.fromkeys(ranking) if _has_place(each, truth)][:at]
    best = sorted(truth.gains.values(), reverse=True)[:at]
    ideal = _discounted(best)
    return _discounted([truth.gains.get(each, 0.0) for each in places]) / ideal if ideal else 0.0


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of values with its interval, by drawing them again and again (bootstrap)."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    chance = random.Random(_SEED)  # noqa: S311  # it draws samples, no secrets
    means = sorted(fmean(chance.choices(values, k=len(values))) for _ in range(_ROUNDS))
    outside = int(_ROUNDS * (1 - _SURE) / 2)
    return Estimate(fmean(values), means[outside], means[-1 - outside])


def paired(ours: Mapping[str, float], theirs: Mapping[str, float]) -> Estimate:
    """Return by how much one system is better than another on what both have answered."""
    return estimate([ours[name] - theirs[name] for name in ours if name in theirs])


def _has_place(each: str, truth: Truth) -> bool:
    return each not in truth.neutral or each in truth.gains


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / log2(place + 2) for place, gain in enumerate(gains))
