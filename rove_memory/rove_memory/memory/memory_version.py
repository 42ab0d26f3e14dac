"""Wire type of an earlier version of a memory."""

from datetime import datetime

from attrs import frozen


@frozen(kw_only=True)
class MemoryVersion:
    """One version of a memory.

    Attributes:
        version: Its number.
        content: What it said.
        importance: Its importance.
        confidence: How sure it was.
        valid_from: From when on it held.
        valid_to: Until when; None while it holds.
        session_id: The session that wrote it; empty if none did.
    """

    version: int
    content: str
    importance: int
    confidence: float
    valid_from: datetime
    valid_to: datetime | None = None
    session_id: str = ""
