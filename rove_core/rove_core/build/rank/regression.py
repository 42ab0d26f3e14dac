"""Weights out of examples: a logistic regression that holds on to what is known before."""

from collections.abc import Sequence
from typing import Final

from attrs import field, frozen

from rove_core.build.rank.weights import DEFAULT, RankWeights

#: Newton's method: how often at most, and how small a step ends it.
_ROUNDS: Final = 12
_STEP: Final = 1e-4
#: The sum of the signals is shifted freely: how much there is to find differs most of all.
_HELD_FREELY: Final = 1.0


@frozen
class Example:
    """Something of which it is known whether it belongs to a ticket.

    Attributes:
        signals: What is known of it, in the order of the weights.
        belongs: Whether it belongs to the ticket.
        count: For how many like it it stands.
    """

    signals: Sequence[float]
    belongs: bool
    count: float = field(default=1.0, kw_only=True)


def fit(examples: Sequence[Example], prior: RankWeights, *, strength: float) -> RankWeights:
    """Return the weights that tell the examples best, near to those known before.

    Args:
        examples: What is known.
        prior: The weights without them.
        strength: For how many examples these count.
    """
    spreads = [weight.spread for weight in DEFAULT.values()]
    hold = [strength * spread**2 for spread in spreads]
    hold[0] = _HELD_FREELY
    values = list(prior.values)
    for _ in range(_ROUNDS):
        slope = [hold[at] * (value - prior.values[at]) for at, value in enumerate(values)]
        bend = [[0.0] * at + [each] for at, each in enumerate(hold)]
        now = RankWeights(tuple(values))
        for example in examples:
            _add(example, now, slope, bend)
        step = _solved(bend, slope)
        values = [value - move for value, move in zip(values, step, strict=True)]
        if max(abs(move) * spread for move, spread in zip(step, spreads, strict=True)) < _STEP:
            break
    return RankWeights(tuple(values))


def _add(example: Example, now: RankWeights, slope: list[float], bend: list[list[float]]) -> None:
    """Add what one example says of the slope of what is to be made small, and of its bend."""
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


def _solved(lower: list[list[float]], right: Sequence[float]) -> list[float]:
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
        known = sum(root[at][each] * half[each] for each in range(at))
        half.append((right[at] - known) / root[at][at])
    found = [0.0] * size
    for at in reversed(range(size)):
        known = sum(root[each][at] * found[each] for each in range(at + 1, size))
        found[at] = (half[at] - known) / root[at][at]
    return found
