"""Choose search words that make mirror queries fast and good."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from heapq import heappop, heappush
from itertools import chain, pairwise
from math import log
from typing import Final, Self

from attrs import frozen

from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.build.rank.words import stem, written
from rove_core.items import ContextItem
from rove_core.mirror.indexed_text import searchable
from rove_core.mirror.state import count_items
from rove_core.mirror.ticket_sample import forget_tickets

#: Weights of a word in the title, in the text and in the discussion, and the maximum of their sum.
_IN_TITLE: Final = 2.0
_IN_TEXT: Final = 1.0
_BELOW: Final = 0.7
_OFTEN: Final = 4.0
#: How many of the rarest words are always searched for.
_RAREST: Final = 4
#: Words that more items than this have are counted beforehand in large mirrors, because SQLite
#: visits every item with a word to count them.
_COMMON: Final = 50
_MANY_ITEMS: Final = 20_000
_COUNTED: Final = """
SELECT term, items FROM common_words WHERE term IN (SELECT value FROM json_each(?))
"""
_LONGEST_TEXT: Final = 20_000
#: The items of a word pair are counted if no more items than this have its rarer word.
_MOST_WITH_PAIR: Final = 5_000
_PAIR: Final = "SELECT count(*) FROM texts WHERE texts MATCH ?"


@frozen(kw_only=True)
class WordLimits:
    """Limits on search words.

    Attributes:
        most: Maximum words.
        items: Maximum items that the words find in total; the rarest words are kept in any case.
    """

    most: int
    items: int


OWN_WORDS: Final = WordLimits(most=32, items=12_000)
#: Limits for items that surely belong to a ticket, which count less than the ticket.
FED_BACK_WORDS: Final = WordLimits(most=24, items=6_000)


@frozen(kw_only=True)
class SearchWord:
    """A word to search for.

    Attributes:
        weight: Its weighted count in the items.
        rarity: Its information content in all mirrors, as ranking measures it.
        rarity_here: Its information content in this mirror.
    """

    weight: float
    rarity: float
    rarity_here: float

    @property
    def worth(self) -> float:
        """The score of an item that has the word."""
        return self.weight * self.rarity


def words_to_find(
    db: sqlite3.Connection,
    about: Sequence[ContextItem],
    limits: WordLimits,
    *,
    without: Iterable[str] = (),
    everywhere: WordFrequencies = UNKNOWN_FREQUENCIES,
) -> Mapping[str, SearchWord]:
    """Return the most informative words of some items.

    Args:
        db: The mirror.
        about: A ticket, or items that surely belong to it.
        limits: The limits on search words.
        without: Words that are searched for already.
        everywhere: Word frequencies across all mirrors.
    """
    weights = _words_of(about)
    for word in without:
        weights.pop(word, None)
    counts = _WordCounts.of(db, weights)
    having: dict[str, int] = {}
    worth: dict[str, float] = {}
    largest: list[float] = []
    for less, word in sorted((-weights[word] * counts.highest(word), word) for word in weights):
        if len(largest) == limits.most and -less < largest[0]:
            break  # None of the others can be worth as much.
        if count := counts.exact(word):
            having[word], worth[word] = count, weights[word] * counts.rarity(count)
            heappush(largest, worth[word])
            if len(largest) > limits.most:
                heappop(largest)
    best = sorted(worth, key=lambda word: (-worth[word], word))[: limits.most]
    rarest_first = sorted(best, key=lambda word: (having[word], word))
    chosen = _affordable(rarest_first, having, limits.items)
    return {
        word: SearchWord(
            weight=weights[word],
            rarity=_rarity_everywhere(word, having[word], counts.items, everywhere),
            rarity_here=counts.rarity(having[word]),
        )
        for word in chosen
    }


def rarities(db: sqlite3.Connection, words: Sequence[str]) -> Mapping[str, float]:
    """Return the information content of words in a mirror; unknown words get the highest."""
    counts = _WordCounts.of(db, words)
    return {word: counts.rarity(counts.exact(word)) for word in words}


def pair_counts(db: sqlite3.Connection, title: str) -> Mapping[str, int]:
    """Return how many items have each word pair of a title, under its name in ranking.

    Without these counts, ranking would know a pair's rarity only among the items found.
    """
    pairs = {*pairwise(written(searchable(title)))}
    counts = _WordCounts.of(db, {word.text for pair in pairs for word in pair})
    found: dict[str, int] = {}
    for first, second in pairs:
        if min(counts.exact(first.text), counts.exact(second.text)) <= _MOST_WITH_PAIR:
            # NEAR would count both orders, up to six times as many as ranking does.
            query = f'"{first.text} {second.text}"'
            found[f"{first.stem} {second.stem}"] = int(db.execute(_PAIR, [query]).fetchone()[0])
    return found


def count_words(db: sqlite3.Connection) -> None:
    """Count the items that have each common word, in the caller's transaction."""
    db.execute("DELETE FROM common_words")
    if count_items(db) >= _MANY_ITEMS:
        db.execute(
            "INSERT INTO common_words SELECT term, doc FROM vocabulary WHERE doc > ?", [_COMMON]
        )


