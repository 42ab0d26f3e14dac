"""Recall: the memories that fit a question, as of any time, within a token budget."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from sqlite3 import Connection
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from rove_core import WrongCall
from rove_memory.memory.answer import within_budget
from rove_memory.memory.memories import Condition, Memories, checked_type
from rove_memory.memory.model import MemoryItem
from rove_memory.memory.text_index import rebuild_index
from rove_memory.memory.words import all_of, content_words, fingerprint, parts_of, title_of
from rove_memory.store.migrations import PROJECT_MIGRATIONS
from rove_memory.store.values import placeholders, time_text

if TYPE_CHECKING:
    from rove_memory.memory.ranking import Hit

#: The largest limit of a recall.
MOST: Final = 100


@frozen(kw_only=True, eq=False, repr=False)
class RecallRequest:
    """A recall request.

    Attributes:
        question: Words, or a sentence; empty for the most important.
        memory_type: Of this type alone.
        tags: With any of these tags.
        min_importance: Of at least this importance.
        limit: The maximum number of results.
        as_of: The memories as they were at this time.
        archived: Whether those count that were put aside, replaced or have expired.
        max_tokens: How many tokens all of them may take; the last ones are cut or left out.
        in_text: Whether all words of the question must be in a memory's text or its key: its tags
            and its neighbours do not count.
        since: Only memories changed at this time or later.
        until: Only memories changed at this time or earlier.
    """

    question: str = ""
    memory_type: str | None = None
    tags: Sequence[str] = ()
    min_importance: int = 1
    limit: int = 10
    as_of: datetime | None = None
    archived: bool = False
    max_tokens: int = 8_000
    in_text: bool = False
    since: datetime | None = None
    until: datetime | None = None


def recall(memories: Memories, request: RecallRequest) -> tuple[MemoryItem, ...]:
    """Return the memories that fit, best first, each with the reason why; nothing is changed.

    Raises:
        WrongCall: Not even one of them has room.
    """
    now = memories.store.clock.now()
    if request.as_of:
        with _as_of(memories.db, request.as_of) as then:
            past = Memories(db=then, store=memories.store)
            found = _find(past, evolve(request, archived=True), request.as_of)
    else:
        found = _find(memories, request, now)
    results = tuple(within_budget(found, request.max_tokens))
    if found and not results:
        raise WrongCall(
            f"max_tokens {request.max_tokens}: memories were found, and none of them fits",
            hint="Give a larger number, or leave it out.",
        )
    return results


def condition_of(request: RecallRequest, now: datetime) -> Condition:
    """Return which memories may be found, as SQL."""
    parts, values = ["AND m.importance >= ?"], [request.min_importance]
    sql: list[object] = list(values)
    if memory_type := checked_type(request.memory_type):
        parts.append("AND m.memory_type = ?")
        sql.append(memory_type)
    if request.tags:
        slots = placeholders(request.tags)
        parts.append(f"AND EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value IN ({slots}))")  # noqa: S608  # question marks
        sql.extend(request.tags)
    if request.in_text and (words := content_words(request.question)):
        parts.append("AND m.number IN (SELECT rowid FROM memory_texts WHERE memory_texts MATCH ?)")
        sql.append(f"{{title key content}}: ({all_of(words)})")
    if request.since:
        parts.append("AND m.updated_at >= ?")
        sql.append(time_text(request.since))
    if request.until:
        parts.append("AND m.updated_at <= ?")
        sql.append(time_text(request.until))
    if not request.archived:
        parts.append(
            "AND m.archived_at IS NULL AND m.superseded_by IS NULL "
            "AND (m.expires_at IS NULL OR m.expires_at > ?)"
        )
        sql.append(time_text(now))
    return Condition(sql=" ".join(parts), values=sql)


def about_ticket(
    memories: Memories, items: Sequence[str], question: str, *, limit: int
) -> list[MemoryItem]:
    """Return the memories about a ticket: those stored for it, then those that fit its words."""
    from rove_memory.memory.ranking import find_hits, related_hits  # noqa: PLC0415  # lists need none

    now = memories.store.clock.now()
    condition = condition_of(RecallRequest(), now)
    hits = related_hits(memories.db, items, limit=limit, condition=condition)
    found = find_hits(memories.db, question, now=now, limit=limit, condition=condition)
    hit_ids = {hit.id for hit in hits}
    hits += [hit for hit in found if hit.id not in hit_ids and len(hit.words) > 1]
    return _items(memories, hits[:limit])


def _find(memories: Memories, request: RecallRequest, now: datetime) -> list[MemoryItem]:
    condition, limit = condition_of(request, now), request.limit
    if request.question.strip():
        from rove_memory.memory.ranking import find_hits  # noqa: PLC0415  # lists need none

        hits = find_hits(memories.db, request.question, now=now, limit=limit, condition=condition)
        return _items(memories, hits)
    items = memories.listed(condition, limit)
    return [evolve(item, why=f"importance {item.importance}") for item in items]


def _items(memories: Memories, hits: "Sequence[Hit]") -> list[MemoryItem]:
    best = max((hit.score for hit in hits), default=1.0) or 1.0
    return [
        evolve(
            memories.get(hit.id),
            why=hit.why,
            score=round(max(0.0, hit.score / best), 3),
            also=tuple(hit.also),
        )
        for hit in hits
    ]


@contextmanager
def _as_of(db: Connection, at: datetime) -> Iterator[Connection]:
    """Yield the memories as of a time, in a temporary database."""
    moment = time_text(at)
    with closing(sqlite3.connect(":memory:")) as then:
        then.row_factory = sqlite3.Row
        for script in PROJECT_MIGRATIONS:
            then.executescript(script)
        then.execute("PRAGMA foreign_keys = OFF")
        rows = db.execute(
            "SELECT m.*, v.content AS said, v.summary AS said_short, v.importance AS weight, "
            "v.confidence AS sure, v.version AS number_then, v.valid_from, v.tags AS tags_then, "
            "v.related_items AS items_then FROM memory_versions v JOIN memory m "
            "ON m.id = v.memory_id WHERE v.valid_from <= ? AND (v.valid_to IS NULL OR "
            "v.valid_to > ?)",
            [moment, moment],
        )
        for row in rows:
            then.execute(
                "INSERT INTO memory (number, id, project_id, memory_type, key, content, summary, "  # noqa: S608  # question marks
                "importance, confidence, created_at, updated_at, expires_at, source_session_id, "
                "tags, related_items, version, title, parts, fingerprint) "
                f"VALUES ({placeholders(range(19))})",
                [
                    row["number"],
                    row["id"],
                    row["project_id"],
                    row["memory_type"],
                    row["key"],
                    row["said"],
                    row["said_short"],
                    row["weight"],
                    row["sure"],
                    row["created_at"],
                    row["valid_from"],
                    row["expires_at"],
                    row["source_session_id"],
                    row["tags_then"],
                    row["items_then"],
                    row["number_then"],
                    title_of(row["said"]),
                    parts_of(row["said"]),
                    fingerprint(row["said"]),
                ],
            )
        rebuild_index(then)
        yield then
