"""Wire types of memories."""

from datetime import datetime
from typing import Literal, TypeAlias

from attrs import frozen

MemoryType: TypeAlias = Literal["pattern", "decision", "architecture", "preference", "warning"]
Feedback: TypeAlias = Literal["used", "not_useful"]


@frozen(kw_only=True)
class MemoryItem:
    """A memory, as it is now or was at a time.

    Attributes:
        id: Its id.
        memory_type: What it is about.
        key: What it is called, once within its type.
        content: What to remember.
        summary: A short version; empty if nobody wrote one.
        importance: 1 nice to know to 5 critical.
        confidence: Confidence, 0 to 1.
        tags: Its tags.
        related_items: Tickets and plans it is about.
        created_at: When it was stored first.
        updated_at: When this version was stored.
        expires_at: When it expires; None for never.
        last_accessed: When somebody last said it was used, or it was stored.
        access_count: How often somebody said that since its last version.
        session_id: The session that stored it; empty if none did.
        version: Which version this is, the first one is 1.
        superseded_by: The key of the memory that replaced it; empty if none did.
        archived: Whether it is put aside: found only when asked for.
        contradicts: Keys of memories that say something else.
        why: Why it was found: the words it shares, its neighbours, its age.
        score: How well it fits, the best hit has 1.
        also: Keys of memories that say nearly the same and are not shown for that reason.
        project: The project it is of, where several were asked.
        names_left_out: How many of its tags, related items and other keys are not listed here;
            memory show lists more of them.
    """

    id: str
    memory_type: MemoryType
    key: str
    content: str
    summary: str = ""
    importance: int = 2
    confidence: float = 1.0
    tags: tuple[str, ...] = ()
    related_items: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None
    last_accessed: datetime | None = None
    access_count: int = 0
    session_id: str = ""
    version: int = 1
    superseded_by: str = ""
    archived: bool = False
    contradicts: tuple[str, ...] = ()
    why: str = ""
    score: float = 0.0
    also: tuple[str, ...] = ()
    project: str = ""
    names_left_out: int = 0
