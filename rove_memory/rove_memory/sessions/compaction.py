"""Turn important notes of an ended session into memories."""

from collections.abc import Mapping
from sqlite3 import Row
from typing import Final

from rove_core import sha256_hex
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.memories import Memories
from rove_memory.memory.model import MemoryType
from rove_memory.memory.words import content_words, fingerprint
from rove_memory.sessions.event_model import EventType, SessionEvent
from rove_memory.sessions.events import IMPORTANCE, events_of
from rove_memory.store.values import json_text

#: What a note is remembered as; progress and plain notes are of their session alone.
_TYPES: Final[Mapping[EventType, MemoryType]] = {
    "decision": "decision",
    "discovery": "architecture",
    "blocker": "warning",
    "error": "warning",
}
_WORDS_OF_KEY: Final = 5
#: A note of high importance is remembered with this one.
_WEIGHT: Final = {1: 1, 2: 2, 3: 4}


def remember_events(memories: Memories, session: Row, *, least: int) -> int:
    """Store the important notes of a session as memories, and return how many are new.

    A note that a memory says already, word for word, is not stored once more.

    Args:
        memories: The project's memories.
        session: The session's row.
        least: The least importance that is remembered, 1 to 3.
    """
    stored = 0
    for event in events_of(memories.db, session["id"]):
        memory_type = _TYPES.get(event.event_type)
        if memory_type is None or IMPORTANCE[event.importance] < least:
            continue
        if not _has_memory(memories, event):
            memories.put(_draft(event, memory_type, session))
            stored += 1
    return stored


def _has_memory(memories: Memories, event: SessionEvent) -> bool:
    found = memories.db.execute(
        "SELECT 1 FROM memory WHERE fingerprint = ? AND archived_at IS NULL",
        [fingerprint(event.content)],
    ).fetchone()
    return found is not None


def _draft(event: SessionEvent, memory_type: MemoryType, session: Row) -> MemoryDraft:
    ticket = session["ticket"] or ""
    related = event.context.get("related_items")
    items = [str(each) for each in related] if isinstance(related, list) else []
    return MemoryDraft(
        key=_key(event, ticket),
        content=event.content,
        memory_type=memory_type,
        importance=_WEIGHT[IMPORTANCE[event.importance]],
        related_items=[*filter(None, [ticket]), *items][:20],
        session_id=session["id"],
        source_context=json_text({"event": event.id, "event_type": event.event_type}),
    )


def _key(event: SessionEvent, ticket: str) -> str:
    """Return a stable key for the subject of a note."""
    words = "-".join(content_words(event.content)[:_WORDS_OF_KEY])[:60] or event.event_type
    mark = sha256_hex(event.id.encode())[:4]
    return "-".join(filter(None, [ticket.lower(), words, mark]))
