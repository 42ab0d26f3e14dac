"""Compare tickets that could explain an item."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from math import log, sqrt
from typing import Final

from rove_core.build.rank.corpus import Bag, TicketCorpus

#: Likeness of two texts by chance; smaller ones hardly count.
_BY_CHANCE: Final = 0.05
#: A word in more than one of this many items is in tickets of all kinds.
_COMMON: Final = 3


def leads(
    corpus: TicketCorpus, rivals: Iterable[int], places: Iterable[int], *, unfound: bool = False
) -> dict[int, float]:
    """Return how much better the ticket explains each candidate than any other ticket does.

    The value is the logarithm of the ratio of their likenesses.

    Args:
        corpus: The words of the ticket and of the candidates.
        rivals: The positions of tickets that may explain other candidates.
        places: The positions of the candidates to compare.
        unfound: Whether the tickets that were not found are rivals, too.
    """
    weights = TextWeights(corpus)
    own = weights.of(corpus.own)
    others = index_words({at: weights.of(corpus.bags[at]) for at in rivals})
    texts = {at: weights.of(corpus.bags[at]) for at in places}
    beyond = corpus.others.likenesses(texts) if unfound else {}
    return {
        at: _lead(words, own, others, at, max(beyond.get(at, {}).values(), default=0.0))
        for at, words in texts.items()
    }


def _lead(
    words: Bag,
    own: Bag,
    others: Mapping[str, Sequence[tuple[int, float]]],
    itself: int,
    to_unfound: float,
) -> float:
    likeness: dict[int, float] = defaultdict(float)
    for word, weight in words.items():
        for at, theirs in others.get(word, ()):
            likeness[at] += weight * theirs
    likeness.pop(itself, None)
    to_own = sum(weight * own[word] for word, weight in words.items() if word in own)
    to_rival = max(to_unfound, *likeness.values()) if likeness else to_unfound
    return log((to_own + _BY_CHANCE) / (to_rival + _BY_CHANCE))


class TextWeights(dict[str, float]):
    """How well each word distinguishes texts, computed on first use.

    It is 0 for a word that hardly any text has, or that many have.

    Args:
        corpus: The words of the ticket and of the candidates.
    """

    def __init__(self, corpus: TicketCorpus) -> None:
        super().__init__()
        self._corpus = corpus

    def __missing__(self, word: str) -> float:
        corpus = self._corpus
        count, own = corpus.spread(word), word in corpus.own
        tells = count + own > 1 and count <= max(2, corpus.size // _COMMON)
        known = self[word] = corpus.rarity(word) if tells else 0.0
        return known

    def of(self, bag: Bag, most: int | None = None) -> Bag:
        """Return the distinctive words of a text, with weights that do not grow with its length.

        Args:
            bag: The words of the text.
            most: The maximum number of heaviest words, without pairs; None for all words and pairs.
        """
        words = [
            (weight * (1 + log(times) if times > 1 else times), word)
            for word, times in bag.items()
            if (weight := self[word]) and (most is None or " " not in word)
        ]
        size = sqrt(sum(weight * weight for weight, _ in words)) or 1.0
        if most is not None:
            words = nlargest(most, words)
        return {word: weight / size for weight, word in words}


def index_words(texts: Mapping[int, Bag]) -> Mapping[str, Sequence[tuple[int, float]]]:
    """Return the texts that have each word, with its weight there."""
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for at, words in texts.items():
        for word, weight in words.items():
            found[word].append((at, weight))
    return found
