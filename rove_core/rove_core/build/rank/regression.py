"""Logistic regression with a prior, to learn weights from few examples."""

from collections.abc import Collection, Sequence
from math import log
from operator import mul
from typing import Final

from attrs import field, frozen

from rove_core.build.rank.weights import DEFAULT, RankWeights

#: Newton's method: the maximum number of steps, and the size of a step that ends it.
_ROUNDS: Final = 12
_STEP: Final = 1e-4
#: How many examples the prior counts for where it hardly holds a weight.
_HELD_FREELY: Final = 1.0
#: The intercept: how much there is to find differs most of all.
INTERCEPT: Final = frozenset({"always"})


@frozen
class Example:
    """A labelled candidate: its signals, and whether it belongs to its ticket.

    Attributes:
        signals: Its signals, in the order of the weights.
        belongs: Whether it belongs to the ticket.
        count: The number of similar candidates that it stands for.
    """

    signals: Sequence[float]
    belongs: bool
    count: float = field(default=1.0, kw_only=True)


def fit(
    examples: Sequence[Example],
    prior: RankWeights,
    *,
    strength: float,
    free: Collection[str] = INTERCEPT,
) -> RankWeights:
    """Return the weights that fit the examples best while staying near the prior.

    Args:
        examples: The labelled candidates.
        prior: The weights before learning.
        strength: How many examples the prior counts for.
        free: The signals whose weights it hardly holds.
    """
    spreads = [weight.spread for weight in DEFAULT.values()]
    hold = [
        (_HELD_FREELY if name in free else strength) * weight.spread**2
        for name, weight in DEFAULT.items()
    ]
    values = prior.values
    cost = _cost(examples, values, prior, hold)
    for _ in range(_ROUNDS):
        slope = [hold[at] * (value - prior.values[at]) for at, value in enumerate(values)]
        bend = [[0.0] * at + [each] for at, each in enumerate(hold)]
        now = RankWeights(values)
        for example in examples:
            _add(example, now, slope, bend)
        step = _solve(bend, slope)
        while True:
            closer = tuple(value - move for value, move in zip(values, step, strict=True))
            found = _cost(examples, closer, prior, hold)
            is_small = max(map(abs, map(mul, step, spreads))) < _STEP
            if found <= cost or is_small:
                break
            # Far from the optimum a full step may lead away from it, and the next one even more.
            step = [move / 2 for move in step]
        if found < cost:
            values, cost = closer, found
        if is_small:
            break
    return RankWeights(values)


def _cost(
    examples: Sequence[Example],
    values: Sequence[float],
    prior: RankWeights,
    hold: Sequence[float],
) -> float:
    """Return the loss of weights on the examples, plus their distance from the prior."""
    now = RankWeights(values)
    cost = sum(
        each * (value - before) ** 2 / 2
        for each, value, before in zip(hold, values, prior.values, strict=True)
    )
    for example in examples:
        likely = now.likelihood(example.signals)
        cost -= example.count * log(likely if example.belongs else 1 - likely)
    return cost


def _add(example: Example, now: RankWeights, slope: list[float], bend: list[list[float]]) -> None:
    """Add an example's share of the gradient and the Hessian."""
    likely = now.likelihood(example.signals)
    error = example.count * (likely - example.belongs)
    weight = example.count * likely * (1 - likely)
    signals = example.signals
    for at, signal in enumerate(signals):
        if signal:
            slope[at] += error * signal
            scaled, row = weight * signal, bend[at]
            for other in range(at + 1):
                row[other] += scaled * signals[other]


def _solve(lower: list[list[float]], right: Sequence[float]) -> list[float]:
    """Solve a symmetric, positive set of equations, given by its lower half (Cholesky)."""
    size = len(right)
    root = [row[:] for row in lower]
    for at in range(size):
        for other in range(at + 1):
            rest = root[at][other] - sum(
                root[at][each] * root[other][each] for each in range(other)
            )
            root[at][other] = rest**0.5 if at == other else rest / root[other][other]
    half: list[float] = []
    for at in range(size):
        subtotal = sum(root[at][each] * half[each] for each in range(at))
        half.append((right[at] - subtotal) / root[at][at])
    found = [0.0] * size
    for at in reversed(range(size)):
        subtotal = sum(root[each][at] * found[each] for each in range(at + 1, size))
        found[at] = (half[at] - subtotal) / root[at][at]
    return found
