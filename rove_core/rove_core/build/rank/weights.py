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
#: ``python -m benchmarks context --weights`` measures them, each project with weights fitted on the
#: three others. The kind of an item (``ticket`` to ``talk``) counts only where a project taught it:
#: what belongs together differs from one project to the next.
#:
#: The last two were added later. They were fitted on the same tickets while the others were held
#: near their earlier weights: refitting all of them halves that of ``people`` and gains as much
#: there, but the documents of the sample company then miss more of what an implementer must know.
DEFAULT: Final[Mapping[str, Weight]] = {
    "always": Weight(0.346, spread=1.0),
    "words": Weight(-0.226, spread=0.96),
    "words_twice": Weight(0.0407, spread=5.4),
    "time": Weight(0.196, spread=1.7),
    "people": Weight(1.22, spread=0.39),
    "words_of_people": Weight(-0.0653, spread=0.57),
    "lead": Weight(-0.0245, spread=1.2),
    "linked": Weight(0.532, spread=0.72),
    "place": Weight(-0.46, spread=0.97),
    "ticket": Weight(0.0, spread=0.48),
    "time_of_ticket": Weight(0.0, spread=2.3),
    "change": Weight(0.0, spread=0.4),
    "commit": Weight(0.0, spread=0.38),
    "talk": Weight(0.0, spread=0.37),
    "share_of_words": Weight(0.534, spread=0.17),
    "place_by_words": Weight(-0.392, spread=0.92),
    "place_by_time": Weight(-0.0535, spread=2.5),
    "some_linked": Weight(-1.54, spread=0.5),
    "words_and_time": Weight(0.036, spread=5.2),
    "time_and_people": Weight(0.304, spread=1.9),
    "few_words": Weight(1.02, spread=0.41),
    "lead_of_kind": Weight(1.24, spread=0.19),
    "behind_others": Weight(-0.146, spread=1.7),
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
