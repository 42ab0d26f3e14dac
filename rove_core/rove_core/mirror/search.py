"""Search a mirror by words, id, links, people and time."""

import json
import re
import sqlite3
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import inf, log, sqrt
from typing import Final

from attrs import field, frozen

from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.items import ContextItem, ItemRef
from rove_core.mirror.indexed_text import person
from rove_core.mirror.search_words import (
    FED_BACK_WORDS,
    OWN_WORDS,
    SearchWord,
    any_of,
    rarities,
    words_to_find,
)
from rove_core.store.values import storable
from rove_core.time_windows import Window

#: Maximum rows scored by word counts and length.
_MEASURED: Final = 2_000
#: Share of that score in a text search, and the number of rows that are enough there.
_MEASURE: Final = 0.4
_ENOUGH_ROWS: Final = 100_000
#: Weight of closeness in time against words, as in the ranking of documents, and the score that
#: SQLite gives a word repeated without end, which is 1 in that ranking.
_TIME: Final = 0.5
_SATURATED: Final = 2.2
_FED_BACK: Final = 0.5
_DAY: Final = 86_400.0
#: Distance in days of an item without a known time, and how many rows may share a time.
_UNKNOWN: Final = 90.0
_FEW: Final = 3
_IMPORTED: Final = 0.02
#: Maximum times of a ticket, and of what surely belongs to it, to search around.
_MOST_MOMENTS: Final = 48
#: Maximum rows of one person before and after one of them.
_MOST_OF_PERSON: Final = 10
#: Seconds around something said at a ticket in which its people's other words count.
_NEAR: Final = 2 * 86_400.0
_TOKEN: Final = re.compile(r"[^\W_]+")
_NUMBER: Final = re.compile(r"#([0-9]+)$")

#: The ``+`` keeps SQLite from querying the index for one row after another.
_BEST: Final = """
WITH best AS MATERIALIZED (
    SELECT rowid AS row, bm25(texts, 2.0, 1.0) AS distance FROM texts
    WHERE texts MATCH :query AND +rowid IN (SELECT value FROM json_each(:rows))
    ORDER BY distance LIMIT :most
)
SELECT row, at, distance FROM best JOIN items USING (row) ORDER BY distance
"""
#: The same for all of some rows, in the order in which both tables are read fastest.
_DISTANCES: Final = """
SELECT texts.rowid, at, bm25(texts, 2.0, 1.0) FROM texts
CROSS JOIN items ON items.row = texts.rowid
WHERE texts MATCH :query AND +texts.rowid IN (SELECT value FROM json_each(:rows))
"""
#: All rows in one value: taking thousands of rows from SQLite one by one takes three times as long.
_HAVING: Final = "SELECT json_group_array(rowid) FROM texts WHERE texts MATCH :query"
_HAVING_WITHIN: Final = """
SELECT json_group_array(row) FROM items
WHERE row IN (SELECT rowid FROM texts WHERE texts MATCH :query)
AND at BETWEEN :since AND :until
"""
_NEWEST: Final = """
SELECT row FROM items WHERE row IN (SELECT rowid FROM texts WHERE texts MATCH :query)
AND at BETWEEN :since AND :until ORDER BY at DESC LIMIT :most
"""
_LINKING: Final = """
SELECT row FROM links JOIN items USING (row) WHERE target = :target
AND at BETWEEN :since AND :until ORDER BY at DESC LIMIT :most
"""
#: One bound on each side: given two, SQLite may use the wider one and visit all rows.
_BEFORE: Final = """
SELECT row, at FROM items WHERE at BETWEEN :since AND :until ORDER BY at DESC LIMIT :most
"""
_AFTER: Final = """
SELECT row, at FROM items WHERE at BETWEEN :since AND :until ORDER BY at LIMIT :most
"""
_BY_PERSON: Final = """
SELECT row, people.at FROM people JOIN items USING (row)
WHERE people.name = :name AND people.at BETWEEN :begin AND :end
AND items.at BETWEEN :since AND :until
"""
_SAID_BEFORE: Final = f"{_BY_PERSON} ORDER BY people.at DESC LIMIT :most"
_SAID_AFTER: Final = f"{_BY_PERSON} ORDER BY people.at LIMIT :most"


@frozen(kw_only=True)
class TimeRange:
    """A window of time in seconds since 1970."""

    since: float = 0.0
    until: float = field(default=1e12)

    @classmethod
    def of(cls, window: Window) -> "TimeRange":
        """Return a window as a mirror compares it."""
        since, until = window.since, window.until
        return cls(
            since=since.timestamp() if since else 0.0, until=until.timestamp() if until else 1e12
        )


