"""Decay: archive memories that nobody has used for long; nothing is deleted."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from rove_core import Outcome
from rove_memory.memory.memories import Memories
from rove_memory.memory.model import MemoryType
from rove_memory.store.values import read_time
from rove_memory.token_budget import fitting_list

if TYPE_CHECKING:
    from rove_memory.memory_settings import MemorySettings

#: How many times longer a memory of each importance lasts; 5 lasts for ever.
_LASTS: Final = {1: 1, 2: 2, 3: 4, 4: 8}
_THRESHOLD: Final = 1.0
#: More than an answer has room for.
_MOST_LISTED: Final = 500


@frozen(kw_only=True)
class DecayedMemory:
    """A memory that has decayed.

    Attributes:
        key: Its key.
        memory_type: Its type.
        importance: Its importance.
        days_unused: Days since it was stored or used last.
        score: How far it has decayed. Above the threshold it is archived, below it only if there
            are too many of its type.
    """

    key: str
    memory_type: MemoryType
    importance: int
    days_unused: int
    score: float


@frozen(kw_only=True)
class DecayReport(Outcome):
    """The memories that decay archives, or would archive.

    Attributes:
        dry_run: Whether nothing was changed.
        threshold: The score above which a memory is archived.
        examined: How many memories were looked at.
        decayed: How many are above it, or too many of their type.
        archived: The most decayed of them, as many as an answer has room for.
        kept: How many stay as they are.
    """

    dry_run: bool
    threshold: float
    examined: int
    decayed: int
    archived: tuple[DecayedMemory, ...] = field(default=())
    kept: int = 0


def decay(memories: Memories, settings: "MemorySettings", *, dry_run: bool) -> DecayReport:
    """Return decayed memories, and archive them unless it is a dry run.

    A memory has decayed when nobody stored, changed or used it for ``decay_after_days``, times
    two for each step of importance above the lowest, times one more for each use. If a type has
    more than ``max_items_per_type``, its most decayed ones are archived, too. A memory of
    importance 5 never is.
    """
    now = memories.store.clock.now()
    rows = memories.db.execute(
        "SELECT m.id, m.key, m.memory_type, m.importance, u.last_accessed, u.used, u.not_useful "
        "FROM memory m JOIN memory_uses u ON u.memory_id = m.id "
        "WHERE m.archived_at IS NULL AND m.superseded_by IS NULL"
    ).fetchall()
    current: list[tuple[str, DecayedMemory]] = []
    for row in rows:
        days = _days(read_time(row["last_accessed"]), now)
        lasts = _LASTS.get(row["importance"], 0) * settings.decay_after_days
        uses = 1 + max(0, row["used"] - row["not_useful"])
        memory = DecayedMemory(
            key=row["key"],
            memory_type=row["memory_type"],
            importance=row["importance"],
            days_unused=int(days),
            score=round(days / (lasts * uses), 2) if lasts else 0.0,
        )
        current.append((row["id"], memory))
    current.sort(key=lambda each: (-each[1].score, each[1].importance, each[1].key))
    decayed = _decayed(current, settings.max_items_per_type)
    if not dry_run:
        memories.db.executemany(
            "UPDATE memory SET archived_at = ? WHERE id = ?",
            [(memories.store.now(), identifier) for identifier, _ in decayed],
        )
    return DecayReport(
        dry_run=dry_run,
        threshold=_THRESHOLD,
        examined=len(rows),
        decayed=len(decayed),
        archived=fitting_list([each for _, each in decayed[:_MOST_LISTED]], lambda each, _: each),
        kept=len(rows) - len(decayed),
    )


def _decayed(
    current: Sequence[tuple[str, DecayedMemory]], most: int
) -> list[tuple[str, DecayedMemory]]:
    """Return memories above the threshold, and those beyond the limit of their type.

    Args:
        current: All current memories, the most decayed first.
        most: How many of a type may stay, besides those that never decay.
    """
    left = Counter(memory.memory_type for _, memory in current)
    decayed = []
    for identifier, memory in current:
        is_too_many = left[memory.memory_type] > most and memory.importance in _LASTS
        if memory.score > _THRESHOLD or is_too_many:
            left[memory.memory_type] -= 1
            decayed.append((identifier, memory))
    return decayed


def _days(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds() / 86_400) if since else 0.0