def forget_counts(db: sqlite3.Connection) -> None:
    """Delete the word counts, in the caller's transaction."""
    db.execute("DELETE FROM common_words")
    db.execute("DELETE FROM word_frequencies")
    forget_tickets(db)
    db.execute("DELETE FROM facts WHERE name IN ('counted', 'counted_at', 'frequencies')")


def any_of(words: Iterable[str]) -> str:
    """Return the FTS5 query for any of some words."""
    return " OR ".join(f'"{word}"' for word in words)


def _rarity_everywhere(word: str, here: int, items: int, everywhere: WordFrequencies) -> float:
    """Return the information content of a word in all mirrors; the sample lacks rare words."""
    having = max(here, everywhere.having.get(stem(word), 0))
    return log(1 + (max(items, everywhere.items) - having + 0.5) / (having + 0.5))


def _affordable(words: Sequence[str], having: Mapping[str, int], enough: int) -> Sequence[str]:
    chosen: list[str] = []
    brought = 0
    for word in words:
        if len(chosen) >= _RAREST and brought + having[word] > enough:
            break
        chosen.append(word)
        brought += having[word]
    return chosen


def _words_of(about: Sequence[ContextItem]) -> dict[str, float]:
    """Return the words of some items with their weights."""
    weights: dict[str, float] = defaultdict(float)
    for item in about:
        texts = [(item.title, _IN_TITLE), (item.content, _IN_TEXT)]
        texts += [(part.content, _BELOW) for part in item.thread]
        for text, weight in texts:
            for word in _with_parts(searchable(text[:_LONGEST_TEXT])):
                weights[word] = min(weights[word] + weight, _OFTEN)
    return weights


def _with_parts(text: str) -> Iterator[str]:
    """Yield the words of a text, and the parts of ``names_like_this``, as ranking counts them."""
    for word in written(text):
        yield word.text
        if "_" in word.text:
            yield from (part.text for part in written(word.text.replace("_", " ")))


def _terms(words: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return SQLite's terms for each word: its stem, or several."""
    word_list = list(words)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.executescript(
            "CREATE VIRTUAL TABLE probe USING fts5("
            'word, tokenize = "porter unicode61 remove_diacritics 2");'
            "CREATE VIRTUAL TABLE found USING fts5vocab(probe, 'instance');"
        )
        db.execute("BEGIN")
        db.executemany("INSERT INTO probe (rowid, word) VALUES (?, ?)", enumerate(word_list))
        terms: dict[str, list[str]] = defaultdict(list)
        for number, term in db.execute("SELECT doc, term FROM found"):
            terms[word_list[number]].append(term)
    return terms


@frozen
class _WordCounts:
    """Document frequencies of words in a mirror.

    Attributes:
        db: The mirror.
        items: The number of its items.
        terms: SQLite's terms for each word.
        common: The number of items that have each common term.
    """

    db: sqlite3.Connection
    items: int
    terms: Mapping[str, Sequence[str]]
    common: Mapping[str, int]

    @classmethod
    def of(cls, db: sqlite3.Connection, words: Iterable[str]) -> Self:
        """Return the precomputed counts of words."""
        terms = _terms(words)
        terms_json = json.dumps([*{*chain.from_iterable(terms.values())}])
        common = dict(db.execute(_COUNTED, [terms_json]).fetchall())
        counted = db.execute("SELECT value FROM facts WHERE name = 'counted'").fetchone()
        items = int(counted[0]) if common and counted else count_items(db)
        return cls(db, max([1, items, *common.values()]), terms, common)

    def highest(self, word: str) -> float:
        """Return the highest rarity that a word may have, without looking it up."""
        terms = self._terms(word)
        if len(terms) == 1:  # Nearly all words; a build looks at thousands.
            return self.rarity(self.common.get(terms[0], 1))
        return self.rarity(min((self.common.get(term, 1) for term in terms), default=1))

    def exact(self, word: str) -> int:
        """Return an upper bound of the items that have all terms of a word; 0 if none does."""
        return min(map(self._count, self._terms(word)), default=0)

    def rarity(self, count: int) -> float:
        """Return the information content of a word with this count."""
        return log(1 + max(0.0, self.items - count + 0.5) / (count + 0.5))

    def _terms(self, word: str) -> Sequence[str]:
        return self.terms.get(word, ())

    def _count(self, term: str) -> int:
        if term in self.common:
            return self.common[term]
        found = self.db.execute("SELECT doc FROM vocabulary WHERE term = ?", [term]).fetchone()
        return int(found[0]) if found else 0
