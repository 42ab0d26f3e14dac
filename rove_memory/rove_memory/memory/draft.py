"""A memory before it is stored."""

from collections.abc import Sequence

from attrs import evolve, field, frozen

from rove_core import WrongCall
from rove_memory.memory.model import MemoryItem, MemoryType
from rove_memory.memory.redaction import LONGEST_SUMMARY, clean_name, clean_names, clean_text
from rove_memory.store.values import time_text


@frozen(kw_only=True, eq=False, repr=False)
class MemoryDraft:
    """A memory before it is stored.

    Attributes:
        key: What it is called.
        content: What to remember.
        memory_type: What it is about.
        importance: 1 to 5.
        summary: A short version of the content.
        tags: Its tags.
        related_items: Tickets and plans it is about.
        expires_at: When it expires.
        session_id: The session that stores it.
        confidence: How sure it is.
        source_context: How it was derived, as JSON.
        at: When it was said; now unless given.
    """

    key: str
    content: str
    memory_type: MemoryType
    importance: int = 2
    summary: str = ""
    tags: Sequence[str] = ()
    related_items: Sequence[str] = ()
    expires_at: str | None = None
    session_id: str | None = None
    confidence: float = 1.0
    source_context: str | None = None
    at: str = field(default="")

    def following(self, last: MemoryItem) -> "MemoryDraft":
        """Return the draft as the next version of a memory: only the content changes."""
        # A summary of other content would be wrong.
        same = last.summary and clean_text(self.content, "content") == last.content
        return evolve(
            self,
            importance=last.importance,
            confidence=last.confidence,
            summary=last.summary if same else "",
            tags=last.tags,
            related_items=last.related_items,
            expires_at=time_text(last.expires_at) if last.expires_at else None,
        )

    def checked(self) -> "MemoryDraft":
        """Return the draft in stored form; raise WrongCall if it is invalid."""
        if not 1 <= self.importance <= 5:
            raise WrongCall(f"importance {self.importance}: give 1 (nice to know) to 5 (critical)")
        if not 0.0 <= self.confidence <= 1.0:
            raise WrongCall(f"confidence {self.confidence}: give 0.0 to 1.0")
        return MemoryDraft(
            key=clean_name(self.key, "key"),
            content=clean_text(self.content, "content"),
            memory_type=self.memory_type,
            importance=self.importance,
            summary=clean_text(self.summary, "summary", longest=LONGEST_SUMMARY)
            if self.summary
            else "",
            tags=clean_names(self.tags, "tags"),
            related_items=clean_names(self.related_items, "related items"),
            expires_at=self.expires_at,
            session_id=self.session_id,
            confidence=self.confidence,
            source_context=self.source_context,
            at=self.at,
        )