def rows_about(  # noqa: PLR0913  # each is a question of its own
    db: sqlite3.Connection,
    ticket: ContextItem,
    sure: Sequence[ContextItem],
    within: TimeRange,
    most: int,
    *,
    everywhere: WordFrequencies = UNKNOWN_FREQUENCIES,
) -> Mapping[int, float]:
    """Return the rows that share informative words with a ticket, with scores.

    The scores estimate those of ranking, so that the rows of several mirrors can be compared.

    Args:
        db: The mirror.
        ticket: The ticket.
        sure: Items that surely belong to it: their words and times count as well.
        within: The time window of items.
        most: Maximum rows.
        everywhere: Word frequencies across all mirrors.
    """
    own = words_to_find(db, [ticket], OWN_WORDS, everywhere=everywhere)
    fed_back = (
        words_to_find(db, sure, FED_BACK_WORDS, without=own, everywhere=everywhere) if sure else {}
    )
    moments = sorted(moment for item in (ticket, *sure) for moment in moments_of(item))
    shares = _shares(own, fed_back)
    worth: dict[int, float] = defaultdict(float)
    times: dict[int, float] = {}
    for words, share in ((own, shares[0]), (fed_back, shares[1])):
        for row, at, score in _scored_rows(db, words, within):
            times[row] = at
            worth[row] += share * score
    for row, closeness in _closeness(times, moments).items():
        worth[row] += _TIME * closeness
    best = sorted(worth, key=lambda row: (-worth[row], row))[:most]
    return {row: worth[row] for row in best}


def rows_with_text(
    db: sqlite3.Connection, text: str, within: TimeRange, most: int
) -> Sequence[int]:
    """Return the rows that have all words of a text, the best of the newest first."""
    query = " ".join(f'"{word}"' for word in _TOKEN.findall(storable(text)))
    rows = _newest(db, query, within, _MEASURED)
    return [row for row, *_ in _best(db, query, rows, most)]


def rows_having(
    db: sqlite3.Connection, words: Sequence[str], most: int
) -> Sequence[tuple[int, float]]:
    """Return the rows that have any of some words, the best first, each with its score.

    A score is above 0 and at most 1. It combines the share of the words that an item has, weighted
    by rarity, with how well it matches compared to the best item.
    """
    rarity = rarities(db, words)
    weights: dict[int, float] = {}
    for word in sorted(rarity, key=rarity.__getitem__, reverse=True):
        if len(weights) < _ENOUGH_ROWS:
            _add_to_each(weights, _rows_with_word(db, word, TimeRange()), rarity[word])
    telling = sorted(weights, key=weights.__getitem__, reverse=True)[:_MEASURED]
    found = [*_best(db, any_of(words), telling, _MEASURED)]
    whole, best = sum(rarity.values()), min((each[2] for each in found), default=0.0)
    scores = [
        (row, weights[row] / whole * (1 - _MEASURE + _MEASURE * (distance / best if best else 1)))
        for row, _, distance in found
    ]
    return sorted(scores, key=lambda each: -each[1])[:most]


def rows_naming(
    db: sqlite3.Connection, ref: ItemRef, within: TimeRange, most: int
) -> Sequence[int]:
    """Return the rows that may name an item: by its id, by its number, or by a link."""
    queries = [" ".join(_TOKEN.findall(storable(ref.id)))]
    if number := _NUMBER.search(ref.id):
        queries.append(number[1])
    rows = _rows_linking(db, ref, within, most)
    for query in filter(None, queries):
        rows += _newest(db, f'"{query}"', within, most)
    return list(dict.fromkeys(rows))


def rows_near(
    db: sqlite3.Connection, moments: Iterable[float], within: TimeRange, most: int
) -> Sequence[int]:
    """Return the rows of the items that are nearest in time to some moments, nearest first.

    People often speak of a ticket in other words than its own, and on the same day. Of many moments
    only the first ones count.
    """
    away: dict[int, float] = {}
    for moment in [*dict.fromkeys(filter(None, moments))][:_MOST_MOMENTS]:
        before = {"since": within.since, "until": min(moment, within.until), "most": most}
        after = {"since": max(moment, within.since), "until": within.until, "most": most}
        for statement, values in ((_BEFORE, before), (_AFTER, after)):
            for row, at in db.execute(statement, values):
                away[row] = min(abs(at - moment), away.get(row, inf))
    return sorted(away, key=lambda row: (away[row], row))[:most]


def rows_of_people(
    db: sqlite3.Connection,
    names: Iterable[str],
    moments: Iterable[float],
    within: TimeRange,
    most: int,
) -> Sequence[int]:
    """Return the rows in which some people had a word near to some moments, nearest first."""
    away: dict[int, float] = {}
    times = [*dict.fromkeys(moments)][:_MOST_MOMENTS]
    for name, moment in product({*map(person, names)}, times):
        values = {"name": name, "most": _MOST_OF_PERSON, **_ends(within)}
        before = {**values, "begin": moment - _NEAR, "end": moment}
        after = {**values, "begin": moment, "end": moment + _NEAR}
        for statement, bounds in ((_SAID_BEFORE, before), (_SAID_AFTER, after)):
            for row, at in db.execute(statement, bounds):
                away[row] = min(abs(at - moment), away.get(row, inf))
    return sorted(away, key=lambda row: (away[row], row))[:most]


