"""Which words to look for in a mirror, so that the answer is good and comes quickly."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import chain
from math import log
from typing import Final

from rove_core.build.rank.words import written
from rove_core.items import ContextItem
from rove_core.mirror.texts import searchable

#: How much a word in the title, in the text and in what is said below counts, and how often.
_IN_TITLE: Final = 2.0
_IN_TEXT: Final = 1.0
_BELOW: Final = 0.7
_OFTEN: Final = 4.0
#: How many words of the ticket are looked for, and how many of what surely belongs to it.
OWN_WORDS: Final = 32
FED_BACK_WORDS: Final = 24
#: Words are left out once rarer ones bring so many items; the rarest stay whatever they bring.
ENOUGH_ITEMS: Final = 30_000
_RAREST: Final = 4
#: A word is counted beforehand if more than this part of all items has it, and there are many.
_COMMON: Final = 1 / 200
_MANY_ITEMS: Final = 20_000
_LONGEST_TEXT: Final = 20_000


def words_to_find(
    db: sqlite3.Connection, about: Sequence[ContextItem], most: int, *, without: Iterable[str] = ()
) -> Sequence[str]:
    """Return the most telling words of some items that a mirror has, the rarest first.

    Args:
        db: The mirror.
        about: A ticket, or what surely belongs to it.
        most: How many words.
        without: Words that are looked for already.
    """
    said = _said(about)
    for word in without:
        said.pop(word, None)
    terms = _terms(said)
    items = _item_counts(db, {*chain.from_iterable(terms.values())})
    whole = max([1, *items.values()], default=1)
    if found := db.execute("SELECT count(*) FROM items").fetchone():
        whole = max(whole, int(found[0]))
    having = {
        word: min(items[term] for term in terms[word])
        for word in said
        if terms.get(word) and all(term in items for term in terms[word])
    }
    worth = {word: said[word] * _rarity(count, whole) for word, count in having.items()}
    best = sorted(worth, key=lambda word: (-worth[word], word))[:most]
    return _affordable(sorted(best, key=lambda word: (having[word], word)), having)


def count_words(db: sqlite3.Connection) -> None:
    """Count the items that have each common word, in a transaction of the caller's."""
    items = int(db.execute("SELECT count(*) FROM items").fetchone()[0])
    db.execute("DELETE FROM common_words")
    if items >= _MANY_ITEMS:
        db.execute(
            "INSERT INTO common_words SELECT term, doc FROM vocabulary WHERE doc > ?",
            [int(items * _COMMON)],
        )


def any_of(words: Iterable[str]) -> str:
    """Return the FTS5 query for any of some words."""
    return " OR ".join(f'"{word}"' for word in words)


def _affordable(words: Sequence[str], having: Mapping[str, int]) -> Sequence[str]:
    chosen: list[str] = []
    brought = 0
    for word in words:
        if len(chosen) >= _RAREST and brought + having[word] > ENOUGH_ITEMS:
            break
        chosen.append(word)
        brought += having[word]
    return chosen


def _said(about: Sequence[ContextItem]) -> dict[str, float]:
    """Return the words of some items with their weights."""
    said: dict[str, float] = defaultdict(float)
    for item in about:
        texts = [(item.title, _IN_TITLE), (item.content, _IN_TEXT)]
        texts += [(part.content, _BELOW) for part in item.thread]
        for text, weight in texts:
            for word in written(searchable(text[:_LONGEST_TEXT])):
                said[word.text] = min(said[word.text] + weight, _OFTEN)
    return said


def _terms(words: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return what SQLite makes of each word: its stem, or several where it has parts."""
    known = list(words)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.executescript(
            "CREATE VIRTUAL TABLE probe USING fts5("
            'word, tokenize = "porter unicode61 remove_diacritics 2");'
            "CREATE VIRTUAL TABLE found USING fts5vocab(probe, 'instance');"
        )
        db.execute("BEGIN")
        db.executemany("INSERT INTO probe (rowid, word) VALUES (?, ?)", enumerate(known))
        terms: dict[str, list[str]] = defaultdict(list)
        for number, term in db.execute("SELECT doc, term FROM found"):
            terms[known[number]].append(term)
    return terms


def _item_counts(db: sqlite3.Connection, terms: Iterable[str]) -> Mapping[str, int]:
    """Return how many items have each term; what none has is left out."""
    common = dict(db.execute("SELECT term, items FROM common_words").fetchall())
    counts: dict[str, int] = {}
    for term in terms:
        if term in common:
            counts[term] = common[term]
        elif row := db.execute("SELECT doc FROM vocabulary WHERE term = ?", [term]).fetchone():
            counts[term] = int(row[0])
    return counts


def _rarity(count: int, whole: int) -> float:
    return log(1 + (whole - count + 0.5) / (count + 0.5))
