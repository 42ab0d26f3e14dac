"""Word statistics of the found items, and BM25 scores."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log, sqrt
from typing import Final, TypeAlias

from attrs import field, frozen

from rove_core.build.gather.candidates import Candidate, key_of
from rove_core.build.rank.sampled_tickets import NO_OTHERS, OtherTickets
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.build.rank.words import iterate_stems, stems
from rove_core.items import ContextItem

#: Weighted word counts: a title weighs more than the text, and the discussion less.
Bag: TypeAlias = Mapping[str, float]

_IN_TITLE: Final = 2.0
_BELOW: Final = 0.7
#: BM25: how soon a repeated word adds nothing (k1), and how much a long text is penalised (b).
_SATURATION: Final = 1.2
_HOLD_BACK: Final = 0.7


@frozen
class TicketCorpus:
    """The words of a ticket and of its candidates.

    Attributes:
        bags: The words of each candidate, in their order.
        own: The words of the ticket itself.
        everywhere: Word frequencies across everything that could have been found.
        others: Tickets of the same role that were not found, as far as known.
    """

    bags: Sequence[Bag]
    own: Bag
    _where: Mapping[str, Sequence[int]] = field(repr=False)
    _lengths: Sequence[float] = field(repr=False)
    _fetched_by: Mapping[str, int] = field(repr=False)
    everywhere: WordFrequencies = UNKNOWN_FREQUENCIES
    others: OtherTickets = NO_OTHERS

    @classmethod
    def of(
        cls,
        ticket: ContextItem,
        candidates: Sequence[Candidate],
        everywhere: WordFrequencies = UNKNOWN_FREQUENCIES,
    ) -> "TicketCorpus":
        """Return the words of a ticket and its candidates."""
        pairs = frozenset(pairwise(stems(ticket.title)))
        bags = [_bag(candidate.item, pairs) for candidate in candidates]
        where: dict[str, list[int]] = defaultdict(list)
        for at, words in enumerate(bags):
            for word in words:
                where[word].append(at)
        return cls(
            bags=bags,
            own=_bag(ticket, pairs),
            where=where,
            lengths=[sum(words.values()) for words in bags],
            fetched_by=_fetched_by(candidates, bags),
            everywhere=everywhere,
            others=everywhere.tickets.besides(
                ticket.role, {key_of(ticket.ref), *(each.key for each in candidates)}
            ),
        )

    @property
    def size(self) -> int:
        """The number of items, found or not, as far as known."""
        return max(len(self.bags), self.everywhere.items)

    def rarity(self, word: str) -> float:
        """Return the information content of a word: higher for rarer words.

        Items that only a search for the word has found say nothing about its rarity and are left
        out; otherwise search words would be the most common of all. The items found share words
        with the ticket, so wider word frequencies take precedence if they are known.
        """
        searched, everywhere = self._fetched_by.get(word, 0), self.everywhere
        count = max(len(self.bags) - searched, everywhere.items) + 1
        found = len(self._where.get(word, ())) - searched + self.others.having(word)
        having = max(found, everywhere.having.get(word, 0)) + (word in self.own)
        return log(1 + (count - having + 0.5) / (having + 0.5))

    def spread(self, word: str) -> int:
        """Return how many items have a word, found or not, as far as known."""
        found = len(self._where.get(word, ())) + self.others.having(word)
        return max(found, self.everywhere.having.get(word, 0))

    def answers(self, query: Bag) -> list[float]:
        """Return how well each candidate matches weighted words (BM25 over all fields)."""
        found = [0.0] * len(self.bags)
        average = self._average_length or 1.0
        norms = [
            _SATURATION * (1 - _HOLD_BACK + _HOLD_BACK * length / average)
            for length in self._lengths
        ]
        for word, weight in query.items():
            telling = weight * self.rarity(word)
            for at in self._where.get(word, ()):
                times = self.bags[at][word]
                found[at] += telling * times / (times + norms[at])
        size = sqrt(sum(weight * weight for weight in query.values())) or 1.0
        return [score / size for score in found]

    @property
    def _average_length(self) -> float:
        if self.everywhere.items > len(self._lengths):
            return self.everywhere.length
        return sum(self._lengths) / max(1, len(self._lengths))


def words_of(item: ContextItem) -> Bag:
    """Return the word counts of an item, uncached, for items that are needed only once."""
    below = tuple(part.content for part in item.thread)
    return _counted(_weighted_texts(item.title, item.content, below), iterate_stems)


def _bag(item: ContextItem, pairs: frozenset[tuple[str, str]]) -> Bag:
    """Return the words and word pairs of an item and its discussion."""
    return _words(item.title, item.content, tuple(part.content for part in item.thread), pairs)


def _words(
    title: str, content: str, below: Sequence[str], pairs: frozenset[tuple[str, str]]
) -> Bag:
    """Return the words of an item, and its word pairs."""
    alone = single_words(title, content, below)
    # Hardly any item has both words of a pair.
    if not any(first in alone and second in alone for first, second in pairs):
        return alone
    words = dict(alone)
    for text, weight in _weighted_texts(title, content, below):
        for pair in sorted(pairs.intersection(pairwise(stems(text)))):
            name = " ".join(pair)
            words[name] = words.get(name, 0.0) + weight
    return words


@lru_cache(maxsize=2048)
def single_words(title: str, content: str, below: Sequence[str]) -> Bag:
    """Return the word counts of an item; cached, since a build ranks items repeatedly.

    The result is shared by all tickets: do not change it.
    """
    return _counted(_weighted_texts(title, content, below), stems)


def _counted(
    texts: Iterable[tuple[str, float]], split: Callable[[str], Iterable[str]]
) -> dict[str, float]:
    words: dict[str, float] = {}
    for text, weight in texts:
        for word, times in Counter(split(text)).items():
            words[word] = words.get(word, 0.0) + weight * times
    return words


def _weighted_texts(title: str, content: str, below: Sequence[str]) -> Iterator[tuple[str, float]]:
    yield content, 1.0
    yield title, _IN_TITLE
    for text in below:
        yield text, _BELOW


def _fetched_by(candidates: Sequence[Candidate], bags: Sequence[Bag]) -> Mapping[str, int]:
    """Count, for each search word, the candidates that were found only by it."""
    counts: Counter[str] = Counter()
    for candidate, words in zip(candidates, bags, strict=True):
        searches = [
            {*stems(trace.by)} if trace.way == "words" else set[str]() for trace in candidate.traces
        ]
        if searches:
            counts.update(word for word in set.intersection(*searches) if word in words)
    return counts