def moments_of(item: ContextItem) -> Sequence[float]:
    """Return the times of an item's parts, in seconds since 1970."""
    created = [item.facts.created] if item.facts.created else []
    times = [part.timestamp for part in (item, *item.thread)]
    return [moment.timestamp() for moment in (*created, *times)]


def _closeness(times: Mapping[int, float], moments: Sequence[float]) -> Mapping[int, float]:
    """Return how close each row is to one of some moments, on a scale of doublings of days.

    A time that many rows share is that of an import, and says nothing.
    """
    counts = Counter(times.values())
    most = max(_FEW, _IMPORTED * len(times))
    own = [moment for moment in moments if moment > _DAY]
    of_times = {
        at: -log(1 + (_nearest(at, own) if count <= most and at > _DAY else _UNKNOWN))
        for at, count in counts.items()
    }
    return {row: of_times[at] for row, at in times.items()}


def _nearest(at: float, moments: Sequence[float]) -> float:
    """Return the distance in days from a time to the nearest of some moments."""
    place = bisect_left(moments, at)
    after = moments[place] - at if place < len(moments) else inf
    before = at - moments[place - 1] if place else inf
    return min(before, after) / _DAY if moments else _UNKNOWN


def _rows_linking(db: sqlite3.Connection, ref: ItemRef, within: TimeRange, most: int) -> list[int]:
    values = {"target": storable(ref.id), **_ends(within), "most": most}
    return [row for (row,) in db.execute(_LINKING, values)]


def _shares(
    own: Mapping[str, SearchWord], fed_back: Mapping[str, SearchWord]
) -> tuple[float, float]:
    """Return the weight of a ticket's words, and that of fed back words, as in ranking."""
    sizes = [sum(word.weight for word in words.values()) for words in (own, fed_back)]
    share = _FED_BACK * sizes[0] / (sizes[1] or 1.0)
    squares = sum(word.weight**2 for word in own.values())
    squares += sum((share * word.weight) ** 2 for word in fed_back.values())
    size = sqrt(squares) or 1.0
    return 1 / size, share / size


def _scored_rows(
    db: sqlite3.Connection, words: Mapping[str, SearchWord], within: TimeRange
) -> Iterable[tuple[int, float, float]]:
    """Yield the rows that have any of some words, each with its time and its score.

    SQLite scores how often a row has the words, relative to its length, but weighs words only by
    their rarity in this mirror. Scoring is slow, so only the rows with the best words are scored.

    Args:
        db: The mirror.
        words: The words.
        within: The time window of items.
    """
    worth: dict[int, float] = {}
    here: dict[int, float] = {}
    for word, found in words.items():
        rows = _rows_with_word(db, word, within)
        _add_to_each(worth, rows, found.worth)
        _add_to_each(here, rows, found.rarity_here)
    best = sorted(worth, key=worth.__getitem__, reverse=True)[:_MEASURED]
    values = {"query": any_of(words), "rows": json.dumps(best)}
    for row, at, distance in db.execute(_DISTANCES, values) if words else ():
        yield row, at, worth[row] * -distance / (_SATURATED * (here[row] or 1.0))


def _best(
    db: sqlite3.Connection, query: str, rows: Sequence[int], most: int
) -> Iterable[tuple[int, float, float]]:
    """Return the best of some rows that match a query, each with its time and its distance."""
    values = {"query": query, "rows": json.dumps(rows), "most": most}
    return db.execute(_BEST, values) if query else ()


def _rows_with_word(db: sqlite3.Connection, word: str, within: TimeRange) -> Sequence[int]:
    """Return the rows that have a word."""
    statement = _HAVING if within == TimeRange() else _HAVING_WITHIN
    (rows,) = db.execute(statement, {"query": any_of([word]), **_ends(within)}).fetchone()
    found: Sequence[int] = json.loads(rows)
    return found


def _add_to_each(sums: dict[int, float], rows: Sequence[int], value: float) -> None:
    """Add a value to the sum of each of some rows.

    Hardly any row has two of the words, so nearly all rows are added without a loop in Python.
    """
    added = dict.fromkeys(rows, value)
    for row in sums.keys() & added.keys():
        added[row] += sums[row]
    sums.update(added)


def _newest(db: sqlite3.Connection, query: str, within: TimeRange, most: int) -> list[int]:
    """Return the rows that match a query, newest first."""
    values = {"query": query, **_ends(within), "most": most}
    return [row for (row,) in db.execute(_NEWEST, values)] if query else []


def _ends(within: TimeRange) -> dict[str, float]:
    return {"since": within.since, "until": within.until}
