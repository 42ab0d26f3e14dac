"""Wire types of a session's notes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, TypeAlias

from attrs import frozen

from rove_core import JSON

EventType: TypeAlias = Literal["decision", "discovery", "progress", "blocker", "note", "error"]
EventImportance: TypeAlias = Literal["low", "medium", "high"]


@frozen(kw_only=True)
class SessionEvent:
    """One note of a session.

    Attributes:
        id: Its id.
        event_type: What kind of note it is.
        importance: How much it matters later.
        content: What it says.
        context: Files, symbols and items it is about.
        created_at: When it was written.
    """

    id: str
    event_type: EventType
    importance: EventImportance
    content: str
    context: Mapping[str, JSON]
    created_at: datetime
