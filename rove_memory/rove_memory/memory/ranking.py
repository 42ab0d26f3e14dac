"""Rank memories for a question: by words, then by all other signals.

What was measured is on the page docs/explanation/memory.md.
"""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from sqlite3 import Connection, Row
from typing import Final

from attrs import define, field

from rove_memory.memory.memories import Condition
from rove_memory.memory.words import any_of, content_words, likeness, question_words
from rove_memory.store.values import placeholders, read_time

#: Columns of the text index: title, key, content, summary, tags, parts, neighbours.
_WEIGHTS: Final = (1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.35)
#: So many candidates are looked at.
_POOL: Final = 30
#: A title that the question names in full is worth so much of the score.
_TITLE: Final = 0.2
#: Memories of the time in which the best ones were stored.
_HEADS: Final = 3
_NEAR_IN_TIME: Final = 0.3
_DAY: Final = 86_400.0
_FAR: Final = 10 * _DAY
#: Memories that name one of the best ones, or are named by one.
_NAMED: Final = 0.3
#: An importance of 5 or of 1 against 3, and age: bounded, since both may say nothing.
_IMPORTANCE: Final = 0.015
_RECENCY: Final = 0.05
_HALF_LIFE: Final = 90.0
#: Above so many memories, words that are in more than one of so many find no candidates: they
#: hardly tell memories apart, and cost most of the time.
_COMMON: Final = ((20_000, 50), (5_000, 10), (2_000, 4))
_RAREST: Final = 4
#: Memories that share so many of their words say the same.
_SAME: Final = 0.85
_COMPARED: Final = 1_000
#: Words that begin with the same characters are taken for forms of one.
_STEM: Final = 5

_COLUMNS: Final = (
    "m.number, m.id, m.key, m.title, m.content, m.importance, m.updated_at, m.created_at, "
    "m.fingerprint"
)
#: The best of all, and then those of them that may be found: it reads few memories.
_BEST: Final = """
SELECT {columns}, best.rank FROM (
    SELECT rowid, bm25(memory_texts, {weights}) AS rank FROM memory_texts
    WHERE memory_texts MATCH ? ORDER BY rank LIMIT ?
) best JOIN memory m ON m.number = best.rowid WHERE 1 {where} ORDER BY best.rank LIMIT ?
"""
#: The best of those that may be found, where these are few.
_FILTERED: Final = """
SELECT {columns}, best.rank FROM (
    SELECT memory_texts.rowid, bm25(memory_texts, {weights}) AS rank
    FROM memory_texts JOIN memory m ON m.number = memory_texts.rowid
    WHERE memory_texts MATCH ? {where} ORDER BY rank LIMIT ?
) best JOIN memory m ON m.number = best.rowid ORDER BY best.rank
"""


@define(kw_only=True, slots=False, eq=False, repr=False)
class Hit:
    """A memory that was found.

    Attributes:
        id: Its id.
        score: How well it fits; higher is better.
        words: The words of the question that it has.
        reasons: What else speaks for it.
        also: Keys of memories that say the same.
    """

    id: str
    key: str
    score: float
    row: Row
    words: tuple[str, ...] = ()
    reasons: list[str] = field(factory=list)
    also: list[str] = field(factory=list)

    @cached_property
    def at(self) -> float:
        """Its storage time, in seconds."""
        return _seconds(self.row["created_at"])

    @property
    def why(self) -> str:
        """Why it was found, in a line."""
        shared = f"shares: {', '.join(self.words[:6])}" if self.words else ""
        return "; ".join(filter(None, [shared, *self.reasons]))


def find_hits(
    db: Connection, question: str, *, now: datetime, limit: int, condition: Condition
) -> list[Hit]:
    """Return the memories that fit a question, best first, near-duplicates behind the best.

    Args:
        db: The database.
        question: Words, or a sentence.
        now: The time, for the age of a memory.
        limit: The maximum number of results.
        condition: Which memories may be found.
    """
    words = question_words(question)
    if not words:
        return []
    searched, common = _searched_words(db, words)
    hits = _candidates(db, searched, max(_POOL, 2 * limit), condition)
    if not hits:
        return []
    if common:
        _add_common(hits, common)
    _add_titles(hits, words)
    hits.sort(key=lambda hit: -hit.score)
    heads = [(hit, hit.score) for hit in hits[:_HEADS]]
    _add_time(hits, heads)
    hits = _add_named(db, hits, heads, condition)
    for hit in hits:
        hit.score *= _prior(hit.row, now)
    hits.sort(key=lambda hit: (-hit.score, hit.key))
    shown = _collapse(hits, limit)
    for hit in shown:
        hit.words = _shared_words(hit, words)
    return shown


def _searched_words(
    db: Connection, words: Sequence[str]
) -> tuple[Sequence[str], Mapping[str, float]]:
    """Return the words that find candidates, and the weight of those that only order them."""
    (rows,) = db.execute("SELECT coalesce(max(number), 0) FROM memory").fetchone()
    share = next((share for many, share in _COMMON if rows > many), None)
    if share is None or len(words) <= _RAREST:
        return words, {}
    most = rows // share
    counts = {}
    for word in words:
        (counts[word],) = db.execute(
            "SELECT count(*) FROM (SELECT 1 FROM memory_texts WHERE memory_texts MATCH ? LIMIT ?)",
            [f'"{word}"', most + 1],
        ).fetchone()
    rarest = sorted(words, key=lambda word: counts[word])
    search_words = [word for n, word in enumerate(rarest) if n < _RAREST or counts[word] <= most]
    dropped = [word for word in rarest if word not in search_words]
    return search_words, {word: math.log(rows / (counts[word] + 1)) for word in dropped}


