"""Weights of the signals: general ones, and learned ones."""

from collections.abc import Collection, Mapping, Sequence
from math import exp
from operator import mul
from typing import Final

from attrs import field, frozen

#: The limit of the weighted sum of signals, however extraordinary they are.
_MOST: Final = 30.0


@frozen
class Weight:
    """The weight of a signal.

    Attributes:
        value: What one unit of the signal adds.
        spread: How much the signal varies between the items it was fitted on.
    """

    value: float
    spread: float = field(kw_only=True)


#: Fitted on 160 tickets of four projects (a tracker each, with talk, code or pages), each ticket in
#: two forms: with half of the links that people made hidden, and with all of them hidden.
#: ``python -m benchmarks context --weights`` prints them, and measures each project with weights
#: fitted on the three others. The kind of an item (``ticket`` to ``talk``) counts only where a
#: project taught it: what belongs together differs from one project to the next.
DEFAULT: Final[Mapping[str, Weight]] = {
    "always": Weight(0.206, spread=1.0),
    "words": Weight(-0.0116, spread=0.96),
    "words_twice": Weight(0.0255, spread=5.4),
    "time": Weight(0.181, spread=1.7),
    "people": Weight(0.706, spread=0.39),
    "words_of_people": Weight(-0.0303, spread=0.57),
    "lead": Weight(-0.0123, spread=1.2),
    "linked": Weight(0.54, spread=0.72),
    "place": Weight(-0.318, spread=0.97),
    "ticket": Weight(0.0, spread=0.48),
    "time_of_ticket": Weight(0.0, spread=2.3),
    "change": Weight(0.0, spread=0.4),
    "commit": Weight(0.0, spread=0.38),
    "talk": Weight(0.0, spread=0.37),
    "share_of_words": Weight(0.977, spread=0.17),
    "place_by_words": Weight(-0.287, spread=0.92),
    "place_by_time": Weight(-0.0966, spread=2.5),
    "some_linked": Weight(-1.48, spread=0.5),
    "words_and_time": Weight(0.0469, spread=5.2),
    "time_and_people": Weight(0.209, spread=1.9),
    "few_words": Weight(0.571, spread=0.41),
    "lead_of_kind": Weight(1.54, spread=0.19),
    "behind_others": Weight(-0.19, spread=1.7),
}

#: The version of these signals: learned weights of another one mean something else.
SIGNALS_VERSION: Final = 2


def fits_signals(version: int, names: Collection[str]) -> bool:
    """Return whether stored weights are for these signals.

    Args:
        version: The version stored with them.
        names: The names of the signals that have weights.
    """
    return version == SIGNALS_VERSION and all(name in names for name in DEFAULT)


@frozen
class RankWeights:
    """Weights that turn signals into a probability.

    Attributes:
        values: What one unit of each signal adds, in the order of :data:`DEFAULT`.
    """

    values: Sequence[float] = tuple(weight.value for weight in DEFAULT.values())

    def likelihood(self, signals: Sequence[float]) -> float:
        """Return the probability that a candidate with these signals belongs to the ticket."""
        total = sum(map(mul, self.values, signals))
        return 1 / (1 + exp(-max(-_MOST, min(_MOST, total))))
