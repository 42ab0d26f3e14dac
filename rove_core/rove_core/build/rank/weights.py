"""Weights of the signals: general ones, and learned ones."""

from collections.abc import Collection, Mapping, Sequence
from math import exp
from operator import mul
from typing import Final

from attrs import field, frozen

#: What one signal may add at most, however far out of the ordinary it is.
_MOST: Final = 30.0


@frozen
class Weight:
    """The weight of a signal.

    Attributes:
        value: What one of it adds.
        spread: How much the signal varies from one thing to the next where it was fitted.
    """

    value: float
    spread: float = field(kw_only=True)


#: Fitted on four projects (a tracker each, with talk, code or pages) whose people's own naming of
#: tickets was hidden, 160 tickets, each in two forms: half of the names hidden, and all of them.
#: ``python -m benchmarks context --weights`` measures them, each project by weights that were
#: fitted on the three others. What a thing is (``ticket`` to ``talk``) counts only where a project
#: taught it: what belongs together differs from one to the next.
#:
#: The last two were added later. They were fitted on the same tickets while the others were held
#: near their earlier weights: fitting all of them anew halves that of ``people`` and gains as much
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
        names: The signals that they weigh.
    """
    return version == SIGNALS_VERSION and all(name in names for name in DEFAULT)


@frozen
class RankWeights:
    """Weights that turn signals into a probability.

    Attributes:
        values: What one of each signal adds, in the order of :data:`DEFAULT`.
    """

    values: Sequence[float] = tuple(weight.value for weight in DEFAULT.values())

    def likelihood(self, signals: Sequence[float]) -> float:
        """Return the probability that a candidate with these signals belongs to the ticket."""
        total = sum(map(mul, self.values, signals))
        return 1 / (1 + exp(-max(-_MOST, min(_MOST, total))))