def _candidates(
    db: Connection, words: Sequence[str], limit: int, condition: Condition
) -> list[Hit]:
    match = any_of(words)
    parts = {
        "columns": _COLUMNS,
        "weights": ", ".join(map(str, _WEIGHTS)),
        "where": condition.sql,
    }
    best = 2 * limit
    rows = db.execute(_BEST.format_map(parts), [match, best, *condition.values, limit]).fetchall()
    if condition.sql and len(rows) < limit:
        rows = db.execute(_FILTERED.format_map(parts), [match, *condition.values, limit]).fetchall()
    return [Hit(id=row["id"], key=row["key"], score=-row["rank"], row=row) for row in rows]


def _shared_words(hit: Hit, words: Sequence[str]) -> tuple[str, ...]:
    text = f"{hit.key} {hit.row['content']}".lower()
    return tuple(word for word in words if _stem(word) in text)


def _add_common(hits: Sequence[Hit], common: Mapping[str, float]) -> None:
    """Count words that found no candidates."""
    for hit in hits:
        hit.score += sum(common[word] for word in _shared_words(hit, tuple(common)))


def _add_titles(hits: Sequence[Hit], words: Sequence[str]) -> None:
    stems = {_stem(word) for word in words}
    for hit in hits:
        title = {word[:_STEM] for word in content_words(hit.row["title"])}
        hit.score *= 1 + _TITLE * len(title & stems) / (len(title) or 1)


def _add_time(hits: Sequence[Hit], heads: Sequence[tuple[Hit, float]]) -> None:
    """Count memories stored together with the best ones."""
    times = [(head, head.at, score) for head, score in heads]
    for hit in hits:
        at, near = hit.at, 0.0
        for head, other, score in times:
            if head is not hit and abs(at - other) < _FAR:
                near += score * math.exp(-abs(at - other) / _DAY)
        hit.score += _NEAR_IN_TIME * near / _HEADS
        if hit is not heads[0][0] and near > heads[0][1] / 2:
            hit.reasons.append(f"stored at the time of {heads[0][0].key}")


def _add_named(
    db: Connection, hits: list[Hit], heads: Sequence[tuple[Hit, float]], condition: Condition
) -> list[Hit]:
    """Count memories linked by name with the best ones."""
    by_id = {hit.id: hit for hit in hits}
    for head, score in heads:
        named = db.execute(
            f"SELECT {_COLUMNS} FROM memory m WHERE m.id <> ? AND ("  # noqa: S608  # our own conditions
            "m.key IN (SELECT name FROM memory_mentions WHERE memory_id = ?) OR m.id IN "
            f"(SELECT memory_id FROM memory_mentions WHERE name = ?)) {condition.sql} LIMIT 20",
            [head.id, head.id, head.key.lower(), *condition.values],
        ).fetchall()
        for row in named:
            hit = by_id.setdefault(row["id"], Hit(id=row["id"], key=row["key"], score=0.0, row=row))
            hit.score += _NAMED * score / max(1.0, math.log2(1 + len(named)))
            hit.reasons.append(f"named together with {head.key}")
    return list(by_id.values())


def _prior(row: Row, now: datetime) -> float:
    """Return a factor near 1: importance and age may say nothing, and must not decide."""
    days = max(0.0, now.timestamp() - _seconds(row["updated_at"])) / _DAY
    age = 0.5 ** (days / _HALF_LIFE)
    importance: int = row["importance"]
    bounded: float = (1 + _IMPORTANCE * (importance - 3)) * (1 - _RECENCY * (1 - age))
    return bounded


def _collapse(hits: Sequence[Hit], limit: int) -> list[Hit]:
    shown: list[tuple[Hit, frozenset[str]]] = []
    for hit in hits:
        words = frozenset(content_words(hit.row["content"][:_COMPARED]))
        same = next(
            (
                other
                for other, theirs in shown
                if other.row["fingerprint"] == hit.row["fingerprint"]
                or likeness(words, theirs) >= _SAME
            ),
            None,
        )
        if same:
            same.also.append(hit.key)
        elif len(shown) == limit:
            break
        else:
            shown.append((hit, words))
    return [hit for hit, _ in shown]


def related_hits(
    db: Connection, items: Sequence[str], *, limit: int, condition: Condition
) -> list[Hit]:
    """Return the memories that were stored about tickets or plans, the most important first."""
    rows = db.execute(
        f"SELECT DISTINCT {_COLUMNS} FROM memory m, json_each(m.related_items) item "  # noqa: S608  # our own conditions
        f"WHERE item.value IN ({placeholders(items)}) {condition.sql} "
        "ORDER BY m.importance DESC, m.updated_at DESC LIMIT ?",
        [*items, *condition.values, limit],
    ).fetchall()
    return [
        Hit(id=row["id"], key=row["key"], score=1.0, row=row, reasons=["about this ticket"])
        for row in rows
    ]


def _stem(word: str) -> str:
    return word[:_STEM]


def _seconds(text: str) -> float:
    at = read_time(text)
    return at.timestamp() if at else 0.0
