"""Compare tickets that could explain an item."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt
from typing import Final

from attrs import define, field

from rove_core.build.rank.corpus import Bag, TicketCorpus

#: What two texts are alike by chance; closer than this to nothing is not closer.
_BY_CHANCE: Final = 0.05
#: What is in more than one of so many things is in tickets of all kinds.
_COMMON: Final = 3


def leads(corpus: TicketCorpus, rivals: Iterable[int], places: Iterable[int]) -> dict[int, float]:
    """Return by how much the ticket explains each thing better than any other ticket does.

    It is the logarithm of how many times as like the thing is to the ticket.

    Args:
        corpus: The words of the ticket and of all that was found.
        rivals: Which of these things are tickets that may explain the others.
        places: Which things to look at.
    """
    weights = _Weights(corpus)
    own = weights.of(corpus.own)
    others = _index({at: weights.of(corpus.bags[at]) for at in rivals})
    return {at: _lead(weights.of(corpus.bags[at]), own, others, at) for at in places}


def _lead(
    words: Bag, own: Bag, others: Mapping[str, Sequence[tuple[int, float]]], itself: int
) -> float:
    likeness: dict[int, float] = defaultdict(float)
    for word, weight in words.items():
        for at, theirs in others.get(word, ()):
            likeness[at] += weight * theirs
    likeness.pop(itself, None)
    to_own = sum(weight * own[word] for word, weight in words.items() if word in own)
    to_rival = max(likeness.values(), default=0.0)
    return log((to_own + _BY_CHANCE) / (to_rival + _BY_CHANCE))


@define
class _Weights:
    """Length-independent word weights of a text."""

    corpus: TicketCorpus
    _telling: dict[str, float] = field(factory=dict, init=False)

    def of(self, bag: Bag) -> Bag:
        """Return the telling words of a text with their weights; their squares are one in all."""
        telling = {
            word: weight * (1 + log(times) if times > 1 else times)
            for word, times in bag.items()
            if (weight := self._weight(word))
        }
        size = sqrt(sum(weight * weight for weight in telling.values())) or 1.0
        return {word: weight / size for word, weight in telling.items()}

    def _weight(self, word: str) -> float:
        known = self._telling.get(word)
        if known is None:
            count, own = self.corpus.spread(word), word in self.corpus.own
            tells = count + own > 1 and count <= max(2, self.corpus.size // _COMMON)
            known = self._telling[word] = self.corpus.rarity(word) if tells else 0.0
        return known


def _index(texts: Mapping[int, Bag]) -> Mapping[str, Sequence[tuple[int, float]]]:
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for at, words in texts.items():
        for word, weight in words.items():
            found[word].append((at, weight))
    return found
