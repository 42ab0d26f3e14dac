"""Choose the search words most likely to find what belongs to a ticket.

A vendor's search requires all words of a query, so single words find the most; a pair finds what
is too old or ranked too low among the hits of a single word. Words come best first, as only the
caller knows how many searches may be made.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import log
from typing import Final

from attrs import define

from rove_core.build.rank.words import Word, stem, stems, written
from rove_core.items import ContextItem

#: How many words are searched for first, before anything found gives better ones.
FIRST_WORDS: Final = 3

#: The worth of a word, in occurrences: bonus of a title word, most occurrences counted, characters
#: that count as one occurrence, most characters counted, and the penalty of everyday words.
_IN_TITLE: Final = 6.0
_OFTEN: Final = 5
_LETTERS: Final = 4
_LONG: Final = 12
_EVERYDAY_LACKS: Final = 3.0
#: Bonus of a word for each item that it is fed back from, and the most items counted.
_FED_BACK: Final = 2.0
_MOST_FEEDING: Final = 4
_LONGEST_TEXT: Final = 3000
_MOST_PARTS: Final = 30
#: Words in half of all tickets, whatever they are about.
_EVERYDAY: Final = frozenset(
    map(
        stem,
        """
        ability add allow broken bug change clean cleanup code correct create current default delete
        description doc docs document documentation enable error fail failure feature file fix
        implement implementation improve incorrect issue missing move page problem properly refactor
        release remove rename review set setting support task test testing tests ticket update user
        version work wrong
        """.split(),  # noqa: SIM905  # a list of quotes hides the words
    )
)


@define
class _SpokenWord:
    """A word with its spelling and its counts by place."""

    text: str
    in_title: bool = False
    times: int = 0
    feeding: int = 0

    def worth(self, rarity: float = 1.0) -> float:
        """Return how promising a search for the word is; feedback prefers rare words."""
        return (
            _IN_TITLE * self.in_title
            + min(self.times, _OFTEN)
            + min(len(self.text), _LONG) / _LETTERS
            - _EVERYDAY_LACKS * (stem(self.text) in _EVERYDAY)
            + _FED_BACK * min(self.feeding, _MOST_FEEDING) * rarity
        )


def first_queries(ticket: ContextItem) -> Sequence[str]:
    """Return the first words to search for, from the ticket alone, best first."""
    best = sorted(_words_of(ticket).values(), key=lambda each: -each.worth())
    return [each.text for each in best[:FIRST_WORDS]]


def pair_query(ticket: ContextItem) -> Sequence[str]:
    """Return the two best words together, for vendors that have too much with either."""
    first = first_queries(ticket)[:2]
    return [" ".join(first)] if len(first) == 2 else []


def fed_back_queries(
    ticket: ContextItem,
    sure: Sequence[ContextItem],
    seen: Sequence[ContextItem],
    earlier: Collection[str],
) -> Sequence[str]:
    """Return further queries, from items that surely belong to the ticket.

    Args:
        ticket: The ticket.
        sure: Items that surely belong to it: their words are as good as the ticket's own.
        seen: All items found; a word in all of them distinguishes nothing.
        earlier: Texts that were searched for already.
    """
    words = _words_of(ticket)
    for item in sure:
        for word in {word.stem: word for word in _words(item)}.values():
            words.setdefault(word.stem, _SpokenWord(word.text)).feeding += 1
    rarity = _rarity(seen, words.keys())
    done = {*earlier, *map(stem, earlier)}
    best = sorted(
        (each for key, each in words.items() if key not in done and each.text not in done),
        key=lambda each: -each.worth(rarity[stem(each.text)]),
    )
    return [each.text for each in best]


def _words_of(ticket: ContextItem) -> dict[str, _SpokenWord]:
    """Return the words of a ticket by their stems, in the order they appear."""
    words: dict[str, _SpokenWord] = {}
    for word in written(ticket.title):
        words.setdefault(word.stem, _SpokenWord(word.text)).in_title = True
    for part in (ticket, *ticket.thread[:_MOST_PARTS]):
        for word in written(part.content[:_LONGEST_TEXT]):
            words.setdefault(word.stem, _SpokenWord(word.text)).times += 1
    return words


def _words(item: ContextItem) -> Iterator[Word]:
    yield from written(f"{item.title} {item.content[:_LONGEST_TEXT]}")
    for part in item.thread[:_MOST_PARTS]:
        yield from written(part.content[:_LONGEST_TEXT])


def _rarity(seen: Sequence[ContextItem], words: AbstractSet[str]) -> Mapping[str, float]:
    """Return how rare each word is among all items seen, from 0 to 1."""
    counts: Counter[str] = Counter()
    for item in seen:
        texts = (item.title, item.content, *(part.content for part in item.thread))
        counts.update(words & {each for text in texts for each in stems(text)})
    whole = log(1 + len(seen)) or 1.0
    return {word: 1 - log(1 + counts[word]) / whole for word in words}
